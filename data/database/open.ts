/** Opens the database with the same settings on every connection, and creates its schema. */
import { accessSync, closeSync, constants, openSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import Database, { type Statement } from 'better-sqlite3';
import { makeFolders, isFullDisk, isThere } from '../system/files.ts';
import type { Connection } from './connection.ts';
import { DatabaseDamaged, isDamage, refuseDamaged } from './integrity.ts';
import {
  applyMigrations,
  type Migration,
  migrations,
  schemaOf,
  type Upgrade,
  upgradeDatabase,
} from './migrations.ts';
import { noteFiles } from './place.ts';
import { writeTransaction } from './transaction.ts';
import { UserError } from '../system/messages.ts';

export type { Connection };

interface OpenOptions {
  /** Refuse a missing file instead of creating it. */
  mustExist?: boolean;
  /** How long to wait for another writer. It blocks the event loop. Default 5000. */
  timeoutMs?: number;
  /** Check the whole file first: 30 ms for the real record. */
  check?: boolean;
  /** Bring an older schema up to date, see migrations.ts. Otherwise it is refused. */
  upgrade?: { keepsCopy: boolean; onDone?: (upgrade: Upgrade) => void } | undefined;
  /** Take another schema as it is, also a newer one. */
  anySchema?: boolean;
  /** Default: those of the program. */
  migrations?: readonly Migration[];
}

/**
 * Opens a database, and creates the schema in an empty one.
 * @throws UserError if the file is missing (with mustExist), is no database, is damaged, belongs to another
 *   program, is locked, or has another schema
 */
export function openDatabase(file: string, options: OpenOptions = {}): Connection {
  const { timeoutMs = 5000, upgrade, migrations: list } = options;
  const isOnDisk = file !== ':memory:';
  let connection: Connection | undefined;
  try {
    if (options.mustExist && isOnDisk && !isThere(file))
      throw new UserError(
        `there is no database at ${file}; fill one with "awards sample" or "awards import"`,
      );
    if (isOnDisk) makeFolders(dirname(file));
    connection = new Database(file, { timeout: timeoutMs });
    if (isOlder(connection, file, options) && upgrade) {
      if (options.check) refuseDamaged(connection, file, 'quick_check');
      // The upgrade needs the database for itself.
      connection.close();
      const done = upgradeDatabase(file, { keepsCopy: upgrade.keepsCopy, list, timeoutMs });
      if (done) upgrade.onDone?.(done);
      connection = new Database(file, { timeout: timeoutMs });
    }
    configure(connection);
    if (isOnDisk) noteFiles(connection);
    if (options.check) refuseDamaged(connection, file, 'quick_check');
    createSchema(connection, list);
    return connection;
  } catch (error) {
    connection?.close();
    if (error instanceof UserError) throw error;
    const { message } = error as Error;
    if (isDamage(error)) throw new DatabaseDamaged(file, message);
    throw new UserError(`cannot open the database ${file}: ${obstacleTo(file, error) ?? message}`, {
      cause: error,
    });
  }
}

/**
 * Why a database cannot be opened, where SQLite would say only that it cannot: such as a full disk, or a
 * folder in its place. The file itself is not opened: closing it would end the locks that other connections
 * of this process hold.
 */
function obstacleTo(file: string, error: unknown): string | undefined {
  if (isFullDisk(error)) return 'its disk is full; make room';
  if (!(error as { code?: string }).code?.startsWith('SQLITE_CANTOPEN')) return undefined;
  try {
    // Fails where the process has too many files open, too.
    closeSync(openSync(dirname(file), 'r'));
    if (!isThere(file)) return void accessSync(dirname(file), constants.W_OK | constants.X_OK);
    if (!statSync(file).isFile()) return 'it is not a file';
    return void accessSync(file, constants.R_OK | constants.W_OK);
  } catch (obstacle) {
    return (obstacle as Error).message;
  }
}

/**
 * Runs before any setting is changed.
 * @returns whether the database has an older schema, which is to be upgraded
 * @throws UserError for a database of another program, or with another schema that the options do not allow
 */
function isOlder(connection: Connection, file: string, options: OpenOptions): boolean {
  const tables = connection.prepare<[], number>('SELECT count(*) FROM sqlite_schema').pluck().get()!;
  const isOurs = hasRecord(connection);
  const version = connection.pragma('user_version', { simple: true });
  if (tables === 0 && version === 0) return false;
  if (tables > 0 && (version === 0 || !isOurs))
    throw new UserError(`${file} is the database of another program; choose another file`);
  const current = (options.migrations ?? migrations).length;
  const schema = schemaOf(connection);
  if (schema === current || options.anySchema) return false;
  if (schema > current)
    throw new UserError(
      `${file} has schema ${schema}, and this version of the program knows schemas up to ${current}; ` +
        'use the version that wrote it, or a newer one',
    );
  if (schema < 1)
    throw new UserError(
      `${file} has a schema from before the first release; move the file away, and import the record again`,
    );
  if (options.upgrade) return true;
  throw new UserError(
    `${file} has schema ${schema}, and this version of the program has schema ${current}; ` +
      '"awards build" upgrades it',
  );
}

const hasRecord = (connection: Connection): boolean =>
  connection.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'nominations'").get() !== undefined;

function configure(connection: Connection): void {
  connection.pragma('journal_mode = WAL');
  // Durable commits. Later connections to a WAL database open with NORMAL.
  connection.pragma('synchronous = FULL');
  if (connection.pragma('synchronous', { simple: true }) !== 2) throw new Error('synchronous is not FULL');
  connection.pragma('foreign_keys = ON');
  // Without it, INSERT OR REPLACE deletes rows without a trigger.
  connection.pragma('recursive_triggers = ON');
  // What is removed is overwritten: values may expire, and a backup copies free pages, too.
  connection.pragma('secure_delete = ON');
}

function createSchema(connection: Connection, list: readonly Migration[] | undefined): void {
  if (hasRecord(connection)) return;
  // As in an upgrade. Inside a transaction the setting has no effect.
  connection.pragma('foreign_keys = OFF');
  writeTransaction(connection, () => {
    // Another process may have created it meanwhile.
    if (!hasRecord(connection)) applyMigrations(connection, 0, list);
  });
  connection.pragma('foreign_keys = ON');
}

const statements = new WeakMap<Connection, Map<string, Statement>>();

/**
 * A service uses some dozens. Each set of fields that an editor changes has a statement of its own, of about
 * 35 KB.
 */
const maxStatements = 256;

/**
 * The statement with this SQL, prepared once for a connection. Not for iterate(), which keeps it busy. All
 * callers with one SQL text share the statement: they agree on pluck(). At `maxStatements` all are dropped,
 * and prepared again at their next use.
 */
export function prepared<Parameters extends unknown[], Row = unknown>(
  connection: Connection,
  sql: string,
): Statement<Parameters, Row> {
  const own = statements.get(connection) ?? new Map<string, Statement>();
  statements.set(connection, own);
  let statement = own.get(sql);
  if (statement === undefined) {
    if (own.size === maxStatements) own.clear();
    statement = connection.prepare(sql);
    own.set(sql, statement);
  }
  return statement as unknown as Statement<Parameters, Row>;
}
