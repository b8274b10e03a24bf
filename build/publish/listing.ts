/** Every file of a snapshot with its hash, found by walking from the manifest down: what nothing names is not listed. */
import {
  contentHash,
  type Directory,
  type FamilyName,
  type Manifest,
  manifestFamilies,
  type PageShard,
  shardPath,
} from '../../api/contract/snapshot.ts';
import { nodeDigest } from '../../api/hosts/node-digest.ts';
import { SnapshotUnavailable, type Source } from '../../api/read/source.ts';

/** Path below the root → contentHash of the bytes. The manifest, which names itself, is not among them. */
export type Listing = ReadonlyMap<string, string>;

/**
 * Lists a snapshot: shards and heads in the order of the manifest, then pages. All bytes read on the way are checked.
 * @throws SnapshotUnavailable if a file that names others is missing or not what its name says
 */
export async function listFiles(manifest: Manifest, source: Source): Promise<Map<string, string>> {
  const files = new Map<string, string>();
  const read = async <T>(family: FamilyName, hash: string): Promise<T> => {
    const bytes = await source.shard(shardPath(family, hash));
    if (bytes === undefined) throw new SnapshotUnavailable(`${shardPath(family, hash)} is missing`);
    if (contentHash(bytes, nodeDigest) !== hash)
      throw new SnapshotUnavailable(`${shardPath(family, hash)} is damaged`);
    return JSON.parse(new TextDecoder().decode(bytes)) as T;
  };
  const add = (family: FamilyName, hash: string) => files.set(shardPath(family, hash), hash);
  for (const family of manifestFamilies) {
    const entry = manifest.families[family];
    if ('head' in entry) add(family, entry.head);
    const { hashes } = 'head' in entry ? await read<Directory>(family, entry.head) : entry;
    for (const hash of hashes) add(family, hash);
    if (family === 'search')
      for (const terms of await Promise.all(hashes.map((hash) => read<Directory>(family, hash))))
        for (const hash of terms.hashes) add('terms', hash);
    if (family === 'pages')
      for (const pages of await Promise.all(hashes.map((hash) => read<PageShard>(family, hash))))
        for (const [path, hash] of pages) files.set(path, hash);
  }
  return files;
}
