/** All transactions on the database. They do not nest. */
import type { Connection } from './connection.ts';
import { refuseMoved, refuseMovedSince } from './place.ts';
import { UserError } from '../system/messages.ts';

/** Another program holds the write lock of the database. */
export class DatabaseBusy extends UserError {}

/** Pause between two attempts to roll back. */
const rollbackRetryMs = 100;

/** The connections whose last rollback failed, each with the timer of the next attempt. */
const failedRollbacks = new WeakMap<Connection, NodeJS.Timeout>();

/**
 * Runs synchronous work in one transaction that holds the write lock from the beginning. A transaction that
 * an earlier failure left open is rolled back first.
 * @throws DatabaseBusy if the lock is not free within the busy timeout of the connection; DatabaseMoved if
 *   the path of the database names another file, also after the commit; any error of the work or of the
 *   commit, after a rollback. If the rollback fails too, it is retried in the background.
 */
export function writeTransaction<T>(connection: Connection, work: () => T): T {
  try {
    begin(connection, 'BEGIN IMMEDIATE');
    let result: T;
    try {
      refuseMoved(connection);
      result = work();
      refuseMoved(connection);
      connection.exec('COMMIT');
    } catch (error) {
      rollBackOrRetry(connection);
      throw error;
    }
    // Checked again: a file can be moved or deleted between the last check and the commit.
    refuseMovedSince(connection);
    return result;
  } catch (error) {
    if (!isBusy(error)) throw error;
    throw new DatabaseBusy(`the database ${connection.name} is in use by another writer; try again`, {
      cause: error,
    });
  }
}

/** Runs synchronous work as writeTransaction() does, and undoes it. */
export function undoneTransaction<T>(connection: Connection, work: () => T): T {
  const undo = new Error('undone');
  let done: { result: T } | undefined;
  try {
    return writeTransaction(connection, () => {
      done = { result: work() };
      throw undo;
    });
  } catch (error) {
    if (error !== undo) throw error;
    return done!.result;
  }
}

/**
 * Runs asynchronous work in one read transaction: every query of the work sees the same state of the
 * database. A transaction that an earlier failure left open is rolled back first. Until the promise settles,
 * only the work may use the connection.
 * @throws any error of the work, also if ending the transaction fails after it
 */
export async function readTransaction<T>(connection: Connection, work: () => Promise<T>): Promise<T> {
  begin(connection, 'BEGIN');
  try {
    const result = await work();
    // After some errors SQLite has ended the transaction itself.
    if (connection.inTransaction) connection.exec('COMMIT');
    return result;
  } catch (error) {
    rollBackOrRetry(connection);
    throw error;
  }
}

/** Whether SQLite refused a statement because another connection holds a lock. */
export function isBusy(error: unknown): boolean {
  return (error as { code?: string }).code?.startsWith('SQLITE_BUSY') ?? false;
}

function begin(connection: Connection, statement: 'BEGIN' | 'BEGIN IMMEDIATE'): void {
  if (failedRollbacks.has(connection)) {
    if (connection.inTransaction) connection.exec('ROLLBACK');
    // The retry must not roll back the new transaction.
    clearTimeout(failedRollbacks.get(connection));
    failedRollbacks.delete(connection);
  }
  connection.exec(statement);
}

/** A transaction that stays open would lock out all other writers. */
function rollBackOrRetry(connection: Connection): void {
  failedRollbacks.delete(connection);
  if (!connection.open || !connection.inTransaction) return;
  try {
    connection.exec('ROLLBACK');
  } catch {
    failedRollbacks.set(connection, setTimeout(rollBackOrRetry, rollbackRetryMs, connection).unref());
  }
}
