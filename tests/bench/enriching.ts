/** What enriching from Wikidata costs: query results for 5,000 films, and a dump of which most is of no use. */
import { closeSync, openSync, writeFileSync, writeSync } from 'node:fs';
import { amount, entity, resultsOf, type Row as ResultRow, statement } from '../enrich/wikidata-text.ts';
import { project } from './checkout.ts';
import { comparedWith, type Row } from './table.ts';
import type { Workplace } from './workplace.ts';

const films = 5000;
const genres = ['drama film', 'comedy film', 'war film', 'romance film'];
const countries = ['US', 'FR'];
const maxSeconds = 5;
/** Bytes of resident memory. */
const maxMemory = 200 * 1024 * 1024;

export async function enrichRows(workplace: Workplace, quick: boolean): Promise<Row[]> {
  const main = await workplace.main();
  const ids = main.record().movies.flatMap(({ filmindex_id }) => filmindex_id ?? []);
  const asked = ids.slice(0, films);
  const results = workplace.newPath('results.json');
  writeFileSync(results, resultsOf(asked.flatMap(rowsOf)));
  const bytes = (quick ? 64 : 512) * 1024 * 1024;
  const dump = workplace.newPath('dump.json');
  writeDump(dump, asked, bytes);
  const enrich = (file: string) =>
    project.run(['enrich', 'wikidata', file, '--db', workplace.copy(main.database)]);
  const [queried, dumped] = [await enrich(results), await enrich(dump)];
  const withTime = comparedWith('limit', 's');
  const withMemory = comparedWith('limit', 'MB');
  const memory = { max: maxMemory / 1024 / 1024 };
  const megabytes = bytes / 1024 / 1024;
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
    withMemory(`a dump of ${megabytes} MB, peak resident memory`, dumped.peakBytes, maxMemory, memory),
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

/** Writes a dump of about so many bytes: the films, then entities that nothing asks for. */
function writeDump(file: string, ids: readonly string[], bytes: number): void {
  const descriptor = openSync(file, 'w');
  const filler = 'text '.repeat(400);
  writeSync(descriptor, '[\n');
  for (let i = 0, written = 0; written < bytes; i += 1) {
    const id = ids[i];
    const own =
      id === undefined
        ? entity(`Q${1_000_000 + i}`, { P1: [statement(filler)] }, filler)
        : entity(`Q${i + 1}`, { P345: [statement(id)], P2047: [statement(amount(60 + (i % 120)))] });
    written += writeSync(descriptor, `${i === 0 ? '' : ',\n'}${JSON.stringify(own)}`);
  }
  writeSync(descriptor, '\n]\n');
  closeSync(descriptor);
}
