/** Nominations counted and grouped for display: entries, tallies, and counts by year. */
import type { Query } from '../../../api/contract/parameters.ts';
import { rankedFilms, rankedPeople } from '../../../api/read/rankings.ts';
import { officialFlags, selectNominations } from '../../../api/read/selection.ts';
import type { Snapshot } from '../../../api/read/snapshot.ts';
import type { NominationTable } from '../../../api/read/tables.ts';
import { count, span } from '../shared/format.ts';
import type { DetailedNomination } from './record.ts';

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

/** What counts as one nomination: often several people, sometimes several films. */
export interface Entry {
  nominations: readonly DetailedNomination[];
  first: DetailedNomination;
  winner: boolean;
}

/** Entries in the order of their first nominations. */
export const entriesOf = (nominations: readonly DetailedNomination[]): Entry[] =>
  groupBy(nominations, ({ entryKey }) => entryKey).map(([, own]) => ({
    nominations: own,
    first: own[0]!,
    winner: own.some(({ winner }) => winner),
  }));

/** Entries, and those that won. */
export interface Tally {
  nominations: number;
  wins: number;
  years: [first: number, last: number] | undefined;
}

const yearsOf = (years: readonly number[]): Tally['years'] =>
  years.length === 0 ? undefined : [Math.min(...years), Math.max(...years)];

export function tallyOf(nominations: readonly DetailedNomination[]): Tally {
  const entries = entriesOf(nominations);
  return {
    nominations: entries.length,
    wins: entries.filter(({ winner }) => winner).length,
    years: yearsOf(nominations.map(({ ceremony_year }) => ceremony_year)),
  };
}

/** The tally of a film or person; undefined for an unknown id. */
export type TallyOf = (id: number) => Tally | undefined;

/** @throws SnapshotUnavailable */
export async function tallies(snapshot: Snapshot, resource: 'movies' | 'nominees'): Promise<TallyOf> {
  const [table, counts] = await Promise.all([snapshot.nominations(), snapshot.counts(resource)]);
  const { postings, table: texts } = resource === 'movies' ? table.movie : table.nominee;
  return (id) => {
    const row = texts.row(id);
    if (row < 0) return undefined;
    return {
      nominations: counts.entries[row]!,
      wins: counts.wins[row]!,
      years: yearsOf(Array.from(postings.of(row), (own) => yearAt(table, own))),
    };
  };
}

const yearAt = (table: NominationTable, row: number): number =>
  table.ceremonies.year[table.ceremony.rows[row]!]!;

/** What a ranking orders by; "unrewarded" are those without a win, by nominations. */
export type RankingOrder = 'nominations' | 'wins' | 'unrewarded';

export interface RankedRecord {
  id: number;
  label: string;
  nominations: number;
  wins: number;
}

/**
 * Films or people by entries and wins, the other total second, then by id.
 * @param query parsed; its filters select the nominations that count, its limit has no effect @throws SnapshotUnavailable
 */
export async function rankByEntries(
  snapshot: Snapshot,
  resource: 'movies' | 'nominees',
  query: Query,
  order: RankingOrder,
): Promise<RankedRecord[]> {
  const [table, { numbers: entries }, official] = await Promise.all([
    snapshot.nominations(),
    snapshot.entryNumbers(),
    officialFlags(snapshot, query),
  ]);
  const isFilm = resource === 'movies';
  const { table: records, rows } = isFilm ? table.movie : table.nominee;
  const flags = isFilm ? await rankedFilms(snapshot, query) : rankedPeople(await snapshot.people(), query);
  const counted = new Map<number, { entries: Set<number>; won: Set<number> }>();
  for (const nomination of selectNominations(table, query, official)) {
    const row = rows[nomination]!;
    if (flags !== undefined && flags[row] === 0) continue;
    const own = counted.get(row) ?? { entries: new Set(), won: new Set() };
    counted.set(row, own);
    own.entries.add(entries[nomination]!);
    if (table.winner[nomination] === 1) own.won.add(entries[nomination]!);
  }
  const texts = isFilm ? table.titles : table.names;
  const ranked = [...counted].map(([row, own]) => ({
    id: records.id(row),
    label: texts.text.values[row]!,
    nominations: own.entries.size,
    wins: own.won.size,
  }));
  const [first, second] =
    order === 'wins' ? (['wins', 'nominations'] as const) : (['nominations', 'wins'] as const);
  return ranked
    .filter(({ wins }) => order !== 'unrewarded' || wins === 0)
    .sort((a, b) => b[first] - a[first] || b[second] - a[second] || a.id - b.id);
}

/** "1995 · 13 nominations" and " · 6 wins". */
export function tallyTexts({ nominations, wins, years }: Tally): [nominations: string, wins: string] {
  if (!years) return ['no nominations on record', ''];
  return [
    `${span(...years)} · ${count(nominations, 'nomination')}`,
    wins > 0 ? ` · ${count(wins, 'win')}` : '',
  ];
}

/** The entries of each year among nominations, ascending. */
export const totalsByYear = (nominations: readonly DetailedNomination[]): YearTotals[] =>
  groupBy(nominations, ({ ceremony_year }) => ceremony_year)
    .map(([year, own]) => ({ year, ...tallyOf(own) }))
    .sort((a, b) => a.year - b.year);

/** Entries of one year, and those that won. */
export interface YearTotals {
  year: number;
  nominations: number;
  wins: number;
}

/** The totals of one category in one year. */
export interface YearCount extends YearTotals {
  category_id: number;
  category: string;
  group: string;
}

/** The totals of each year, ascending. An entry belongs to one category, so the sums of categories count none twice. */
export const yearTotals = (counts: readonly YearCount[]): YearTotals[] =>
  groupBy(counts, ({ year }) => year)
    .map(([year, own]) => ({
      year,
      nominations: own.reduce((sum, { nominations }) => sum + nominations, 0),
      wins: own.reduce((sum, { wins }) => sum + wins, 0),
    }))
    .sort((a, b) => a.year - b.year);

/**
 * The entries of a query by category and year of the ceremony.
 * @param query parsed; its page and limit have no effect
 * @throws SnapshotUnavailable
 */
export async function countByCategory(snapshot: Snapshot, query: Query): Promise<YearCount[]> {
  const [table, { numbers: entries }, official] = await Promise.all([
    snapshot.nominations(),
    snapshot.entryNumbers(),
    officialFlags(snapshot, query),
  ]);
  const { categories, category, winner } = table;
  const rows = Array.from(selectNominations(table, query, official));
  return groupBy(rows, (row) => `${yearAt(table, row)} ${category.rows[row]}`).map(([, own]) => {
    const at = category.rows[own[0]!]!;
    const distinct = (some: readonly number[]) => new Set(some.map((row) => entries[row])).size;
    return {
      year: yearAt(table, own[0]!),
      category_id: categories.id(at),
      category: categories.name.values[at]!,
      group: categories.group.values[at] ?? 'Other',
      nominations: distinct(own),
      wins: distinct(own.filter((row) => winner[row] === 1)),
    };
  });
}
