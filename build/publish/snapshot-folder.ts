/** The files to publish: a snapshot as one build left it, the downloads beside it, and the configuration of the host. */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { downloadIndexPath, immutableName, isDownload } from '../../api/contract/download-names.ts';
import {
  contentHash,
  type Directory,
  type FamilyName,
  type Manifest,
  manifestFamilies,
  manifestPath,
  type PageShard,
  parseManifest,
  shardPath,
} from '../../api/contract/snapshot.ts';
import { byCodeUnit } from '../../api/contract/text.ts';
import { fileSource, isMissing } from '../../api/hosts/file-source.ts';
import { nodeDigest } from '../../api/hosts/node-digest.ts';
import { SnapshotUnavailable, type Source } from '../../api/read/source.ts';
import { readBuild } from '../../data/builds.ts';
import { revision } from '../../data/changes.ts';
import { lockFile } from '../../data/file-lock.ts';
import { lineage } from '../../data/lineage.ts';
import type { Connection } from '../../data/open.ts';
import { UserError } from '../../data/user-error.ts';
import { listDownloads, readIndex } from '../layers/downloads/index-file.ts';
import { FolderOutput, lockName } from '../snapshot/output.ts';
import type { DeployTitle, Place } from './deploy-title.ts';
import { RetryLaterError, type RetryPolicy } from './retry-policy.ts';

/** A build replaced files while they were being published. */
export class SnapshotChanged extends Error {
  override readonly name = 'SnapshotChanged';
}

const maxRestarts = 10;

/** Starts work again when a build replaced the snapshot under it. */
export async function restartOnChange<T>(out: string, work: () => Promise<T>): Promise<T> {
  for (let restarts = 0; ; restarts += 1)
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof SnapshotChanged)) throw error;
      if (restarts === maxRestarts)
        throw new RetryLaterError(`builds keep replacing ${out} while it is being published; try later`);
    }
}

/** Path below the root → contentHash. */
export type Listing = ReadonlyMap<string, string>;

/** How long to wait for a running build. */
const buildTimeoutMs = 60_000;

export class SnapshotFolder {
  readonly root: string;
  readonly manifest: Manifest;
  /** All files of a deploy. The manifest is the last one. */
  readonly files: Listing;
  readonly title: DeployTitle;
  /** Changes in the database that the snapshot does not have yet. */
  readonly behind: number;
  readonly #manifestBytes: Buffer;
  /** Path → bytes of the files that lie elsewhere or may be replaced: the configuration and the manifest. */
  readonly #held: ReadonlyMap<string, Buffer>;

  private constructor(root: string, found: Found, manifest: Manifest, files: Listing, configuration: Files) {
    this.root = root;
    this.manifest = manifest;
    this.behind = found.behind;
    this.#manifestBytes = found.manifest;
    this.#held = new Map([...configuration, [manifestPath, found.manifest]]);
    const held = [...this.#held].map(([path, bytes]) => [path, contentHash(bytes, nodeDigest)] as const);
    this.files = new Map([...files, ...held]);
    // The index of the downloads names all of them.
    const besides = [...held.slice(0, -1), ...[...files].filter(([path]) => path === downloadIndexPath)];
    const rules = besides.length === 0 ? '' : contentHash(Buffer.from(JSON.stringify(besides)), nodeDigest);
    this.title = { snapshot: manifest.snapshot, rules, place: found.place };
  }

  /**
   * Lists the files, after a running build has ended.
   * @param options.project folder of netlify.toml; without it there is no configuration
   * @throws UserError if there is no complete snapshot, or a file that names others is damaged
   */
  static async open(
    out: string,
    retry: RetryPolicy,
    { connection, project }: { connection?: Connection | undefined; project?: string | undefined },
  ): Promise<SnapshotFolder> {
    requireFolder(out);
    const root = resolve(out);
    const open = async () => {
      const found = look(root, connection);
      if (found === undefined) return undefined;
      const listed = await list(root, out, found);
      const configuration = project === undefined ? new Map() : readConfiguration(project);
      return listed && new SnapshotFolder(root, found, listed.manifest, listed.files, configuration);
    };
    const folder = await retry.poll('waiting for a build', open, {
      maxPauseMs: 50,
      timeoutMs: buildTimeoutMs,
    });
    if (folder) return folder;
    throw new UserError(`a build of ${out} is running; try again when it is done`);
  }

  /** The bytes of a listed file. @throws SnapshotChanged if a build replaced it; UserError if it is missing or damaged */
  async read(path: string): Promise<Buffer> {
    const held = this.#held.get(path);
    if (held) return held;
    const bytes = await readFile(join(this.root, this.#storedPath(path))).catch((error: unknown) => {
      if (isMissing(error)) return undefined;
      throw error;
    });
    if (bytes && contentHash(bytes, nodeDigest) === this.files.get(path)) return bytes;
    if (hasNewBuild(this.root, this.#manifestBytes) || this.#hasNewDownloads())
      throw new SnapshotChanged(`a build replaced ${path} while it was being published`);
    throw new UserError(
      `${path} in ${this.root} is ${bytes ? 'damaged' : 'missing'}; "awards build --full" repairs it`,
    );
  }

  /** Whether a file is of the host's configuration, which a site does not show. */
  isConfiguration(path: string): boolean {
    return path !== manifestPath && this.#held.has(path);
  }

  sizeOf(path: string): number {
    return this.#held.get(path)?.length ?? statSync(join(this.root, path)).size;
  }

  /** Downloads are read under their immutable names: a build may replace the others. */
  #storedPath(path: string): string {
    const hash = this.files.get(path);
    const immutable = hash === undefined || !isDownload(path) ? path : immutableName(path, hash);
    return this.files.has(immutable) ? immutable : path;
  }

  #hasNewDownloads(): boolean {
    const listed = [...this.files].filter(([path]) => isDownload(path));
    const now = listDownloads(readIndex(this.root));
    return listed.length !== now.size || listed.some(([path, hash]) => now.get(path) !== hash);
  }
}

/** @throws UserError */
export function requireFolder(out: string): void {
  if (!existsSync(out)) throw new UserError(`there is no folder ${out}; "awards build" makes it`);
}

/** The state of the folder between two builds. */
interface Found {
  manifest: Buffer;
  interrupted: boolean;
  place: Place | undefined;
  behind: number;
}

/**
 * Reads the manifest and its place with the lock of the build. It must not wait: a build in this process would wait for the
 * lock and block the event loop.
 * @returns undefined while a build runs
 */
function look(root: string, connection: Connection | undefined): Found | undefined {
  const lock = join(root, lockName);
  // A folder without a lock file is a copy: no build writes to it.
  const unlock = existsSync(lock) ? lockFile(lock, 0) : () => {};
  const output = new FolderOutput(root);
  if (unlock === undefined) {
    output.askForTurn();
    return undefined;
  }
  try {
    const file = join(root, manifestPath);
    const manifest = existsSync(file) ? readFileSync(file) : Buffer.alloc(0);
    return { manifest, interrupted: output.interrupted, ...history(root, manifest, connection) };
  } finally {
    unlock();
  }
}

function history(root: string, manifest: Buffer, connection: Connection | undefined) {
  const last = connection && readBuild(connection, root);
  if (!connection || !last || parseManifest(manifest, nodeDigest)?.snapshot !== last.snapshot)
    return { place: undefined, behind: 0 };
  return {
    place: { lineage: lineage(connection), revision: last.revision },
    behind: revision(connection) - last.revision,
  };
}

/** undefined if a build replaced the snapshot meanwhile. */
async function list(
  root: string,
  out: string,
  found: Found,
): Promise<{ manifest: Manifest; files: Map<string, string> } | undefined> {
  if (found.interrupted)
    throw new UserError(`the last build of ${out} was interrupted; "awards build" completes it`);
  const manifest = parseManifest(found.manifest, nodeDigest);
  if (manifest === undefined)
    throw new UserError(`${out} holds no snapshot of this version; "awards build" makes one`);
  try {
    const files = await listFiles(manifest, fileSource(root));
    // Downloads of an earlier snapshot are published too.
    for (const [path, hash] of listDownloads(readIndex(root))) files.set(path, hash);
    return { manifest, files };
  } catch (error) {
    if (!(error instanceof SnapshotUnavailable)) throw error;
    if (hasNewBuild(root, found.manifest)) return undefined;
    throw new UserError(`${out}: ${error.message}; "awards build --full" repairs it`, { cause: error });
  }
}

/** Whether a build began or ended since the manifest was read. */
function hasNewBuild(root: string, manifest: Buffer): boolean {
  if (new FolderOutput(root).interrupted) return true;
  const file = join(root, manifestPath);
  return !existsSync(file) || !readFileSync(file).equals(manifest);
}

/** Path in the deploy → bytes. */
type Files = ReadonlyMap<string, Buffer>;

/** Netlify reads manifest.json and the *.eszip bundles of the edge functions here. */
const edgeFolder = '.netlify/internal/edge-functions';
/** `netlify build` writes them to the first; a folder that is laid out like a deploy has the second. */
const builtEdgeFolders = ['.netlify/edge-functions-dist', edgeFolder];
const configurationName = 'netlify.toml';

/** The configuration of the host and the bundles of the edge functions, ascending by path. */
function readConfiguration(project: string): Files {
  const files = new Map<string, Buffer>();
  const folder = builtEdgeFolders.map((name) => join(project, name)).find((path) => existsSync(path));
  for (const name of folder === undefined ? [] : readdirSync(folder).sort(byCodeUnit))
    if (/^manifest\.json$|\.eszip$/.test(name))
      files.set(`${edgeFolder}/${name}`, readFileSync(join(folder!, name)));
  const file = join(project, configurationName);
  if (existsSync(file)) files.set(configurationName, readFileSync(file));
  return files;
}

/**
 * Every file of a snapshot but the manifest: shards in the order of the manifest, then pages.
 * @throws SnapshotUnavailable if a file that names others is missing or damaged
 */
export async function listFiles(manifest: Manifest, source: Source): Promise<Map<string, string>> {
  const files = new Map<string, string>();
  const read = async <T>(family: FamilyName, hash: string): Promise<T> => {
    const bytes = await source.shard(shardPath(family, hash));
    if (bytes === undefined) throw new SnapshotUnavailable(`${shardPath(family, hash)} is missing`);
    if (contentHash(bytes, nodeDigest) !== hash)
      throw new SnapshotUnavailable(`${shardPath(family, hash)} is damaged`);
    return JSON.parse(new TextDecoder().decode(bytes)) as T;
  };
  const add = (family: FamilyName, hash: string) => files.set(shardPath(family, hash), hash);
  for (const family of manifestFamilies) {
    const entry = manifest.families[family];
    if ('head' in entry) add(family, entry.head);
    const { hashes } = 'head' in entry ? await read<Directory>(family, entry.head) : entry;
    for (const hash of hashes) add(family, hash);
    if (family === 'search')
      for (const terms of await Promise.all(hashes.map((hash) => read<Directory>(family, hash))))
        for (const hash of terms.hashes) add('terms', hash);
    if (family === 'pages')
      for (const pages of await Promise.all(hashes.map((hash) => read<PageShard>(family, hash))))
        for (const [path, hash] of pages) files.set(path, hash);
  }
  return files;
}
