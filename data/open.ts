/** Opens the database with the same settings on every connection, and migrates its schema. */
import { closeSync, openSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import Database from 'better-sqlite3';
import { identityOf, isFullDisk, isThere, makeFolders } from '../build/system/files.ts';
import { rememberFiles } from './file-identity.ts';
import { DatabaseDamaged, isDamage, refuseDamaged } from './integrity.ts';
import { writeTransaction } from './transaction.ts';
import { UserError } from '../build/system/user-error.ts';

export type Connection = Database.Database;

const script = (name: string): string => readFileSync(new URL(name, import.meta.url), 'utf8');

const tablesOfVersion1 = ['ceremonies', 'categories', 'movies', 'nominees', 'songs', 'nominations'];
/** The triggers that every table of records has. */
const triggers = (...tables: string[]): string =>
  tables.map((table) => script('triggers.sql').replaceAll('$table', table)).join('');

/** Migration i migrates a database from user_version i to i + 1. */
const migrations: readonly (() => string)[] = [
  () => script('schema.sql') + triggers(...tablesOfVersion1),
  () => script('writing.sql'),
  () => script('lineage.sql'),
  () => script('receipts.sql'),
  () => script('details.sql') + triggers('honors'),
  () => script('enrich/provenance.sql'),
  () => script('receipt-groups.sql'),
];

/** The version of the schema this code reads and writes. */
export const schemaVersion = migrations.length;

interface OpenOptions {
  /** Refuse a missing file instead of creating it. */
  mustExist?: boolean;
  /** How long to wait for another writer. It blocks the event loop. Default 5000. */
  timeoutMs?: number;
  /** Check the whole file first: 30 ms for the real record. */
  check?: boolean;
  /** False leaves a schema of another version as it is. */
  migrates?: boolean;
}

/**
 * Opens a database and migrates it to the current schema.
 * @throws UserError if the file is missing (with mustExist), is no database, is damaged, belongs to another program, is locked,
 *   or was written by a newer version of this program
 */
export function openDatabase(file: string, options: OpenOptions = {}): Connection {
  const isOnDisk = file !== ':memory:';
  let connection: Connection | undefined;
  try {
    if (options.mustExist && isOnDisk && !isThere(file))
      throw new UserError(
        `there is no database at ${file}; fill one with "awards sample" or "awards import"`,
      );
    if (isOnDisk) makeFolders(dirname(file));
    const identity = isOnDisk ? identityOf(file) : undefined;
    connection = new Database(file, { timeout: options.timeoutMs ?? 5000 });
    refuseForeign(connection, file);
    configure(connection);
    if (options.check) refuseDamaged(connection, file, 'quick_check');
    if (options.migrates !== false) migrate(connection, file);
    if (isOnDisk) rememberFiles(connection, identity);
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

/** Why a database cannot be opened, where SQLite would say only that it cannot: a full disk, or a folder in its place. */
function obstacleTo(file: string, error: unknown): string | undefined {
  if (isFullDisk(error)) return 'its disk is full; make room';
  if (!(error as { code?: string }).code?.startsWith('SQLITE_CANTOPEN')) return undefined;
  try {
    closeSync(openSync(file, 'a'));
    return undefined;
  } catch (obstacle) {
    return (obstacle as Error).message;
  }
}

/** Runs before any setting is changed. */
function refuseForeign(connection: Connection, file: string): void {
  const tables = connection.prepare<[], number>('SELECT count(*) FROM sqlite_schema').pluck().get()!;
  const version = connection.pragma('user_version', { simple: true });
  const ours =
    connection.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'nominations'").get() !== undefined;
  if (tables > 0 && (version === 0 || !ours))
    throw new UserError(`${file} is the database of another program; choose another file`);
}

function configure(connection: Connection): void {
  connection.pragma('journal_mode = WAL');
  // Durable commits. Later connections to a WAL database open with NORMAL.
  connection.pragma('synchronous = FULL');
  if (connection.pragma('synchronous', { simple: true }) !== 2) throw new Error('synchronous is not FULL');
  connection.pragma('foreign_keys = ON');
  // Without it, INSERT OR REPLACE deletes rows without a trigger.
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
      connection.exec(migrations[step]!());
      connection.pragma(`user_version = ${step + 1}`);
    }
  });
}
