/** The files to publish: a snapshot, the layers at that snapshot, and the configuration of the host. */
import { existsSync, statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import {
  type LayerIndex,
  type LayerName,
  layerIndexPath,
  layerNames,
  parseLayerIndex,
} from '../../api/contract/layers.ts';
import { contentHash, type Manifest, manifestPath, parseManifest } from '../../api/contract/snapshot.ts';
import { folderRead, isMissing, nodeDigest, readIfPresent } from '../../api/read/node-source.ts';
import { SnapshotUnavailable } from '../../api/read/source.ts';
import { type NamedFile, shardsOf, walkLayer } from '../../api/read/walk.ts';
import { readBuild } from '../../data/builds.ts';
import { lineage, revision } from '../../data/changes.ts';
import { isThere } from '../system/files.ts';
import { lockFile } from '../system/file-lock.ts';
import type { Connection } from '../../data/open.ts';
import { UserError } from '../system/user-error.ts';
import { indexBytes } from '../layers/layer-index.ts';
import { layersLockName, snapshotLockName } from '../snapshot/output-folder.ts';
import type { DeployTitle, Place } from './deploy-title.ts';
import { layersToPublish, type PageChoice, publishedIndex } from './published-pages.ts';
import { RetryLaterError, type RetryPolicy } from '../system/retry-policy.ts';

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

export interface OpenOptions {
  /** The database of the snapshot; without it the age of the snapshot is unknown. */
  connection?: Connection | undefined;
  /** Files for the host alone: path in the deploy → bytes. */
  configuration?: Files | undefined;
  /** Which pages to publish; the host computes the answers of the others. Default all. */
  pages?: PageChoice | undefined;
  /** Brings the layers up to date. Without it, a layer that is behind is an error. */
  updateLayers?: (() => Promise<void>) | undefined;
}

/** How long to wait for a running build. */
const buildTimeoutMs = 60_000;

export class SnapshotFolder {
  readonly root: string;
  readonly manifest: Manifest;
  /** The files of the snapshot and of the layers; then the configuration, the indexes of the layers, and the manifest. */
  readonly files: Listing;
  readonly title: DeployTitle;
  /** Changes in the database that the snapshot does not have yet. */
  readonly behind: number;
  readonly #parts: Parts;
  /** Path → bytes of the configuration, the indexes and the manifest. A build may replace the files. */
  readonly #held: Files;

  private constructor(root: string, parts: Parts) {
    const { state, snapshot, layers, configuration } = parts;
    const indexes = new Map(
      [...layers].map(([name, { index }]) => [layerIndexPath(name), Buffer.from(indexBytes(name, index))]),
    );
    this.root = root;
    this.manifest = state.manifest;
    this.behind = state.behind;
    this.#parts = parts;
    this.#held = new Map([...configuration, ...indexes, [manifestPath, state.bytes.get(manifestPath)!]]);
    const listed = [snapshot, ...[...layers.values()].map(({ files }) => files)].flatMap((files) => [
      ...files,
    ]);
    this.files = new Map([...listed, ...hashes(this.#held)]);
    this.title = {
      snapshot: this.manifest.snapshot,
      layers: [...layers.keys()],
      content: hashOf(indexes),
      configuration: hashOf(configuration),
      place: state.place,
    };
  }

  /**
   * Lists the files, after a running build has ended.
   * @throws UserError if there is no snapshot, a layer is missing or behind, or a file that names others is damaged
   */
  static async open(out: string, retry: RetryPolicy, options: OpenOptions): Promise<SnapshotFolder> {
    requireFolder(out);
    const root = resolve(out);
    const { connection, pages = 'all', updateLayers } = options;
    const layers = layersToPublish(pages);
    const open = async () => {
      await updateLayers?.().catch((error: Error) => {
        throw new RetryLaterError(`the layers of ${out} are behind: ${error.message}`, { cause: error });
      });
      const state = readState(root, out, connection);
      const behind = state && layers.find((layer) => !isUsable(layer, state));
      if (state && behind === undefined) return await list(root, out, state, { ...options, pages });
      if (state && !updateLayers)
        throw new UserError(
          `the ${behind} layer of ${out} is not at the snapshot; "awards build" brings it up to date`,
        );
      return undefined;
    };
    const timing = { maxPauseMs: 50, timeoutMs: buildTimeoutMs };
    const parts = await retry.poll('waiting for a build', open, timing);
    if (parts) return new SnapshotFolder(root, parts);
    throw new UserError(`a build of ${out} is running; try again when it is done`);
  }

  /** The same files without those of a layer. */
  without(layer: LayerName): SnapshotFolder {
    const layers = new Map([...this.#parts.layers].filter(([name]) => name !== layer));
    return new SnapshotFolder(this.root, { ...this.#parts, layers });
  }

  filesOf(layer: LayerName): Listing {
    return this.#parts.layers.get(layer)?.files ?? new Map();
  }

  /** Whether a file belongs to the configuration, which a site does not show. */
  isConfiguration(path: string): boolean {
    return this.#parts.configuration.has(path);
  }

  /** The size of a listed file. @throws as read() does if it is missing */
  sizeOf(path: string): number {
    const size =
      this.#held.get(path)?.length ?? statSync(join(this.root, path), { throwIfNoEntry: false })?.size;
    if (size === undefined) throw this.#faultOf(path, 'missing');
    return size;
  }

  /** The bytes of a listed file. @throws SnapshotChanged if a build replaced it; UserError if it is missing or damaged */
  async read(path: string): Promise<Buffer> {
    const held = this.#held.get(path);
    if (held) return held;
    // Not readIfPresent(): thousands of synchronous reads would block the service that publishes.
    const bytes = await readFile(join(this.root, path)).catch((error: unknown) => {
      if (isMissing(error)) return undefined;
      throw error;
    });
    if (bytes && contentHash(bytes, nodeDigest) === this.files.get(path)) return bytes;
    throw this.#faultOf(path, bytes ? 'damaged' : 'missing');
  }

  #faultOf(path: string, fault: 'damaged' | 'missing'): SnapshotChanged | UserError {
    return hasChanged(this.root, this.#parts.state)
      ? new SnapshotChanged(`a build replaced ${path} while it was being published`)
      : new UserError(`${path} in ${this.root} is ${fault}; "awards build --full" repairs it`);
  }
}

/** @throws UserError */
export function requireFolder(out: string): void {
  if (!isThere(out)) throw new UserError(`there is no folder ${out}; "awards build" makes it`);
}

type Files = ReadonlyMap<string, Buffer>;

/** What a build replaces in one step. */
interface State {
  manifest: Manifest;
  indexes: ReadonlyMap<LayerName, LayerIndex>;
  /** Path → bytes of the manifest and the indexes. */
  bytes: Files;
  place: Place | undefined;
  behind: number;
}

interface Parts {
  state: State;
  snapshot: Listing;
  /** The published part of each layer. */
  layers: ReadonlyMap<LayerName, { index: LayerIndex; files: Listing }>;
  configuration: Files;
}

/** @returns undefined while a build runs */
function readState(root: string, out: string, connection: Connection | undefined): State | undefined {
  const bytes = new Map<string, Buffer>();
  const read = <T>(path: string, parse: (content: Uint8Array) => T): T | undefined => {
    const content = readIfPresent(join(root, path));
    if (content) bytes.set(path, content);
    return content && parse(content);
  };
  const readAll = (): State => {
    const manifest = read(manifestPath, (content) => parseManifest(content, nodeDigest));
    if (!manifest) throw new UserError(`${out} holds no snapshot of this version; "awards build" makes one`);
    const indexes = new Map<LayerName, LayerIndex>();
    for (const layer of layerNames) {
      const index = read(layerIndexPath(layer), (content) => parseLayerIndex(layer, content, nodeDigest));
      if (index) indexes.set(layer, index);
    }
    return { manifest, indexes, bytes, ...history(root, manifest, connection) };
  };
  return withLock(root, snapshotLockName, () => withLock(root, layersLockName, readAll));
}

/**
 * Holds a lock of the build. The work must not wait: a build in this process would block on the lock.
 * @returns undefined if the lock is taken
 */
function withLock<T>(root: string, name: string, work: () => T): T | undefined {
  const file = join(root, name);
  // A folder without a lock file is a copy: no build writes to it.
  const unlock = existsSync(file) ? lockFile(file, 0) : () => {};
  try {
    return unlock && work();
  } finally {
    unlock?.();
  }
}

function history(root: string, { snapshot }: Manifest, connection: Connection | undefined) {
  const last = connection && readBuild(connection, root);
  if (last?.snapshot !== snapshot) return { place: undefined, behind: 0 };
  return {
    place: { lineage: lineage(connection!), revision: last.revision },
    behind: revision(connection!) - last.revision,
  };
}

/** Downloads are optional, and may be those of an earlier snapshot: `--no-downloads` leaves them as they are. */
function isUsable(layer: LayerName, { manifest, indexes, bytes }: State): boolean {
  const index = indexes.get(layer);
  if (index?.pending) return false;
  if (layer !== 'downloads') return index?.manifest.snapshot === manifest.snapshot;
  // A damaged index does not tell which there are.
  return index !== undefined || !bytes.has(layerIndexPath(layer));
}

/** @returns undefined if a build replaced files meanwhile */
async function list(
  root: string,
  out: string,
  state: State,
  { pages, configuration = new Map() }: OpenOptions & { pages: PageChoice },
): Promise<Parts | undefined> {
  const read = folderRead(root);
  try {
    const snapshot = await listingOf(shardsOf(state.manifest));
    const layers: Map<LayerName, { index: LayerIndex; files: Listing }> = new Map();
    for (const name of layersToPublish(pages)) {
      const whole = state.indexes.get(name);
      if (whole === undefined) continue;
      const index = publishedIndex(whole, pages);
      layers.set(name, { index, files: await listingOf(walkLayer(index, read)) });
    }
    return { state, snapshot, layers, configuration };
  } catch (error) {
    if (!(error instanceof SnapshotUnavailable)) throw error;
    if (hasChanged(root, state)) return undefined;
    throw new UserError(`${out}: ${error.message}; "awards build --full" repairs it`, { cause: error });
  }
}

/** Collects the files of a walk. */
export async function listingOf(walk: Iterable<NamedFile> | AsyncIterable<NamedFile>): Promise<Listing> {
  const files = new Map<string, string>();
  for await (const { path, hash } of walk) files.set(path, hash);
  return files;
}

/** Whether the manifest or an index was replaced since it was read. */
const hasChanged = (root: string, { bytes }: State): boolean =>
  [...bytes].some(([path, content]) => !readIfPresent(join(root, path))?.equals(content));

const hashes = (files: Files): [path: string, hash: string][] =>
  [...files].map(([path, bytes]) => [path, contentHash(bytes, nodeDigest)]);

const hashOf = (files: Files): string => contentHash(Buffer.from(JSON.stringify(hashes(files))), nodeDigest);
