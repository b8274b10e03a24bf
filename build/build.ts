/** A whole build: the snapshot, then the layers. */
import type { RebuiltFile } from '../api/contract/answers.ts';
import type { LayerName } from '../api/contract/layers.ts';
import type { Connection } from '../data/database/open.ts';
import { isRemovalPending, removeExpired } from '../data/enrich/restricted.ts';
import type { LayerOptions } from './derived/layers.ts';
import type { LayerReport } from './derived/update.ts';
import { SnapshotBuilder, type SnapshotReport } from './snapshot/builder.ts';

export interface FolderBuildOptions extends LayerOptions {
  layers: readonly LayerName[];
  /** Make every file, and compare it with the disk. */
  full?: boolean | undefined;
  /** Milliseconds to wait for another process that builds. */
  timeoutMs?: number | undefined;
  /** How long the files of replaced snapshots stay. */
  retentionMs?: number | undefined;
  onProgress?: ((done: number, total: number) => void) | undefined;
  now?: Date | undefined;
}

export interface FolderReport extends SnapshotReport {
  /** In the order of the options. */
  layers: LayerReport[];
  /** Pages and other files of layers that were made, whether or not their bytes were new. */
  rendered: number;
  /** Every file that was written or removed, of the snapshot and of the layers. */
  files: RebuiltFile[];
}

/**
 * Brings a folder up to date with a database. Values that may not be kept any longer are removed from the
 * database first, and the files of replaced snapshots with them at once.
 * @throws FolderBusy, UserError as SnapshotBuilder.build() and updateLayers() do
 */
export async function buildFolder(
  connection: Connection,
  out: string,
  { layers: names, full, timeoutMs, retentionMs, onProgress, now, ...options }: FolderBuildOptions,
): Promise<FolderReport> {
  removeExpired(connection, now ?? new Date());
  const hasExpired = isRemovalPending(connection);
  const snapshot = await new SnapshotBuilder(connection, out, { retentionMs }).build({ full, timeoutMs });
  const { updateLayers } = await import('./derived/update.ts');
  const { layersOf } = await import('./derived/layers.ts');
  const layers = await updateLayers(out, layersOf(names, options), {
    full,
    check: true,
    timeoutMs,
    retentionMs: hasExpired ? 0 : retentionMs,
    onProgress: (_, done, total) => onProgress?.(done, total),
  });
  if (hasExpired) await new SnapshotBuilder(connection, out, { retentionMs: 0 }).build({ timeoutMs });
  return {
    ...snapshot,
    layers,
    rendered: layers.reduce((sum, layer) => sum + layer.rendered, 0),
    files: [...snapshot.files, ...layers.flatMap(({ files }) => files)],
  };
}
