/**
 * The schema, and its migrations. Each file of migrations/ leads from one schema to the next: a new database
 * runs all of them, an older one those that it lacks. Both have the same schema, because there is no other
 * description of it.
 *
 * A migration creates and changes tables, indexes and rows. It meets no trigger: they are removed before the
 * first one, and created from triggers.sql and record-triggers.sql after the last one. A new version of the
 * program makes each snapshot anew, so that changed rows need no entry in the change log. A migration may
 * rebuild a table (create another one, copy, drop, rename): references are checked at the end, and the
 * highest id that was ever given stays known.
 */
import { readdirSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import Database from 'better-sqlite3';
import { resourceNames } from '../../api/contract/names.ts';
import { giveModeOf, isFullDisk, nameDurably, unfinishedName } from '../system/files.ts';
import { UserError } from '../system/messages.ts';
import { isDamage, refuseDamaged } from './integrity.ts';
import type { Connection } from './connection.ts';
import { isBusy } from './transaction.ts';

/** A change of the schema. The first one makes the tables of the first release. */
export interface Migration {
  /** Name of its file. */
  name: string;
  /** Statements without a transaction of their own. */
  sql: string;
}

const read = (name: string): string => readFileSync(new URL(name, import.meta.url), 'utf8');

/**
 * All migrations, in order. The number of a schema is the number of migrations that it has: this program
 * reads and writes the schema `migrations.length`.
 */
export const migrations: readonly Migration[] = readdirSync(new URL('migrations/', import.meta.url))
  .filter((name) => name.endsWith('.sql'))
  .sort()
  .map((name) => ({ name, sql: read(`migrations/${name}`) }));

/** Schemas before the first release had the user_version 1 to 7. The user_version of schema 1 is 8. */
const userVersionBefore = 7;

/**
 * The number of the schema of a database; below 1 for one from before the first release, and for an empty or
 * a foreign one.
 */
export const schemaOf = (connection: Connection): number =>
  (connection.pragma('user_version', { simple: true }) as number) - userVersionBefore;

/** What an upgrade did. */
export interface Upgrade {
  /** Numbers of the schemas. */
  from: number;
  to: number;
  /** File with the database as it was; undefined if none was asked for. */
  copy?: string;
}

/**
 * Runs the migrations that a database lacks, and creates the triggers. Needs a transaction, and foreign keys
 * turned off.
 * @param from number of its schema, 0 for an empty database
 * @throws Error if a migration fails, or leaves a broken reference
 */
export function applyMigrations(
  connection: Connection,
  from: number,
  list: readonly Migration[] = migrations,
): void {
  const broken = () => (connection.pragma('foreign_key_check') as unknown[]).length;
  const brokenBefore = from > 0 ? broken() : 0;
  const sequences = from > 0 ? sequencesOf(connection) : [];
  const triggers = connection
    .prepare<[], string>("SELECT name FROM sqlite_schema WHERE type = 'trigger'")
    .pluck()
    .all();
  for (const name of triggers) connection.exec(`DROP TRIGGER "${name}"`);
  for (const { sql } of list.slice(from)) connection.exec(sql);
  // A table that is made anew forgets the ids of deleted rows.
  for (const [table, highest] of sequences) raiseSequence(connection, table, highest);
  connection.exec(read('triggers.sql'));
  const ofRecords = read('record-triggers.sql');
  for (const table of resourceNames) connection.exec(ofRecords.replaceAll('$table', table));
  if (broken() > brokenBefore) throw new Error('a migration leaves references to rows that are not there');
  connection.pragma(`user_version = ${userVersionBefore + list.length}`);
}

const sequencesOf = (connection: Connection) =>
  connection
    .prepare<[], [table: string, highest: number]>('SELECT name, seq FROM sqlite_sequence')
    .raw()
    .all();

function raiseSequence(connection: Connection, table: string, highest: number): void {
  const isThere = connection
    .prepare("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?")
    .get(table);
  if (isThere === undefined) return;
  const { changes } = connection
    .prepare('UPDATE sqlite_sequence SET seq = max(seq, CAST(? AS INTEGER)) WHERE name = ?')
    .run(highest, table);
  if (changes === 0)
    connection.prepare('INSERT INTO sqlite_sequence VALUES (?, CAST(? AS INTEGER))').run(table, highest);
}

interface UpgradeOptions {
  /** Keep the database as it was beside it, as NAME.before-N. N is the number of the new schema. */
  keepsCopy: boolean;
  list?: readonly Migration[] | undefined;
  /** How long to wait for other programs. It blocks the event loop. */
  timeoutMs: number;
}

/**
 * Brings a database of an older schema up to date, in one transaction. No other program can use it meanwhile.
 * After an interruption there is the old database or the new one. If it fails, the database is as it was, and
 * there is no new copy.
 * @returns undefined if another process was faster
 * @throws UserError if another program uses the database, or the disk has no room; SqliteError if it is
 *   damaged
 */
export function upgradeDatabase(file: string, options: UpgradeOptions): Upgrade | undefined {
  const { keepsCopy, list = migrations, timeoutMs } = options;
  const to = list.length;
  const connection = new Database(file, { timeout: timeoutMs });
  let copy: Copy | undefined;
  try {
    takeAlone(connection);
    const from = schemaOf(connection);
    if (from >= to) return undefined;
    copy = keepsCopy ? keepCopy(connection, `${realpathSync(file)}.before-${to}`) : undefined;
    // Otherwise a table that is dropped to be made anew would need its references to be dropped, too.
    connection.pragma('foreign_keys = OFF');
    connection.exec('BEGIN IMMEDIATE');
    applyMigrations(connection, from, list);
    connection.exec('COMMIT');
    return { from, to, ...(copy && { copy: copy.file }) };
  } catch (error) {
    if (connection.inTransaction) connection.exec('ROLLBACK');
    // A full disk needs the room.
    if (copy?.isNew && schemaOf(connection) < to) rmSync(copy.file, { force: true });
    if (error instanceof UserError || isDamage(error)) throw error;
    const { message } = error as Error;
    if (isBusy(error))
      throw new UserError(
        `${file} has to be upgraded to schema ${to}, and another program uses it, such as "awards serve"; ` +
          'stop it, then run the command again',
        { cause: error },
      );
    const reason = isFullDisk(error) ? 'its disk is full; make room' : message;
    throw new UserError(`cannot upgrade ${file} to schema ${to}, and left it as it was: ${reason}`, {
      cause: error,
    });
  } finally {
    connection.close();
  }
}

/**
 * Takes a database for this connection alone, until it is closed. A service of an older version must not
 * write into a newer schema.
 * @throws SqliteError if it is in use
 */
function takeAlone(connection: Connection): void {
  // Before the first read: a log that is used alone needs no memory that is shared with others.
  connection.pragma('locking_mode = EXCLUSIVE');
  connection.pragma('journal_mode = WAL');
  connection.pragma('synchronous = FULL');
  connection.exec('BEGIN EXCLUSIVE; COMMIT');
}

interface Copy {
  file: string;
  /** False if an interrupted upgrade left the same copy. */
  isNew: boolean;
}

/**
 * Copies a database, checks the copy, and gives it its name when it is complete. A file of that name stays:
 * the copy gets the next one, NAME-2.
 */
function keepCopy(connection: Connection, name: string): Copy {
  const unfinished = unfinishedName(name);
  try {
    connection.prepare('VACUUM INTO ?').run(unfinished);
    const copy = new Database(unfinished, { readonly: true });
    try {
      refuseDamaged(copy, connection.name, 'integrity_check');
    } finally {
      copy.close();
    }
    giveModeOf(connection.name, unfinished);
    for (let number = 1; ; number += 1) {
      const file = number === 1 ? name : `${name}-${number}`;
      if (nameDurably(unfinished, file)) return { file, isNew: true };
      if (readFileSync(file).equals(readFileSync(unfinished))) return { file, isNew: false };
    }
  } finally {
    for (const suffix of ['', '-journal']) rmSync(unfinished + suffix, { force: true });
  }
}
