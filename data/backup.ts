/**
 * Backups: a consistent, checked copy of the database in one file, made while other programs write; and their
 * return into the place of the database. A restored database gives no id again that was given before or after
 * the backup: new ones start far above (docs/decisions/0012-ids-after-a-restore.md).
 */
import {
  closeSync,
  constants,
  copyFileSync,
  openSync,
  readSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import {
  flush,
  giveModeOf,
  isThere,
  linkOrCopy,
  makeFolders,
  moveDurably,
  unfinishedName,
} from './system/files.ts';
import { UserError } from './system/messages.ts';
import { lineage } from './database/changes.ts';
import { highestId } from './record/edits.ts';
import { DatabaseDamaged, isDamage, refuseDamaged } from './database/integrity.ts';
import { type Connection, openDatabase } from './database/open.ts';
import { countRecords, refuseBrokenReferences } from './record/records.ts';
import { writeTransaction } from './database/transaction.ts';

interface BackupOptions {
  /** Replace an existing file. */
  force?: boolean | undefined;
}

/** Files that SQLite keeps beside a database. */
const logSuffixes = ['-wal', '-shm', '-journal'];

/**
 * Backs a database up. Every commit from before the call is in the backup.
 * @returns the size of the backup in bytes
 * @throws UserError if the file exists (without force) or cannot be written, or the database is missing or
 *   damaged
 */
export function backUp(db: string, file: string, { force = false }: BackupOptions = {}): number {
  if (!isThere(dirname(file))) throw new UserError(`there is no folder ${dirname(file)} for the backup`);
  // Also of another schema: before an upgrade, or on the way back from one.
  const connection = openDatabase(db, { mustExist: true, anySchema: true });
  const unfinished = unfinishedName(file);
  try {
    const place = join(realpathSync(dirname(file)), basename(file));
    if (['', ...logSuffixes].some((suffix) => place === realpathSync(db) + suffix))
      throw new UserError(`${file} belongs to the database itself; choose another name for the backup`);
    if (isThere(file) && !force)
      throw new UserError(`${file} exists already; choose another name, or replace it with --force`);
    // A part of a copy that a killed process left.
    removeDatabase(unfinished);
    // In one read transaction of SQLite's own, while others write. Free pages stay out.
    connection.prepare('VACUUM INTO ?').run(unfinished);
    const copy = openDatabase(unfinished, { anySchema: true });
    try {
      requireSound(copy, db);
      mergeLog(copy);
    } finally {
      copy.close();
    }
    const { size } = statSync(unfinished);
    moveDurably(unfinished, file);
    return size;
  } catch (error) {
    if (error instanceof UserError) throw error;
    if (isDamage(error)) throw new DatabaseDamaged(db, (error as Error).message);
    // The name of the unfinished file says nothing to the reader, and is another one each time.
    const reason = (error as Error).message.replaceAll(unfinished, file);
    throw new UserError(`cannot write the backup ${file}: ${reason}`, { cause: error });
  } finally {
    connection.close();
    removeDatabase(unfinished);
  }
}

/**
 * Replaces a database by a backup. The replaced database stays beside it under another name. After an
 * interruption there is the old database or the new one.
 * @returns the name of the database that was there, the new lineage, and the number of records
 * @throws UserError if the backup is missing or damaged, or the database is in use
 */
export function restore(backup: string, db: string, now = new Date()) {
  // A link stays: the file that it leads to is replaced.
  const file = isThere(db) ? realpathSync(db) : resolve(db);
  if (!isThere(backup) || !statSync(backup).isFile()) throw new UserError(`there is no backup at ${backup}`);
  if (realpathSync(backup) === file)
    throw new UserError(`${backup} is the database itself; name a backup of it`);
  refuseDatabase(backup);
  makeFolders(dirname(file));
  const release = isThere(file) ? seize(file) : () => {};
  const unfinished = unfinishedName(file);
  try {
    copyFileSync(backup, unfinished, constants.COPYFILE_EXCL);
    const renewed = renew(unfinished, backup, now);
    if (isThere(file)) giveModeOf(file, unfinished);
    const aside = `${file}.replaced-${now.toISOString().replaceAll(/[:.]/g, '-')}`;
    const replaced = isThere(file) ? aside : undefined;
    // The database itself stays in its place until the new one replaces it.
    if (replaced !== undefined) linkOrCopy(file, replaced);
    // Next to another database, a log would be applied to it.
    for (const suffix of logSuffixes) if (isThere(file + suffix)) renameSync(file + suffix, aside + suffix);
    flush(dirname(file));
    moveDurably(unfinished, file);
    return { replaced, ...renewed };
  } finally {
    removeDatabase(unfinished);
    release();
  }
}

/**
 * Refuses a file that is not a backup but a database, or a bare copy of one. The latest writes of a database
 * can be in its log, and the file alone does not show whether they are. A backup has no log, and its header
 * says so.
 */
function refuseDatabase(file: string): void {
  const log = `${realpathSync(file)}-wal`;
  const advice = `"awards backup FILE --db ${file}" makes a backup of it`;
  if (isThere(log)) throw new UserError(`${file} is a database with its log, not a backup; ${advice}`);
  const header = Buffer.alloc(20);
  const descriptor = openSync(file, 'r');
  try {
    readSync(descriptor, header, 0, header.length, 0);
  } finally {
    closeSync(descriptor);
  }
  // Versions of the file format for writing and for reading: 2 for a database with a log, 1 for one without.
  if (header[18] !== 2 && header[19] !== 2) return;
  throw new UserError(
    `${file} is a bare copy of a database, whose latest writes may be in the missing ${log}; ` +
      `copy that file, too, or make sure that the database has none; then ${advice}`,
  );
}

/** Removes a database and what SQLite keeps beside it, as far as there is any. */
export function removeDatabase(file: string): void {
  for (const suffix of ['', ...logSuffixes]) rmSync(file + suffix, { force: true });
}

/**
 * Writes the log of a database into its file, so that the file can be moved. close() does it too, but reports
 * no failure: the log stays beside the file.
 * @throws SqliteError if the disk is full
 */
export const mergeLog = (connection: Connection): void => void connection.pragma('journal_mode = DELETE');

/** @throws UserError if the database is damaged or inconsistent */
function requireSound(connection: Connection, name: string): void {
  refuseDamaged(connection, name, 'integrity_check');
  refuseBrokenReferences(connection);
}

/**
 * Takes a database for this process alone, and completes it from its log. SQLite leaves the log mode only
 * when no other program has the database open.
 * @returns the function that releases it
 * @throws UserError if another program has it open, or it belongs to another program
 */
function seize(file: string): () => void {
  let connection: Connection | undefined;
  try {
    connection = openDatabase(file, { timeoutMs: 1000, anySchema: true });
    mergeLog(connection);
    connection.exec('BEGIN EXCLUSIVE');
    if (connection.pragma('journal_mode', { simple: true }) === 'delete') return () => connection!.close();
    connection.close();
  } catch (error) {
    connection?.close();
    const { code = '' } = ((error as Error).cause ?? error) as { code?: string };
    // A damaged database cannot tell whether it is in use.
    if (error instanceof DatabaseDamaged || isDamage(error) || code === 'SQLITE_NOTADB') return () => {};
    if (!code.startsWith('SQLITE_BUSY')) throw error;
  }
  throw new UserError(
    `the database ${file} is in use by another program, such as "awards serve"; stop it, then restore`,
  );
}

/** New ids start at least this far above those of the backup. */
const minGap = 1_000_000;

/**
 * Checks the copy of a backup, and begins another history: no folder counts as built from it. New ids start
 * above the milliseconds since 1970, which grow faster than ids, so that those of a second restore are above
 * those that followed a first.
 */
function renew(copy: string, backup: string, now: Date) {
  let connection: Connection | undefined;
  try {
    // SQLite would take an empty file for a database without tables.
    if (statSync(copy).size === 0) throw new UserError(`${copy} holds no record; use another backup`);
    // The backup itself is the copy of an older schema.
    const opened = openDatabase(copy, { upgrade: { keepsCopy: false } });
    connection = opened;
    requireSound(opened, copy);
    writeTransaction(opened, () => {
      opened.exec('UPDATE lineage SET id = lower(hex(randomblob(8))); DELETE FROM builds');
      // A table without rows has no sequence yet.
      const tables = opened
        .prepare<[], string>("SELECT name FROM sqlite_schema WHERE sql LIKE '%AUTOINCREMENT%'")
        .pluck()
        .all();
      for (const table of tables.filter((name) => name !== 'changes')) {
        const first = Math.max(highestId(opened, table) + minGap, now.getTime());
        if (first > Number.MAX_SAFE_INTEGER) continue;
        opened.prepare('DELETE FROM sqlite_sequence WHERE name = ?').run(table);
        opened.prepare('INSERT INTO sqlite_sequence VALUES (?, CAST(? AS INTEGER))').run(table, first);
      }
    });
    const renewed = { lineage: lineage(opened), counts: countRecords(opened) };
    mergeLog(opened);
    return renewed;
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    const damage = error instanceof DatabaseDamaged && `the backup ${backup} is damaged: ${error.fault}`;
    const reason = damage || error.message.replaceAll(copy, backup);
    throw new UserError(`${reason}; nothing was restored`, { cause: error });
  } finally {
    connection?.close();
  }
}
