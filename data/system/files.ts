/** Files on a disk: whether they are there, and writing that survives a power cut. */
import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  closeSync,
  copyFileSync,
  existsSync,
  fsyncSync,
  lchownSync,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  statfsSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { open } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

/**
 * A new name beside a file for its unfinished version. A killed process leaves it behind. The number of the
 * process would not do: in a container each process has the same.
 */
export const unfinishedName = (file: string): string =>
  join(dirname(file), `.${basename(file)}.${randomBytes(6).toString('hex')}.unfinished`);

/** Flushes a file, or the names in a folder, to the disk. */
export function flush(path: string): void {
  // Windows flushes a file only where it is open for writing, and opens no folder.
  const isWindows = process.platform === 'win32';
  if (isWindows && statSync(path).isDirectory()) return;
  const descriptor = openSync(path, isWindows ? 'r+' : 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/**
 * Where root has made a file: gives it to the owner of the file that it replaces, else to that of its folder.
 * Otherwise a command that root runs once would leave files that the service can never change.
 * @param target the name that the file gets, by default its own
 */
export function handOver(path: string, target?: string): void {
  if (process.getuid?.() !== 0) return;
  const replaced = target === undefined ? undefined : statSync(target, { throwIfNoEntry: false });
  const { uid, gid } = replaced ?? statSync(dirname(target ?? path));
  const owner = lstatSync(path);
  if (owner.uid !== uid || owner.gid !== gid) lchownSync(path, uid, gid);
}

/** As flush(), of many at once, in a fraction of the time that one after the other takes. */
export async function flushTogether(paths: Iterable<string>): Promise<void> {
  const isWindows = process.platform === 'win32';
  const flushOne = async (path: string) => {
    if (isWindows && isFolder(path)) return;
    const handle = await open(path, isWindows ? 'r+' : 'r');
    await handle.sync().finally(() => handle.close());
  };
  await Promise.all(Array.from(paths, flushOne));
}

/** Gives a complete file its name, in one step that lasts. Replaces a file of that name. */
export function moveDurably(from: string, to: string): void {
  handOver(from, to);
  flush(from);
  renameSync(from, to);
  flush(dirname(to));
}

/**
 * Gives a complete file its name, in one step that lasts, unless another file has it. The old name may stay:
 * the caller removes it.
 * @returns whether the file has the name
 */
export function nameDurably(from: string, to: string): boolean {
  handOver(from, to);
  flush(from);
  try {
    // rename() would replace a file that another process named meanwhile.
    linkSync(from, to);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST' || existsSync(to)) return false;
    // The file system has no hard links. A file that gets the name at this instant is replaced.
    renameSync(from, to);
  }
  flush(dirname(to));
  return true;
}

/** Writes a file in one step that lasts. */
export function writeDurably(file: string, content: string): void {
  const unfinished = unfinishedName(file);
  try {
    writeFileSync(unfinished, content);
    moveDurably(unfinished, file);
  } catch (error) {
    rmSync(unfinished, { force: true });
    throw error;
  }
}

/**
 * Makes a folder with those above it. With `recursive`, mkdirSync() of Node 20 hangs where the system refuses
 * a folder inside an existing one, such as /proc.
 * @throws the error of the system
 */
export function makeFolders(folder: string): void {
  if (isFolder(folder)) return;
  const above = dirname(folder);
  if (above !== folder) makeFolders(above);
  try {
    mkdirSync(folder);
    handOver(folder);
  } catch (error) {
    // Another process may have made it meanwhile.
    if (!isFolder(folder)) throw error;
  }
}

export const isFolder = (path: string): boolean =>
  statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;

/**
 * Whether there is a file or folder. existsSync() denies one in a folder that is closed to this user.
 * @throws the error of the system if it cannot be told
 */
export const isThere = (path: string): boolean => statSync(path, { throwIfNoEntry: false }) !== undefined;

/** A write and the build after it need several MB for a moment. */
const minFreeBytes = 32 * 1024 * 1024;

/**
 * Bytes that this user can still write beside a file or in a folder; infinite where the file system does not
 * tell.
 */
export function freeBytes(path: string): number {
  if (!isThere(path)) return freeBytes(dirname(path));
  const { bavail, bsize, blocks } = statfsSync(path);
  return blocks === 0 ? Number.POSITIVE_INFINITY : bavail * bsize;
}

/**
 * That a disk has too little room for writes and builds; undefined if it has enough.
 * @param what is on it, in words
 */
export function shortageOf(what: string, path: string): string | undefined {
  const free = freeBytes(path);
  const [has, needs] = [free, minFreeBytes].map((bytes) => `${Math.floor(bytes / 1024 / 1024)} MiB`);
  if (free >= minFreeBytes) return undefined;
  return `the disk of the ${what} has ${has} left; below ${needs} writes and builds may fail`;
}

/** Gives a file a second name. Copies it to another disk, or if the file system has no hard links. */
export function linkOrCopy(from: string, to: string): void {
  try {
    linkSync(from, to);
  } catch {
    copyFileSync(from, to);
    handOver(to);
  }
}

/** Gives a file the mode of another one, so that a copy of a database is open to no more users. */
export const giveModeOf = (model: string, file: string): void => chmodSync(file, statSync(model).mode);

/**
 * Codes of the system and of SQLite for a full disk, and for a quota that is used up. SQLite calls it an I/O
 * error where the memory that connections share, a file beside the database, has no room.
 */
const codes: ReadonlySet<unknown> = new Set(['ENOSPC', 'EDQUOT', 'SQLITE_FULL', 'SQLITE_IOERR_SHMSIZE']);

/** Whether an operation failed because there is no space left. */
export const isFullDisk = (error: unknown): boolean => codes.has((error as { code?: unknown }).code);
