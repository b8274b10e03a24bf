/**
 * Notices when the files of an open database are replaced or removed. SQLite goes on with the files that it has open, so the
 * commits that follow would be lost with them.
 */
import { realpathSync } from 'node:fs';
import { identityOf } from '../build/system/files.ts';
import type { Connection } from './open.ts';
import { UserError } from '../build/system/user-error.ts';

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

interface OpenFile {
  path: string;
  identity: string;
}

/** The files of each connection to a database on disk. */
const openFiles = new WeakMap<Connection, readonly OpenFile[]>();

/**
 * Remembers the database, its write-ahead log, and the index of the log, which holds the locks between processes. They stay the
 * same files as long as any program has the database open.
 * @param opened identity of the database before it was opened; undefined for a new one
 * @throws DatabaseReplaced if the database was replaced since
 */
export function rememberFiles(connection: Connection, opened: string | undefined): void {
  // SQLite makes the log and its index with the first query.
  connection.pragma('user_version');
  // SQLite puts the log beside the file that a link leads to.
  const file = realpathSync(connection.name);
  const files = [connection.name, `${file}-wal`, `${file}-shm`].map((path) => ({
    path,
    identity: identityOf(path) ?? 'missing',
  }));
  openFiles.set(connection, files);
  if (opened !== undefined && files[0]!.identity !== opened)
    throw new DatabaseReplaced(connection.name, 'replaced');
  requireSameFiles(connection);
}

/** @throws DatabaseReplaced if a file of the database was replaced or removed since the connection was opened */
export function requireSameFiles(connection: Connection): void {
  for (const { path, identity } of openFiles.get(connection) ?? []) {
    const now = stateOf(path);
    if (now !== identity) throw new DatabaseReplaced(path, now === undefined ? 'removed' : 'replaced');
  }
}

/** The identity of a file; the code of the error if it cannot be told. */
function stateOf(path: string): string | undefined {
  try {
    return identityOf(path);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code;
  }
}
