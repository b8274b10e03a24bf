/** The orders of sorted lists. The order of all rows is computed once per snapshot and sort. */
import type { Sort, SortedResource } from '../contract/parameters.ts';
import { byCodePoint } from '../contract/text.ts';
import { countsOf } from './counts.ts';
import { allRows, flagsOfRows, passing } from './selection.ts';
import type { Snapshot, TableName } from './snapshot.ts';

type SortValue = number | string | null;

interface SortKey {
  /** The tables that the values are made from. */
  tables: readonly TableName[];
  /** The values of all rows. */
  values(snapshot: Snapshot): Promise<ArrayLike<SortValue>>;
}

const key = (table: TableName, values: SortKey['values']): SortKey => ({ tables: [table], values });

/** A key of nominations from the table that they refer to. */
const ofReference = (
  reference: 'ceremony' | 'category' | 'movie' | 'nominee',
  table: TableName,
  valuesOf: SortKey['values'],
): SortKey => ({
  tables: ['nominations', table],
  async values(snapshot) {
    const [nominations, values] = await Promise.all([snapshot.table('nominations'), valuesOf(snapshot)]);
    return Array.from(nominations[reference].rows, (row) => values[row]!);
  },
});

const ofCounts = (resource: 'movies' | 'nominees', count: 'entries' | 'wins'): SortKey => ({
  tables: ['nominations'],
  values: async (snapshot) => (await countsOf(snapshot, resource))[count],
});

const ofId = (resource: SortedResource): SortKey =>
  key('ids', async (snapshot) => allRows((await snapshot.table('ids'))[resource].count));

const titles: SortKey['values'] = async (snapshot) => (await snapshot.table('titles')).text.folded;
const names: SortKey['values'] = async (snapshot) => (await snapshot.table('names')).text.folded;

const sortKeys: Readonly<Record<SortedResource, Readonly<Record<string, SortKey>>>> = {
  nominations: {
    id: ofId('nominations'),
    year: ofReference(
      'ceremony',
      'ceremonies',
      async (snapshot) => (await snapshot.table('ceremonies')).year,
    ),
    category: ofReference(
      'category',
      'categories',
      async (snapshot) => (await snapshot.table('categories')).name.folded,
    ),
    movie: ofReference('movie', 'titles', titles),
    nominee: ofReference('nominee', 'names', names),
  },
  movies: {
    id: ofId('movies'),
    title: key('titles', titles),
    release_date: key('films', async (snapshot) => (await snapshot.table('films')).releaseDate),
    runtime: key('films', async (snapshot) => (await snapshot.table('films')).runtime),
    entries: ofCounts('movies', 'entries'),
    wins: ofCounts('movies', 'wins'),
  },
  nominees: {
    id: ofId('nominees'),
    name: key('names', names),
    birthday: key('people', async (snapshot) => (await snapshot.table('people')).birthday),
    entries: ofCounts('nominees', 'entries'),
    wins: ofCounts('nominees', 'wins'),
  },
  songs: {
    id: ofId('songs'),
    title: key('songs', async (snapshot) => (await snapshot.table('songs')).title.folded),
    artist: key('songs', async (snapshot) => (await snapshot.table('songs')).artist.folded),
    year: key('songs', async (snapshot) => (await snapshot.table('songs')).year),
  },
};

/** All rows of a table in the order of a sort such as `-title`: null last, ties by row. */
function orderOf(snapshot: Snapshot, resource: SortedResource, sort: Sort): Promise<Int32Array> {
  const { tables, values } = sortKeys[resource][sort.replace('-', '')]!;
  return snapshot.derive(`order of ${resource} by ${sort}`, tables, async () =>
    ordered(await values(snapshot), sort.startsWith('-')),
  );
}

/**
 * Rows in the order of a sort.
 * @param selected each once; undefined for all @param count rows of the table
 * @throws SnapshotUnavailable
 */
export async function sortRows(
  snapshot: Snapshot,
  resource: SortedResource,
  sort: Sort,
  selected: ArrayLike<number> | undefined,
  count: number,
): Promise<(start: number, end: number) => Int32Array> {
  const order = await orderOf(snapshot, resource, sort);
  const flags = selected && flagsOfRows(selected, count);
  const rows = flags ? passing(order, [(row) => flags[row] === 1]) : order;
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
export function ordered(values: ArrayLike<SortValue>, descending: boolean): Int32Array {
  const sign = descending ? -1 : 1;
  const compare = (one: number, other: number): number => {
    const [a, b] = [values[one]!, values[other]!];
    if (a === b) return 0;
    if (a === null || b === null) return a === null ? 1 : -1;
    return sign * (typeof a === 'number' ? a - (b as number) : byCodePoint(a, b as string));
  };
  // The sort of an array is stable, and fast where equal values are many.
  return Int32Array.from(Array.from(allRows(values.length)).sort(compare));
}
