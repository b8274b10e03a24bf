/**
 * The orders of sorted lists. The full order of a table is computed once per snapshot and sort; the first request with a sort
 * computes only the rows that it needs.
 */
import type { Repeats } from '../contract/encodings.ts';
import type { FamilyName } from '../contract/snapshot.ts';
import type { Sort } from '../contract/parameters.ts';
import { byCodePoint, byCodeUnit } from '../contract/text.ts';
import type { SortedResource } from '../contract/accepted.ts';
import { denseRanks, hasHighUnits, joinRepeats, Postings, type Ranks } from './columns.ts';
import { nominationFamilies } from './nomination-table.ts';
import { allRows, flagsOfRows } from './selection.ts';
import type { Snapshot } from './snapshot.ts';
import type { TextColumn } from './text-column.ts';

/** The values that rows are sorted by. */
interface SortColumn {
  valueOf(row: number): number | string | null;
  /** The ranks of all rows. */
  ranks(): Ranks;
}

interface SortKey {
  /** The families that the column is made from. */
  families: readonly FamilyName[];
  /** @param some the rows whose values are needed; default all */
  column(snapshot: Snapshot, some?: ArrayLike<number>): Promise<SortColumn>;
}

const ofNumbers = (numbers: ArrayLike<number | null>): SortColumn => ({
  valueOf: (row) => numbers[row]!,
  ranks: () => denseRanks(numbers),
});

/** A column in which -1 stands for null. */
const ofRepeats = <N extends string>(
  table: { count: number } & Record<N, readonly Repeats[]>,
  name: N,
): SortColumn => {
  const joined = joinRepeats(table[name], new Float64Array(table.count));
  return ofNumbers(Array.from(joined, (value) => (value < 0 ? null : value)));
};

const ofTexts = (texts: TextColumn): SortColumn => ({
  valueOf: (row) => texts.folded(row),
  ranks: () => texts.ranks,
});

/** A key of nominations from the table that they refer to. @param family of that table */
const ofReference = (
  reference: 'ceremony' | 'category' | 'movie' | 'nominee',
  family: FamilyName,
  columnOf: SortKey['column'],
): SortKey => ({
  families: [...nominationFamilies, family],
  async column(snapshot) {
    const [table, column] = await Promise.all([snapshot.nominations(), columnOf(snapshot)]);
    const { rows } = table[reference];
    return {
      valueOf: (row) => column.valueOf(rows[row]!),
      ranks() {
        const ranks = column.ranks();
        return rows.map((row) => ranks[row]!);
      },
    };
  },
});

const ofCounts = (resource: 'movies' | 'nominees', count: 'entries' | 'wins'): SortKey => ({
  families: nominationFamilies,
  column: async (snapshot, some) => ofNumbers((await snapshot.counts(resource, some))[count]),
});

const ofId = (resource: SortedResource): SortKey => ({
  families: ['core'],
  async column(snapshot) {
    const { count } = (await snapshot.ids())[resource];
    return { valueOf: (row) => row, ranks: () => allRows(count) };
  },
});

/** A key from one table. */
const ofTable = (family: FamilyName, column: SortKey['column']): SortKey => ({
  families: [family],
  column,
});

const titles: SortKey['column'] = async (snapshot) => ofTexts((await snapshot.titles()).text);
const names: SortKey['column'] = async (snapshot) => ofTexts((await snapshot.names()).text);

const sortKeys: Readonly<Record<SortedResource, Readonly<Record<string, SortKey>>>> = {
  nominations: {
    id: ofId('nominations'),
    year: ofReference('ceremony', 'core', async (snapshot) => ofNumbers((await snapshot.ceremonies()).year)),
    category: ofReference('category', 'core', async (snapshot) =>
      ofTexts((await snapshot.categories()).name),
    ),
    movie: ofReference('movie', 'titles', titles),
    nominee: ofReference('nominee', 'names', names),
  },
  movies: {
    id: ofId('movies'),
    title: ofTable('titles', titles),
    release_date: ofTable('films', async (snapshot) => ofRepeats(await snapshot.films(), 'releaseDates')),
    runtime: ofTable('films', async (snapshot) => ofRepeats(await snapshot.films(), 'runtimes')),
    entries: ofCounts('movies', 'entries'),
    wins: ofCounts('movies', 'wins'),
  },
  nominees: {
    id: ofId('nominees'),
    name: ofTable('names', names),
    birthday: ofTable('people', async (snapshot) => ofRepeats(await snapshot.people(), 'birthdays')),
    entries: ofCounts('nominees', 'entries'),
    wins: ofCounts('nominees', 'wins'),
  },
  songs: {
    id: ofId('songs'),
    title: ofTable('songs', async (snapshot) => ofTexts((await snapshot.songs()).title)),
    artist: ofTable('songs', async (snapshot) => ofTexts((await snapshot.songs()).artist)),
    year: ofTable('songs', async (snapshot) => ofNumbers((await snapshot.songs()).year)),
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
  const { key, descending } = partsOf(sort);
  const column = await sortKeys[resource][key]!.column(snapshot);
  return orderByRanks(column.ranks(), descending);
}

/** If at most this share of the rows is selected, the values of the others are not made. */
const fewRows = 1 / 8;

/**
 * Rows in the order of a sort. The first request with a sort selects only the rows that it needs: computing the full order is
 * the slowest part of a cold request. Later requests share the full order.
 * @param selected ascending; undefined for all @param count rows of the table
 * @throws SnapshotUnavailable
 */
export async function sortRows(
  snapshot: Snapshot,
  resource: SortedResource,
  sort: Sort,
  selected: ArrayLike<number> | undefined,
  count: number,
): Promise<(start: number, end: number) => Int32Array> {
  if (snapshot.noteOrder(resource, sort)) {
    const { key, descending } = partsOf(sort);
    const isFew = selected !== undefined && selected.length <= count * fewRows;
    const column = await sortKeys[resource][key]!.column(snapshot, isFew ? selected : undefined);
    const rows = selected ?? allRows(count);
    const values = Array.from(rows, (row) => column.valueOf(row));
    return rowsByValue(rows, values, descending);
  }
  const order = await snapshot.order(resource, sort);
  return (start, end) => rowsInOrder(order, selected, start, end);
}

type SortValue = ReturnType<SortColumn['valueOf']>;

/** Rows in the order of their values, null last, ties as in `rows`: those from one position to another, exclusive. */
export const rowsByValue =
  (rows: ArrayLike<number>, values: ArrayLike<SortValue>, descending: boolean) =>
  (start: number, end: number): Int32Array =>
    ordered(values, descending, end)
      .subarray(start, end)
      .map((position) => rows[position]!);

/** Up to this position, selecting the first values is faster than sorting all. */
const maxPicked = 200;

/**
 * The positions of values in order: null last, ties by position.
 * @param values all numbers or all texts, or null @param end exclusive end of the positions that are needed; default all
 */
export function ordered(values: ArrayLike<SortValue>, descending: boolean, end = values.length): Int32Array {
  return end <= maxPicked ? pick(values, end, descending) : orderByRanks(denseRanks(values), descending);
}

/** The positions of the first values in order. @param count of positions */
function pick(values: ArrayLike<SortValue>, count: number, descending: boolean): Int32Array {
  // `<` is faster than byCodePoint(), but compares by code unit: the orders differ only with units from U+D800 on.
  const compareTexts =
    typeof values[0] !== 'number' && hasHighUnits(Array.from(values).join('')) ? byCodePoint : byCodeUnit;
  const compare = (a: SortValue, b: SortValue): number => {
    if (typeof a === 'number' && typeof b === 'number') return descending ? b - a : a - b;
    if (a === null || b === null) return Number(a === null) - Number(b === null);
    const order = compareTexts(a as string, b as string);
    return descending ? -order : order;
  };
  const picked: number[] = [];
  let last: SortValue = null;
  for (let position = 0; position < values.length; position += 1) {
    const value = values[position]!;
    if (picked.length === count && compare(value, last) >= 0) continue;
    // Insert it after equal values: they have lower positions.
    let [low, high] = [0, picked.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (compare(value, values[picked[middle]!]!) < 0) high = middle;
      else low = middle + 1;
    }
    picked.splice(low, 0, position);
    if (picked.length > count) picked.pop();
    last = values[picked.at(-1)!]!;
  }
  return Int32Array.from(picked);
}

/** A counting sort: it keeps the order of rows with the same rank. */
function orderByRanks(ranks: Ranks, descending: boolean): Int32Array {
  let highest = -1;
  for (const rank of ranks) highest = Math.max(highest, rank);
  const slotOf = (rank: number) => (rank < 0 ? highest + 1 : descending ? highest - rank : rank);
  return Postings.of(ranks.map(slotOf), highest + 2).rows;
}

/**
 * The selected rows in an order, from position `start` to `end`, exclusive.
 * @param selected rows, each once; undefined for all
 */
function rowsInOrder(
  order: Int32Array,
  selected: ArrayLike<number> | undefined,
  start: number,
  end: number,
): Int32Array {
  if (selected === undefined) return order.subarray(start, end);
  const flags = flagsOfRows(selected, order.length);
  const rows = new Int32Array(Math.max(0, Math.min(end, selected.length) - start));
  let position = 0;
  for (let i = 0; i < order.length && position - start < rows.length; i += 1) {
    if (flags[order[i]!] !== 1) continue;
    if (position >= start) rows[position - start] = order[i]!;
    position += 1;
  }
  return rows;
}
