/** Backups: a consistent copy of the database in one file, made while other programs write, checked and hashed. */
import { closeSync, openSync, realpathSync, rmSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import Database from 'better-sqlite3';
import {
  identityOf,
  isThere,
  measureFile,
  moveDurably,
  nameDurably,
  unfinishedName,
} from '../build/system/files.ts';
import { removeChecksum, repairChecksum, writeChecksum } from './checksum.ts';
import { refuseDamaged } from './integrity.ts';
import { type Connection, openDatabase } from './open.ts';
import { refuseBrokenReferences } from './records.ts';
import { readTransaction } from './transaction.ts';
import { UserError } from '../build/system/user-error.ts';

interface BackupReport {
  file: string;
  bytes: number;
  /** Hexadecimal. It is in the file with the suffix ".sha256", too. */
  sha256: string;
  /** Version of the schema. */
  schema: number;
}

export interface BackupOptions {
  /** Replace an existing file. */
  force?: boolean | undefined;
  onProgress?: ((done: number, total: number) => void) | undefined;
}

/**
 * Backs a database up. Every commit from before the call is in the backup. A database with an older schema keeps it.
 * @throws UserError if the file exists (without force) or is replaced meanwhile, its folder is missing, or the database is
 * missing or damaged
 */
export async function backUp(
  db: string,
  file: string,
  { force = false, onProgress }: BackupOptions = {},
): Promise<BackupReport> {
  if (!isThere(dirname(file))) throw new UserError(`there is no folder ${dirname(file)} for the backup`);
  const connection = openDatabase(db, { mustExist: true, migrates: false });
  const unfinished = unfinishedName(file);
  try {
    refuseTarget(db, file, force);
    const schema = await readTransaction(connection, async () => {
      // The first query fixes the state of the database; otherwise each write of others would start the copy again.
      const version = connection.pragma('user_version', { simple: true }) as number;
      requireWritable(unfinished, file);
      await connection.backup(unfinished, {
        progress({ totalPages, remainingPages }) {
          onProgress?.(totalPages - remainingPages, totalPages);
          return pagesPerStep;
        },
      });
      return version;
    });
    checkCopy(unfinished, db);
    const measure = measureFile(unfinished);
    const own = identityOf(unfinished);
    if (force) {
      // A kill between the two leaves a file without a checksum rather than with a wrong one.
      removeChecksum(file);
      moveDurably(unfinished, file);
    } else {
      // A backup that was there and is gone may have left it.
      if (!isThere(file)) removeChecksum(file);
      if (!nameDurably(unfinished, file)) throw existsAlready(file);
    }
    writeChecksum(file, measure.sha256);
    // Another backup may have replaced the file before its checksum was written, or after.
    if (identityOf(file) !== own && repairChecksum(file) !== measure.sha256)
      throw new UserError(`${file} was replaced or removed meanwhile; choose another name, or back up again`);
    return { file, ...measure, schema };
  } finally {
    connection.close();
    removeDatabase(unfinished);
  }
}

/** Between two steps other work of this process goes on. */
const pagesPerStep = 1000;

/** Files that SQLite keeps beside a database. */
export const logSuffixes = ['-wal', '-shm', '-journal'] as const;

/** Removes a database and what SQLite keeps beside it, as far as there is any. */
export function removeDatabase(file: string): void {
  for (const suffix of ['', ...logSuffixes]) rmSync(file + suffix, { force: true });
}

/**
 * Writes the log of a database into its file, so that the file can be moved. close() does it too, but reports no failure: the
 * log stays beside the file.
 * @throws SqliteError if the disk is full
 */
export const mergeLog = (connection: Connection): void => void connection.pragma('journal_mode = DELETE');

/** SQLite would say only that it cannot open a database. @throws UserError if the copy cannot be written */
function requireWritable(copy: string, file: string): void {
  try {
    closeSync(openSync(copy, 'wx'));
  } catch (error) {
    const reason = `no file can be created in ${dirname(file)} (${(error as Error).message})`;
    throw new UserError(`cannot write the backup ${file}: ${reason}`, { cause: error });
  }
}

/** @throws UserError if there is a folder, a device or a pipe: a backup can neither be read from it nor replace it */
export function requireFile(path: string): void {
  const stat = statSync(path);
  if (stat.isDirectory()) throw new UserError(`${path} is a folder; name a file in it`);
  if (!stat.isFile()) throw new UserError(`${path} is not a regular file; name another one`);
}

/**
 * @throws UserError if the backup would replace the database, or another file without force, or if SQLite would take it for a
 * log of the database, which it removes
 */
function refuseTarget(db: string, file: string, force: boolean): void {
  const own = ['', ...logSuffixes].map((suffix) => realpathSync(db) + suffix);
  const isOwnName = own.includes(join(realpathSync(dirname(file)), basename(file)));
  const isThereAlready = isThere(file);
  if (isThereAlready) requireFile(file);
  if (isOwnName || (isThereAlready && own.map(identityOf).includes(identityOf(file))))
    throw new UserError(`${file} belongs to the database itself; choose another name for the backup`);
  if (isThereAlready && !force) throw existsAlready(file);
}

const existsAlready = (file: string) =>
  new UserError(`${file} exists already; choose another name, or replace it with --force`);

/** Makes the copy one file that any program can open, and checks it. @throws UserError if it is damaged or inconsistent */
function checkCopy(copy: string, db: string): void {
  const connection = new Database(copy);
  try {
    mergeLog(connection);
    refuseDamaged(connection, db, 'integrity_check');
    refuseBrokenReferences(connection);
  } finally {
    connection.close();
  }
}
