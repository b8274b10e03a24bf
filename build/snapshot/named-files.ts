/**
 * The files that a manifest or the index of a layer names: which there are, and which of them are damaged.
 * Builds repair these.
 */
import { join } from 'node:path';
import {
  type LayerHead,
  type LayerIndex,
  type ListedFile,
  layerIndexFiles,
  layerPartPath,
  layerPartText,
  parseLayerHead,
  parseLayerPart,
  partCount,
  partOf,
} from '../../api/contract/layer-index.ts';
import { type LayerName, layerIndexPath } from '../../api/contract/layers.ts';
import { contentHash, type Manifest } from '../../api/contract/snapshot.ts';
import { nodeDigest, readIfPresent } from '../../api/read/node-source.ts';
import { SnapshotUnavailable } from '../../api/read/source.ts';
import { shardsOf } from '../../api/read/walk.ts';

/** The contentHash of a file; undefined if it is missing. */
export function hashOf(file: string): string | undefined {
  const bytes = readIfPresent(file);
  return bytes && contentHash(bytes, nodeDigest);
}

/** The first shard of a snapshot that is missing or damaged, in words; undefined if there is none. */
export function snapshotDamage(root: string, manifest: Manifest): string | undefined {
  for (const { path, hash } of shardsOf(manifest))
    if (hashOf(join(root, path)) !== hash) return `${path} is missing or damaged`;
  return undefined;
}

/** The files of a layer that are missing or damaged. */
export const damagedLayerFiles = (root: string, files: Iterable<ListedFile>): string[] =>
  [...files].filter(([path, hash]) => hashOf(join(root, path)) !== hash).map(([path]) => path);

/** The head of the index of a layer; undefined if there is none that is valid. */
export function readLayerHead(root: string, layer: LayerName): LayerHead | undefined {
  const bytes = readIfPresent(join(root, layerIndexPath(layer)));
  return bytes && parseLayerHead(layer, bytes, nodeDigest);
}

/** The whole index of a layer; undefined if there is none that is valid. */
export function readLayerIndex(root: string, layer: LayerName): LayerIndex | undefined {
  const head = readLayerHead(root, layer);
  const files = head && LayerFiles.of(root, head);
  if (!files?.areWhole()) return undefined;
  const { code, manifest, isFinished } = head!;
  return { layer, code, manifest, isFinished, files: new Map(files) };
}

/** The files of an index: path → bytes, the head last. */
export const bytesOfIndex = (index: LayerIndex): ReadonlyMap<string, Buffer> =>
  new Map(Array.from(layerIndexFiles(index, nodeDigest), ([path, text]) => [path, Buffer.from(text)]));

interface Part {
  /** contentHash of its text; undefined if it was changed. */
  hash: string | undefined;
  /** Path → contentHash; undefined until it is read. */
  files: Map<string, string> | undefined;
}

/** The files of a layer with their hashes. A part of the index is read when one of its paths is asked for. */
export class LayerFiles implements Iterable<ListedFile> {
  #parts: Part[] = [{ hash: undefined, files: new Map() }];
  #count = 0;
  #read: (hash: string) => Uint8Array | undefined = () => undefined;

  /** Those of an index in a folder. */
  static of(root: string, { layer, count, parts }: LayerHead): LayerFiles {
    const files = new LayerFiles();
    files.#parts = parts.map((hash) => ({ hash, files: undefined }));
    files.#count = count;
    files.#read = (hash) => readIfPresent(join(root, layerPartPath(layer, hash)));
    return files;
  }

  get count(): number {
    return this.#count;
  }

  /** Whether each part of the index is in the folder, undamaged. */
  areWhole(): boolean {
    try {
      for (const part of this.#parts) this.#filesOf(part);
      return true;
    } catch (error) {
      if (error instanceof SnapshotUnavailable) return false;
      throw error;
    }
  }

  /** The hash of a file; undefined if there is none. @throws SnapshotUnavailable if the part is damaged */
  get(path: string): string | undefined {
    return this.#filesOf(this.#partOf(path)).get(path);
  }

  has(path: string): boolean {
    return this.get(path) !== undefined;
  }

  set(path: string, hash: string): void {
    const part = this.#partOf(path);
    const files = this.#filesOf(part);
    const known = files.get(path);
    if (known === hash) return;
    if (known === undefined) this.#count += 1;
    files.set(path, hash);
    part.hash = undefined;
  }

  delete(path: string): void {
    const part = this.#partOf(path);
    if (!this.#filesOf(part).delete(path)) return;
    this.#count -= 1;
    part.hash = undefined;
  }

  *[Symbol.iterator](): Iterator<ListedFile> {
    for (const part of this.#parts) yield* this.#filesOf(part);
  }

  /** The hashes of all parts, and the bytes of those that have been changed since they were read. */
  stored(): { parts: string[]; changed: Map<string, Uint8Array> } {
    const length = partCount(this.#count);
    if (length !== this.#parts.length) this.#divide(length);
    const changed = new Map<string, Uint8Array>();
    const parts = this.#parts.map((part) => {
      if (part.hash !== undefined) return part.hash;
      const bytes = Buffer.from(layerPartText(part.files!));
      part.hash = contentHash(bytes, nodeDigest);
      changed.set(part.hash, bytes);
      return part.hash;
    });
    return { parts, changed };
  }

  #divide(length: number): void {
    const parts = Array.from({ length }, () => ({ hash: undefined, files: new Map<string, string>() }));
    for (const [path, hash] of this) parts[partOf(path, length)]!.files.set(path, hash);
    this.#parts = parts;
  }

  #partOf(path: string): Part {
    return this.#parts[partOf(path, this.#parts.length)]!;
  }

  #filesOf(part: Part): Map<string, string> {
    if (part.files === undefined) {
      const hash = part.hash!;
      const bytes = this.#read(hash);
      if (!bytes || contentHash(bytes, nodeDigest) !== hash)
        throw new SnapshotUnavailable(`part ${hash} of an index is ${bytes ? 'damaged' : 'missing'}`);
      part.files = new Map(parseLayerPart(bytes));
    }
    return part.files;
  }
}
