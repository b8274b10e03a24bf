/** Nominations of films, nominees and ceremonies as the press counts them. */
import type { CountedResource } from '../contract/names.ts';
import { fold } from '../contract/text.ts';
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

/** The group of categories in which each nominee has an entry of his own. */
const actingGroup = 'acting';

/**
 * For each nomination the number of its entry: nominations with the same number count as one. Without an entry number of the
 * source, nominations of one ceremony, category, film and song are one entry, in acting those of one nominee.
 */
export function entriesOf(table: NominationTable, { entry }: EntryTable): Int32Array {
  const numbers = new Map<string, number>();
  return Int32Array.from({ length: table.count }, (_, row) => {
    const category = table.category.rows[row]!;
    const isActing = fold(table.categories.group.values[category] ?? '') === actingGroup;
    const nominee = isActing ? table.nominee.rows[row] : '';
    const own = entry[row] || `${table.movie.rows[row]} ${table.song.rows[row]} ${nominee}`;
    const key = `${table.ceremony.rows[row]} ${category} ${own}`;
    const number = numbers.get(key) ?? numbers.size;
    numbers.set(key, number);
    return number;
  });
}
