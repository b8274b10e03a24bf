/**
 * The oracle: the expected answer to every GET, computed from the plain record by plain loops. It follows the specification
 * alone, and shares no code with the service.
 */
import type { RecordOf } from '../../api/contract/resources.ts';
import {
  countsAnswer,
  including,
  listAnswer,
  nominationsOf,
  searchAnswer,
  shown,
  topMovies,
  topNominees,
} from './answers.ts';
import { type Given, parameterTables, readQueryString, recordTables } from './parameters.ts';
import type { PlainRecord } from './record.ts';
import { type View, viewOf } from './view.ts';

export interface ExpectedAnswer {
  status: number;
  /** The document of a 200, whose text is JSON.stringify(body) + '\n', or the text of a file; null for errors. */
  body: unknown;
  /** For 400: each faulty parameter once, in the order of the query string. */
  faultyParameters?: string[];
}

export const resources = [
  'nominations',
  'ceremonies',
  'movies',
  'nominees',
  'categories',
  'songs',
  'honors',
] as const;

const answers: ReadonlyMap<string, (view: View, given: Given) => object | string> = new Map([
  ...resources.map(
    (resource) =>
      [`/api/${resource}`, (view: View, given: Given) => listAnswer(resource, view, given)] as const,
  ),
  ['/api/search', searchAnswer],
  ['/api/stats/counts', countsAnswer],
  ['/api/stats/top-movies', topMovies],
  ['/api/stats/top-nominees', topNominees],
]);

/** The text of an answer with status 200. */
export const expectedText = ({ body }: ExpectedAnswer): string =>
  typeof body === 'string' ? body : `${JSON.stringify(body)}\n`;

/** The answer to GET `path`?`queryString`; the query string comes without its question mark, '' for none. */
export function expectedAnswer(record: PlainRecord, path: string, queryString: string): ExpectedAnswer {
  const view = viewOf(record);
  const answer = answers.get(path);
  if (answer === undefined) return recordAnswer(view, path, queryString);
  const { given, faulty } = readQueryString(parameterTables.get(path)!, queryString);
  if (faulty.length > 0) return { status: 400, body: null, faultyParameters: faulty };
  return { status: 200, body: answer(view, given) };
}

/** Record pages ignore all parameters but their own. Any other path is 404. */
function recordAnswer(view: View, path: string, queryString: string): ExpectedAnswer {
  const [before, api, resource, spelling, ...more] = path.split('/');
  const hasShape = before === '' && api === 'api' && more.length === 0;
  const table = hasShape && resource !== undefined ? recordTables.get(resource) : undefined;
  // An id that is no integer is unknown before the query string is read.
  if (table === undefined || !isCanonical(spelling ?? '')) return { status: 404, body: null };
  const isOwn = (piece: string) =>
    [...readQueryString(table, piece).given.keys()].some((name) => table.has(name));
  const pieces = queryString.split('&').filter(isOwn);
  const { given, faulty } = readQueryString(table, pieces.join('&'));
  if (faulty.length > 0) return { status: 400, body: null, faultyParameters: faulty };
  const page = recordPage(view, resource as keyof RecordOf, Number(spelling), given);
  return page === undefined ? { status: 404, body: null } : { status: 200, body: page };
}

/** Whether a text is an id. 9007199254740993 and its like read as a neighbouring number. */
const isCanonical = (spelling: string): boolean =>
  /^[1-9][0-9]*$/.test(spelling) &&
  String(Number(spelling)) === spelling &&
  Number.isSafeInteger(Number(spelling));

/** The document of `/api/{resource}/{id}`; undefined if there is none. */
function recordPage(view: View, resource: keyof RecordOf, id: number, given: Given): object | undefined {
  const page = plainPage(view, resource, id, given) as { id: number } | undefined;
  return page && shown(including(resource, view, given, page), given);
}

/** Resource → the member of a nomination that refers to it, for pages that embed nominations. */
const embedding = {
  movies: 'movie_id',
  nominees: 'nominee_id',
  categories: 'category_id',
  songs: 'song_id',
} as const;

function plainPage(view: View, resource: keyof RecordOf, id: number, given: Given): object | undefined {
  if (resource === 'nominations') return nominationPage(view, id);
  const record = view.find(resource, id);
  if (record === undefined || resource === 'ceremonies' || resource === 'honors') return record;
  return { ...record, nominations: nominationsOf(view, embedding[resource], id, given) };
}

function nominationPage({ find, get }: View, id: number): object | undefined {
  const nomination = find('nominations', id);
  if (nomination === undefined) return undefined;
  const { ceremony_id, category_id, movie_id, nominee_id, song_id } = nomination;
  return {
    // Replaced members keep their place.
    ...nomination,
    category: get('categories', category_id),
    movie: get('movies', movie_id),
    nominee: get('nominees', nominee_id),
    ceremony: get('ceremonies', ceremony_id),
    ...(song_id !== null && { song: get('songs', song_id) }),
  };
}
