/** Compares files with the hashes under which a manifest or an index names them: derived files are checked, not trusted. */
import { join } from 'node:path';
import type { LayerIndex } from '../../api/contract/layers.ts';
import type { Manifest } from '../../api/contract/snapshot.ts';
import { fileSource } from '../../api/hosts/file-source.ts';
import { nodeDigest } from '../../api/hosts/node-digest.ts';
import { SnapshotUnavailable } from '../../api/read/source.ts';
import { checkedRead, type NamedFile, walkLayer, walkSnapshot } from '../../api/read/walk.ts';
import { fileHash } from './hashed-file.ts';

/** The first file of a snapshot that is missing or damaged, in words; undefined if there is none. */
export async function snapshotDamage(root: string, manifest: Manifest): Promise<string | undefined> {
  try {
    const [damaged] = await damagedFiles(root, walkSnapshot(manifest, readOf(root)));
    return damaged && `${damaged} is missing or damaged`;
  } catch (error) {
    if (error instanceof SnapshotUnavailable) return error.message;
    throw error;
  }
}

/**
 * The files of a layer that are missing or damaged, in the order of its index.
 * @throws SnapshotUnavailable if a group of the index is missing or damaged
 */
export const damagedLayerFiles = (root: string, index: LayerIndex): Promise<Set<string>> =>
  damagedFiles(root, walkLayer(index, readOf(root)));

const readOf = (root: string) => checkedRead(fileSource(root), nodeDigest);

async function damagedFiles(root: string, files: AsyncIterable<NamedFile>): Promise<Set<string>> {
  const damaged = new Set<string>();
  for await (const { path, hash } of files) if (fileHash(join(root, path)) !== hash) damaged.add(path);
  return damaged;
}
