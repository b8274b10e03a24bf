/** The details of nominations, and the entries that they belong to. */
import { type EntryCounts, type EntryFields, entryKey } from '../api/contract/entries.ts';
import type { Connection } from './open.ts';

/** The fields in document order. */
export interface NominationDetails {
  /** The row of the source within ceremony and category; null if an editor made the nomination. */
  entry: number | null;
  character: string | null;
  note: string | null;
  /** False if the note says that it is not an official nomination. */
  official: boolean;
  /** The category as it was called at the time. */
  historical_category: string | null;
}

/** The details of the nominations with `from <= id < to`, by id. */
export function detailsBetween(
  connection: Connection,
  from: number,
  to: number,
): (NominationDetails & { id: number })[] {
  return connection
    .prepare<[number, number], Omit<NominationDetails, 'official'> & { id: number; official: 0 | 1 }>(
      `SELECT id, entry, character, note, official, historical_category FROM nominations
       WHERE id >= ? AND id < ? ORDER BY id`,
    )
    .all(from, to)
    .map((row) => ({ ...row, official: row.official === 1 }));
}

/** The counts of all records of a kind that have a nomination, by id. */
export function countEntries(
  connection: Connection,
  by: 'ceremony_id' | 'movie_id' | 'nominee_id',
): Map<number, EntryCounts> {
  const rows = connection
    .prepare<[], EntryFields & { winner: 0 | 1; category_group: string | null }>(
      `SELECT ceremony_id, category_id, movie_id, nominee_id, song_id, entry, winner, category_group
       FROM nominations JOIN categories ON categories.id = category_id`,
    )
    .iterate();
  const found = new Map<number, { entries: Set<string>; won: Set<string>; nominations: number }>();
  for (const row of rows) {
    const key = entryKey(row, row.category_group);
    const own = found.get(row[by]) ?? { entries: new Set(), won: new Set(), nominations: 0 };
    found.set(row[by], own);
    own.entries.add(key);
    if (row.winner) own.won.add(key);
    own.nominations += 1;
  }
  return new Map(
    [...found].map(([id, { entries, won, nominations }]) => [
      id,
      { entries: entries.size, wins: won.size, nominations },
    ]),
  );
}
