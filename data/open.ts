/** Opening the database: every connection gets the same settings, and the schema is brought to this version. */
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import Database from 'better-sqlite3';
import { UserError } from './user-error.ts';
import { writeTransaction } from './transaction.ts';

export type Connection = Database.Database;

/** Migration i takes a database from user_version i to i + 1. */
const migrations: readonly ((connection: Connection) => void)[] = [
  script('schema.sql'),
  script('writing.sql'),
  script('lineage.sql'),
];

function script(name: string): (connection: Connection) => void {
  return (connection) => connection.exec(readFileSync(new URL(name, import.meta.url), 'utf8'));
}

/** The version of the schema this code reads and writes. */
export const schemaVersion = migrations.length;

interface OpenOptions {
  /** Refuse a file that is not there yet, instead of creating it. */
  mustExist?: boolean;
  /** Milliseconds to wait for another writer; the whole process waits with it. Default 5000. */
  timeoutMs?: number;
}

/**
 * Opens a database and migrates it to the current schema.
 * @throws UserError if the file is missing (with mustExist), is no database or another program's, is locked, or was written
 *   by a newer version
 */
export function openDatabase(file: string, options: OpenOptions = {}): Connection {
  if (options.mustExist && file !== ':memory:' && !existsSync(file))
    throw new UserError(`there is no database at ${file}; fill one with "awards sample" or "awards import"`);
  let connection: Connection | undefined;
  try {
    if (file !== ':memory:') mkdirSync(dirname(file), { recursive: true });
    connection = new Database(file, { timeout: options.timeoutMs ?? 5000 });
    refuseForeign(connection, file);
    configure(connection);
    migrate(connection, file);
    return connection;
  } catch (error) {
    connection?.close();
    if (error instanceof UserError) throw error;
    throw new UserError(`cannot open the database ${file}: ${(error as Error).message}`, { cause: error });
  }
}

/** A database of another program is not ours to change, not even by a setting. */
function refuseForeign(connection: Connection, file: string): void {
  const tables = connection.prepare<[], number>('SELECT count(*) FROM sqlite_schema').pluck().get()!;
  const version = connection.pragma('user_version', { simple: true });
  const ours =
    connection.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'nominations'").get() !== undefined;
  if (tables > 0 && (version === 0 || !ours))
    throw new UserError(`${file} is the database of another program; choose another file with --db`);
}

function configure(connection: Connection): void {
  connection.pragma('journal_mode = WAL');
  // The connection that turns WAL on stays FULL, later ones open NORMAL: only setting it every time makes a commit durable.
  connection.pragma('synchronous = FULL');
  if (connection.pragma('synchronous', { simple: true }) !== 2) throw new Error('synchronous is not FULL');
  connection.pragma('foreign_keys = ON');
  // Without it INSERT OR REPLACE deletes rows behind the change log's back.
  connection.pragma('recursive_triggers = ON');
}

function migrate(connection: Connection, file: string): void {
  const version = () => connection.pragma('user_version', { simple: true }) as number;
  if (version() > schemaVersion)
    throw new UserError(
      `${file} was written by a newer version of this program (schema ${version()}, this one knows ${schemaVersion}); update the program`,
    );
  if (version() === schemaVersion) return;
  writeTransaction(connection, () => {
    for (let step = version(); step < schemaVersion; step += 1) {
      migrations[step]!(connection);
      connection.pragma(`user_version = ${step + 1}`);
    }
  });
}
