/** One update of one layer, and a layer in memory. */
import {
  type LayerIndex,
  type LayerIndexContent,
  layerGroupPath,
  layerIndexPath,
} from '../../api/contract/layers.ts';
import { contentHash, type Manifest } from '../../api/contract/snapshot.ts';
import { fileSource, folderRead, nodeDigest } from '../../api/read/node-source.ts';
import type { Snapshot } from '../../api/read/snapshot.ts';
import { SnapshotUnavailable } from '../../api/read/source.ts';
import { walkLayer } from '../../api/read/walk.ts';
import { BackgroundWriter } from './background-writer.ts';
import { damagedLayerFiles } from '../snapshot/damage.ts';
import type { OutputFolder } from '../snapshot/output-folder.ts';
import { isRetained } from '../snapshot/retention.ts';
import type { Layer, LayerFile, LayerReport, MovedFile, UpdateOptions } from './layer.ts';
import { groupFile, groupOf, type IndexFile, indexBytes, listOf } from './layer-index.ts';

const defaultCacheBytes = 256 * 1024 * 1024;

/** A file that waits for its place. */
interface StagedFile {
  path: string;
  cause: string;
  /** null for a file to remove. */
  hash: string | null;
  /** Where its bytes are; undefined for a file to remove. */
  from: string | undefined;
}

export class LayerUpdate {
  readonly #folder: OutputFolder;
  readonly #layer: Layer;
  readonly #target: Manifest;
  readonly #options: UpdateOptions;
  /** Whether no layer was ever written into the folder, so that no file needs to be compared or replaced. */
  readonly #isNew: boolean;
  /** Writes the files of a new folder. */
  #background: BackgroundWriter | undefined;
  readonly #index: LayerIndex | undefined;
  /** Whether the groups of the last index carry over. */
  readonly isTrusted: boolean;
  /** Group → hash of the group file, as far as the index can be trusted. */
  #groupHashes = new Map<string, string>();
  /** Group → path → hash, for the groups that were loaded. */
  readonly #groups = new Map<string, Map<string, string>>();
  readonly #changedGroups = new Set<string>();
  /** Files that the index names and that do not have the named bytes. */
  #damaged: ReadonlySet<string> = new Set();
  readonly #staged: StagedFile[] = [];
  readonly report: LayerReport;
  /** The final index. finish() writes it. */
  #complete: LayerIndexContent | undefined;

  constructor(folder: OutputFolder, layer: Layer, target: Manifest, isNew: boolean, options: UpdateOptions) {
    this.#folder = folder;
    this.#layer = layer;
    this.#target = target;
    this.#isNew = isNew;
    this.#options = options;
    this.#index = folder.layerIndex(layer.name);
    this.isTrusted = this.#index !== undefined && !this.#index.pending && !options.full;
    this.report = {
      layer: layer.name,
      snapshot: target.snapshot,
      scope: 'nothing',
      reason: '',
      rendered: 0,
      files: [],
    };
  }

  /** Brings the files and the index up to date. @throws SnapshotUnavailable if a shard or a group is damaged */
  async run(): Promise<void> {
    const code = this.#layer.code();
    const { scope } = Object.assign(this.report, await this.#plan(code));
    if (scope === 'nothing') return;
    if (this.isTrusted) this.#groupHashes = new Map(this.#index!.groups);
    // Loaded here: most updates find nothing to do.
    const { Reader } = await import('../../api/read/reader.ts');
    const { cacheBytes = defaultCacheBytes } = this.#layer;
    const reader = new Reader(fileSource(this.#folder.root), { digest: nodeDigest, cacheBytes });
    const after = reader.snapshotOf(this.#target);
    const files =
      scope === 'changes'
        ? this.#affected(reader.snapshotOf(this.#index!.manifest), after)
        : this.#all(after);
    const total = Object.values(this.#target.counts).reduce((sum, count) => sum + count, 0);
    try {
      for await (const file of files) {
        await this.#stage(file);
        const { rendered } = this.report;
        if (rendered % 512 === 0)
          this.#options.onProgress?.(this.#layer.name, Math.min(rendered, total), total);
      }
      await this.#background?.flush();
    } finally {
      await this.#background?.close();
    }
    await this.#apply();
    const index = { code, manifest: this.#target, groups: this.#writeGroups() };
    if (this.isTrusted || this.#isNew) return this.#writeIndex(index);
    this.#writeIndex({ ...index, pending: { manifest: this.#target, files: [] } });
    this.#complete = index;
  }

  /** Writes the final index of an update that did not trust the last one. To be called after unnamed files are removed. */
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
    if (this.#options.check) this.#damaged = await damagedLayerFiles(this.#folder.root, index);
    const [damaged] = this.#damaged;
    const reason = damaged === undefined ? 'the snapshot changed' : `${damaged} is missing or damaged`;
    const isCurrent = index.manifest.snapshot === this.#target.snapshot;
    if (isCurrent && damaged === undefined) return { scope: 'nothing', reason: 'the snapshot is the same' };
    return isCurrent || this.#layer.affected ? { scope: 'changes', reason } : everything(reason);
  }

  async *#affected(before: Snapshot, after: Snapshot): AsyncGenerator<LayerFile> {
    const damaged = new Set(this.#damaged);
    if (before.id !== after.id)
      for await (const file of this.#layer.affected!(before, after)) {
        damaged.delete(file.path);
        yield file;
      }
    if (damaged.size === 0) return;
    for await (const file of this.#layer.all(after)) if (damaged.has(file.path)) yield file;
  }

  async *#all(after: Snapshot): AsyncGenerator<LayerFile> {
    if (!this.isTrusted) await this.#retireImmutable();
    const stale = new Set<string>();
    for (const group of this.#groupHashes.keys())
      for (const path of (await this.#group(group)).keys()) stale.add(path);
    for await (const file of this.#layer.all(after)) {
      stale.delete(file.path);
      yield file;
    }
    for (const path of stale) yield { path, cause: 'no longer used', content: async () => undefined };
  }

  /** Retires the immutable files that the last index names. */
  async #retireImmutable(): Promise<void> {
    if (this.#index === undefined) return;
    try {
      for await (const { path } of walkLayer(this.#index, folderRead(this.#folder.root)))
        if (isRetained(path)) this.#folder.retire(path, this.#now());
    } catch (error) {
      // The walk stops at a damaged group. Files of the old index that were not retired are removed at once.
      if (!(error instanceof SnapshotUnavailable)) throw error;
    }
  }

  /** Makes a file, notes it in its group, and stages it if the disk does not have its bytes. */
  async #stage({ path, cause, content }: LayerFile): Promise<void> {
    const group = groupOf(path);
    const files = await this.#group(group);
    const made = await content();
    if (made === undefined) {
      if (!files.delete(path)) return;
      this.#changedGroups.add(group);
      if (isRetained(path)) this.#folder.retire(path, this.#now());
      else this.#staged.push({ path, cause, hash: null, from: undefined });
      return;
    }
    this.report.rendered += 1;
    const hash = hashOf(made);
    if (files.get(path) !== hash) {
      files.set(path, hash);
      this.#changedGroups.add(group);
    } else if (!this.#damaged.has(path) && this.#folder.has(path)) return;
    if (this.#isNew) {
      if (made instanceof Uint8Array) {
        this.#background ??= new BackgroundWriter();
        await this.#background.write(this.#folder.makeFolderOf(path), made);
      } else this.#folder.move(made.file, path);
      this.report.files.push({ path, action: 'written', cause });
    } else if (!this.#isOnDisk(path, made)) {
      const from = made instanceof Uint8Array ? this.#folder.stage(made) : made.file;
      this.#staged.push({ path, cause, hash, from });
    }
  }

  #isOnDisk(path: string, made: Uint8Array | MovedFile): boolean {
    return made instanceof Uint8Array
      ? this.#folder.hasBytes(path, made)
      : this.#folder.hash(path) === made.hash;
  }

  /** Puts the staged files into their places. The index lists them first, so that it never names wrong bytes. */
  async #apply(): Promise<void> {
    if (this.#staged.length === 0) return;
    if (this.#index) {
      const { code, manifest, pending } = this.#index;
      // After an interrupted update, files may have bytes that neither the old groups nor the new list names.
      const groups = pending ? [] : this.#index.groups;
      const files = this.#staged.map(({ path, hash }) => [path, hash] as const);
      this.#writeIndex({ code, manifest, groups, pending: { manifest: this.#target, files } });
    }
    for (const { path, cause, from } of this.#staged) {
      if (from !== undefined) this.#folder.move(from, path);
      else if (!this.#folder.remove(path)) continue;
      this.report.files.push({ path, action: from === undefined ? 'removed' : 'written', cause });
    }
  }

  /** The files of a group, loaded on first use. */
  async #group(group: string): Promise<Map<string, string>> {
    const loaded = this.#groups.get(group);
    if (loaded) return loaded;
    const hash = this.#groupHashes.get(group);
    const path = hash === undefined ? '' : layerGroupPath(this.#layer.name, hash);
    const read = folderRead(this.#folder.root);
    const files = new Map(hash === undefined ? [] : await read({ path, hash }));
    this.#groups.set(group, files);
    return files;
  }

  /** Writes the changed groups. @returns all groups */
  #writeGroups(): LayerIndex['groups'] {
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
    return listOf(this.#groupHashes);
  }

  #writeIndex(index: LayerIndexContent): void {
    const { name } = this.#layer;
    this.#folder.put(layerIndexPath(name), indexBytes(name, index));
  }

  #now(): Date {
    return this.#options.now?.() ?? new Date();
  }
}

interface LayerInMemory {
  /** Path → contentHash of every file of the layer. */
  files: ReadonlyMap<string, string>;
  /** The index and its groups. */
  index: readonly IndexFile[];
}

/** Makes a whole layer of a snapshot without writing it. */
export async function layerInMemory(layer: Layer, snapshot: Snapshot): Promise<LayerInMemory> {
  const groups = new Map<string, Map<string, string>>();
  try {
    for await (const { path, content } of layer.all(snapshot)) {
      const group = groupOf(path);
      const made = await content();
      if (made === undefined) continue;
      if (!groups.has(group)) groups.set(group, new Map());
      groups.get(group)!.set(path, hashOf(made));
    }
  } finally {
    layer.close?.();
  }
  const files = [...groups].map(([group, own]) => [group, groupFile(layer.name, own)] as const);
  const bytes = indexBytes(layer.name, {
    code: layer.code(),
    manifest: snapshot.manifest,
    groups: listOf(new Map(files.map(([group, { hash }]) => [group, hash]))),
  });
  const index = { path: layerIndexPath(layer.name), hash: contentHash(bytes, nodeDigest), bytes };
  return {
    files: new Map([...groups.values()].flatMap((own) => [...own])),
    index: [...files.map(([, file]) => file), index],
  };
}

const hashOf = (made: Uint8Array | MovedFile): string =>
  made instanceof Uint8Array ? contentHash(made, nodeDigest) : made.hash;
