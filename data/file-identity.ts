/**
 * Notices when the files of an open database are replaced or removed. SQLite goes on with the files that it has open, so the
 * commits that follow would be lost with them.
 */
import { statSync } from 'node:fs';
import { UserError } from './user-error.ts';

/** The file that a connection has open is no longer the one at its path. */
export class DatabaseReplaced extends UserError {
  readonly path: string;

  constructor(path: string, how: 'replaced' | 'removed') {
    super(
      `${path} was ${how} while the database was open, so nothing can be written safely; stop the programs that use it, and start them again with the right file`,
    );
    this.path = path;
  }
}

/**
 * Whether there is a file or folder. existsSync() denies one in a folder that is closed to this user.
 * @throws the error of the system if it cannot be told
 */
export const isThere = (path: string): boolean => identityOf(path) !== undefined;

/** Device and inode of a file, which no other file has while this one is open; undefined if there is none. */
export function identityOf(path: string): string | undefined {
  const stat = statSync(path, { bigint: true, throwIfNoEntry: false });
  return stat && `${stat.dev} ${stat.ino}`;
}
