/** Compares a folder with the files of a clean build, byte for byte, without writing anything into it. */
import { type LayerName, layerIndexPath } from '../api/contract/layers.ts';
import { contentHash, manifestPath } from '../api/contract/snapshot.ts';
import { byCodeUnit } from '../api/contract/text.ts';
import { folderRead, nodeDigest } from '../api/read/node-source.ts';
import { Reader } from '../api/read/reader.ts';
import type { Snapshot } from '../api/read/snapshot.ts';
import { SnapshotUnavailable } from '../api/read/source.ts';
import { walkLayer } from '../api/read/walk.ts';
import { isThere } from './system/files.ts';
import { refuseBrokenReferences } from '../data/records.ts';
import type { Connection } from '../data/open.ts';
import { readTransaction } from '../data/transaction.ts';
import { UserError } from './system/user-error.ts';
import type { Layer } from './layers/layer.ts';
import { layerInMemory } from './layers/layer-update.ts';
import { compileSnapshot } from './snapshot/compile.ts';
import { OutputFolder } from './snapshot/output-folder.ts';
import { isRetained, isShard, isWhole } from './snapshot/retention.ts';

export interface Difference {
  path: string;
  problem: 'missing' | 'different' | 'unexpected';
}

/** "behind": made from an earlier snapshot; it follows when the build or the service brings it up to date. */
export type LayerState = 'current' | 'behind' | 'missing';

export interface Verification {
  snapshot: string;
  /** Ascending by path. */
  differences: Difference[];
  /** Files of a clean build. */
  files: number;
  layers: Partial<Record<LayerName, LayerState>>;
}

interface VerifyOptions {
  onProgress?: ((done: number, total: number) => void) | undefined;
  /** Layers that may be missing or behind without being a difference. Default the downloads. */
  optional?: readonly LayerName[] | undefined;
}

interface MemorySnapshot {
  files: ReadonlyMap<string, Uint8Array>;
  snapshot: Snapshot;
}

/** Compiles a database in memory. The result is a Source as well as files. */
export async function compileInMemory(connection: Connection): Promise<MemorySnapshot> {
  const files = new Map<string, Uint8Array>();
  const { manifest, bytes } = await compileSnapshot(connection, (path, shard) => void files.set(path, shard));
  files.set(manifestPath, bytes);
  const read = async (path: string) => files.get(path);
  const reader = new Reader(
    { file: read, shard: read },
    { digest: nodeDigest, cacheBytes: 256 * 1024 * 1024 },
  );
  return { files, snapshot: reader.snapshotOf(manifest) };
}

/** @throws UserError if there is no such folder, or a reference in the database is broken */
export async function verify(
  connection: Connection,
  out: string,
  layers: readonly Layer[],
  { onProgress, optional = ['downloads'] }: VerifyOptions = {},
): Promise<Verification> {
  const folder = new OutputFolder(out);
  if (!isThere(folder.root)) throw new UserError(`there is no folder ${out}; "awards build" makes it`);
  const comparison = new Comparison(folder, onProgress);
  const { files, snapshot } = await readTransaction(connection, () => {
    refuseBrokenReferences(connection);
    return compileInMemory(connection);
  });
  for (const [path, bytes] of files) comparison.add(path, contentHash(bytes, nodeDigest));
  const states: Partial<Record<LayerName, LayerState>> = {};
  for (const layer of layers) {
    const state = stateOf(folder, layer, snapshot.id);
    states[layer.name] = state;
    const isIgnored =
      state !== 'current' && optional.includes(layer.name) && (await comparison.ignore(layer.name));
    if (!isIgnored) await comparison.addLayer(layer, snapshot);
  }
  const differences = comparison.finish();
  return { snapshot: snapshot.id, differences, files: comparison.files, layers: states };
}

function stateOf(folder: OutputFolder, layer: Layer, snapshot: string): LayerState {
  const index = folder.layerIndex(layer.name);
  // A damaged index is compared, and found different.
  if (index === undefined) return folder.has(layerIndexPath(layer.name)) ? 'current' : 'missing';
  const isCurrent = !index.pending && index.manifest.snapshot === snapshot && index.code === layer.code();
  return isCurrent ? 'current' : 'behind';
}

class Comparison {
  readonly #folder: OutputFolder;
  readonly #onProgress: VerifyOptions['onProgress'];
  readonly #expected = new Set<string>();
  readonly #differences: Difference[] = [];
  readonly #ignored = new Set<string>();

  constructor(folder: OutputFolder, onProgress: VerifyOptions['onProgress']) {
    this.#folder = folder;
    this.#onProgress = onProgress;
  }

  get files(): number {
    return this.#expected.size;
  }

  /** Compares one file. */
  add(path: string, hash: string): void {
    this.#expected.add(path);
    const found = this.#folder.hash(path);
    if (found === undefined) this.#differences.push({ path, problem: 'missing' });
    else if (found !== hash) this.#differences.push({ path, problem: 'different' });
  }

  /** Makes every file of a layer again, and compares it and the index with the folder. */
  async addLayer(layer: Layer, snapshot: Snapshot): Promise<void> {
    const total = Object.values(snapshot.manifest.counts).reduce((sum, count) => sum + count, 0);
    const { files, index } = await layerInMemory(layer, snapshot);
    let done = 0;
    for (const [path, hash] of files) {
      this.add(path, hash);
      done += 1;
      if (done % 512 === 0) this.#onProgress?.(Math.min(done, total), total);
    }
    for (const { path, hash } of index) this.add(path, hash);
  }

  /**
   * Expects nothing of a layer that is behind: its own index tells which files it has.
   * @returns false if a group of the index is damaged, so that it does not tell
   */
  async ignore(layer: LayerName): Promise<boolean> {
    this.#ignored.add(layerIndexPath(layer));
    const index = this.#folder.layerIndex(layer);
    if (index === undefined) return true;
    for (const [path] of index.pending?.files ?? []) this.#ignored.add(path);
    try {
      for await (const { path } of walkLayer(index, folderRead(this.#folder.root))) this.#ignored.add(path);
      return true;
    } catch (error) {
      if (error instanceof SnapshotUnavailable) return false;
      throw error;
    }
  }

  /** Adds the files that a clean build does not have. Retained files of earlier snapshots are no difference. */
  finish(): Difference[] {
    for (const path of this.#folder.list()) {
      if (this.#expected.has(path) || this.#ignored.has(path)) continue;
      if ((isShard(path) || isRetained(path)) && isWhole(this.#folder, path)) continue;
      this.#differences.push({ path, problem: 'unexpected' });
    }
    return this.#differences.sort((a, b) => byCodeUnit(a.path, b.path));
  }
}
