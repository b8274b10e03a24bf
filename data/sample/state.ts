/**
 * Whether the record is the sample: one row of the table `sample`, with the number of the last change of the
 * fill.
 */
import { revision } from '../database/changes.ts';
import type { Connection } from '../database/open.ts';

/** Whether the record is the sample, perhaps changed by editors. An import of the public record ends it. */
export const isSample = (connection: Connection): boolean =>
  connection.prepare('SELECT 1 FROM sample').get() !== undefined;

/** Notes that the record is the sample. */
export function markSample(connection: Connection): void {
  connection.prepare('INSERT INTO sample (revision) VALUES (?)').run(revision(connection));
}

/** Notes that the record is the whole record. */
export function unmarkSample(connection: Connection): void {
  connection.exec('DELETE FROM sample');
}

/** The tables of records, those that refer to others first. */
const tables = ['honors', 'nominations', 'songs', 'nominees', 'movies', 'categories', 'ceremonies'] as const;

/**
 * Removes the sample, so that new records get ids from 1. Does nothing if a record was changed since the
 * fill, by anyone. Runs in the caller's transaction.
 */
export function removeUntouchedSample(connection: Connection): void {
  const filled = connection.prepare<[], number>('SELECT revision FROM sample').pluck().get();
  if (filled === undefined || filled !== revision(connection)) return;
  // Else the records would be known as deleted by an editor.
  connection.exec('DELETE FROM given');
  for (const table of tables) {
    connection.exec(`DELETE FROM ${table}`);
    connection.prepare('DELETE FROM sqlite_sequence WHERE name = ?').run(table);
  }
}
