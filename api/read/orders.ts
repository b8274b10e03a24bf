/** The orders of sorted lists: every row of a table by one key, computed once per snapshot and key. */
import type { ManifestFamily } from '../contract/snapshot.ts';
import type { SortedResource } from '../contract/routes.ts';
import { denseRanks, type Ranks } from './columns.ts';
import { countedFamilies } from './counts.ts';
import type { Snapshot } from './snapshot.ts';
import { type NominationTable, nominationFamilies } from './tables.ts';

interface SortKey {
  /** The families that the ranks are made from. */
  families: readonly ManifestFamily[];
  ranks(snapshot: Snapshot): Promise<Ranks>;
}

/** A key of nominations from the table that they refer to. */
const ofReference = (
  reference: 'ceremony' | 'category' | 'movie' | 'nominee',
  ranksOf: (table: NominationTable) => Ranks,
): SortKey => ({
  families: nominationFamilies,
  async ranks(snapshot) {
    const table = await snapshot.nominations();
    const ranks = ranksOf(table);
    return table[reference].rows.map((row) => ranks[row]!);
  },
});

const ofCounts = (resource: 'movies' | 'nominees', count: 'entries' | 'wins'): SortKey => ({
  families: countedFamilies,
  ranks: async (snapshot) => Int32Array.from((await snapshot.counts(resource))[count]),
});

const ofId = (family: ManifestFamily, resource: SortedResource): SortKey => ({
  families: [family],
  ranks: async (snapshot) =>
    Int32Array.from({ length: (await snapshot.idsOf(resource)).count }, (_, row) => row),
});

const sortKeys: Readonly<Record<SortedResource, Readonly<Record<string, SortKey>>>> = {
  nominations: {
    id: ofId('nominations', 'nominations'),
    year: ofReference('ceremony', ({ ceremonies }) => denseRanks(ceremonies.year)),
    category: ofReference('category', ({ categories }) => categories.name.ranks),
    movie: ofReference('movie', ({ titles }) => titles.text.ranks),
    nominee: ofReference('nominee', ({ names }) => names.text.ranks),
  },
  movies: {
    id: ofId('titles', 'movies'),
    title: { families: ['titles'], ranks: async (snapshot) => (await snapshot.titles()).text.ranks },
    release_date: {
      families: ['films'],
      ranks: async (snapshot) => denseRanks((await snapshot.films()).releaseDates()),
    },
    runtime: {
      families: ['films'],
      ranks: async (snapshot) => denseRanks((await snapshot.films()).runtimes()),
    },
    entries: ofCounts('movies', 'entries'),
    wins: ofCounts('movies', 'wins'),
  },
  nominees: {
    id: ofId('names', 'nominees'),
    name: { families: ['names'], ranks: async (snapshot) => (await snapshot.names()).text.ranks },
    birthday: {
      families: ['people'],
      ranks: async (snapshot) => denseRanks((await snapshot.people()).birthdays()),
    },
    entries: ofCounts('nominees', 'entries'),
    wins: ofCounts('nominees', 'wins'),
  },
  songs: {
    id: ofId('songs', 'songs'),
    title: { families: ['songs'], ranks: async (snapshot) => (await snapshot.songs()).title.ranks },
    artist: { families: ['songs'], ranks: async (snapshot) => (await snapshot.songs()).artist.ranks },
    year: { families: ['songs'], ranks: async (snapshot) => denseRanks((await snapshot.songs()).year) },
  },
};

/** The key of a sort, and whether it is descending. */
const partsOf = (sort: string): { key: string; descending: boolean } =>
  sort.startsWith('-') ? { key: sort.slice(1), descending: true } : { key: sort, descending: false };

/** The families that an order is made from. */
export const familiesOfOrder = (resource: SortedResource, sort: string): readonly ManifestFamily[] =>
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
  return orderByRanks(await sortKeys[resource][key]!.ranks(snapshot), descending);
}

/** A counting sort: it keeps the order of rows with the same rank. */
function orderByRanks(ranks: Ranks, descending: boolean): Int32Array {
  let highest = -1;
  for (const rank of ranks) highest = Math.max(highest, rank);
  const slotOf = (rank: number) => (rank < 0 ? highest + 1 : descending ? highest - rank : rank);
  const next = new Int32Array(highest + 3);
  for (const rank of ranks) next[slotOf(rank) + 1]! += 1;
  for (let slot = 1; slot < next.length; slot += 1) next[slot]! += next[slot - 1]!;
  const order = new Int32Array(ranks.length);
  for (let row = 0; row < ranks.length; row += 1) order[next[slotOf(ranks[row]!)]!++] = row;
  return order;
}

/**
 * Some rows in an order, from one position to another, exclusive.
 * @param selected rows, each once; undefined for all
 */
export function rowsInOrder(
  order: Int32Array,
  selected: ArrayLike<number> | undefined,
  start: number,
  end: number,
): Int32Array {
  if (selected === undefined) return order.subarray(start, end);
  const flags = new Uint8Array(order.length);
  for (let i = 0; i < selected.length; i += 1) flags[selected[i]!] = 1;
  const rows = new Int32Array(Math.max(0, Math.min(end, selected.length) - start));
  let position = 0;
  for (let i = 0; i < order.length && position - start < rows.length; i += 1) {
    if (flags[order[i]!] !== 1) continue;
    if (position >= start) rows[position - start] = order[i]!;
    position += 1;
  }
  return rows;
}
