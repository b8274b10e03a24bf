/**
 * Detects damaged files: compares them with the hashes under which a manifest or an index names them. Builds
 * repair them.
 */
import { join } from 'node:path';
import type { LayerIndex } from '../../api/contract/layers.ts';
import { contentHash, type Manifest } from '../../api/contract/snapshot.ts';
import { nodeDigest, readIfPresent } from '../../api/read/node-source.ts';
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

/** The files of a layer that are missing or damaged, ascending. */
export const damagedLayerFiles = (root: string, { files }: LayerIndex): string[] =>
  [...files].filter(([path, hash]) => hashOf(join(root, path)) !== hash).map(([path]) => path);
