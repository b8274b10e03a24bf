/**
 * The rows that a query selects: the column of each filter in the table of parameters as a predicate over
 * rows.
 */
import type { ReferencedResource, ResourceName } from '../contract/names.ts';
import { type Filter, filtersAt, type Query, rankingNames } from '../contract/addresses.ts';
import { countsPath, listPath, rankingPath, searchPath } from '../contract/routes.ts';
import { IdColumn, TagColumn, TextColumn } from './columns.ts';
import { type Column, columnOf, resourceOf } from './named-columns.ts';
import type { Snapshot } from './snapshot.ts';
import { type NominationTable, References, referenceTo, type Table } from './tables.ts';

/** Whether a row of a table is selected. */
export type Predicate = (row: number) => boolean;

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
  for (const predicate of predicates) passed = passingOne(passed, predicate);
  return passed;
}

/** A loop is several times as fast as filter() of a typed array. */
function passingOne(rows: Int32Array, predicate: Predicate): Int32Array {
  const passed = new Int32Array(rows.length);
  let count = 0;
  for (let i = 0; i < rows.length; i += 1) {
    passed[count] = rows[i]!;
    count += Number(predicate(rows[i]!));
  }
  return passed.subarray(0, count);
}

/** Rows of the known ids, in their order. */
const rowsOfIds = (table: IdColumn, ids: readonly number[]): Int32Array =>
  Int32Array.from(ids, (id) => table.row(id)).filter((row) => row >= 0);

type Value = number | string | boolean | readonly (number | string)[];

/**
 * Rows whose value in a column passes the value of a filter: contains a text, is equal, is among several, or
 * in a range.
 */
function predicateOn(column: Column, value: Value, bound: Filter['bound']): Predicate {
  if (column instanceof TextColumn)
    return isFlagged(flagsOfRows(column.rowsContaining(value as string), column.values.length));
  if (column instanceof TagColumn) return isFlagged(column.with(value as string));
  if (column instanceof IdColumn)
    return isFlagged(flagsOfRows(rowsOfIds(column, value as number[]), column.count));
  if (column instanceof References) return (row) => column.has(row) === value;
  if (bound === 'first') return (row) => column[row] !== null && column[row]! >= value;
  if (bound === 'last') return (row) => column[row] !== null && column[row]! <= value;
  if (typeof value !== 'object') {
    const sought = typeof value === 'boolean' ? Number(value) : value;
    return (row) => {
      const own = column[row];
      return own === sought || (Array.isArray(own) && own.includes(sought));
    };
  }
  const sought = new Set<unknown>(value);
  return (row) => {
    const own = column[row];
    return Array.isArray(own) ? own.some((one) => sought.has(one)) : sought.has(own);
  };
}

const isFlagged =
  (flags: Uint8Array): Predicate =>
  (row) =>
    flags[row] === 1;

/**
 * Filters as predicates over the rows of a resource: by its own columns, or by those of records that it
 * refers to.
 */
function predicatesOf(
  snapshot: Snapshot,
  resource: ResourceName,
  filters: readonly Filter[],
  query: Query,
): Promise<Predicate[]> {
  const filtersOn = (target: ResourceName) => filters.filter(({ column }) => resourceOf(column) === target);
  const predicates = filtersOn(resource).map(async ({ name, column, bound }) =>
    predicateOn(await columnOf(snapshot, column), query[name]!, bound),
  );
  const others = filters.filter(({ column }) => resourceOf(column) !== resource);
  if (resource === 'nominations' || resource === 'honors')
    for (const target of new Set(others.map(({ column }) => resourceOf(column) as ReferencedResource)))
      predicates.push(referring(snapshot, resource, target, filtersOn(target), query));
  else if (others.length > 0)
    predicates.push(nominated(snapshot, resource as ReferencedResource, others, query));
  return Promise.all(predicates);
}

/** Nominations or honors that refer to a record that passes filters. */
async function referring(
  snapshot: Snapshot,
  from: 'nominations' | 'honors',
  to: ReferencedResource,
  filters: readonly Filter[],
  query: Query,
): Promise<Predicate> {
  const [predicates, ids, table] = await Promise.all([
    predicatesOf(snapshot, to, filters, query),
    snapshot.table('ids'),
    snapshot.table(from),
  ]);
  const { count } = ids[to];
  // Each row of the other table is tested once: it has fewer.
  const flags = flagsOfRows(passing(allRows(count), predicates), count);
  const rows =
    from === 'honors'
      ? ids[to].toRows((table as Table<'honors'>)[to === 'movies' ? 'movie' : 'ceremony'])
      : (table as NominationTable)[referenceTo[to]].rows;
  return (row) => flags[rows[row]!] === 1;
}

/** Records with a nomination that passes filters. */
async function nominated(
  snapshot: Snapshot,
  resource: ReferencedResource,
  filters: readonly Filter[],
  query: Query,
): Promise<Predicate> {
  const predicates = await predicatesOf(snapshot, 'nominations', filters, query);
  const nominations = await snapshot.table('nominations');
  const { rows, table } = nominations[referenceTo[resource]];
  const selected = passing(allRows(nominations.count), predicates);
  return isFlagged(
    flagsOfRows(
      selected.map((row) => rows[row]!),
      table.count,
    ),
  );
}

/** The filters of all addresses that select nominations, each once. */
const nominationFilters = [
  ...new Map(
    (['/api/nominations', searchPath, countsPath, ...rankingNames.map(rankingPath)] as const)
      .flatMap(filtersAt)
      .map((filter) => [filter.name, filter]),
  ).values(),
];

/**
 * Rows of a resource that a query selects, ascending.
 * @param some rows to select from, ascending; default all
 * @throws SnapshotUnavailable
 */
export async function selectRows(
  snapshot: Snapshot,
  resource: ResourceName,
  query: Query,
  some?: Int32Array,
): Promise<Int32Array> {
  const all = resource === 'nominations' ? nominationFilters : filtersAt(listPath(resource));
  const filters = all.filter(({ name }) => query[name] !== undefined);
  const predicates = await predicatesOf(snapshot, resource, filters, query);
  const rows = query.ids
    ? rowsOfIds((await snapshot.table('ids'))[resource], query.ids)
    : (some ?? allRows(snapshot.manifest.counts[resource]));
  return passing(rows, predicates);
}

/** Rows of the nominations that a query selects; see selectRows(). */
export const selectNominations = (snapshot: Snapshot, query: Query, some?: Int32Array): Promise<Int32Array> =>
  selectRows(snapshot, 'nominations', query, some);
