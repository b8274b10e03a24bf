/** Nominations of films, nominees and ceremonies as the press counts them. */
import type { CountedResource } from '../contract/names.ts';
import { entryKey, isActingGroup } from '../contract/entries.ts';
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
  for (let record = 0; record < records.count; record += 1) {
    const rows = postings.of(record);
    const won = rows.filter((row) => table.winner[row] === 1);
    const distinct = (some: Int32Array) => new Set(some.map((row) => entries[row]!)).size;
    counts.entries[record] = distinct(rows);
    counts.wins[record] = distinct(won);
    counts.nominations[record] = rows.length;
  }
  return counts;
}

/** For each nomination the number of its entry, from 0: nominations with the same number count as one. */
export function entriesOf(table: NominationTable, { entry }: EntryTable): Int32Array {
  const { ceremony, category, movie, nominee, song } = table;
  const isActing = table.categories.group.values.map(isActingGroup);
  const numbers = new Map<string, number>();
  return Int32Array.from({ length: table.count }, (_, row) => {
    const category_id = category.rows[row]!;
    const fields = {
      ceremony_id: ceremony.rows[row]!,
      category_id,
      movie_id: movie.rows[row]!,
      nominee_id: nominee.rows[row]!,
      song_id: song.rows[row]!,
      entry: entry[row] || null,
    };
    const key = entryKey(fields, isActing[category_id]!);
    const number = numbers.get(key) ?? numbers.size;
    numbers.set(key, number);
    return number;
  });
}
