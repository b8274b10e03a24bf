/** A lock on a file that ends with its holder, however that ends: SQLite's own, so it works wherever SQLite does. */
import Database from 'better-sqlite3';
import { isBusy } from './transaction.ts';

/**
 * Takes the lock, waiting up to `timeoutMs` milliseconds.
 * @returns what lets it go again, or undefined if another process (or another lock in this one) holds it
 */
export function lockFile(file: string, timeoutMs: number): (() => void) | undefined {
  const connection = new Database(file, { timeout: timeoutMs });
  try {
    // Nothing is ever written, so the file stays empty.
    connection.pragma('journal_mode = MEMORY');
    connection.exec('BEGIN EXCLUSIVE');
    return () => connection.close();
  } catch (error) {
    connection.close();
    if (isBusy(error)) return undefined;
    throw error;
  }
}
