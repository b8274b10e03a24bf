/**
 * Restores a backup: checks it, gives it a lineage of its own, and puts it in the place of the database in one step.
 *
 * The database that was lost gave out ids that the backup does not know. docs/decisions/0012-ids-after-a-restore.md says why
 * new ids start far above them.
 */
import { chmodSync, chownSync, existsSync, realpathSync, renameSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { ResourceName } from '../api/contract/names.ts';
import { logSuffixes, mergeLog, removeDatabase, requireFile } from './backup.ts';
import { lineage } from './changes.ts';
import { checksumFile, readChecksum } from './checksum.ts';
import {
  flush,
  identityOf,
  isThere,
  linkOrCopy,
  makeFolders,
  measureFile,
  moveDurably,
  unfinishedName,
} from '../build/system/files.ts';
import { highestId } from './edits.ts';
import { DatabaseDamaged, isDamage, refuseDamaged } from './integrity.ts';
import { type Connection, openDatabase } from './open.ts';
import { countRecords, refuseBrokenReferences } from './records.ts';
import { writeTransaction } from './transaction.ts';
import { UserError } from '../build/system/user-error.ts';

interface RestoreReport {
  /** The database that was in the place; undefined if there was none. */
  replaced: string | undefined;
  sha256: string;
  /** Whether the SHA-256 was compared with that of the backup. */
  verified: boolean;
  lineage: string;
  counts: Record<ResourceName, number>;
}

export interface RestoreOptions {
  /** Restore a backup without its checksum. */
  force?: boolean | undefined;
  now?: Date | undefined;
}

/**
 * Replaces a database by a backup. The replaced database stays beside it under another name. After an interruption there is
 * the old database or the new one.
 * @throws UserError if the backup is missing, damaged, or not what its checksum says, or the database is in use
 */
export function restore(
  backup: string,
  db: string,
  { force = false, now = new Date() }: RestoreOptions = {},
): RestoreReport {
  // A link stays: the file that it leads to is replaced.
  const file = isThere(db) ? realpathSync(db) : resolve(db);
  const expected = requireBackup(backup, file, force);
  makeFolders(dirname(file));
  const release = isThere(file) ? seize(file) : () => {};
  const unfinished = unfinishedName(file);
  try {
    const { sha256 } = measureFile(backup, unfinished);
    if (expected !== undefined && expected !== sha256)
      throw new UserError(
        `${backup} is damaged: its SHA-256 is ${sha256}, and ${checksumFile(backup)} says ${expected}; use another backup`,
      );
    const renewed = renew(unfinished, backup, now);
    if (existsSync(file)) copyOwner(file, unfinished);
    const replaced = setAside(file, now);
    moveDurably(unfinished, file);
    return { replaced, sha256, verified: expected !== undefined, ...renewed };
  } finally {
    removeDatabase(unfinished);
    release();
  }
}

/** @returns the SHA-256 that the backup must have; undefined if it is unknown */
function requireBackup(backup: string, file: string, force: boolean): string | undefined {
  if (!isThere(backup)) throw new UserError(`there is no backup at ${backup}`);
  requireFile(backup);
  if (identityOf(backup) === identityOf(file))
    throw new UserError(`${backup} is the database itself; name a backup of it`);
  if (existsSync(`${backup}-wal`))
    throw new UserError(
      `${backup} is a database in use, not a backup: ${backup}-wal has a part of it; "awards backup" makes a backup`,
    );
  const expected = readChecksum(backup);
  if (expected === undefined && !force)
    throw new UserError(
      `there is no ${checksumFile(backup)}, so ${backup} cannot be checked; --force restores it without the check`,
    );
  return expected;
}

/**
 * Takes a database for this process alone, and completes it from its log. SQLite leaves the log mode only when no other program
 * has the database open.
 * @returns the function that releases it
 * @throws UserError if another program has it open, or it belongs to another program
 */
function seize(file: string): () => void {
  let connection: Connection | undefined;
  try {
    connection = openDatabase(file, { migrates: false, timeoutMs: 1000 });
    const mode = connection.pragma('journal_mode = DELETE', { simple: true });
    connection.exec('BEGIN EXCLUSIVE');
    if (mode === 'delete' && connection.pragma('journal_mode', { simple: true }) === mode)
      return () => connection!.close();
    throw inUse(file);
  } catch (error) {
    connection?.close();
    const { code = '' } = ((error as Error).cause ?? error) as { code?: string };
    if (code.startsWith('SQLITE_BUSY')) throw inUse(file);
    // A damaged database cannot tell whether it is in use.
    if (error instanceof DatabaseDamaged || isDamage(error) || code === 'SQLITE_NOTADB') return () => {};
    throw error;
  }
}

const inUse = (file: string) =>
  new UserError(
    `the database ${file} is in use by another program, such as "awards serve"; stop it, then restore`,
  );

/** Checks the copy of a backup, migrates it, and gives it a new lineage. */
function renew(copy: string, backup: string, now: Date): Pick<RestoreReport, 'lineage' | 'counts'> {
  try {
    const unchanged = openDatabase(copy, { migrates: false });
    try {
      refuseDamaged(unchanged, copy, 'integrity_check');
      // SQLite takes an empty file, such as a copy that was cut off, for a database without tables.
      if (unchanged.pragma('user_version', { simple: true }) === 0)
        throw new UserError(`${copy} holds no record; use another backup`);
      refuseBrokenReferences(unchanged);
    } finally {
      unchanged.close();
    }
    const connection = openDatabase(copy);
    try {
      beginLineage(connection, now);
      const renewed = { lineage: lineage(connection), counts: countRecords(connection) };
      mergeLog(connection);
      return renewed;
    } finally {
      connection.close();
    }
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    const reason =
      error instanceof DatabaseDamaged
        ? `the backup ${backup} is damaged: ${error.fault}; use another backup`
        : error.message.replaceAll(copy, backup);
    throw new UserError(`${reason}; nothing was restored`, { cause: error });
  }
}

/** New ids start at least this far above those of the backup. */
const minGap = 1_000_000;

/**
 * Begins another history. No folder counts as built from it. Ids that the earlier history gave out after the backup are not
 * given again: new ones start above the milliseconds since 1970, which grow faster than ids, so that those of a second restore
 * are above those that followed a first one.
 */
function beginLineage(connection: Connection, now: Date): void {
  writeTransaction(connection, () => {
    connection.exec('UPDATE lineage SET id = lower(hex(randomblob(8))); DELETE FROM builds');
    const tables = connection
      .prepare<[], string>(
        "SELECT name FROM sqlite_schema WHERE type = 'table' AND sql LIKE '%AUTOINCREMENT%' AND name <> 'changes'",
      )
      .pluck()
      .all();
    for (const table of tables) {
      const highest = highestId(connection, table);
      const first = Math.max(highest + minGap, now.getTime());
      if (first > Number.MAX_SAFE_INTEGER) continue;
      connection.prepare('DELETE FROM sqlite_sequence WHERE name = ?').run(table);
      connection
        .prepare('INSERT INTO sqlite_sequence (name, seq) VALUES (?, CAST(? AS INTEGER))')
        .run(table, first);
    }
  });
}

/** The service may run as another user. */
function copyOwner(from: string, to: string): void {
  const { mode, uid, gid } = statSync(from);
  chmodSync(to, mode);
  const own = statSync(to);
  if (own.uid !== uid || own.gid !== gid) chownSync(to, uid, gid);
}

/** Keeps what is in the place of the database under another name. @returns the name; undefined if there is nothing */
function setAside(file: string, now: Date): string | undefined {
  const aside = `${file}.replaced-${now.toISOString().replaceAll(/[:.]/g, '-')}`;
  const kept = isThere(file) ? aside : undefined;
  // The database itself stays in its place until the new one replaces it.
  if (kept !== undefined) linkOrCopy(file, kept);
  // Next to another database, a log would be applied to it.
  for (const suffix of logSuffixes) if (existsSync(file + suffix)) renameSync(file + suffix, aside + suffix);
  flush(dirname(file));
  return kept;
}
