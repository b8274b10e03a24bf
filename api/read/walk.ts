/**
 * The only code that lists the files of a snapshot. Publishing, caching, retention and verification use it.
 */
import { directoryOf, familyNames, type Manifest, shardPath } from '../contract/snapshot.ts';

/** A file below the root, and the contentHash of its bytes. */
export interface NamedFile {
  path: string;
  hash: string;
}

/** Every shard of a snapshot, in the order of the manifest. */
export function* shardsOf(manifest: Manifest): Generator<NamedFile> {
  for (const family of familyNames)
    for (const hash of directoryOf(manifest, family).hashes) yield { path: shardPath(family, hash), hash };
}

/** The paths of the shards that one snapshot has and another one has not. */
export function* shardsOnlyIn(one: Manifest, other: Manifest): Generator<string> {
  for (const family of familyNames) {
    const { hashes } = directoryOf(other, family);
    // Nearly all shards are the same, at the same places.
    const moved = directoryOf(one, family).hashes.filter((hash, i) => hash !== hashes[i]);
    if (moved.length === 0) continue;
    const kept = new Set(hashes);
    for (const hash of moved) if (!kept.has(hash)) yield shardPath(family, hash);
  }
}
