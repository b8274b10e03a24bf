/** Nominations of films, nominees and ceremonies as the press counts them. */
import { entryKey, isActingGroup } from '../contract/entries.ts';
import type { CountedResource } from '../contract/names.ts';
import { Postings } from './columns.ts';
import { type NominationTable, referenceTo } from './nomination-table.ts';
import { allRows, flagsOfRows } from './selection.ts';

/** Per row of a table: entries, entries that won, individual nominations. */
export interface Counts {
  entries: Uint32Array;
  wins: Uint32Array;
  nominations: Uint32Array;
}

/** The counts of one record as JSON. */
export const countsText = ({ entries, wins, nominations }: Counts, row: number): string =>
  `{"entries":${entries[row]},"wins":${wins[row]},"nominations":${nominations[row]}}`;

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
  const { rows, table: records } = table[referenceTo[resource]];
  const { winner } = table;
  const counts = countsFor(records.count);
  const flags = selected && flagsOfRows(selected, table.count);
  // Per record the last entry that it was counted for, and the last that won, plus one.
  const [counted, won] = [new Int32Array(records.count), new Int32Array(records.count)];
  const order = rowsByEntry(numbers);
  for (let at = 0; at < order.length; at += 1) {
    const row = order[at]!;
    if (flags !== undefined && flags[row] === 0) continue;
    const record = rows[row]!;
    const entry = numbers[row]! + 1;
    counts.nominations[record]! += 1;
    if (counted[record] !== entry) {
      counted[record] = entry;
      counts.entries[record]! += 1;
    }
    if (winner[row] === 1 && won[record] !== entry) {
      won[record] = entry;
      counts.wins[record]! += 1;
    }
  }
  return counts;
}

/** All rows, those of an entry side by side: an import leaves them so. */
function rowsByEntry(numbers: Int32Array): Int32Array {
  for (let row = 1; row < numbers.length; row += 1)
    if (numbers[row]! < numbers[row - 1]!) return Postings.of(numbers, numbers.length).rows;
  return allRows(numbers.length);
}

/**
 * The counts of some films, nominees or ceremonies; those of all others are 0. Faster than countEntries(), which
 * needs the entry numbers of all nominations.
 */
export function countSomeEntries(
  table: NominationTable,
  resource: CountedResource,
  rows: ArrayLike<number>,
): Counts {
  const references = table[referenceTo[resource]];
  const counts = countsFor(references.table.count);
  for (let i = 0; i < rows.length; i += 1) {
    const record = rows[i]!;
    const nominations = references.nominationsOf(record);
    const own = countOne(table, nominations);
    counts.entries[record] = own.entries;
    counts.wins[record] = own.wins;
    counts.nominations[record] = nominations.length;
  }
  return counts;
}

/** The entries of some nominations, and those that won. */
export function countOne(
  table: NominationTable,
  nominations: ArrayLike<number>,
): { entries: number; wins: number } {
  const { winner, entry } = table;
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
export function numberEntries(table: NominationTable): Int32Array {
  const { entry } = table;
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
