/**
 * The mechanism of all layers: it brings the derived files of a folder up to the current snapshot. It needs
 * no database and no hand-over from the write path. It can be killed and repeated at any time.
 *
 *   1. Render the files that may differ, compare each with the index or the disk, and write what differs.
 *      Before the first change the index is marked as unfinished.
 *   2. Remove the files that are gone.
 *   3. Write the parts of the index that differ, then its head.
 *
 * An update that finds an unfinished index renders every file, and compares it with the disk.
 */
import type { RebuiltFile } from '../../api/contract/answers.ts';
import {
  assetsFolder,
  byImdbFolder,
  downloadsFolder,
  hasBuiltName,
  isCurrent,
  isLayerPart,
  type LayerName,
  type LayerState,
  layerIndexPath,
  layerOf,
  listsFolder,
} from '../../api/contract/layers.ts';
import { contentHash, type Manifest, manifestPath } from '../../api/contract/snapshot.ts';
import { nodeDigest } from '../../api/read/node-source.ts';
import { SnapshotUnavailable } from '../../api/read/source.ts';
import { UserError } from '../../data/system/messages.ts';
import { damagedLayerFiles, LayerFiles } from '../snapshot/named-files.ts';
import {
  defaultRetentionMs,
  isShard,
  layersLockName,
  OutputFolder,
  unfinishedManifest,
} from '../snapshot/output-folder.ts';
import { codeOf, isOfThisProgram, isRetained, type Layer, type LayerFile } from './layer.ts';
import { Snapshots } from './snapshots.ts';

export interface LayerReport {
  layer: LayerName;
  snapshot: string;
  scope: 'nothing' | 'changes' | 'everything';
  reason: string;
  /** Files that were rendered, whether or not their bytes were new. */
  rendered: number;
  /** Files that a check found missing or damaged, and that are made again. */
  repaired: readonly string[];
  /** Whether immutable files that nothing names any more stay for a while. */
  hasRetired: boolean;
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

/** The folder that holds all files of a layer. */
const placeOf: Readonly<Record<LayerName, string>> = {
  pages: 'api',
  site: '',
  lists: listsFolder,
  'by-imdb': byImdbFolder,
  downloads: downloadsFolder,
};
/** The folders that hold its immutable files. */
const retainedIn: Readonly<Record<LayerName, readonly string[]>> = {
  pages: [],
  site: [assetsFolder],
  lists: [],
  'by-imdb': [],
  downloads: [downloadsFolder],
};
/** Whether only the holder of the snapshot lock may remove a file. */
const isOfSnapshot = (path: string): boolean =>
  path === manifestPath || path === unfinishedManifest || isShard(path);
const unfinishedPart = /\.([^/]+)\.unfinished$/;
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
    const reports: LayerReport[] = [];
    const snapshots = new Snapshots(folder);
    for (const layer of layers) reports.push(await updateOrFollow(folder, layer, snapshots, options));
    return reports;
  } catch (error) {
    if (!(error instanceof SnapshotUnavailable)) throw error;
    throw new UserError(`${out}: ${error.message}; "awards build --full" repairs it`, { cause: error });
  } finally {
    unlock();
  }
}

/**
 * If a newer snapshot replaces the target while it is read, the update starts again with the newer one. If a
 * shard of the snapshot that the layer was made from is damaged, everything is made again.
 */
async function updateOrFollow(
  folder: OutputFolder,
  layer: Layer,
  snapshots: Snapshots,
  options: UpdateOptions,
): Promise<LayerReport> {
  let damage: string | undefined;
  for (let successors = 0; ; successors += 1) {
    const target = snapshots.current();
    if (target === undefined) throw new SnapshotUnavailable('there is no manifest.json');
    try {
      return await new LayerUpdate(folder, layer, target, snapshots, options, damage).run();
    } catch (error) {
      const isReplaced = snapshots.current()?.snapshot !== target.snapshot;
      const isFull = options.full || damage !== undefined;
      if (!(error instanceof SnapshotUnavailable) || successors === maxSuccessors || (isFull && !isReplaced))
        throw error;
      if (!isReplaced) damage = error.message;
    }
  }
}

class LayerUpdate {
  readonly #folder: OutputFolder;
  readonly #layer: Layer;
  readonly #target: Manifest;
  readonly #snapshots: Snapshots;
  readonly #options: UpdateOptions;
  /** What is damaged of the last snapshot, if the layer cannot be made from the difference to it. */
  readonly #damage: string | undefined;
  readonly #code: string;
  /** What the last index was made from. */
  readonly #head: LayerState | undefined;
  /** The files of the last index; undefined if it is not whole. */
  readonly #before: LayerFiles | undefined;
  /** Whether the files on the disk are those of the last index, but for damage. */
  readonly #isTrusted: boolean;
  /** Whether the index on the disk is missing or marked as unfinished. */
  #isMarked: boolean;
  /** Files of the last index that do not have the named bytes. */
  #damaged: ReadonlySet<string> = new Set();
  /** The files of the new index. */
  #files = new LayerFiles();
  /** Files that only the last index names, where that is known before all files are listed. */
  #gone: Set<string> | undefined;
  readonly #report: LayerReport;

  constructor(
    folder: OutputFolder,
    layer: Layer,
    target: Manifest,
    snapshots: Snapshots,
    options: UpdateOptions,
    damage: string | undefined,
  ) {
    this.#folder = folder;
    this.#layer = layer;
    this.#target = target;
    this.#snapshots = snapshots;
    this.#options = { ...options, full: options.full || damage !== undefined };
    this.#damage = damage;
    this.#code = codeOf(layer);
    const head = folder.layerHead(layer.name);
    this.#head = head;
    this.#isMarked = !this.#head?.isFinished;
    const isOfCode = !this.#isMarked && this.#head?.code === this.#code && !this.#options.full;
    const before = head && LayerFiles.of(folder.root, head);
    // Otherwise parts are read when they are needed: most changes need few parts.
    const mustReadAll = !isOfCode || options.check;
    this.#before = mustReadAll && !before?.areWhole() ? undefined : before;
    this.#isTrusted = isOfCode && this.#before !== undefined;
    const { snapshot } = target;
    const found = { repaired: [], hasRetired: false, rendered: 0, files: [] };
    this.#report = { layer: layer.name, snapshot, scope: 'nothing', reason: '', ...found };
  }

  async run(): Promise<LayerReport> {
    if (this.#isTrusted && this.#options.check)
      this.#damaged = new Set(damagedLayerFiles(this.#folder.root, this.#before!));
    const { scope } = Object.assign(this.#report, this.#plan());
    if (scope === 'nothing') {
      this.#removeUnnamed(this.#before!, []);
      this.#removeParts();
      return this.#report;
    }
    await this.#makeFiles(scope === 'changes');
    this.#removeUnnamed(this.#files, this.#gone ?? this.#namedBefore());
    const state = { code: this.#code, manifest: this.#target, isFinished: true };
    const { now = () => new Date() } = this.#options;
    this.#folder.replaceIndex(this.#layer.name, state, this.#files, now());
    this.#removeParts();
    this.#report.repaired = this.#repaired();
    return this.#report;
  }

  #repaired(): readonly string[] {
    const { check, full } = this.#options;
    if (check && !full && this.#before === undefined) return [layerIndexPath(this.#layer.name)];
    return [...this.#damaged];
  }

  #plan(): Pick<LayerReport, 'scope' | 'reason'> {
    const everything = (reason: string) => ({ scope: 'everything', reason }) as const;
    if (this.#damage !== undefined) return everything(`the last snapshot is damaged: ${this.#damage}`);
    if (this.#options.full) return everything('--full was asked for');
    if (this.#head === undefined && this.#folder.hasOtherIndexVersion(this.#layer.name))
      return everything('the index is of another version');
    if (this.#head === undefined || this.#before === undefined) return everything('there is no valid index');
    if (!this.#head.isFinished) return everything('the last update was interrupted');
    if (!this.#isTrusted) {
      const changed = isOfThisProgram(this.#head.code) ? 'an option' : 'the program';
      return everything(`${changed} changed since the last update`);
    }
    const [damaged] = this.#damaged;
    const isOfTarget = isCurrent(this.#head, this.#target.snapshot, this.#code);
    if (isOfTarget && damaged === undefined) return { scope: 'nothing', reason: 'the snapshot is the same' };
    const reason = damaged === undefined ? 'the snapshot changed' : `${damaged} is missing or damaged`;
    return isOfTarget || !this.#layer.isMadeWhole ? { scope: 'changes', reason } : everything(reason);
  }

  /** @param isPartial whether the other files are known to be as the last index says */
  async #makeFiles(isPartial: boolean): Promise<void> {
    const total = Object.values(this.#target.counts).reduce((sum, count) => sum + count, 0);
    if (isPartial) this.#files = this.#before!;
    for await (const { path, content } of isPartial ? this.#filesThatDiffer() : this.#allFiles()) {
      const known = this.#isTrusted ? this.#before!.get(path) : undefined;
      const bytes = await content();
      const hash = contentHash(bytes, nodeDigest);
      this.#files.set(path, hash);
      if ((hash !== known || this.#damaged.has(path)) && this.#write(path, bytes))
        this.#report.files.push({ path, action: 'written', cause: this.#report.reason });
      this.#report.rendered += 1;
      if (this.#report.rendered % 512 === 0)
        this.#options.onProgress?.(this.#layer.name, Math.min(this.#report.rendered, total), total);
    }
    for (const path of this.#gone ?? []) this.#files.delete(path);
  }

  /** The snapshot is read here: most updates of most layers need none. */
  #allFiles(): AsyncIterable<LayerFile> {
    return this.#layer.files(this.#snapshots.of(this.#target));
  }

  /**
   * The files that may differ from the last index, and the damaged ones. Collects in `#gone` what is to be
   * removed.
   */
  async *#filesThatDiffer(): AsyncGenerator<LayerFile> {
    const { manifest } = this.#head!;
    this.#gone = new Set();
    if (manifest.snapshot !== this.#target.snapshot) {
      const difference = await this.#snapshots.difference(manifest, this.#target);
      for await (const { path } of this.#layer.files(difference.before, difference)) this.#gone.add(path);
      for await (const file of this.#layer.files(difference.after, difference)) {
        this.#gone.delete(file.path);
        yield file;
      }
    }
    if (this.#damaged.size === 0) return;
    for await (const file of this.#allFiles()) if (this.#damaged.has(file.path)) yield file;
  }

  /** @returns whether the disk had other bytes */
  #write(path: string, bytes: Uint8Array): boolean {
    // Pages are read through a finished index only, so that a part of a new one misleads no reader.
    const mayCreate = this.#layer.name === 'pages';
    if (mayCreate && this.#isMarked) return this.#folder.create(path, bytes);
    if (this.#folder.hasBytes(path, bytes)) return false;
    this.#mark();
    if (mayCreate) return this.#folder.create(path, bytes);
    this.#folder.replace(path, bytes);
    return true;
  }

  /** The files of the last index, also of a damaged one and one of another version. */
  #namedBefore(): Iterable<string> {
    const { name } = this.#layer;
    const named = this.#before ? Array.from(this.#before, ([path]) => path) : this.#folder.namedByIndex(name);
    // Of the site, because no other layer has their files.
    return name === 'site' ? [...named, ...this.#folder.namedByFormerLayers()] : named;
  }

  /**
   * Removes the files that only the last index names. Where it may not name all, as after an interrupted
   * update, it removes files that have a name that only builds give, too. Other files belong to the operator.
   * Immutable files stay for a while.
   * @param before files that the last index names
   */
  #removeUnnamed(named: LayerFiles, before: Iterable<string>): void {
    const { retentionMs = defaultRetentionMs, now = () => new Date() } = this.#options;
    const { name } = this.#layer;
    const folders =
      this.#before && this.#head?.isFinished && !this.#options.full ? retainedIn[name] : [placeOf[name]];
    const old = new Set(before);
    const found = folders
      .flatMap((folder) => this.#folder.list(folder))
      .filter((path) => hasBuiltName(path) || unfinishedPart.test(path));
    for (const path of new Set([...old, ...found])) {
      if (named.has(path) || path === layerIndexPath(name) || isLayerPart(path) || isOfSnapshot(path))
        continue;
      // The part of a file that a killed process left belongs to the layer of the file.
      if (layerOf(path.replace(unfinishedPart, '$1')) !== name) continue;
      if (isRetained(path) && this.#folder.isWhole(path)) {
        if (old.has(path)) this.#folder.retire(path, now());
        if (!this.#folder.mayRemove(path, retentionMs, now())) {
          this.#report.hasRetired = true;
          continue;
        }
      }
      if (old.has(path)) this.#mark();
      if (this.#folder.remove(path))
        this.#report.files.push({ path, action: 'removed', cause: 'no longer used' });
    }
  }

  /** Says in the index that a file may have other bytes than the index says. */
  #mark(): void {
    if (this.#isMarked) return;
    this.#isMarked = true;
    this.#folder.markUnfinished(this.#layer.name);
  }

  /** Removes the parts of earlier indexes. */
  #removeParts(): void {
    const { retentionMs = defaultRetentionMs, now = () => new Date() } = this.#options;
    if (this.#folder.removeParts(this.#layer.name, retentionMs, now())) this.#report.hasRetired = true;
  }
}
