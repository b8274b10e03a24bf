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
 * @param query parsed; its filters select the nominations that count @throws SnapshotUnavailable
 */
export async function rankByEntries(
  snapshot: Snapshot,
  resource: 'movies' | 'nominees',
  query: Query,
  order: RankingOrder,
): Promise<RankedRecord[]> {
  const [table, entries, official] = await Promise.all([
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
    .sort((a, b) => b[first] - a[first] || b[second] - a[second] || a.id - b.id)
    .slice(0, query.limit);
}

/** "1995 · 13 nominations" and " · 6 wins". */
export function tallyTexts({ nominations, wins, years }: Tally): [nominations: string, wins: string] {
  if (!years) return ['no nominations on record', ''];
  return [
    `${span(...years)} · ${count(nominations, 'nomination')}`,
    wins > 0 ? ` · ${count(wins, 'win')}` : '',
  ];
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
export async function countByYear(snapshot: Snapshot, query: Query, byGroup: boolean): Promise<YearCount[]> {
  const [table, official] = await Promise.all([snapshot.nominations(), officialFlags(snapshot, query)]);
  const groupAt = (category: number) => table.categories.group.values[category] ?? 'Other';
  const rows = Array.from(selectNominations(table, query, official), (row) => ({
    year: yearAt(table, row),
    group: byGroup ? groupAt(table.category.rows[row]!) : '',
    winner: table.winner[row] === 1,
  }));
  const counts = groupBy(rows, ({ year, group }) => `${year} ${group}`).map(([, own]) => ({
    year: own[0]!.year,
    group: own[0]!.group,
    nominations: own.length,
    wins: own.filter(({ winner }) => winner).length,
  }));
  return counts.sort((a, b) => a.year - b.year);
}
