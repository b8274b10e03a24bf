/** The details of nominations. */
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
