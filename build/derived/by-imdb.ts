/**
 * The by-imdb layer: one file for each film and nominee with an IMDb id, at by-imdb/<id>.json. It is the
 * record that the API answers for this id, with its nominations, counts and honors, and a summary of the
 * official nominations: for media servers, which know this id alone. The index, by-imdb/index.json, has all
 * ids.
 */

import type { ByImdbIndex } from '../../api/contract/answers.ts';
import { summaryOf } from '../../api/contract/award-summary.ts';
import { byImdbFolder, byImdbIndexPath, imdbIdPattern } from '../../api/contract/layers.ts';
import { byCodeUnit } from '../../api/contract/text.ts';
import { officialCounter } from '../../api/read/counts.ts';
import { recordsIn } from '../../api/read/records.ts';
import type { Snapshot } from '../../api/read/snapshot.ts';
import { referenceTo } from '../../api/read/tables.ts';
import type { Difference } from './affected.ts';
import type { Layer } from './layer.ts';

/** The resources with IMDb ids, and what a file includes. */
const included = {
  movies: ['nominations', 'counts', 'film_year', 'honors'],
  nominees: ['nominations', 'counts', 'honors'],
} as const;

interface Identified {
  imdbId: string;
  resource: keyof typeof included;
  /** In the table of the resource. */
  row: number;
}

export const byImdbLayer: Layer = {
  name: 'by-imdb',
  async *files(snapshot, difference) {
    // Two records can share an id, and an id can move from one record to another.
    const left = difference && (await affectedIds(difference));
    const records = await identified(snapshot);
    for (const { imdbId, resource, row } of records) {
      if (left?.has(imdbId) === false) continue;
      const content = async () => Buffer.from(await fileText(snapshot, resource, row));
      yield { path: `${byImdbFolder}/${imdbId}.json`, content };
    }
    if (difference?.hasOtherTables === false) return;
    yield { path: byImdbIndexPath, content: async () => Buffer.from(await indexText(snapshot, records)) };
  },
};

/** The records with an IMDb id, by resource and ascending id; of several with the same id the first. */
async function identified(snapshot: Snapshot): Promise<Identified[]> {
  const [movies, nominees] = await tablesOf(snapshot);
  const ofMovies = movies.filmindex_id.map((imdbId, row) => ({ imdbId, resource: 'movies' as const, row }));
  const ofNominees = nominees.filmindex_id.map((imdbId, row) => ({
    imdbId,
    resource: 'nominees' as const,
    row,
  }));
  const taken = new Set<string>();
  return [...ofMovies, ...ofNominees].filter((record): record is Identified => {
    const isFirst = isFileName(record.imdbId) && !taken.has(record.imdbId);
    if (isFirst) taken.add(record.imdbId!);
    return isFirst;
  });
}

/**
 * The IMDb ids of the records whose pages or honors differ, in both snapshots. An honor can give its film the
 * film year, too.
 */
async function affectedIds({ before, after, records }: Difference): Promise<ReadonlySet<string>> {
  const ids = new Set<string>();
  for (const snapshot of [before, after]) {
    const [movies, nominees] = await tablesOf(snapshot);
    const honors = await snapshot.table('honors');
    const rows = [...records.honors].map((id) => honors.row(id)).filter((row) => row >= 0);
    const tables = [
      [movies, [...records.movies, ...rows.flatMap((row) => honors.movie[row] ?? [])]],
      [nominees, [...records.nominees, ...rows.flatMap((row) => honors.nominees[row]!)]],
    ] as const;
    for (const [table, affected] of tables)
      for (const id of affected) {
        const imdbId = table.filmindex_id[table.row(id)];
        if (imdbId !== undefined && isFileName(imdbId)) ids.add(imdbId);
      }
  }
  return ids;
}

const tablesOf = (snapshot: Snapshot) => Promise.all([snapshot.table('films'), snapshot.table('people')]);

/** Other programs may have stored texts that are no file name. */
const isFileName = (imdbId: string | null): imdbId is string => imdbId !== null && idPattern.test(imdbId);
const idPattern = new RegExp(imdbIdPattern);

async function fileText(snapshot: Snapshot, resource: Identified['resource'], row: number): Promise<string> {
  const [record] = await recordsIn(snapshot, resource, [row], { include: included[resource] });
  const id = record!.id as number;
  const nominations = (await snapshot.table('nominations'))[referenceTo[resource]];
  const counts = (await officialCounter(snapshot))(nominations.nominationsOf(id));
  return JSON.stringify({ ...record, official_counts: counts, summary: summaryOf(counts) });
}

async function indexText(snapshot: Snapshot, records: readonly Identified[]): Promise<string> {
  const [movies, nominees] = await tablesOf(snapshot);
  const nominations = await snapshot.table('nominations');
  const count = await officialCounter(snapshot);
  const entries = records.map(({ imdbId, resource, row }): [string, [number, number, number]] => {
    const id = (resource === 'movies' ? movies : nominees).id(row);
    const { entries: official, wins } = count(nominations[referenceTo[resource]].nominationsOf(id));
    return [imdbId, [id, official, wins]];
  });
  const data = Object.fromEntries(entries.sort(([a], [b]) => byCodeUnit(a, b)));
  const index: ByImdbIndex = { data, count: entries.length };
  return `${JSON.stringify(index)}\n`;
}
