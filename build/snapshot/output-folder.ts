/**
 * The output folder: atomic writes, locks, and removal of old files. A file is written whole or not at all: a new file is
 * not named by anything until it is complete, and an existing file is replaced by a rename.
 */
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { type LayerName, layerIndexPath, parseLayerIndex } from '../../api/contract/layers.ts';
import { type Manifest, manifestPath, parseManifest } from '../../api/contract/snapshot.ts';
import { isMissing, nodeDigest, readIfPresent } from '../../api/read/node-source.ts';
import { makeFolders } from '../system/files.ts';
import { lockFile } from '../system/file-lock.ts';
import { UserError } from '../system/user-error.ts';
import { OwnFiles } from './own-files.ts';

/** Held while shards and the manifest are written or removed. Its presence also marks a folder as ours. */
export const snapshotLockName = '.awards.lock';
/** Held while derived files are written or removed. */
export const layersLockName = '.awards.layers.lock';
/** Holds files of layers until they take their places. */
const stagingFolder = '.awards.staged';
/** Hosts do not serve names that begin with a dot. */
export const temporaryOf = (file: string): string => join(dirname(file), `.${basename(file)}.unfinished`);

export const shardsFolder = 'shards';
export const unfinishedManifest = temporaryOf(manifestPath);

/** Another process holds a lock on the folder. */
export class FolderBusy extends UserError {}

export class OutputFolder {
  readonly root: string;
  /** The folder as the user named it, for messages. */
  readonly #name: string;
  #own: OwnFiles;
  #stagedCount = 0;

  constructor(out: string) {
    this.#name = out;
    this.root = resolve(out);
    this.#own = new OwnFiles(this.root);
  }

  /** Creates the folder. @throws as refuseUnusable() */
  prepare(option: '--out' | '--to' = '--out'): void {
    // Another program may have removed or replaced folders since the last build.
    this.#own = new OwnFiles(this.root);
    this.refuseUnusable(option);
    makeFolders(this.root);
  }

  /** @param option that the message names @throws UserError if the folder is a file, or holds files of something else */
  refuseUnusable(option: '--out' | '--to' = '--out'): void {
    const found = statSync(this.root, { throwIfNoEntry: false });
    if (found === undefined) return;
    if (!found.isDirectory())
      throw new UserError(`${this.root} is not a folder; choose another one with ${option}`);
    const [foreign] = readdirSync(this.root).filter((name) => !name.startsWith('.awards.'));
    const isOurs = this.has(snapshotLockName) || this.manifest() || this.oldFormat();
    if (foreign === undefined || isOurs) return;
    throw new UserError(
      `${this.root} holds files that are not a snapshot (such as ${foreign}); choose another folder with ${option}`,
    );
  }

  /** Takes a lock. @throws FolderBusy if another process does not release it in time */
  lock(name: string, timeoutMs: number): () => void {
    const unlock = lockFile(join(this.root, name), timeoutMs);
    if (unlock) return unlock;
    throw new FolderBusy(`another build is at work on ${this.#name}; try again when it is done`);
  }

  /** The manifest; undefined if there is none that is valid. */
  manifest(): Manifest | undefined {
    const bytes = this.read(manifestPath);
    return bytes && parseManifest(bytes, nodeDigest);
  }

  /** The index of a layer; undefined if there is none that is valid. */
  layerIndex(layer: LayerName) {
    const bytes = this.read(layerIndexPath(layer));
    return bytes && parseLayerIndex(layer, bytes, nodeDigest);
  }

  /** The format version of a manifest that another version of the program wrote; undefined if there is none. */
  oldFormat(): number | undefined {
    try {
      const { format, snapshot } = JSON.parse(
        this.read(manifestPath)?.toString() ?? '{}',
      ) as Partial<Manifest>;
      return typeof format === 'number' && typeof snapshot === 'string' ? format : undefined;
    } catch {
      return undefined;
    }
  }

  has(path: string): boolean {
    return existsSync(join(this.root, path));
  }

  /** The bytes of a file; undefined if it is missing. */
  read(path: string): Buffer | undefined {
    return readIfPresent(join(this.root, path));
  }

  /**
   * Makes the file have these bytes. A file that has them already is left alone.
   * @returns whether the file was written
   */
  put(path: string, bytes: Uint8Array): boolean {
    if (this.hasBytes(path, bytes)) return false;
    const file = this.makeFolderOf(path);
    const temporary = temporaryOf(file);
    writeWhole(temporary, bytes);
    this.#replace(temporary, file);
    return true;
  }

  /**
   * Adds an immutable file, which nothing names yet. An interrupted write may leave a part of it: the next one replaces it.
   * @returns whether the file was written
   */
  putImmutable(path: string, bytes: Uint8Array): boolean {
    try {
      writeWhole(this.makeFolderOf(path), bytes, 'wx');
      return true;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
      return this.put(path, bytes);
    }
  }

  /** Makes the folder of a file. @returns where the file is */
  makeFolderOf(path: string): string {
    this.#own.makeFolder(dirname(path));
    return join(this.root, path);
  }

  /** Writes a file that move() puts into its place later. @returns its path */
  stage(bytes: Uint8Array): string {
    const folder = join(this.root, stagingFolder);
    if (this.#stagedCount === 0) mkdirSync(folder, { recursive: true });
    const file = join(folder, String(this.#stagedCount++));
    writeWhole(file, bytes);
    return file;
  }

  /** Removes the staged files that were not moved. The caller holds the lock of the layers. */
  clearStaged(): void {
    this.#stagedCount = 0;
    rmSync(join(this.root, stagingFolder), { recursive: true, force: true });
  }

  /** Moves a file from elsewhere on the same disk into the folder. */
  move(from: string, path: string): void {
    this.#replace(from, this.makeFolderOf(path));
  }

  /** Notes that nothing names a file from now on: its age starts. */
  retire(path: string, now: Date): void {
    try {
      utimesSync(join(this.root, path), now, now);
    } catch (error) {
      if (!isMissing(error)) throw error;
    }
  }

  /** When a file was written or retired, in milliseconds since 1970. */
  retiredAt(path: string): number {
    return statSync(join(this.root, path), { throwIfNoEntry: false })?.mtimeMs ?? 0;
  }

  /** @returns whether there was such a file */
  remove(path: string): boolean {
    const file = join(this.root, path);
    try {
      rmSync(file, { recursive: true });
    } catch (error) {
      if (isMissing(error)) return false;
      throw error;
    }
    this.#removeEmptyFolders(dirname(path));
    return true;
  }

  /**
   * Paths of all files below a folder, in no particular order. Links are not followed. Hidden files that no build makes are left out:
   * a repository in the folder belongs to the user.
   */
  list(folder = ''): string[] {
    const top = join(this.root, folder);
    // The root may be a link.
    if (!(folder ? lstatSync : statSync)(top, { throwIfNoEntry: false })?.isDirectory()) return [];
    return readdirSync(top, { recursive: true, withFileTypes: true })
      .filter((entry) => !entry.isDirectory())
      .map((entry) => relative(this.root, join(entry.parentPath, entry.name)).replaceAll('\\', '/'))
      .filter((path) => !isHidden(path) || isMadeHidden(path));
  }

  /** Whether no layer was ever written: then no file of a layer needs to be compared or replaced. */
  hasOnlySnapshot(): boolean {
    return readdirSync(this.root).every(
      (name) => name.startsWith('.awards.') || name === manifestPath || name === shardsFolder,
    );
  }

  #removeEmptyFolders(folder: string): void {
    for (let empty = folder; empty !== '.'; empty = dirname(empty)) {
      try {
        rmdirSync(join(this.root, empty));
      } catch (error) {
        if (isOccupied(error)) return;
        throw error;
      }
      this.#own.forgetFolder(empty);
    }
  }

  /** Whether the file has these bytes. */
  hasBytes(path: string, bytes: Uint8Array): boolean {
    return this.#own.size(path) === bytes.length && readFileSync(join(this.root, path)).equals(bytes);
  }

  /** The contentHash of a file; undefined if it is missing, or anything but a file of this folder. */
  hash(path: string): string | undefined {
    return this.#own.hash(path);
  }

  /** Renames a file. It replaces a file or a folder of the new name. */
  #replace(from: string, to: string): void {
    try {
      renameSync(from, to);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EISDIR') throw error;
      rmSync(to, { recursive: true });
      renameSync(from, to);
    }
  }
}

const isHidden = (path: string): boolean => path.split('/').some((name) => name.startsWith('.'));
/** Hidden files of a build: a rule for a host, and the part of a file that a killed process left. */
const isMadeHidden = (path: string): boolean =>
  path === '.assetsignore' || /^([^./][^/]*\/)*\.[^/]+\.unfinished$/.test(path);

/** Writes a file, and leaves no part of it behind if that fails: a full disk needs the room. */
function writeWhole(file: string, bytes: Uint8Array, flag: 'w' | 'wx' = 'w'): void {
  try {
    writeFileSync(file, bytes, { flag });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') removeQuietly(file);
    throw error;
  }
}

/** A failure here would hide the first one. */
function removeQuietly(file: string): void {
  try {
    rmSync(file, { force: true });
  } catch {
    // A later build removes it.
  }
}

/** Whether a folder could not be removed because it is not empty, in use, or gone. */
const isOccupied = (error: unknown): boolean =>
  /^(ENOTEMPTY|EEXIST|ENOENT|EBUSY|EPERM|EACCES)$/.test((error as NodeJS.ErrnoException).code ?? '');
