/** What enriching from Wikidata costs: query results for 5,000 films. */
import { writeFileSync } from 'node:fs';
import { resultsOf, type Row as ResultRow } from '../import/wikidata-text.ts';
import { project } from './checkout.ts';
import { comparedWith, type Row } from './table.ts';
import type { Workplace } from './workplace.ts';

const films = 5000;
const genres = ['drama film', 'comedy film', 'war film', 'romance film'];
const countries = ['US', 'FR'];
const maxSeconds = 5;
/** Bytes of resident memory. */
const maxMemory = 200 * 1024 * 1024;

export async function enrichRows(workplace: Workplace): Promise<Row[]> {
  const main = await workplace.main();
  const ids = main.record().movies.flatMap(({ filmindex_id }) => filmindex_id ?? []);
  const asked = ids.slice(0, films);
  const results = workplace.newPath('results.json');
  writeFileSync(results, resultsOf(asked.flatMap(rowsOf)));
  const queried = await project.run(['enrich', 'wikidata', results, '--db', workplace.copy(main.database)]);
  const withTime = comparedWith('limit', 's');
  const withMemory = comparedWith('limit', 'MB');
  const memory = { max: maxMemory / 1024 / 1024 };
  return [
    withTime(
      `query results for ${asked.length} films, the whole command`,
      queried.elapsed,
      maxSeconds * 1000,
      {
        max: maxSeconds,
      },
    ),
    withMemory('… peak resident memory', queried.peakBytes, maxMemory, memory),
  ];
}

/** Rows of the query for films: one per value. */
function rowsOf(imdb: string, i: number): ResultRow[] {
  const film = { imdb, item: `Q${i + 1}` };
  return [
    film,
    ...genres.map((genreLabel) => ({ ...film, genreLabel })),
    ...countries.map((country) => ({ ...film, country })),
    { ...film, duration: String(60 + (i % 120)) },
    { ...film, date: `19${String(i % 100).padStart(2, '0')}-03-04T00:00:00Z` },
    { ...film, tmdb: String(i + 1) },
  ];
}
