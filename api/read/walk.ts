/** The only code that walks the files of a snapshot or a layer. Publishing, caching, retention and verification use it. */
import { type LayerGroup, type LayerIndex, layerGroupPath } from '../contract/layers.ts';
import {
  contentHash,
  type Directory,
  type FamilyName,
  familyNames,
  type Manifest,
  type Sha256,
  shardPath,
} from '../contract/snapshot.ts';
import { SnapshotUnavailable, type Source } from './source.ts';

/** A file below the root, and the contentHash of its bytes. */
export interface NamedFile {
  path: string;
  hash: string;
}

/** Reads a file that names other files, as JSON. The walk asks for it after it has yielded the file. */
export type ReadJson = <T>(file: NamedFile) => Promise<T>;

/** Reads files of a source and checks their hashes. @throws SnapshotUnavailable if a file is missing or damaged */
export function checkedRead(source: Source, digest?: Sha256): ReadJson {
  return async <T>({ path, hash }: NamedFile): Promise<T> => {
    const bytes = await source.shard(path);
    if (bytes === undefined) throw new SnapshotUnavailable(`${path} is missing`);
    if (contentHash(bytes, digest) !== hash) throw new SnapshotUnavailable(`${path} is damaged`);
    return JSON.parse(new TextDecoder().decode(bytes)) as T;
  };
}

/**
 * Every head file and shard of a snapshot, in the order of the manifest. The manifest itself is not among them.
 * @throws what `read` throws
 */
export async function* walkSnapshot(manifest: Manifest, read: ReadJson): AsyncGenerator<NamedFile> {
  const file = (family: FamilyName, hash: string): NamedFile => ({ path: shardPath(family, hash), hash });
  for (const family of familyNames) {
    let entry = manifest.families[family];
    if ('head' in entry) {
      const head = file(family, entry.head);
      yield head;
      entry = await read<Directory>(head);
    }
    for (const hash of entry.hashes) yield file(family, hash);
  }
}

/**
 * Every file that the index of a layer names: each group, then its files without the pending ones. The index itself is not
 * among them.
 * @throws what `read` throws
 */
export async function* walkLayer(index: LayerIndex, read: ReadJson): AsyncGenerator<NamedFile> {
  const pending = new Set(index.pending?.files.map(([path]) => path));
  for (const hash of index.groups.hashes) {
    const group: NamedFile = { path: layerGroupPath(index.layer, hash), hash };
    yield group;
    for (const [path, own] of await read<LayerGroup>(group))
      if (!pending.has(path)) yield { path, hash: own };
  }
}
