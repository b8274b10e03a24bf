/**
 * Retention: files that nothing names any more stay for a while, so that a reader that holds an older manifest or index can
 * finish. The snapshots that a layer was made from stay until the layer has caught up.
 */
import type { RebuiltFile } from '../../api/contract/answers.ts';
import { assetsFolder, isDownload, layerNames } from '../../api/contract/layers.ts';
import { manifestPath } from '../../api/contract/snapshot.ts';
import { shardsOf } from '../../api/read/walk.ts';
import { type OutputFolder, shardsFolder, unfinishedManifest } from './output-folder.ts';

/** Time for a reader to finish a request: reads that take longer start again with the current manifest. */
export const defaultRetentionMs = 60_000;

/**
 * Removes the shards that no snapshot in use names and that were retired long enough ago. The caller holds the snapshot
 * lock.
 * @param removePartial whether to remove the parts of files that a killed process left, whatever their age
 */
export function removeRetired(
  folder: OutputFolder,
  retentionMs: number,
  now: Date,
  removePartial: boolean,
): RebuiltFile[] {
  const manifests = [folder.manifest(), ...layerNames.map((layer) => folder.layerState(layer)?.manifest)];
  const named = new Set(
    manifests.flatMap((manifest) => (manifest ? [...shardsOf(manifest)].map(({ path }) => path) : [])),
  );
  return [...folder.list(shardsFolder), unfinishedManifest]
    .filter((path) => !named.has(path))
    .filter((path) => mayRemove(folder, path, retentionMs, now) || (removePartial && !isWhole(folder, path)))
    .filter((path) => folder.remove(path))
    .map((path) => ({ path, action: 'removed', cause: 'no longer used' }));
}

/** Whether a file that nothing names was retired long enough ago. */
export const mayRemove = (folder: OutputFolder, path: string, retentionMs: number, now: Date): boolean =>
  retentionMs === 0 || folder.retiredAt(path) <= now.getTime() - retentionMs;

/** Whether an immutable file has the bytes that its name promises. The bundler has hashes of its own. */
export const isWhole = (folder: OutputFolder, path: string): boolean =>
  path.startsWith(`${assetsFolder}/`) || folder.hash(path) === /[0-9a-f]{20}(?=\.[a-z]+$)/.exec(path)?.[0];

export const isShard = (path: string): boolean => path.startsWith(`${shardsFolder}/`);

/** Whether a file of a layer is immutable, so that a reader of an older index may still ask for it. */
export const isRetained = (path: string): boolean =>
  path.startsWith(`${assetsFolder}/`) || (isDownload(path) && /-[0-9a-f]{20}\.[a-z]+$/.test(path));

/** Whether only the holder of the snapshot lock may remove a file. */
export const isOfSnapshot = (path: string): boolean =>
  path === manifestPath || path === unfinishedManifest || isShard(path);
