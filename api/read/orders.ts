/** The orders of sorted lists. The order of all rows is computed once per snapshot and sort. */
import type { SortedResource } from '../contract/accepted.ts';
import type { Repeats } from '../contract/encodings.ts';
import type { Sort } from '../contract/parameters.ts';
import type { FamilyName } from '../contract/snapshot.ts';
import { byCodePoint } from '../contract/text.ts';
import { joinRepeats } from './columns.ts';
import { nominationFamilies } from './nomination-table.ts';
import { allRows, flagsOfRows, passing } from './selection.ts';
import type { Snapshot } from './snapshot.ts';

type SortValue = number | string | null;

interface SortKey {
  /** The families that the values are made from. */
  families: readonly FamilyName[];
  /** The values of all rows. */
  values(snapshot: Snapshot): Promise<ArrayLike<SortValue>>;
}

/** A column in which -1 stands for null. */
function ofRepeats(column: readonly Repeats[], count: number): SortValue[] {
  return Array.from(joinRepeats(column, new Float64Array(count)), (value) => (value < 0 ? null : value));
}

const key = (family: FamilyName, values: SortKey['values']): SortKey => ({ families: [family], values });

/** A key of nominations from the table that they refer to. @param family of that table */
const ofReference = (
  reference: 'ceremony' | 'category' | 'movie' | 'nominee',
  family: FamilyName,
  valuesOf: SortKey['values'],
): SortKey => ({
  families: [...nominationFamilies, family],
  async values(snapshot) {
    const [table, values] = await Promise.all([snapshot.nominations(), valuesOf(snapshot)]);
    return Array.from(table[reference].rows, (row) => values[row]!);
  },
});

const ofCounts = (resource: 'movies' | 'nominees', count: 'entries' | 'wins'): SortKey => ({
  families: nominationFamilies,
  values: async (snapshot) => (await snapshot.counts(resource))[count],
});

const ofId = (resource: SortedResource): SortKey =>
  key('core', async (snapshot) => allRows((await snapshot.ids())[resource].count));

const titles: SortKey['values'] = async (snapshot) => (await snapshot.titles()).text.folded;
const names: SortKey['values'] = async (snapshot) => (await snapshot.names()).text.folded;

const sortKeys: Readonly<Record<SortedResource, Readonly<Record<string, SortKey>>>> = {
  nominations: {
    id: ofId('nominations'),
    year: ofReference('ceremony', 'core', async (snapshot) => (await snapshot.ceremonies()).year),
    category: ofReference('category', 'core', async (snapshot) => (await snapshot.categories()).name.folded),
    movie: ofReference('movie', 'titles', titles),
    nominee: ofReference('nominee', 'names', names),
  },
  movies: {
    id: ofId('movies'),
    title: key('titles', titles),
    release_date: key('films', async (snapshot) => {
      const { releaseDates, count } = await snapshot.films();
      return ofRepeats(releaseDates, count);
    }),
    runtime: key('films', async (snapshot) => {
      const { runtimes, count } = await snapshot.films();
      return ofRepeats(runtimes, count);
    }),
    entries: ofCounts('movies', 'entries'),
    wins: ofCounts('movies', 'wins'),
  },
  nominees: {
    id: ofId('nominees'),
    name: key('names', names),
    birthday: key('people', async (snapshot) => {
      const { birthdays, count } = await snapshot.people();
      return ofRepeats(birthdays, count);
    }),
    entries: ofCounts('nominees', 'entries'),
    wins: ofCounts('nominees', 'wins'),
  },
  songs: {
    id: ofId('songs'),
    title: key('songs', async (snapshot) => (await snapshot.songs()).title.folded),
    artist: key('songs', async (snapshot) => (await snapshot.songs()).artist.folded),
    year: key('songs', async (snapshot) => (await snapshot.songs()).year),
  },
};

/** The key of a sort, and whether it is descending. */
const partsOf = (sort: string): { key: string; descending: boolean } =>
  sort.startsWith('-') ? { key: sort.slice(1), descending: true } : { key: sort, descending: false };

/** The families that an order is made from. */
export const familiesOfOrder = (resource: SortedResource, sort: string): readonly FamilyName[] =>
  sortKeys[resource][partsOf(sort).key]!.families;

/**
 * All rows of a table in the order of a sort such as `-title`: null last, ties by row.
 * @throws SnapshotUnavailable
 */
export async function computeOrder(
  snapshot: Snapshot,
  resource: SortedResource,
  sort: string,
): Promise<Int32Array> {
  const { key: name, descending } = partsOf(sort);
  return ordered(await sortKeys[resource][name]!.values(snapshot), descending);
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
  const order = await snapshot.order(resource, sort);
  const flags = selected && flagsOfRows(selected, count);
  const rows = passing(order, [flags && ((row) => flags[row] === 1)]);
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
