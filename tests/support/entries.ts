import { type EntryFields, entryKey, isActingGroup } from '../../api/contract/entries.ts';
import type { Details, EntryCounts, Honor } from '../../api/contract/resources.ts';
import { readDetails, readRecord } from '../../data/record/edits.ts';
import type { Connection } from '../../data/database/open.ts';

const idsOf = (connection: Connection, resource: 'nominations' | 'honors'): number[] =>
  connection.prepare<[], number>(`SELECT id FROM ${resource} ORDER BY id`).pluck().all();

/** The details of all nominations, by id. */
export const allDetails = (connection: Connection): (Details & { id: number })[] =>
  idsOf(connection, 'nominations').map((id) => ({ id, ...readDetails(connection, id)! }));

/** All honors as lists show them, by id. */
export const honorsOf = (connection: Connection): Honor[] =>
  idsOf(connection, 'honors').map((id) => readRecord(connection, 'honors', id)!);

/** The entries, entries that won, and nominations of all records of a kind that have a nomination, by id. */
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
    const key = entryKey(row, isActingGroup(row.category_group));
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
