/**
 * Whether the path of a database still names the files that a connection has open: SQLite goes on writing to
 * moved ones.
 */
import { realpathSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { UserError } from '../system/messages.ts';
import type { Connection } from './connection.ts';

/**
 * Thrown if the database, its log or the index of the log was moved, deleted or replaced while this program
 * has it open.
 */
export class DatabaseMoved extends UserError {
  /** Of the first such file. */
  readonly path: string;

  constructor(path: string, consequence: string) {
    super(
      `${path} was moved, deleted or replaced while it is in use: put it back, or start this program again; ${consequence}`,
    );
    this.path = path;
  }
}

/** Path of each file that a connection has open → its device and inode. */
const openFiles = new WeakMap<Connection, ReadonlyMap<string, string | undefined>>();

/** Notes the files of a connection. Call it right after the connection is opened and configured. */
export function noteFiles(connection: Connection): void {
  // SQLite opens the log with the first read.
  connection.pragma('user_version');
  const file = resolve(connection.name);
  // SQLite puts the log beside the file that a link leads to.
  const paths = [file, ...['-wal', '-shm'].map((suffix) => realpathSync(file) + suffix)];
  openFiles.set(connection, new Map(paths.map((path) => [path, identityAt(path)])));
}

const movedFiles = (connection: Connection): string[] =>
  [...(openFiles.get(connection) ?? [])]
    .filter(([path, identity]) => identity === undefined || identityAt(path) !== identity)
    .map(([path]) => path);

/**
 * Why nothing may be written: a path names another file than the connection has open. Undefined if none does.
 */
export function moveOf(
  connection: Connection,
  consequence = 'nothing was changed',
): DatabaseMoved | undefined {
  const [path] = movedFiles(connection);
  return path === undefined ? undefined : new DatabaseMoved(path, consequence);
}

/** @throws DatabaseMoved, before a commit */
export function refuseMoved(connection: Connection): void {
  const move = moveOf(connection);
  if (move) throw move;
}

/** @throws DatabaseMoved, after a commit */
export function refuseMovedSince(connection: Connection): void {
  const move = moveOf(connection, 'then read the record to see whether it was changed');
  if (move) throw move;
}

/**
 * Copies a log that was deleted into its database, so that the end of the program loses none of its writes.
 * Not beside a new log: another program writes to that one.
 */
export function saveDeletedLog(connection: Connection): void {
  const [log, ...others] = movedFiles(connection).filter((path) => !path.endsWith('-shm'));
  if (log?.endsWith('-wal') && others.length === 0 && identityAt(log) === undefined)
    connection.pragma('wal_checkpoint(PASSIVE)');
}

/** Device and inode of the file at a path; undefined if there is none, or the path cannot be looked at. */
function identityAt(path: string): string | undefined {
  try {
    const { dev, ino } = statSync(path, { bigint: true });
    return `${dev}:${ino}`;
  } catch {
    return undefined;
  }
}
