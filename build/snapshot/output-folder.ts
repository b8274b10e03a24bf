/**
 * The output folder: whole files, locks, and removal of old files. A file is written whole or not at all: a
 * new file is not named by anything until it is complete, and an existing file is replaced by a rename,
 * because a published copy may be a second name of it.
 */
import {
  existsSync,
  readdirSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import {
  isOtherIndexVersion,
  type LayerHead,
  type LayerIndex,
  layerHeadText,
  layerPartPath,
  pathsNamedBy,
} from '../../api/contract/layer-index.ts';
import {
  assetsFolder,
  isLayerPart,
  type LayerName,
  type LayerState,
  layerIndexPath,
  layerNames,
  layersFolder,
} from '../../api/contract/layers.ts';
import { type Manifest, manifestPath, parseManifest } from '../../api/contract/snapshot.ts';
import { fileSource, isMissing, nodeDigest, readIfPresent } from '../../api/read/node-source.ts';
import { Reader } from '../../api/read/reader.ts';
import type { Source } from '../../api/read/source.ts';
import { lockFile } from '../../data/system/file-lock.ts';
import { flushTogether, handOver, makeFolders } from '../../data/system/files.ts';
import { UserError } from '../../data/system/messages.ts';
import { hashOf, type LayerFiles, readLayerHead, readLayerIndex } from './named-files.ts';

/** Held while shards and the manifest are written or removed. Its presence also marks a folder as ours. */
export const snapshotLockName = '.awards.lock';
/** Held while derived files are written or removed. */
export const layersLockName = '.awards.layers.lock';
/**
 * The manifest before the current one. A build that was killed before the database knew of it is repeated
 * from there.
 */
export const lastManifestName = '.awards.last-manifest.json';
/** Hosts do not serve names that begin with a dot. */
export const temporaryOf = (file: string): string => join(dirname(file), `.${basename(file)}.unfinished`);

export const shardsFolder = 'shards';
export const unfinishedManifest = temporaryOf(manifestPath);
export const isShard = (path: string): boolean => path.startsWith(`${shardsFolder}/`);
/**
 * Time for a reader to finish a request with an older manifest or index: longer reads start again with the
 * current one.
 */
export const defaultRetentionMs = 60_000;

/**
 * Holds the locks of the builds of a folder. The work must not wait: a build in this process would block on
 * the locks.
 * @returns undefined while a build runs
 */
export function whileNotBuilding<T>(root: string, work: () => T): T | undefined {
  const unlocks: (() => void)[] = [];
  try {
    for (const file of [snapshotLockName, layersLockName].map((name) => join(root, name))) {
      // A folder without a lock file is a copy: no build writes to it.
      const unlock = existsSync(file) ? lockFile(file, 0) : () => {};
      if (!unlock) return undefined;
      unlocks.push(unlock);
    }
    return work();
  } finally {
    for (const unlock of unlocks) unlock();
  }
}

/** Another process holds a lock on the folder. */
export class FolderBusy extends UserError {}

export class OutputFolder {
  readonly root: string;
  /** The folder as the user named it, for messages. */
  readonly #name: string;

  constructor(out: string) {
    this.#name = out;
    this.root = resolve(out);
  }

  /** Creates the folder. @throws as refuseUnusable() */
  prepare(option: '--out' | '--to' = '--out'): void {
    this.refuseUnusable(option);
    makeFolders(this.root);
  }

  /**
   * @param option that the message names
   * @throws UserError if the folder is a file, or holds files of something else
   */
  refuseUnusable(option: '--out' | '--to' = '--out'): void {
    const found = statSync(this.root, { throwIfNoEntry: false });
    if (found === undefined) return;
    if (!found.isDirectory())
      throw new UserError(`${this.root} is not a folder; choose another one with ${option}`);
    const [foreign] = readdirSync(this.root).filter((name) => !name.startsWith('.awards.'));
    const isOurs = this.has(snapshotLockName) || this.manifest();
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

  /** The manifest; undefined if there is none that is valid. @param path of another one than the current */
  manifest(path = manifestPath): Manifest | undefined {
    const bytes = this.read(path);
    return bytes && parseManifest(bytes, nodeDigest);
  }

  /**
   * Reads snapshots whose shards are in the folder.
   * @param cacheBytes bytes of parsed shards that it keeps in memory
   */
  reader(cacheBytes: number): Reader {
    return new Reader(this.source(), { digest: nodeDigest, cacheBytes });
  }

  source(): Source {
    return fileSource(this.root);
  }

  /** The index of a layer; undefined if there is none that is valid. */
  layerIndex(layer: LayerName): LayerIndex | undefined {
    return readLayerIndex(this.root, layer);
  }

  /** The head of the index of a layer; undefined if there is none that is valid. */
  layerHead(layer: LayerName): LayerHead | undefined {
    return readLayerHead(this.root, layer);
  }

  /** Whether the index of a layer is of another version. */
  hasOtherIndexVersion(layer: LayerName): boolean {
    const bytes = this.read(layerIndexPath(layer));
    return bytes !== undefined && isOtherIndexVersion(bytes);
  }

  /** The bytes that mark the index of a layer as unfinished; undefined if there is none that is valid. */
  unfinishedIndex(layer: LayerName): Buffer | undefined {
    const head = this.layerHead(layer);
    return head && Buffer.from(layerHeadText({ ...head, isFinished: false }, nodeDigest));
  }

  /** Marks the index of a layer as unfinished. */
  markUnfinished(layer: LayerName): void {
    this.put(layerIndexPath(layer), this.unfinishedIndex(layer)!);
  }

  /**
   * Puts another index of a layer in the place of the last one. Who has read the last head may read its parts
   * for a while.
   */
  replaceIndex(layer: LayerName, state: LayerState, files: LayerFiles, now: Date): void {
    const { parts, changed } = files.stored();
    for (const [hash, bytes] of changed) this.create(layerPartPath(layer, hash), bytes);
    for (const hash of this.layerHead(layer)?.parts ?? [])
      if (!parts.includes(hash)) this.retire(layerPartPath(layer, hash), now);
    const head = layerHeadText({ ...state, layer, count: files.count, parts }, nodeDigest);
    this.put(layerIndexPath(layer), Buffer.from(head));
  }

  /**
   * Removes the parts that the index of a layer does not name, once they were retired long enough ago.
   * @returns whether some stay
   */
  removeParts(layer: LayerName, retentionMs: number, now: Date): boolean {
    const named = new Set(this.layerHead(layer)?.parts.map((hash) => layerPartPath(layer, hash)));
    const unnamed = this.list(`${layersFolder}/${layer}`).filter(
      (path) => !named.has(path) && (isLayerPart(path) || path.endsWith('.unfinished')),
    );
    const removable = unnamed.filter((path) => !this.isWhole(path) || this.mayRemove(path, retentionMs, now));
    for (const path of removable) this.remove(path);
    return removable.length < unnamed.length;
  }

  /** The paths that the index of a layer names, also a damaged one and one of another version. */
  namedByIndex(layer: LayerName): string[] {
    const parts = this.list(`${layersFolder}/${layer}`);
    return [layerIndexPath(layer), ...parts].flatMap((path) => this.#namedIn(path) ?? []);
  }

  /** As namedByIndex(), for the layers of another version of the program; with the files of their indexes. */
  namedByFormerLayers(): string[] {
    const isKnown = (path: string) =>
      layerNames.some(
        (layer) => path.startsWith(`${layersFolder}/${layer}/`) || path === layerIndexPath(layer),
      );
    const others = this.list(layersFolder).filter((path) => !isKnown(path));
    return others.flatMap((path) => {
      const named = this.#namedIn(path);
      return named ? [...named, path] : [];
    });
  }

  /** The paths that a file of an index names; undefined if it is none. */
  #namedIn(path: string): string[] | undefined {
    const bytes = this.read(path);
    return bytes && pathsNamedBy(bytes);
  }

  has(path: string): boolean {
    return existsSync(join(this.root, path));
  }

  /** The bytes of a file; undefined if it is missing. */
  read(path: string): Buffer | undefined {
    return readIfPresent(join(this.root, path));
  }

  /** Whether the file has these bytes. */
  hasBytes(path: string, bytes: Uint8Array): boolean {
    // A look is cheaper than a failed read, and a first build finds no file.
    return this.has(path) && this.read(path)?.equals(bytes) === true;
  }

  /** The contentHash of a file; undefined if it is missing. */
  hash(path: string): string | undefined {
    return hashOf(join(this.root, path));
  }

  /** Makes the file have these bytes, unless it has them. @returns whether it was written */
  put(path: string, bytes: Uint8Array): boolean {
    if (this.hasBytes(path, bytes)) return false;
    this.replace(path, bytes);
    return true;
  }

  /** Puts a file with these bytes in the place of another one, or of none. */
  replace(path: string, bytes: Uint8Array): void {
    const file = join(this.root, path);
    this.#makingWay(path, () => {
      writeWhole(temporaryOf(file), bytes);
      renameSync(temporaryOf(file), file);
    });
  }

  /**
   * As replace(), of some files: each has its bytes on the disk before it has its name. See flushFolders()
   * for the names.
   */
  async replaceDurably(files: ReadonlyMap<string, Uint8Array>): Promise<void> {
    const parts = new Map([...files.keys()].map((path) => [path, temporaryOf(join(this.root, path))]));
    try {
      for (const [path, part] of parts) this.#makingWay(path, () => writeWhole(part, files.get(path)!));
      await flushTogether(parts.values());
      for (const [path, part] of parts) this.#makingWay(path, () => renameSync(part, join(this.root, path)));
    } catch (error) {
      // A full disk needs the room.
      for (const part of parts.values()) rmSync(part, { force: true });
      throw error;
    }
  }

  /** Flushes the names of files to the disk, also of removed ones, with those of the folders above them. */
  async flushFolders(paths: Iterable<string>): Promise<void> {
    const folders = new Set([this.root]);
    for (const path of paths)
      for (let folder = dirname(join(this.root, path)); !folders.has(folder); folder = dirname(folder))
        folders.add(folder);
    await flushTogether([...folders].filter((folder) => existsSync(folder)));
  }

  /**
   * Adds a file that nothing names yet. An interrupted write may leave a part of it: the next one replaces
   * it.
   * @returns whether the file was written
   */
  create(path: string, bytes: Uint8Array): boolean {
    try {
      this.#makingWay(path, () => writeWhole(join(this.root, path), bytes, 'wx'));
      return true;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
      return this.put(path, bytes);
    }
  }

  /** Notes that nothing names a file from now on: its age starts. */
  retire(path: string, now: Date): void {
    try {
      utimesSync(join(this.root, path), now, now);
    } catch (error) {
      if (isMissing(error)) return;
      const bytes = isRefused(error) && this.read(path);
      if (!bytes) throw error;
      // The file of another user, such as root, in a folder of this one: a copy takes its place.
      this.replace(path, bytes);
      utimesSync(join(this.root, path), now, now);
    }
  }

  /** Whether a file that nothing names was written or retired long enough ago. */
  mayRemove(path: string, retentionMs: number, now: Date): boolean {
    const retiredAt = statSync(join(this.root, path), { throwIfNoEntry: false })?.mtimeMs ?? 0;
    return retentionMs === 0 || retiredAt <= now.getTime() - retentionMs;
  }

  /** Whether an immutable file has the bytes that its name promises. The bundler has hashes of its own. */
  isWhole(path: string): boolean {
    const promised = /[0-9a-f]{20}(?=\.[a-z]+$)/.exec(path)?.[0];
    return path.startsWith(`${assetsFolder}/`) || this.hash(path) === promised;
  }

  /** Removes a file, and the folders that are empty then. @returns whether there was such a file */
  remove(path: string): boolean {
    try {
      rmSync(join(this.root, path), { recursive: true });
    } catch (error) {
      if (isMissing(error)) return false;
      throw error;
    }
    try {
      for (let empty = dirname(path); empty !== '.'; empty = dirname(empty))
        rmdirSync(join(this.root, empty));
    } catch {
      // It is not empty, or in use.
    }
    return true;
  }

  /**
   * Paths of all files below a folder, in no particular order. Hidden files that no build makes are left out:
   * a repository in the folder belongs to the user.
   */
  list(folder = ''): string[] {
    const top = join(this.root, folder);
    if (!existsSync(top) || !statSync(top).isDirectory()) return [];
    return readdirSync(top, { recursive: true, withFileTypes: true })
      .filter((entry) => !entry.isDirectory())
      .map((entry) =>
        join(entry.parentPath, entry.name)
          .slice(this.root.length + 1)
          .replaceAll('\\', '/'),
      )
      .filter((path) => !isHidden(path) || isMadeHidden(path));
  }

  /**
   * Runs a write. Where its folder is missing, or something else has its place, it makes way and runs the
   * write again.
   */
  #makingWay(path: string, write: () => void): void {
    try {
      write();
    } catch (error) {
      if (!/^(ENOENT|ENOTDIR|EISDIR)$/.test((error as NodeJS.ErrnoException).code ?? '')) throw error;
      const names = path.split('/');
      for (const depth of names.keys()) {
        const entry = join(this.root, ...names.slice(0, depth + 1));
        const isFolder = statSync(entry, { throwIfNoEntry: false })?.isDirectory() ?? false;
        if (isFolder === (depth === names.length - 1)) rmSync(entry, { recursive: true, force: true });
      }
      makeFolders(dirname(join(this.root, path)));
      write();
    }
  }
}

const isHidden = (path: string): boolean => path.split('/').some((name) => name.startsWith('.'));
/**
 * Hidden files of a build: a rule for a host, the catalog of the API, and the part of a file that a killed
 * process left.
 */
const isMadeHidden = (path: string): boolean =>
  /^\.(assetsignore|well-known\/api-catalog)$/.test(path) ||
  /^((\.well-known|[^./][^/]*)\/)*\.[^/]+\.unfinished$/.test(path);

/** Whether the system refused to change a file because it belongs to another user. */
const isRefused = (error: unknown): boolean =>
  /^(EPERM|EACCES)$/.test((error as NodeJS.ErrnoException).code ?? '');

/** Writes a file, and leaves no part of it behind if that fails: a full disk needs the room. */
function writeWhole(file: string, bytes: Uint8Array, flag: 'w' | 'wx' = 'w'): void {
  try {
    try {
      writeFileSync(file, bytes, { flag });
    } catch (error) {
      if (!isRefused(error)) throw error;
      // A part that a killed process of another user left.
      rmSync(file, { force: true });
      writeFileSync(file, bytes, { flag });
    }
    handOver(file);
  } catch (error) {
    const isThere = /^(EEXIST|EISDIR)$/.test((error as NodeJS.ErrnoException).code ?? '');
    if (!isThere) rmSync(file, { force: true });
    throw error;
  }
}
