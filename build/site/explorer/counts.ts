/** Nominations counted and grouped for display: entries, tallies, and counts by year. */
import type { Query } from '../../../api/contract/parameters.ts';
import type { Nomination } from '../../../api/contract/resources.ts';
import { officialFlags, selectNominations } from '../../../api/read/selection.ts';
import type { NominationTable } from '../../../api/read/tables.ts';
import { count, span } from '../shared/format.ts';
import { columns } from './record.ts';

/** Items in groups, in the order in which the groups first appear. */
export function groupBy<T, K>(items: readonly T[], keyOf: (item: T) => K): [K, T[]][] {
  const groups = new Map<K, T[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group) group.push(item);
    else groups.set(key, [item]);
  }
  return [...groups];
}

/** People nominated together for one film. */
export interface Entry {
  /** All nominations of an entry have its ceremony, category, film, song and outcome. */
  first: Nomination;
  nominations: readonly Nomination[];
}

/** Entries in the order of their first nominations. */
export const entriesOf = (nominations: readonly Nomination[]): Entry[] =>
  groupBy(nominations, ({ ceremony_id, category_id, movie_id, song_id, winner }) =>
    [ceremony_id, category_id, movie_id, song_id, winner].join(),
  ).map(([, own]) => ({ first: own[0]!, nominations: own }));

export interface Tally {
  nominations: number;
  wins: number;
  years: [first: number, last: number] | undefined;
}

interface Counted {
  category: number;
  year: number;
  winner: boolean;
}

/** A person's tally counts every nomination; that of a film counts each category once. */
function tally(resource: 'movies' | 'nominees', counted: readonly Counted[]): Tally {
  const size = (items: readonly Counted[]) =>
    resource === 'movies' ? new Set(items.map(({ category }) => category)).size : items.length;
  const years = counted.map(({ year }) => year);
  return {
    nominations: size(counted),
    wins: size(counted.filter(({ winner }) => winner)),
    years: years.length === 0 ? undefined : [Math.min(...years), Math.max(...years)],
  };
}

export const tallyOf = (resource: 'movies' | 'nominees', nominations: readonly Nomination[]): Tally =>
  tally(
    resource,
    nominations.map(({ category_id, ceremony_year, winner }) => ({
      category: category_id,
      year: ceremony_year,
      winner,
    })),
  );

const countedAt = (table: NominationTable, row: number): Counted => ({
  category: table.category.rows[row]!,
  year: table.ceremonies.year[table.ceremony.rows[row]!]!,
  winner: table.winner[row] === 1,
});

/** @param rows of nominations */
export const tallyOfRows = (
  resource: 'movies' | 'nominees',
  table: NominationTable,
  rows: ArrayLike<number>,
): Tally =>
  tally(
    resource,
    Array.from(rows, (row) => countedAt(table, row)),
  );

/** "1995 · 13 nominations" and " · 6 wins". */
export function tallyTexts({ nominations, wins, years }: Tally): [nominations: string, wins: string] {
  if (!years) return ['no nominations on record', ''];
  return [
    `${span(...years)} · ${count(nominations, 'nomination')}`,
    wins > 0 ? ` · ${count(wins, 'win')}` : '',
  ];
}

/** Tallies by id. @throws SnapshotUnavailable */
export async function talliesOf(
  resource: 'movies' | 'nominees',
  ids: readonly number[],
): Promise<ReadonlyMap<number, Tally>> {
  const table = await (await columns()).nominations();
  const [texts, { postings }] =
    resource === 'movies' ? [table.titles, table.movie] : [table.names, table.nominee];
  return new Map(
    ids
      .map((id) => [id, texts.row(id)] as const)
      .filter(([, row]) => row >= 0)
      .map(([id, row]) => [id, tallyOfRows(resource, table, postings.of(row))]),
  );
}

/** Counts of one year: of all nominations, or of one group of categories. */
export interface YearCount {
  year: number;
  group: string;
  nominations: number;
  wins: number;
}

/**
 * The nominations of a query by the year of the ceremony, ascending.
 * @param query parsed; its page and limit have no effect
 * @param byGroup whether to count each group of categories separately
 * @throws SnapshotUnavailable
 */
export async function countByYear(query: Query, byGroup: boolean): Promise<YearCount[]> {
  const snapshot = await columns();
  const [table, official] = await Promise.all([snapshot.nominations(), officialFlags(snapshot, query)]);
  const groupAt = (category: number) => table.categories.group.values[category] ?? 'Other';
  const rows = Array.from(selectNominations(table, query, official), (row) => countedAt(table, row)).map(
    ({ category, year, winner }) => ({ year, group: byGroup ? groupAt(category) : '', winner }),
  );
  const counts = groupBy(rows, ({ year, group }) => `${year} ${group}`).map(([, own]) => ({
    year: own[0]!.year,
    group: own[0]!.group,
    nominations: own.length,
    wins: own.filter(({ winner }) => winner).length,
  }));
  return counts.sort((a, b) => a.year - b.year);
}
