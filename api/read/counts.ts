/** Nominations of films, nominees and ceremonies as the press counts them. */
import { entryKey, isActingGroup } from '../contract/entries.ts';
import type { CountedResource } from '../contract/names.ts';
import { type EntryTable, type NominationTable, nominationFamilies } from './tables.ts';

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

/** The counts of all films, nominees or ceremonies. */
export function countEntries(table: NominationTable, { before }: Entries, resource: CountedResource): Counts {
  const { rows: records, table: referenced } = table[referenceTo[resource]];
  const { winner } = table;
  const counts = countsFor(referenced.count);
  for (let row = 0; row < table.count; row += 1) {
    const record = records[row]!;
    counts.nominations[record]! += 1;
    // An entry counts once for a record: with its first nomination, and with the first one that won. An entry has few.
    let isFirst = true;
    let isFirstWin = winner[row] === 1;
    for (let other = before[row]!; other >= 0; other = before[other]!) {
      if (records[other] !== record) continue;
      isFirst = false;
      if (winner[other] === 1) isFirstWin = false;
    }
    if (isFirst) counts.entries[record]! += 1;
    if (isFirstWin) counts.wins[record]! += 1;
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
  for (const [i, nominations] of references.nominationsOf(rows).entries()) {
    const record = rows[i]!;
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

/** The entries of all nominations. */
export interface Entries {
  /** For each nomination the number of its entry, from 0: nominations with the same number count as one. */
  numbers: Int32Array;
  /** For each nomination the nomination before it in the same entry; -1 for the first. */
  before: Int32Array;
}

export function entriesOf(table: NominationTable, { entry }: EntryTable): Entries {
  const categories = table.categories.count;
  const [ceremony, category] = [table.ceremony.rows, table.category.rows];
  const numbers = new Int32Array(table.count);
  const before = new Int32Array(table.count);
  /** By number, the last nomination of the entry. */
  const last = new Int32Array(table.count);
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
    const text = own > 0 ? '' : keyOf(table, row, own);
    const known = own > 0 ? list[own] : others.get(text);
    const number = known ?? count++;
    if (known === undefined) {
      if (own > 0) list[own] = number;
      else others.set(text, number);
    }
    numbers[row] = number;
    before[row] = known === undefined ? -1 : last[number]!;
    last[number] = row;
  }
  return { numbers, before };
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
