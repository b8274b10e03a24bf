/** The rows that a query selects: the predicates of its parameters, each over the rows of a table. */
import { categoryNamed } from '../contract/category-names.ts';
import type { Query } from '../contract/parameters.ts';
import type { IdColumn } from './columns.ts';
import { filmYears } from './film-years.ts';
import type { Snapshot } from './snapshot.ts';
import type { CategoryTable, CeremonyTable } from './tables.ts';
import type { TextColumn } from './text-column.ts';

/** Whether a row of a table is selected; undefined where a parameter is not sent. */
export type Predicate = ((row: number) => boolean) | undefined;

type YearQuery = { [Y in 'year' | 'yearStart' | 'yearEnd']?: number | undefined };

/** Whether a year passes all three year parameters. */
function inYears(year: number, { year: exact, yearStart, yearEnd }: YearQuery): boolean {
  return (
    (exact === undefined || year === exact) &&
    (yearStart === undefined || year >= yearStart) &&
    (yearEnd === undefined || year <= yearEnd)
  );
}

const hasYears = ({ year, yearStart, yearEnd }: YearQuery): boolean =>
  year !== undefined || yearStart !== undefined || yearEnd !== undefined;

/** All rows of a table, ascending. A loop is ten times as fast as Int32Array.from(). */
export function allRows(count: number): Int32Array {
  const rows = new Int32Array(count);
  for (let row = 0; row < count; row += 1) rows[row] = row;
  return rows;
}

/** One byte per row, 1 for these rows. @param count of all rows */
export function flagsOfRows(rows: ArrayLike<number>, count: number): Uint8Array {
  const flags = new Uint8Array(count);
  for (let i = 0; i < rows.length; i += 1) flags[rows[i]!] = 1;
  return flags;
}

/** The rows that pass all predicates, in their order. */
export function passing(rows: Int32Array, predicates: readonly Predicate[]): Int32Array {
  let passed = rows;
  for (const predicate of predicates) if (predicate) passed = passingOne(passed, predicate);
  return passed;
}

/** A loop is several times as fast as filter() of a typed array. */
function passingOne(rows: Int32Array, predicate: (row: number) => boolean): Int32Array {
  const passed = new Int32Array(rows.length);
  let count = 0;
  for (let i = 0; i < rows.length; i += 1) {
    passed[count] = rows[i]!;
    count += Number(predicate(rows[i]!));
  }
  return passed.subarray(0, count);
}

/** Rows whose text contains a part. */
export function containing(text: TextColumn, part: string | undefined): Predicate {
  if (part === undefined) return undefined;
  const flags = flagsOfRows(text.rowsContaining(part), text.values.length);
  return (row) => flags[row] === 1;
}

/** Categories whose names contain a text; where none does, the category that the text names otherwise, such as "best actor". */
function named({ name }: CategoryTable, text: string | undefined): Predicate {
  if (text === undefined || name.rowsContaining(text).length > 0) return containing(name, text);
  const category = categoryNamed(text);
  return (row) => category !== undefined && categoryNamed(name.values[row]!) === category;
}

/** Rows with this value. */
export const equal = <T>(values: ArrayLike<T>, value: T | undefined): Predicate =>
  value === undefined ? undefined : (row) => values[row] === value;

/** Rows with one of these values. */
export function among<T>(values: readonly T[], some: readonly T[] | undefined): Predicate {
  const wanted = new Set(some);
  return some && ((row) => wanted.has(values[row]!));
}

/** Rows whose year passes the year parameters. A row without a year does not. */
export const inYearsOf = (years: readonly (number | null)[], query: YearQuery): Predicate =>
  hasYears(query) ? (row) => years[row] !== null && inYears(years[row]!, query) : undefined;

/** Films of the film years that a query asks for. @throws SnapshotUnavailable */
export async function inFilmYears(
  snapshot: Snapshot,
  { filmYear: year, filmYearStart: yearStart, filmYearEnd: yearEnd }: Query,
): Promise<Predicate> {
  const asked = { year, yearStart, yearEnd };
  return hasYears(asked) ? inYearsOf(await filmYears(snapshot), asked) : undefined;
}

/** Rows of the known ids, in their order. */
export const rowsOfIds = (table: IdColumn, ids: readonly number[]): Int32Array =>
  Int32Array.from(ids, (id) => table.row(id)).filter((row) => row >= 0);

/** Rows of a table that have one of these ids. */
function withIds(table: IdColumn, ids: readonly number[] | undefined): Predicate {
  const rows = new Set(ids && rowsOfIds(table, ids));
  return ids && ((row) => rows.has(row));
}

/** Rows that refer to a row of another table that passes. */
export function referring(
  references: { readonly rows: Int32Array; table: { count: number } },
  predicates: readonly Predicate[],
): Predicate {
  if (predicates.every((predicate) => predicate === undefined)) return undefined;
  const { rows, table } = references;
  // Each row of the other table is tested once: it has fewer.
  const flags = flagsOfRows(passing(allRows(table.count), predicates), table.count);
  return (row) => flags[rows[row]!] === 1;
}

/** Ceremonies that pass the year parameters. */
export const ceremoniesIn = ({ year }: CeremonyTable, query: YearQuery): Predicate => inYearsOf(year, query);

/**
 * Rows of the nominations that a query selects, ascending.
 * @param some rows to select from, ascending; default all
 * @throws SnapshotUnavailable
 */
export async function selectNominations(
  snapshot: Snapshot,
  query: Query,
  some?: Int32Array,
): Promise<Int32Array> {
  const [table, inYears, titles, names] = await Promise.all([
    snapshot.table('nominations'),
    inFilmYears(snapshot, query),
    query.movie === undefined ? undefined : snapshot.table('titles'),
    query.nominee === undefined ? undefined : snapshot.table('names'),
  ]);
  const { ceremonies, categories, song, winner, official } = table;
  const flag = (value: boolean | undefined) => (value === undefined ? undefined : Number(value));
  return passing(query.ids ? rowsOfIds(table, query.ids) : (some ?? allRows(table.count)), [
    equal(winner, flag(query.winner)),
    equal(official, flag(query.official)),
    query.is_song === undefined ? undefined : (row) => song.rows[row]! >= 0 === query.is_song,
    referring(table.ceremony, [ceremoniesIn(ceremonies, query), withIds(ceremonies, query.ceremony_ids)]),
    referring(table.category, [
      named(categories, query.category),
      containing(categories.group, query.category_group),
      withIds(categories, query.category_ids),
    ]),
    referring(table.movie, [
      inYears,
      titles && containing(titles.text, query.movie),
      withIds(table.movie.table, query.movie_ids),
    ]),
    referring(table.nominee, [
      names && containing(names.text, query.nominee),
      withIds(table.nominee.table, query.nominee_ids),
    ]),
  ]);
}
