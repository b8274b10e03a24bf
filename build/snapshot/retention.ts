/**
 * Retention: files that nothing names any more stay for a while, so that a reader that holds an older manifest or index can
 * finish. The snapshots that a layer was made from stay until the layer has caught up.
 */
import type { RebuiltFile } from '../../api/contract/answers.ts';
import { assetsFolder, isDownload, layerNames, layersFolder } from '../../api/contract/layers.ts';
import { type Manifest, manifestPath } from '../../api/contract/snapshot.ts';
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
  const named = new Set<string>();
  const current = folder.manifest();
  if (current) for (const { path } of shardsOf(current)) named.add(path);
  // The layer of a damaged shard is made again from the current snapshot.
  for (const manifest of manifestsOfLayers(folder))
    for (const { path } of shardsOf(manifest))
      if (!named.has(path) && (!removePartial || isWhole(folder, path))) named.add(path);
  const paths = [...folder.list(shardsFolder), unfinishedManifest];
  const partial = removePartial ? paths.filter((path) => !named.has(path) && !isWhole(folder, path)) : [];
  return [
    ...removeUnnamedFiles(folder, partial, named, 0, now),
    ...removeUnnamedFiles(folder, paths, named, retentionMs, now),
  ];
}

/** Whether an immutable file has the bytes that its name promises. The bundler has hashes of its own. */
export const isWhole = (folder: OutputFolder, path: string): boolean =>
  path.startsWith(`${assetsFolder}/`) || folder.hash(path) === /[0-9a-f]{20}(?=\.[a-z]+$)/.exec(path)?.[0];

/** The manifests of the snapshots that layers were made from or are being made from. */
function* manifestsOfLayers(folder: OutputFolder): Generator<Manifest> {
  for (const layer of layerNames) {
    const index = folder.layerIndex(layer);
    if (index) yield index.manifest;
    if (index?.pending) yield index.pending.manifest;
  }
}

/** Removes the files that are not named and were retired long enough ago. */
export function removeUnnamedFiles(
  folder: OutputFolder,
  paths: readonly string[],
  named: ReadonlySet<string>,
  retentionMs: number,
  now: Date,
): RebuiltFile[] {
  const files: RebuiltFile[] = [];
  for (const path of paths) {
    if (named.has(path) || (retentionMs > 0 && folder.retiredAt(path) > now.getTime() - retentionMs))
      continue;
    if (folder.remove(path)) files.push({ path, action: 'removed', cause: 'no longer used' });
  }
  return files;
}

export const isShard = (path: string): boolean => path.startsWith(`${shardsFolder}/`);

/** Whether a file of a layer is immutable, so that a reader of an older index may still ask for it. */
export const isRetained = (path: string): boolean =>
  path.startsWith(`${layersFolder}/`) ||
  path.startsWith(`${assetsFolder}/`) ||
  (isDownload(path) && /-[0-9a-f]{20}\.[a-z]+$/.test(path));

/** Whether only the holder of the snapshot lock may remove a file. */
export const isOfSnapshot = (path: string): boolean =>
  path === manifestPath || path === unfinishedManifest || isShard(path);
