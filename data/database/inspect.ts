/**
 * Inspects a database without changing it. openDatabase() would make the files of a write-ahead log next to
 * it.
 */
import { existsSync, realpathSync } from 'node:fs';
import Database from 'better-sqlite3';
import { pendingChanges, readBuild } from './changes.ts';
import { restrictedDays } from '../enrich/restricted.ts';
import { readCoverage } from '../enrich/wanted.ts';
import { faultsIn } from './integrity.ts';
import { listKeys } from '../record/keys.ts';
import { migrations, schemaOf } from './migrations.ts';
import type { Connection } from './connection.ts';
import { countRecords, findBrokenReference } from '../record/records.ts';
import { isBusy } from './transaction.ts';

export { missingNativeModule } from '../system/native-module.ts';

/** The content of a database; otherwise why it cannot be used. */
type Inspection =
  | { content: Content }
  | { faults: string[] }
  | { schema: number; current: number }
  | { foreign: true }
  | { lostLog: string };

export type Content = ReturnType<typeof contentOf>;

/**
 * @param file an existing file
 * @param out folder of the snapshot (absolute path)
 * @returns the content, or the faults that SQLite finds, or the numbers of another schema and of that of this
 *   program; or the path of the log if a program has the database open, but its log is gone: the file lacks
 *   what is in the log
 * @throws Error if the file cannot be read, or is no database
 */
export function inspectDatabase(file: string, out: string): Inspection {
  // SQLite puts the log beside the file that a link leads to.
  const real = realpathSync(file);
  const log = `${real}-wal`;
  // If the log exists already, opening the database creates no file.
  if (existsSync(log)) return inspect(new Database(real, { readonly: true, timeout: 1000 }), out);
  // SQLite removes the index of the log before the log.
  if (existsSync(`${real}-shm`)) return { lostLog: log };
  const connection = new Database(real, { fileMustExist: true, timeout: 1000 });
  // The lock of a single user. It is refused, before a log is made, as long as another program has the
  // database open.
  connection.pragma('locking_mode = EXCLUSIVE');
  try {
    return inspect(connection, out);
  } catch (error) {
    if (isBusy(error) && !existsSync(log)) return { lostLog: log };
    throw error;
  }
}

/** Closes the connection. */
function inspect(connection: Connection, out: string): Inspection {
  try {
    const schema = schemaOf(connection);
    const table = connection.prepare<[string], number>('SELECT 1 FROM sqlite_schema WHERE name = ?').pluck();
    const faults = faultsIn(connection, 'quick_check');
    if (faults.length > 0) return { faults };
    const isOurs = connection.pragma('user_version', { simple: true }) !== 0;
    if (!isOurs || table.get('nominations') === undefined) return { foreign: true };
    const current = migrations.length;
    return schema === current ? { content: contentOf(connection, out) } : { schema, current };
  } finally {
    connection.close();
  }
}

const contentOf = (connection: Connection, out: string) => ({
  counts: countRecords(connection),
  broken: findBrokenReference(connection),
  keys: listKeys(connection),
  /** The snapshot of the last build into the folder, and the number of changes that it does not hold. */
  snapshot: readBuild(connection, out)?.snapshot,
  pending: pendingChanges(connection, out),
  coverage: readCoverage(connection),
  /** Values that may not be passed on. */
  restricted: restrictedDays(connection),
});
