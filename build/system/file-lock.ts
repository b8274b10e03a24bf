/** Locks on files. */
import Database from 'better-sqlite3';

/**
 * Takes a lock on a file. The lock is SQLite's: it works on every system and ends with its process.
 * @param timeoutMs how long to wait for another holder
 * @returns the function that releases the lock; undefined if another connection, of any process, holds it
 */
export function lockFile(file: string, timeoutMs: number): (() => void) | undefined {
  const connection = new Database(file, { timeout: timeoutMs });
  try {
    // The file stays empty, because nothing is written.
    connection.pragma('journal_mode = MEMORY');
    connection.exec('BEGIN EXCLUSIVE');
    return () => connection.close();
  } catch (error) {
    connection.close();
    if ((error as { code?: string }).code?.startsWith('SQLITE_BUSY')) return undefined;
    throw error;
  }
}
