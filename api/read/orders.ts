/** The orders of sorted lists. The order of all rows is computed once per snapshot and sort. */
import type { ResourceName } from '../contract/names.ts';
import type { Query, Sort, SortedResource } from '../contract/addresses.ts';
import { byCodePoint } from '../contract/text.ts';
import { TextColumn } from './columns.ts';
import { countsOf } from './counts.ts';
import { type ColumnName, columnOf, newestFirst, rowsIn, tablesOf } from './named-columns.ts';
import { allRows, flagsOfRows, passing, selectRows } from './selection.ts';
import type { Snapshot, Tables } from './snapshot.ts';

type SortValue = number | string | null;

/** Key of `sort` → the column that has its values: of the records, or of others that nominations refer to. */
const sortColumns: Readonly<Record<SortedResource, Readonly<Record<string, ColumnName>>>> = {
  nominations: {
    year: 'ceremonies.year',
    category: 'categories.name',
    movie: 'titles.text',
    nominee: 'names.text',
  },
  movies: {
    title: 'titles.text',
    release_date: 'films.release_date',
    runtime: 'films.runtime',
    film_year: 'films.filmYear',
  },
  nominees: { name: 'names.text', birthday: 'people.birthday' },
  songs: { title: 'songs.title', artist: 'songs.artist', year: 'songs.year' },
};

/** The values of all rows by a key, and the tables that they are made from. */
function valuesBy(
  resource: SortedResource,
  key: string,
): [tables: (keyof Tables)[], values: (snapshot: Snapshot) => Promise<ArrayLike<SortValue>>] {
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
  if (resource !== 'nominations') return [tablesOf(name), ownValues];
  return [
    ['nominations', ...tablesOf(name)],
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
 * The rows of a list that a query selects, in the order of its `sort`: by default ascending by id, ceremonies
 * newest first.
 * @throws SnapshotUnavailable
 */
export async function rowsOfList(
  snapshot: Snapshot,
  resource: ResourceName,
  query: Query,
): Promise<Int32Array> {
  const selected = await selectRows(snapshot, resource, query);
  const { sort = 'id' } = query;
  if (resource === 'ceremonies')
    return Int32Array.from(newestFirst(await snapshot.table('ceremonies'), selected));
  if (sort === 'id') return selected;
  return sortRows(snapshot, resource as SortedResource, sort, selected, snapshot.manifest.counts[resource]);
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
): Promise<Int32Array> {
  const order = await orderOf(snapshot, resource, sort);
  const flags = flagsOfRows(selected, count);
  return selected.length === count ? order : passing(order, [(row) => flags[row] === 1]);
}

/** Rows in the order of their values, null last, ties as in `rows`. */
export const rowsByValue = (
  rows: ArrayLike<number>,
  values: ArrayLike<SortValue>,
  descending: boolean,
): Int32Array => ordered(values, descending).map((position) => rows[position]!);

/**
 * The positions of values in order: null last, ties by position.
 * @param values all numbers or all texts, or null
 */
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
