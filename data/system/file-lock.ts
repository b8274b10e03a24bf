/** Locks on files. */
import { accessSync, constants, statSync } from 'node:fs';
import Database from 'better-sqlite3';
import { handOver } from './files.ts';
import { UserError } from './messages.ts';

/**
 * Takes a lock on a file. The lock is SQLite's: it works on every system and ends with its process.
 * @param timeoutMs how long to wait for another holder
 * @returns the function that releases the lock; undefined if another connection, of any process, holds it
 * @throws UserError if the file is that of another user
 */
export function lockFile(file: string, timeoutMs: number): (() => void) | undefined {
  requireWritable(file);
  const connection = new Database(file, { timeout: timeoutMs });
  try {
    // The file stays empty, because nothing is written.
    connection.pragma('journal_mode = MEMORY');
    connection.exec('BEGIN EXCLUSIVE');
    handOver(file);
    return () => connection.close();
  } catch (error) {
    connection.close();
    if ((error as { code?: string }).code?.startsWith('SQLITE_BUSY')) return undefined;
    throw error;
  }
}

/** SQLite takes a file that it cannot write for one to read, and its lock would exclude no other process. */
function requireWritable(file: string): void {
  const found = statSync(file, { throwIfNoEntry: false });
  if (found === undefined) return;
  try {
    accessSync(file, constants.W_OK);
  } catch (error) {
    throw new UserError(
      `${file} belongs to another user (${found.uid}); give the whole folder to the user that runs this, with chown -R`,
      { cause: error },
    );
  }
}
