/** Nominations counted in the tables of a snapshot. The browser loads this with the resolver, after the first view. */
import type { Query } from '../../../api/contract/parameters.ts';
import { countOne } from '../../../api/read/counts.ts';
import { rankedFilms, rankedPeople } from '../../../api/read/rankings.ts';
import { officialFlags, selectNominations } from '../../../api/read/selection.ts';
import type { Snapshot } from '../../../api/read/snapshot.ts';
import type { NominationTable } from '../../../api/read/tables.ts';
import {
  groupBy,
  type RankedRecord,
  type RankingOrder,
  type TallyOf,
  type YearCount,
  yearsOf,
} from './counts.ts';

/** Counts a record when it is asked for: a page shows few. @throws SnapshotUnavailable */
export async function tallies(snapshot: Snapshot, resource: 'movies' | 'nominees'): Promise<TallyOf> {
  const [table, entries] = await Promise.all([snapshot.nominations(), snapshot.entries()]);
  const { postings, table: texts } = resource === 'movies' ? table.movie : table.nominee;
  return (id) => {
    const row = texts.row(id);
    if (row < 0) return undefined;
    const nominations = postings.of(row);
    const counts = countOne(table, entries, nominations);
    return {
      nominations: counts.entries,
      wins: counts.wins,
      years: yearsOf(Array.from(nominations, (own) => yearAt(table, own))),
    };
  };
}

const yearAt = (table: NominationTable, row: number): number =>
  table.ceremonies.year[table.ceremony.rows[row]!]!;

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
    .sort((a, b) => b[first] - a[first] || b[second] - a[second] || a.id - b.id);
}

/**
 * The entries of a query by category and year of the ceremony.
 * @param query parsed; its page and limit have no effect
 * @throws SnapshotUnavailable
 */
export async function countByCategory(snapshot: Snapshot, query: Query): Promise<YearCount[]> {
  const [table, entries, official] = await Promise.all([
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
