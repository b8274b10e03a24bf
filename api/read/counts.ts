/** Nominations of films, nominees and ceremonies as the press counts them. */
import { entryKey, isActingGroup } from '../contract/entries.ts';
import type { CountedResource } from '../contract/names.ts';
import { type NominationTable, nominationFamilies } from './nomination-table.ts';
import { flagsOfRows } from './selection.ts';
import type { EntryTable } from './tables.ts';

/** Per row of a table: entries, entries that won, individual nominations. */
export interface Counts {
  entries: Uint32Array;
  wins: Uint32Array;
  nominations: Uint32Array;
}

/** The families that counts are made from. */
export const countedFamilies = [...nominationFamilies, 'entries'] as const;

/** The counts of one record as JSON. */
export const countsText = ({ entries, wins, nominations }: Counts, row: number): string =>
  `{"entries":${entries[row]},"wins":${wins[row]},"nominations":${nominations[row]}}`;

const referenceTo = { movies: 'movie', nominees: 'nominee', ceremonies: 'ceremony' } as const;

/**
 * The counts of all films, nominees or ceremonies.
 * @param numbers of the entry of each nomination, see numberEntries()
 * @param selected rows of the nominations that count; default all
 */
export function countEntries(
  table: NominationTable,
  numbers: Int32Array,
  resource: CountedResource,
  selected?: Int32Array,
): Counts {
  const references = table[referenceTo[resource]];
  const { offsets, rows } = references.postings;
  const { winner } = table;
  const counts = countsFor(references.table.count);
  const flags = selected && flagsOfRows(selected, table.count);
  // Per entry, the last record that it was counted for: its mark, or the next number if the entry won.
  const entryOf = new Int32Array(table.count);
  for (let record = 0; record < references.table.count; record += 1) {
    const mark = 2 * record + 1;
    for (let at = offsets[record]!; at < offsets[record + 1]!; at += 1) {
      const row = rows[at]!;
      if (flags !== undefined && flags[row] === 0) continue;
      counts.nominations[record]! += 1;
      const entry = numbers[row]!;
      const won = winner[row]!;
      const last = entryOf[entry]!;
      if (last < mark) counts.entries[record]! += 1;
      if (last < mark + won) {
        counts.wins[record]! += won;
        entryOf[entry] = mark + won;
      }
    }
  }
  return counts;
}

/**
 * The counts of some films, nominees or ceremonies; those of all others are 0. It takes less time than the counts of all, if the
 * entries of all nominations are not known.
 */
export function countSomeEntries(
  table: NominationTable,
  entries: EntryTable,
  resource: CountedResource,
  rows: ArrayLike<number>,
): Counts {
  const references = table[referenceTo[resource]];
  const counts = countsFor(references.table.count);
  for (let i = 0; i < rows.length; i += 1) {
    const record = rows[i]!;
    const nominations = references.nominationsOf(record);
    const own = countOne(table, entries, nominations);
    counts.entries[record] = own.entries;
    counts.wins[record] = own.wins;
    counts.nominations[record] = nominations.length;
  }
  return counts;
}

/** The entries of some nominations, and those that won. */
export function countOne(
  table: NominationTable,
  { entry }: EntryTable,
  nominations: ArrayLike<number>,
): { entries: number; wins: number } {
  const { winner } = table;
  const entries = new Set<string>();
  const won = new Set<string>();
  for (let at = 0; at < nominations.length; at += 1) {
    const row = nominations[at]!;
    const key = keyOf(table, row, entry[row]!);
    entries.add(key);
    if (winner[row] === 1) won.add(key);
  }
  return { entries: entries.size, wins: won.size };
}

const countsFor = (records: number): Counts => ({
  entries: new Uint32Array(records),
  wins: new Uint32Array(records),
  nominations: new Uint32Array(records),
});

/** For each nomination the number of its entry, from 0: nominations with the same number count as one. */
export function numberEntries(table: NominationTable, { entry }: EntryTable): Int32Array {
  const categories = table.categories.count;
  const [ceremony, category] = [table.ceremony.rows, table.category.rows];
  const numbers = new Int32Array(table.count);
  let count = 0;
  /** Ceremony and category → the numbers by entry. Their nominations mostly follow each other. */
  const lists = new Map<number, number[]>();
  let pair = -1;
  let list: number[] = [];
  const others = new Map<string, number>();
  for (let row = 0; row < table.count; row += 1) {
    const own = entry[row]!;
    const ownPair = ceremony[row]! * categories + category[row]!;
    if (ownPair !== pair) {
      pair = ownPair;
      list = lists.get(pair) ?? [];
      lists.set(pair, list);
    }
    if (own > 0) {
      list[own] ??= count++;
      numbers[row] = list[own];
    } else {
      const key = keyOf(table, row, own);
      const number = others.get(key) ?? count++;
      others.set(key, number);
      numbers[row] = number;
    }
  }
  return numbers;
}

/** See entryKey(). @param entry 0 for none */
function keyOf(table: NominationTable, row: number, entry: number): string {
  const category_id = table.category.rows[row]!;
  const fields = {
    ceremony_id: table.ceremony.rows[row]!,
    category_id,
    movie_id: table.movie.rows[row]!,
    nominee_id: table.nominee.rows[row]!,
    song_id: table.song.rows[row]!,
    entry: entry || null,
  };
  return entryKey(fields, isActingGroup(table.categories.group.values[category_id]!));
}
