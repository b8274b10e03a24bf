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
export function countEntries(table: NominationTable, entries: Int32Array, resource: CountedResource): Counts {
  const { postings, table: records } = table[referenceTo[resource]];
  const counts = {
    entries: new Uint32Array(records.count),
    wins: new Uint32Array(records.count),
    nominations: new Uint32Array(records.count),
  };
  // Per entry, the last record it was counted for, plus one. Replaces a set per record.
  const [entryOf, winOf] = [new Int32Array(table.count), new Int32Array(table.count)];
  for (let record = 0; record < records.count; record += 1) {
    const start = postings.offsets[record]!;
    const end = postings.offsets[record + 1]!;
    counts.nominations[record] = end - start;
    for (let at = start; at < end; at += 1) {
      const row = postings.rows[at]!;
      const entry = entries[row]!;
      if (entryOf[entry] !== record + 1) counts.entries[record]! += 1;
      entryOf[entry] = record + 1;
      if (table.winner[row] !== 1) continue;
      if (winOf[entry] !== record + 1) counts.wins[record]! += 1;
      winOf[entry] = record + 1;
    }
  }
  return counts;
}

/** For each nomination the number of its entry, from 0: nominations with the same number count as one. */
export function entriesOf(table: NominationTable, { entry }: EntryTable): Int32Array {
  const categories = table.categories.group.values.length;
  const [ceremony, category] = [table.ceremony.rows, table.category.rows];
  const numbers = new Map<number | string, number>();
  const entries = new Int32Array(table.count);
  for (let row = 0; row < table.count; row += 1) {
    const own = entry[row]!;
    // A number as key is faster than a text.
    const key =
      own > 0 && own < maxNumericEntry
        ? (ceremony[row]! * categories + category[row]!) * maxNumericEntry + own
        : entryText(table, row, own);
    const number = numbers.get(key) ?? numbers.size;
    if (number === numbers.size) numbers.set(key, number);
    entries[row] = number;
  }
  return entries;
}

/** Up to this number of an entry, keys with 9 million pairs of ceremonies and categories are exact. */
const maxNumericEntry = 1_000_000_000;

function entryText(table: NominationTable, row: number, entry: number): string {
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
