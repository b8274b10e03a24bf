/** The only code that lists the files of a snapshot or a layer. Publishing, caching, retention and verification use it. */
import { type LayerGroup, type LayerIndex, layerGroupPath } from '../contract/layers.ts';
import { contentHash, familyNames, type Manifest, type Sha256, shardPath } from '../contract/snapshot.ts';
import { SnapshotUnavailable, type Source } from './source.ts';

/** A file below the root, and the contentHash of its bytes. */
export interface NamedFile {
  path: string;
  hash: string;
}

/** Reads a group of a layer. The walk asks for it after it has yielded its file. */
export type ReadGroup = (file: NamedFile) => Promise<LayerGroup>;

/** Reads groups of a source and checks their hashes. @throws SnapshotUnavailable if a group is missing or damaged */
export function checkedRead(source: Source, digest?: Sha256): ReadGroup {
  return async ({ path, hash }) => {
    const bytes = await source.shard(path);
    if (bytes === undefined) throw new SnapshotUnavailable(`${path} is missing`);
    if (contentHash(bytes, digest) !== hash) throw new SnapshotUnavailable(`${path} is damaged`);
    return JSON.parse(new TextDecoder().decode(bytes)) as LayerGroup;
  };
}

/** Every shard of a snapshot, in the order of the manifest. */
export function* shardsOf(manifest: Manifest): Generator<NamedFile> {
  for (const family of familyNames)
    for (const hash of manifest.families[family].hashes) yield { path: shardPath(family, hash), hash };
}

/** The paths of the shards that one snapshot has and another one has not. */
export function* shardsOnlyIn(one: Manifest, other: Manifest): Generator<string> {
  for (const family of familyNames) {
    const { hashes } = other.families[family];
    // Nearly all shards are the same, at the same places.
    const moved = one.families[family].hashes.filter((hash, i) => hash !== hashes[i]);
    if (moved.length === 0) continue;
    const kept = new Set(hashes);
    for (const hash of moved) if (!kept.has(hash)) yield shardPath(family, hash);
  }
}

/**
 * Every file that the index of a layer names: each group, then its files without the pending ones. The index itself is not
 * among them.
 * @throws what `read` throws
 */
export async function* walkLayer(index: LayerIndex, read: ReadGroup): AsyncGenerator<NamedFile> {
  const pending = new Set(index.pending?.files.map(([path]) => path));
  for (const [, hash] of index.groups) {
    const group: NamedFile = { path: layerGroupPath(index.layer, hash), hash };
    yield group;
    for (const [path, own] of await read(group)) if (!pending.has(path)) yield { path, hash: own };
  }
}
