/**
 * Holds the shards of one snapshot for as long as they are read: builds may put others in its place meanwhile, and remove what
 * nothing names any more. Hard links in a folder of their own keep the bytes without copying them.
 */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { referencedResources } from '../../../api/contract/names.ts';
import {
  type Directory,
  type ManifestFamily,
  manifestPath,
  parseManifest,
  recordFamily,
  shardPath,
} from '../../../api/contract/snapshot.ts';
import { nodeDigest } from '../../../api/hosts/node-digest.ts';
import { isMissing } from '../../../api/hosts/file-source.ts';
import { SnapshotUnavailable } from '../../../api/read/source.ts';
import { linkOrCopy } from '../../../data/file-lock.ts';

/** What the downloads are made from: whole records, and all that a nomination shows. */
const families: readonly ManifestFamily[] = [
  'nominations',
  'titles',
  'names',
  'songs',
  'ceremonies',
  'categories',
  ...referencedResources.map(recordFamily),
];

/**
 * Makes a folder that holds the snapshot that is in another one now.
 * @param into made anew; below the root, or at least on the same disk
 * @throws SnapshotUnavailable if there is none, or a build removed a part of it by now
 */
export function holdSnapshot(root: string, into: string): void {
  // What was held of the one before.
  rmSync(into, { recursive: true, force: true });
  const bytes = present(manifestPath, () => readFileSync(join(root, manifestPath)));
  const manifest = parseManifest(bytes, nodeDigest);
  if (manifest === undefined) throw new SnapshotUnavailable('manifest.json is damaged or of another version');
  for (const family of families) {
    const entry = manifest.families[family];
    if ('head' in entry) hold(root, into, shardPath(family, entry.head));
    const directory =
      'head' in entry
        ? (JSON.parse(readFileSync(join(into, shardPath(family, entry.head)), 'utf8')) as Directory)
        : entry;
    for (const hash of directory.hashes) hold(root, into, shardPath(family, hash));
  }
  writeFileSync(join(into, manifestPath), bytes);
}

function hold(root: string, into: string, path: string): void {
  const [from, to] = [join(root, path), join(into, path)];
  mkdirSync(dirname(to), { recursive: true });
  present(path, () => linkOrCopy(from, to));
}

/** @throws SnapshotUnavailable if there is no such file */
function present<T>(path: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (isMissing(error)) throw new SnapshotUnavailable(`${path} is missing`, { cause: error });
    throw error;
  }
}
