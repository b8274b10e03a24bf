/** The rows that a query selects: filter flags per table, selected nominations. */
import type { Query } from '../contract/parameters.ts';
import type { IdColumn } from './columns.ts';
import type { NominationTable, References } from './nomination-table.ts';
import type { Snapshot } from './snapshot.ts';
import type { CeremonyTable } from './tables.ts';
import type { TextColumn } from './text-column.ts';

/** One byte per row, 1 for selected rows; undefined if there is no filter. */
export type Flags = Uint8Array | undefined;

type YearQuery = Pick<Query, 'year' | 'yearStart' | 'yearEnd'>;

/** Whether a year passes all three year parameters. */
export function inYears(year: number, { year: exact, yearStart, yearEnd }: YearQuery): boolean {
  return (
    (exact === undefined || year === exact) &&
    (yearStart === undefined || year >= yearStart) &&
    (yearEnd === undefined || year <= yearEnd)
  );
}

export const hasYears = ({ year, yearStart, yearEnd }: YearQuery): boolean =>
  year !== undefined || yearStart !== undefined || yearEnd !== undefined;

/** @param count of all rows */
export function flagsOfRows(rows: ArrayLike<number>, count: number): Uint8Array {
  const flags = new Uint8Array(count);
  for (let i = 0; i < rows.length; i += 1) flags[rows[i]!] = 1;
  return flags;
}

/** Up to this many rows, indexOf() finds them faster than a loop over all flags. */
const maxRare = 256;

/** The rows whose flag is 1, ascending. */
export function rowsOfFlags(flags: Uint8Array): Int32Array {
  const rows = new Int32Array(flags.length);
  let count = 0;
  let row = flags.indexOf(1);
  for (; row >= 0 && count < maxRare; row = flags.indexOf(1, row + 1)) rows[count++] = row;
  if (row >= 0)
    for (; row < flags.length; row += 1) {
      rows[count] = row;
      count += flags[row]!;
    }
  return rows.subarray(0, count);
}

/** Rows that pass a test. */
export function flagsWhere(count: number, test: (row: number) => boolean): Uint8Array {
  const flags = new Uint8Array(count);
  for (let row = 0; row < count; row += 1) if (test(row)) flags[row] = 1;
  return flags;
}

/** Rows whose text contains a part. */
export const flagsContaining = (text: TextColumn, part: string | undefined): Flags =>
  part === undefined ? undefined : flagsOfRows(text.rowsContaining(part), text.values.length);

/** Rows with this value; undefined for no filter. */
export const flagsEqual = <T>(values: readonly T[], value: T | undefined): Flags =>
  value === undefined ? undefined : flagsWhere(values.length, (row) => values[row] === value);

/** Rows with one of these values; undefined for no filter. */
export function flagsAmong<T>(values: readonly T[], some: readonly T[] | undefined): Flags {
  if (some === undefined) return undefined;
  const wanted = new Set(some);
  return flagsWhere(values.length, (row) => wanted.has(values[row]!));
}

/** Rows that pass all filters. */
export const allFlags = (...filters: Flags[]): Flags =>
  filters.reduce<Flags>(
    (all, flags) => (all && flags ? all.map((flag, row) => flag & flags[row]!) : (all ?? flags)),
    undefined,
  );

/** Rows of the known ids, ascending. */
export function rowsOfIds(table: IdColumn, ids: readonly number[]): number[] {
  return ids.map((id) => table.row(id)).filter((row) => row >= 0);
}

const flagsOfIds = (table: IdColumn, ids: readonly number[] | undefined): Flags =>
  ids && flagsOfRows(rowsOfIds(table, ids), table.count);

/** Ceremonies that pass the year parameters. */
export const yearFlags = (ceremonies: CeremonyTable, query: YearQuery): Flags =>
  hasYears(query) ? flagsWhere(ceremonies.count, (row) => inYears(ceremonies.year[row]!, query)) : undefined;

/** A condition: a nomination passes if `flags[rows[nomination]]` is 1. */
interface Condition {
  rows: ArrayLike<number>;
  flags: Uint8Array;
}

interface Conditions {
  /** Of films and nominees, which usually select few nominations. */
  movie: Flags;
  nominee: Flags;
  all: readonly Condition[];
}

/** All conditions of a query except `ids`. Loads the texts that it asks for only. */
async function conditionsOf(snapshot: Snapshot, table: NominationTable, query: Query): Promise<Conditions> {
  const { ceremonies, categories } = table;
  const [titles, names] = await Promise.all([
    query.movie === undefined ? undefined : snapshot.titles(),
    query.nominee === undefined ? undefined : snapshot.names(),
  ]);
  const movie = allFlags(
    titles && flagsContaining(titles.text, query.movie),
    flagsOfIds(table.movie.table, query.movie_ids),
  );
  const nominee = allFlags(
    names && flagsContaining(names.text, query.nominee),
    flagsOfIds(table.nominee.table, query.nominee_ids),
  );
  const ceremony = allFlags(yearFlags(ceremonies, query), flagsOfIds(ceremonies, query.ceremony_ids));
  const category = allFlags(
    flagsContaining(categories.name, query.category),
    flagsContaining(categories.group, query.category_group),
    flagsOfIds(categories, query.category_ids),
  );
  const all: Condition[] = [];
  const add = ({ rows }: { rows: ArrayLike<number> }, flags: Flags) => {
    if (flags) all.push({ rows, flags });
  };
  add(table.movie, movie);
  add(table.nominee, nominee);
  add(table.ceremony, ceremony);
  add(table.category, category);
  const flagsOf = (value: boolean) => Uint8Array.of(value ? 0 : 1, value ? 1 : 0);
  if (query.winner !== undefined) add({ rows: table.winner }, flagsOf(query.winner));
  if (query.official !== undefined) add({ rows: table.official }, flagsOf(query.official));
  if (query.is_song !== undefined)
    add({ rows: table.song.rows.map((row) => (row < 0 ? 0 : 1)) }, flagsOf(query.is_song));
  return { movie, nominee, all };
}

/**
 * Rows of the nominations that a query selects, ascending.
 * @param among rows to select from, ascending; they are overwritten. Default all
 * @throws SnapshotUnavailable
 */
export async function selectNominations(
  snapshot: Snapshot,
  query: Query,
  among?: Int32Array,
): Promise<Int32Array> {
  const table = await snapshot.nominations();
  const conditions = await conditionsOf(snapshot, table, query);
  const candidates = query.ids
    ? Int32Array.from(rowsOfIds(table, query.ids))
    : (among ?? fewCandidates(table, conditions) ?? allRows(table.count));
  return conditions.all.reduce(passing, candidates);
}

/** All rows of a table, ascending. A loop is ten times as fast as Int32Array.from(). */
export function allRows(count: number): Int32Array {
  const rows = new Int32Array(count);
  for (let row = 0; row < count; row += 1) rows[row] = row;
  return rows;
}

/** The rows that pass a condition; overwrites `selected`. One condition at a time is faster than all for each row. */
function passing(selected: Int32Array, { rows, flags }: Condition): Int32Array {
  let count = 0;
  for (let i = 0; i < selected.length; i += 1) {
    const row = selected[i]!;
    selected[count] = row;
    // Without a branch: half of all branches would be predicted wrongly.
    count += flags[rows[row]!]!;
  }
  return selected.subarray(0, count);
}

/** The postings of the film or nominee filter, ascending, if they are few enough to be faster than a scan. */
function fewCandidates(table: NominationTable, { movie, nominee }: Conditions): Int32Array | undefined {
  const max = table.count >> 3;
  const gathered = [
    movie && gatherPostings(movie, table.movie, max),
    nominee && gatherPostings(nominee, table.nominee, max),
  ]
    .filter((rows) => rows !== undefined)
    .sort((a, b) => a.length - b.length);
  return gathered[0]?.sort();
}

/** The postings of all flagged rows; undefined if they are more than `max`. */
function gatherPostings(flags: Uint8Array, { postings }: References, max: number): Int32Array | undefined {
  let total = 0;
  for (let row = flags.indexOf(1); row >= 0; row = flags.indexOf(1, row + 1)) {
    total += postings.count(row);
    if (total > max) return undefined;
  }
  const rows = new Int32Array(total);
  let at = 0;
  for (let row = flags.indexOf(1); row >= 0; row = flags.indexOf(1, row + 1)) {
    const posted = postings.of(row);
    rows.set(posted, at);
    at += posted.length;
  }
  return rows;
}
