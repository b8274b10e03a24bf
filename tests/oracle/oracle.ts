/**
 * The oracle: what every GET of the interface must answer, computed from the plain record by plain loops, from the
 * specification alone. The service is held against it; it shares no code with the service.
 */
import {
  categoriesList,
  ceremoniesList,
  moviesList,
  nominationsList,
  nomineesList,
  searchAnswer,
  songsList,
} from './lists.ts';
import { recordPage } from './pages.ts';
import { type Given, parameterTables, readQueryString } from './parameters.ts';
import { topMovies, topNominees } from './rankings.ts';
import type { PlainRecord } from './record.ts';
import { type View, viewOf } from './view.ts';

export { bruteForceMatches } from './brute-force.ts';

export interface ExpectedAnswer {
  status: number;
  /** The document of a 200, whose text is JSON.stringify(body) + '\n'; null for errors, whose text is not foretold. */
  body: unknown;
  /** Of a 400: each faulty parameter once, in the order of the query string. */
  faultyParameters?: string[];
}

type Answer = (view: View, given: Given) => object;

const answers: ReadonlyMap<string, Answer> = new Map<string, Answer>([
  ['/api/nominations', nominationsList],
  ['/api/ceremonies', ceremoniesList],
  ['/api/movies', moviesList],
  ['/api/nominees', nomineesList],
  ['/api/categories', categoriesList],
  ['/api/songs', songsList],
  ['/api/search', searchAnswer],
  ['/api/stats/top-movies', topMovies],
  ['/api/stats/top-nominees', topNominees],
]);

/** The answer to GET `path`?`queryString`; the query string comes without its question mark, '' for none. */
export function expectedAnswer(record: PlainRecord, path: string, queryString: string): ExpectedAnswer {
  const view = viewOf(record);
  const answer = answers.get(path);
  if (answer === undefined) return recordAnswer(view, path);
  const { given, faulty } = readQueryString(parameterTables.get(path)!, queryString);
  if (faulty.length > 0) return { status: 400, body: null, faultyParameters: faulty };
  return { status: 200, body: answer(view, given) };
}

/** Record pages ignore the query string; whatever is no record page is no page at all. */
function recordAnswer(view: View, path: string): ExpectedAnswer {
  const [before, api, resource, spelling, ...more] = path.split('/');
  const hasShape = before === '' && api === 'api' && more.length === 0;
  const page =
    hasShape && resource !== undefined && spelling !== undefined
      ? recordPage(view, resource, spelling)
      : undefined;
  return page === undefined ? { status: 404, body: null } : { status: 200, body: page };
}
