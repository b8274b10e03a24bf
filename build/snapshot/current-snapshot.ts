/** Tells which snapshot a folder holds. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { manifestPath, parseManifest } from '../../api/contract/snapshot.ts';
import { nodeDigest } from '../../api/hosts/node-digest.ts';

/** The id of the snapshot in a folder; undefined if there is none that can be read. */
export function snapshotIn(root: string): string | undefined {
  const file = join(root, manifestPath);
  return existsSync(file) ? parseManifest(readFileSync(file), nodeDigest)?.snapshot : undefined;
}
