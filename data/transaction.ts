/** Writing all of something or nothing of it. */
import type { Connection } from './open.ts';
import { UserError } from './user-error.ts';

/**
 * Runs work in one transaction, which holds the right to write from its beginning: what the work reads stays as it is.
 * @throws UserError if another program has that right and does not give it up in time; whatever the work throws, undoing it
 */
export function writeTransaction<T>(connection: Connection, work: () => T): T {
  try {
    return connection.transaction(work).immediate();
  } catch (error) {
    if (!(error as { code?: string }).code?.startsWith('SQLITE_BUSY')) throw error;
    throw new UserError(`the database ${connection.name} is in use by another writer; try again`, {
      cause: error,
    });
  }
}
