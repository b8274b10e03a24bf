/** The orders of sorted lists. The order of all rows is computed once per snapshot and sort. */
import type { Sort, SortedResource } from '../contract/parameters.ts';
import { byCodePoint } from '../contract/text.ts';
import { TextColumn } from './columns.ts';
import { countsOf } from './counts.ts';
import { type ColumnName, columnOf, rowsIn, tableOf } from './named-columns.ts';
import { allRows, flagsOfRows, passing } from './selection.ts';
import type { Snapshot, TableName } from './snapshot.ts';

type SortValue = number | string | null;

/** Key of `sort` → the column that has its values: of the records, or of others that nominations refer to. */
const sortColumns: Readonly<Record<SortedResource, Readonly<Record<string, ColumnName>>>> = {
  nominations: {
    year: 'ceremonies.year',
    category: 'categories.name',
    movie: 'titles.text',
    nominee: 'names.text',
  },
  movies: { title: 'titles.text', release_date: 'films.releaseDate', runtime: 'films.runtime' },
  nominees: { name: 'names.text', birthday: 'people.birthday' },
  songs: { title: 'songs.title', artist: 'songs.artist', year: 'songs.year' },
};

/** The values of all rows by a key, and the tables that they are made from. */
function valuesBy(
  resource: SortedResource,
  key: string,
): [tables: TableName[], values: (snapshot: Snapshot) => Promise<ArrayLike<SortValue>>] {
  if (key === 'id') return [['ids'], async (snapshot) => allRows(snapshot.manifest.counts[resource])];
  if (key === 'entries' || key === 'wins')
    return [
      ['nominations'],
      async (snapshot) => (await countsOf(snapshot, resource as 'movies' | 'nominees'))[key],
    ];
  const name = sortColumns[resource][key]!;
  const ownValues = async (snapshot: Snapshot) => {
    const column = await columnOf(snapshot, name);
    return column instanceof TextColumn ? column.folded : (column as ArrayLike<SortValue>);
  };
  if (resource !== 'nominations') return [[tableOf(name)], ownValues];
  return [
    ['nominations', tableOf(name)],
    async (snapshot) => {
      const [rows, values] = await Promise.all([rowsIn(snapshot, name), ownValues(snapshot)]);
      return Array.from(rows, (row) => values[row]!);
    },
  ];
}

/** All rows of a table in the order of a sort such as `-title`: null last, ties by row. */
function orderOf(snapshot: Snapshot, resource: SortedResource, sort: Sort): Promise<Int32Array> {
  const [tables, values] = valuesBy(resource, sort.replace('-', ''));
  return snapshot.derive(`order of ${resource} by ${sort}`, tables, async () =>
    ordered(await values(snapshot), sort.startsWith('-')),
  );
}

/**
 * Rows in the order of a sort.
 * @param selected each once @param count rows of the table
 * @throws SnapshotUnavailable
 */
export async function sortRows(
  snapshot: Snapshot,
  resource: SortedResource,
  sort: Sort,
  selected: ArrayLike<number>,
  count: number,
): Promise<(start: number, end: number) => Int32Array> {
  const order = await orderOf(snapshot, resource, sort);
  const flags = flagsOfRows(selected, count);
  const rows = selected.length === count ? order : passing(order, [(row) => flags[row] === 1]);
  return (start, end) => rows.subarray(start, end);
}

/** Rows in the order of their values, null last, ties as in `rows`: those from one position to another, exclusive. */
export function rowsByValue(
  rows: ArrayLike<number>,
  values: ArrayLike<SortValue>,
  descending: boolean,
): (start: number, end: number) => Int32Array {
  const sorted = ordered(values, descending).map((position) => rows[position]!);
  return (start, end) => sorted.subarray(start, end);
}

/** The positions of values in order: null last, ties by position. @param values all numbers or all texts, or null */
function ordered(values: ArrayLike<SortValue>, descending: boolean): Int32Array {
  const sign = descending ? -1 : 1;
  const compare = (one: number, other: number): number => {
    // No destructuring: before the code is optimized, it costs more than the rest.
    const a = values[one]!;
    const b = values[other]!;
    if (a === b) return 0;
    if (a === null || b === null) return a === null ? 1 : -1;
    return sign * (typeof a === 'number' ? a - (b as number) : byCodePoint(a, b as string));
  };
  // The sort of an array is stable, and fast where equal values are many.
  return Int32Array.from(Array.from(allRows(values.length)).sort(compare));
}
