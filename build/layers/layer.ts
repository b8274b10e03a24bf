/**
 * The mechanism of all layers: it brings the derived files of a folder up to the current snapshot. It needs no database and
 * no hand-over from the write path. It can be killed and repeated at any time.
 *
 *   1. Make the files, and stage those that the disk does not have.
 *   2. Write an index that lists the staged files as pending, so that the index never names wrong bytes.
 *   3. Move the staged files into their places, and remove those that are gone.
 *   4. Write the changed groups, then the new index in one step.
 *   5. Remove retired files that nothing names. After an update that could not trust the last index, remove every file that
 *      nothing names; the index stays pending until then, so that an interrupted removal is repeated.
 */
import type { RebuiltFile } from '../../api/contract/answers.ts';
import {
  assetsFolder,
  downloadsFolder,
  isDownload,
  layerIndexPath,
  type LayerName,
  layerNames,
  layerOf,
  layersFolder,
} from '../../api/contract/layers.ts';
import { folderRead } from '../../api/read/node-source.ts';
import type { Snapshot } from '../../api/read/snapshot.ts';
import { SnapshotUnavailable } from '../../api/read/source.ts';
import { walkLayer } from '../../api/read/walk.ts';
import { UserError } from '../system/user-error.ts';
import { layersLockName, OutputFolder } from '../snapshot/output-folder.ts';
import {
  defaultRetentionMs,
  isOfSnapshot,
  isRetained,
  isWhole,
  removeUnnamedFiles,
} from '../snapshot/retention.ts';
import { LayerUpdate } from './layer-update.ts';

export interface LayerFile {
  path: string;
  /** Why it may differ from the file that is there, in words. */
  cause: string;
  /**
   * Its bytes, valid until the next file; a finished file elsewhere on the same disk, which is moved; or undefined if there
   * must be no such file.
   */
  content: () => Promise<Uint8Array | MovedFile | undefined>;
}

export interface MovedFile {
  file: string;
  hash: string;
}

/** A function from a snapshot to files. */
export interface Layer {
  readonly name: LayerName;
  /** Fingerprint of the code that determines the bytes. */
  code(): string;
  /** Every file, in the order in which they are written. */
  all(snapshot: Snapshot): AsyncIterable<LayerFile>;
  /** The files that may differ between two snapshots. Without it, every file is made again. */
  affected?(before: Snapshot, after: Snapshot): AsyncIterable<LayerFile>;
  /** Bytes of parsed shards kept in memory. Default 256 MiB: pages show most records several times. */
  readonly cacheBytes?: number;
  /** Called after all() or affected() was consumed, or failed. */
  close?(): void;
}

export interface LayerReport {
  layer: LayerName;
  snapshot: string;
  scope: 'nothing' | 'changes' | 'everything';
  reason: string;
  /** Files that were rendered, whether or not their bytes were new. */
  rendered: number;
  files: RebuiltFile[];
}

export interface UpdateOptions {
  /** Make every file, and compare it with the disk. */
  full?: boolean | undefined;
  /** Compare every file with the index, and make damaged ones again. */
  check?: boolean | undefined;
  /** Milliseconds to wait for another process that updates layers. Default 60,000. */
  timeoutMs?: number | undefined;
  retentionMs?: number | undefined;
  now?: (() => Date) | undefined;
  onProgress?: ((layer: LayerName, done: number, total: number) => void) | undefined;
}

/** Newer snapshots that may replace the target of an update before it fails. */
const maxSuccessors = 20;

/**
 * Brings layers up to the current snapshot of a folder, one after the other.
 * @throws FolderBusy if another process does not finish in time; UserError if there is no valid snapshot
 */
export async function updateLayers(
  out: string,
  layers: readonly Layer[],
  options: UpdateOptions = {},
): Promise<LayerReport[]> {
  const folder = new OutputFolder(out);
  if (folder.manifest() === undefined)
    throw new UserError(`there is no snapshot in ${out}; "awards build" makes it`);
  const unlock = folder.lock(layersLockName, options.timeoutMs ?? 60_000);
  try {
    folder.clearStaged();
    const isNew = folder.hasOnlySnapshot();
    const updates: LayerUpdate[] = [];
    for (const layer of layers) updates.push(await updateOrFollow(folder, layer, isNew, options));
    if (!isNew) await removeUnnamed(folder, updates, options);
    for (const update of updates) update.finish();
    folder.clearStaged();
    return updates.map(({ report }) => report);
  } catch (error) {
    if (!(error instanceof SnapshotUnavailable)) throw error;
    throw new UserError(`${out}: ${error.message}; "awards build --full" repairs it`, { cause: error });
  } finally {
    unlock();
  }
}

/**
 * If a newer snapshot replaces the target while it is read, the update starts again with the newer one. If a file of the
 * layer is damaged, everything is made again.
 */
async function updateOrFollow(
  folder: OutputFolder,
  layer: Layer,
  isNew: boolean,
  options: UpdateOptions,
): Promise<LayerUpdate> {
  let full = options.full;
  for (let successors = 0; ; successors += 1) {
    const target = folder.manifest();
    if (target === undefined) throw new SnapshotUnavailable('there is no manifest.json');
    try {
      const update = new LayerUpdate(folder, layer, target, isNew, { ...options, full });
      await update.run();
      return update;
    } catch (error) {
      const isReplaced = folder.manifest()?.snapshot !== target.snapshot;
      if (!(error instanceof SnapshotUnavailable) || successors === maxSuccessors || (full && !isReplaced))
        throw error;
      if (!isReplaced) full = true;
    } finally {
      layer.close?.();
    }
  }
}

/**
 * Removes files that no layer names: after an update that could not trust the last index, any file; otherwise the retired
 * files of the folders that hold immutable files.
 */
async function removeUnnamed(
  folder: OutputFolder,
  updates: readonly LayerUpdate[],
  { check = false, retentionMs = defaultRetentionMs, now = () => new Date() }: UpdateOptions,
): Promise<void> {
  const reports = updates.map(({ report }) => report);
  const last = reports.findLast(({ scope }) => scope !== 'nothing') ?? reports.at(-1);
  if (last === undefined || (last.scope === 'nothing' && !check)) return;
  const named = new Set<string>();
  const indexes = layerNames.map((layer) => folder.layerIndex(layer));
  const read = folderRead(folder.root);
  /** Layers with an unreadable index: which files are theirs is not known, so none is removed. Their next update repairs them. */
  const damaged = new Set<LayerName>();
  for (const index of indexes) {
    if (index === undefined) continue;
    named.add(layerIndexPath(index.layer));
    for (const [path] of index.pending?.files ?? []) named.add(path);
    try {
      for await (const { path } of walkLayer(index, read)) named.add(path);
    } catch (error) {
      if (!(error instanceof SnapshotUnavailable)) throw error;
      damaged.add(index.layer);
    }
  }
  const isThorough = updates.some(({ isTrusted }) => !isTrusted);
  const folders = isThorough ? [''] : [layersFolder, assetsFolder, downloadsFolder];
  const paths = folders.flatMap((name) => folder.list(name));
  const hasDownloads = indexes.some((index) => index?.layer === 'downloads');
  const candidates = paths.filter(
    (path) => !isOfSnapshot(path) && !damaged.has(layerOf(path)) && (hasDownloads || !isDownload(path)),
  );
  const mayStay = (path: string) => isRetained(path) && (named.has(path) || isWhole(folder, path));
  const [retained, others] = [candidates.filter(mayStay), candidates.filter((path) => !mayStay(path))];
  last.files.push(...removeUnnamedFiles(folder, retained, named, retentionMs, now()));
  last.files.push(...removeUnnamedFiles(folder, others, named, 0, now()));
}
