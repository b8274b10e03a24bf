/** One update of one layer, and a layer in memory. */
import { join } from 'node:path';
import {
  type LayerGroup,
  type LayerIndex,
  layerGroupPath,
  layerIndexPath,
} from '../../api/contract/layers.ts';
import { contentHash, type Directory, type Manifest } from '../../api/contract/snapshot.ts';
import { fileSource } from '../../api/hosts/file-source.ts';
import { nodeDigest } from '../../api/hosts/node-digest.ts';
import type { Snapshot } from '../../api/read/snapshot.ts';
import { SnapshotUnavailable } from '../../api/read/source.ts';
import { checkedRead, walkLayer } from '../../api/read/walk.ts';
import { directoryOf } from '../snapshot/directories.ts';
import type { OutputFolder } from '../snapshot/output-folder.ts';
import { fileHash } from './hashed-file.ts';
import type { Layer, LayerFile, LayerReport, MovedFile, UpdateOptions } from './layer.ts';
import { groupFile, type IndexFile, indexBytes, isRetained, readLayerIndex } from './layer-index.ts';

const defaultCacheBytes = 256 * 1024 * 1024;

export class LayerUpdate {
  readonly #folder: OutputFolder;
  readonly #layer: Layer;
  readonly #target: Manifest;
  readonly #options: UpdateOptions;
  /** Whether no layer was ever written into the folder: no file must be compared or replaced. */
  readonly #isNew: boolean;
  readonly #index: LayerIndex | undefined;
  /** Group → hash of the group file, as far as the index can be trusted. */
  readonly #groupHashes = new Map<string, string>();
  /** Group → path → hash, for the groups that were loaded. */
  readonly #groups = new Map<string, Map<string, string>>();
  readonly #changedGroups = new Set<string>();
  readonly report: LayerReport;
  /** The final index, which finish() writes when the files that nothing names are removed. */
  #complete: Omit<LayerIndex, 'format' | 'layer'> | undefined;

  constructor(folder: OutputFolder, layer: Layer, target: Manifest, isNew: boolean, options: UpdateOptions) {
    this.#folder = folder;
    this.#layer = layer;
    this.#target = target;
    this.#isNew = isNew;
    this.#options = options;
    this.#index = readLayerIndex(folder, layer.name);
    this.report = {
      layer: layer.name,
      snapshot: target.snapshot,
      scope: 'nothing',
      reason: '',
      rendered: 0,
      files: [],
    };
  }

  /** Brings the files and the index up to date. */
  async run(): Promise<void> {
    const code = this.#layer.code();
    const { scope } = Object.assign(this.report, await this.#plan(code));
    if (scope === 'nothing') return;
    const isTrusted = this.#index !== undefined && !this.#index.pending && !this.#options.full;
    if (isTrusted) {
      const { keys, hashes } = this.#index!.groups;
      for (const [i, key] of keys.entries()) this.#groupHashes.set(String(key), hashes[i]!);
    }
    // Loaded here: most updates find nothing to do.
    const { Reader } = await import('../../api/read/reader.ts');
    const { cacheBytes = defaultCacheBytes } = this.#layer;
    const reader = new Reader(fileSource(this.#folder.root), { digest: nodeDigest, cacheBytes });
    const after = reader.snapshotOf(this.#target);
    if (scope === 'changes') await this.#updateAffected(reader.snapshotOf(this.#index!.manifest), after);
    else await this.#updateAll(after);
    await this.#folder.flush();
    const index = { code, manifest: this.#target, groups: this.#writeGroups() };
    if (isTrusted || this.#isNew) return this.#writeIndex(index);
    this.#writeIndex({ ...index, pending: { manifest: this.#target, paths: [] } });
    this.#complete = index;
  }

  /** Completes the update when the files that nothing names are removed. */
  finish(): void {
    if (this.#complete) this.#writeIndex(this.#complete);
  }

  async #plan(code: string): Promise<Pick<LayerReport, 'scope' | 'reason'>> {
    const index = this.#index;
    const everything = (reason: string) => ({ scope: 'everything', reason }) as const;
    if (this.#options.full) return everything('--full was asked for');
    if (index === undefined) return everything('there is no valid index');
    if (index.pending) return everything('the last update was interrupted');
    if (index.code !== code) return everything('the program changed since the last update');
    const missing = this.#layer.findsMissing ? await this.#missing(index) : undefined;
    if (missing !== undefined) return everything(`${missing} is missing`);
    if (index.manifest.snapshot === this.#target.snapshot)
      return { scope: 'nothing', reason: 'the snapshot is the same' };
    return this.#layer.affected
      ? { scope: 'changes', reason: 'the snapshot changed' }
      : everything('the snapshot changed');
  }

  /** The first file that is missing. @throws SnapshotUnavailable if a group is missing or damaged */
  async #missing(index: LayerIndex): Promise<string | undefined> {
    const read = checkedRead(fileSource(this.#folder.root), nodeDigest);
    for await (const { path } of walkLayer(index, read)) if (!this.#folder.has(path)) return path;
    return undefined;
  }

  async #updateAffected(before: Snapshot, after: Snapshot): Promise<void> {
    const files: LayerFile[] = [];
    for await (const file of this.#layer.affected!(before, after)) files.push(file);
    const { code, manifest, groups } = this.#index!;
    const pending = { manifest: this.#target, paths: files.map(({ path }) => path) };
    if (files.length > 0) this.#writeIndex({ code, manifest, groups, pending });
    for (const [done, file] of files.entries()) {
      await this.#update(file);
      this.#progress(done, files.length);
    }
  }

  async #updateAll(after: Snapshot): Promise<void> {
    const stale = new Map<string, string>();
    for (const group of this.#groupHashes.keys())
      for (const path of (await this.#group(group)).keys()) stale.set(path, group);
    // Until the update is complete, the index names no file.
    await this.#retireImmutable();
    this.#writeIndex({
      code: '',
      manifest: this.#index?.manifest ?? this.#target,
      groups: { keys: [], hashes: [] },
      pending: { manifest: this.#target, paths: [] },
    });
    const total = Object.values(this.#target.counts).reduce((sum, count) => sum + count, 0);
    for await (const file of this.#layer.all(after)) {
      await this.#update(file);
      stale.delete(file.path);
      this.#progress(Math.min(this.report.rendered, total), total);
    }
    for (const [path, group] of stale)
      await this.#update({ path, group, cause: 'nothing names it', content: async () => undefined });
  }

  /** Retires the immutable files that the last index names. */
  async #retireImmutable(): Promise<void> {
    if (this.#index === undefined) return;
    const read = checkedRead(fileSource(this.#folder.root), nodeDigest);
    try {
      for await (const { path } of walkLayer(this.#index, read))
        if (isRetained(path)) this.#folder.retire(path, this.#now());
    } catch (error) {
      // The files of a damaged group need no retention.
      if (!(error instanceof SnapshotUnavailable)) throw error;
    }
  }

  /** Brings one file up to date, on the disk and in its group. */
  async #update({ path, group, cause, content }: LayerFile): Promise<void> {
    const files = await this.#group(group);
    const made = await content();
    if (made === undefined) {
      if (!files.delete(path)) return;
      this.#changedGroups.add(group);
      if (isRetained(path)) this.#folder.retire(path, this.#now());
      else if (this.#folder.remove(path)) this.report.files.push({ path, action: 'removed', cause });
      return;
    }
    this.report.rendered += 1;
    const hash = hashOf(made);
    if (files.get(path) === hash && this.#folder.has(path)) return;
    files.set(path, hash);
    this.#changedGroups.add(group);
    if (await this.#put(path, made)) this.report.files.push({ path, action: 'written', cause });
  }

  async #put(path: string, made: Uint8Array | MovedFile): Promise<boolean> {
    if (made instanceof Uint8Array && !this.#isNew) return this.#folder.put(path, made);
    if (made instanceof Uint8Array) await this.#folder.putNew(path, made);
    else if (fileHash(join(this.#folder.root, path)) === made.hash) return false;
    else this.#folder.move(made.file, path);
    return true;
  }

  /** The files of a group, loaded on first use. */
  async #group(group: string): Promise<Map<string, string>> {
    const loaded = this.#groups.get(group);
    if (loaded) return loaded;
    const hash = this.#groupHashes.get(group);
    const path = hash === undefined ? '' : layerGroupPath(this.#layer.name, hash);
    const read = checkedRead(fileSource(this.#folder.root), nodeDigest);
    const files = new Map(hash === undefined ? [] : await read<LayerGroup>({ path, hash }));
    this.#groups.set(group, files);
    return files;
  }

  /** Writes the changed groups. @returns the directory of all groups */
  #writeGroups(): Directory {
    for (const group of this.#changedGroups) {
      const old = this.#groupHashes.get(group);
      if (old !== undefined) this.#folder.retire(layerGroupPath(this.#layer.name, old), this.#now());
      this.#groupHashes.delete(group);
      const files = this.#groups.get(group)!;
      if (files.size === 0) continue;
      const { path, hash, bytes } = groupFile(this.#layer.name, files);
      this.#folder.putImmutable(path, bytes);
      this.#groupHashes.set(group, hash);
    }
    return directoryOf(this.#groupHashes);
  }

  #writeIndex(index: Omit<LayerIndex, 'format' | 'layer'>): void {
    const { name } = this.#layer;
    this.#folder.put(layerIndexPath(name), indexBytes(name, index));
  }

  #now(): Date {
    return this.#options.now?.() ?? new Date();
  }

  #progress(done: number, total: number): void {
    if (done % 512 === 0) this.#options.onProgress?.(this.#layer.name, done, total);
  }
}

export interface LayerInMemory {
  /** Path → contentHash of every file of the layer. */
  files: ReadonlyMap<string, string>;
  /** The index and its groups. */
  index: readonly IndexFile[];
}

/** Makes a whole layer of a snapshot without writing it. */
export async function layerInMemory(layer: Layer, snapshot: Snapshot): Promise<LayerInMemory> {
  const groups = new Map<string, Map<string, string>>();
  try {
    for await (const { path, group, content } of layer.all(snapshot)) {
      const made = await content();
      if (made === undefined) continue;
      if (!groups.has(group)) groups.set(group, new Map());
      groups.get(group)!.set(path, hashOf(made));
    }
  } finally {
    layer.close?.();
  }
  const files = [...groups].map(([group, own]) => [group, groupFile(layer.name, own)] as const);
  const directory = directoryOf(new Map(files.map(([group, { hash }]) => [group, hash])));
  const bytes = indexBytes(layer.name, {
    code: layer.code(),
    manifest: snapshot.manifest,
    groups: directory,
  });
  const index = { path: layerIndexPath(layer.name), hash: contentHash(bytes, nodeDigest), bytes };
  return {
    files: new Map([...groups.values()].flatMap((own) => [...own])),
    index: [...files.map(([, file]) => file), index],
  };
}

const hashOf = (made: Uint8Array | MovedFile): string =>
  made instanceof Uint8Array ? contentHash(made, nodeDigest) : made.hash;
