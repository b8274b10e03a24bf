/**
 * A folder as a target, for any host: first files, then the indexes and the manifest, then the removal of
 * files that nothing names. A reader that follows the manifest sees the old snapshot or the new one. Every
 * file is compared, so an interrupted publish needs no repair.
 */
import { realpathSync } from 'node:fs';
import { basename, dirname, join, resolve, sep } from 'node:path';
import { layerIndexPath, layerNames } from '../../api/contract/layers.ts';
import { contentHash, manifestPath } from '../../api/contract/snapshot.ts';
import { nodeDigest } from '../../api/read/node-source.ts';
import { lockFile } from '../../data/system/file-lock.ts';
import { isThere } from '../../data/system/files.ts';
import { UserError } from '../../data/system/messages.ts';
import { OutputFolder, snapshotLockName } from '../snapshot/output-folder.ts';
import { type Contents, isIndex } from './contents.ts';
import { formatTitle, parseTitle, refuseOlder } from './deploy-title.ts';
import type { Changes, Live, Target } from './target.ts';

export interface FolderOptions {
  /** Folder to publish to; it is made if it is missing. */
  to: string;
  /** Folder of the snapshot. */
  out: string;
  /** Replace the snapshot there even if it is newer or not comparable. */
  force?: boolean | undefined;
  onProgress?: ((what: string, done: number, total: number) => void) | undefined;
}

/** The title of the last publish, in the target folder. */
const titleName = '.awards.published';
/**
 * The paths of the files that publishes have put into the target folder, a line each. Nothing else there is
 * removed.
 */
const filesName = '.awards.files';
/** Whether a file is the part of another one that a killed publish left. */
const isPart = (path: string): boolean => /(^|\/)\.[^/]+\.unfinished$/.test(path);
/** Files that are in memory, and flushed, at a time. */
const flushedTogether = 64;

/** A power cut at any time leaves the old site or the new one. */
export class FolderTarget implements Target<void> {
  readonly frozenIn = undefined;
  readonly configuration = new Map<string, Buffer>();
  readonly #options: FolderOptions;
  readonly #folder: OutputFolder;
  /** The contentHash of each file that was read. It stays valid: only the lock holder changes files. */
  readonly #hashes = new Map<string, string | undefined>();

  /** @throws UserError if one of both folders is inside the other, or the folder holds other files */
  constructor(options: FolderOptions) {
    const { to, out } = options;
    const [from, into] = [out, to].map((folder) => realPath(resolve(folder)) + sep);
    if (from!.startsWith(into!) || into!.startsWith(from!))
      throw new UserError(`one of ${to} and ${out} is inside the other; choose another folder with --to`);
    this.#options = options;
    this.#folder = new OutputFolder(to);
    this.#folder.refuseUnusable('--to');
  }

  lock(): (() => void) | undefined {
    this.#folder.prepare('--to');
    return lockFile(join(this.#folder.root, snapshotLockName), 0);
  }

  timeOf(_contents: Contents, now: Date): Date {
    return now;
  }

  async live(): Promise<Live> {
    const { to, force } = this.#options;
    const found = this.#folder.list();
    const published = this.#published();
    const snapshot = this.#folder.manifest()?.snapshot;
    // A folder that a build wrote has no title.
    const title =
      parseTitle(this.#folder.read(titleName)?.toString() ?? '') ??
      (snapshot === undefined ? undefined : { snapshot, place: undefined });
    return {
      name: to,
      address: '',
      title,
      wasPublished: published.includes(manifestPath),
      paths: new Set(found.filter((path) => !isPart(path))),
      own: [...published.filter((path) => this.#folder.has(path)), ...found.filter(isPart)],
      source: this.#folder.source(),
      refuse: (contents) => {
        if (title && !force) refuseOlder(title, contents.title, to);
      },
      lacks: async ({ files }) =>
        [...files.keys()].filter((path) => this.#hash(path) !== files.get(path)!.hash),
    };
  }

  /** What a file names is on the disk before that file. */
  async apply({ contents, lacking, gone, brought }: Changes): Promise<void> {
    const { files, title, isKept, read } = contents;
    const published = this.#published();
    // First: an interrupted publish leaves no file that the next one does not know.
    // It names the manifest once there was one.
    const isPublished = (path: string) => path !== manifestPath || this.#folder.has(path);
    const fromSite = brought?.paths ?? [];
    await this.#notePublished([...published, ...fromSite, ...[...files.keys()].filter(isPublished)]);
    const changed = new Set([...lacking, ...gone]);
    for (const layer of layerNames) {
      const path = layerIndexPath(layer);
      const unfinished = this.#folder.unfinishedIndex(layer);
      // Until all files are replaced it is not to be trusted.
      if (unfinished && changed.has(path)) await this.#put(path, unfinished);
    }
    if (brought) await this.#copy(brought.paths, brought);
    const isLast = (path: string) => isIndex(path) || path === manifestPath;
    await this.#copy(
      lacking.filter((path) => !isLast(path)),
      contents,
    );
    // Also those of files that are as they should be: a publish that was killed did not flush them.
    await this.#folder.flushFolders([...files.keys(), ...fromSite]);
    const indexes = lacking.filter(isIndex);
    for (const path of indexes) await this.#put(path, await read(path));
    await this.#put(titleName, Buffer.from(formatTitle(title)));
    await this.#folder.flushFolders(indexes);
    if (lacking.includes(manifestPath)) await this.#put(manifestPath, await read(manifestPath));
    await this.#folder.flushFolders([]);
    for (const path of gone) this.#folder.remove(path);
    // A file that comes back would be named by nothing.
    await this.#folder.flushFolders(gone);
    await this.#notePublished([...files.keys(), ...fromSite, ...published.filter(isKept)]);
  }

  async #copy(paths: readonly string[], { read }: Pick<Contents, 'read'>): Promise<void> {
    for (let done = 0; done < paths.length; done += flushedTogether) {
      this.#options.onProgress?.('copying', done, paths.length);
      const some = paths.slice(done, done + flushedTogether);
      const bytes = await Promise.all(some.map(async (path) => [path, await read(path)] as const));
      await this.#replace(new Map(bytes));
    }
  }

  /** Makes a file have these bytes, on the disk before it has its name. */
  async #put(path: string, bytes: Uint8Array): Promise<void> {
    if (!this.#folder.hasBytes(path, bytes)) await this.#replace(new Map([[path, bytes]]));
  }

  async #replace(files: ReadonlyMap<string, Uint8Array>): Promise<void> {
    await this.#folder.replaceDurably(files);
    for (const [path, bytes] of files) this.#hashes.set(path, contentHash(bytes, nodeDigest));
  }

  #hash(path: string): string | undefined {
    if (!this.#hashes.has(path)) this.#hashes.set(path, this.#folder.hash(path));
    return this.#hashes.get(path);
  }

  /**
   * The files that earlier publishes have put into the folder. A user can edit the list: no path leads out
   * of it.
   */
  #published(): string[] {
    const { root } = this.#folder;
    return (this.#folder.read(filesName)?.toString() ?? '')
      .split('\n')
      .filter((path) => path !== '' && join(root, path).startsWith(root + sep));
  }

  #notePublished(paths: readonly string[]): Promise<void> {
    return this.#put(filesName, Buffer.from(`${[...new Set(paths)].sort().join('\n')}\n`));
  }
}

/** The path behind all links, also of a folder that is not there yet. */
const realPath = (path: string): string =>
  isThere(path) ? realpathSync(path) : join(realPath(dirname(path)), basename(path));
