/**
 * What the folder of a snapshot holds, by its manifest and the indexes of its layers: read again when they
 * are replaced.
 */
import { join } from 'node:path';
import { isOfHistory } from '../contract/history.ts';
import { type LayerName, type LayerState, layerIndexPath, layerNames, layerOf } from '../contract/layers.ts';
import { parseLayerHead } from '../contract/layer-index.ts';
import { manifestPath } from '../contract/snapshot.ts';
import { type FileVersion, nodeDigest, watchedFile, watchedManifest } from '../read/node-source.ts';

export type FolderWatch = ReturnType<typeof watchFolder>;

export interface FolderWatchOptions {
  /** Folder of the snapshot. */
  out: string;
  /** The layers that are kept up to date in it. Default: all. */
  layers?: readonly LayerName[] | undefined;
}

export function watchFolder({ out, layers = layerNames }: FolderWatchOptions) {
  const watchedIndex = (layer: LayerName) =>
    watchedFile(join(out, layerIndexPath(layer)), (bytes) => parseLayerHead(layer, bytes, nodeDigest));
  const indexes: ReadonlyMap<LayerName, () => FileVersion<LayerState>> = new Map(
    layers.map((layer) => [layer, watchedIndex(layer)]),
  );
  return {
    /** The id of the snapshot. */
    manifest: watchedManifest(out),
    indexes,
    /**
     * The snapshot that a file was made from; undefined for the site, which is the same for all, and for
     * other files.
     */
    snapshotOf(path: string): string | undefined {
      if (path === manifestPath || path.startsWith('shards/') || isOfHistory(path)) return undefined;
      const layer = layerOf(path);
      return layer === 'site' ? undefined : indexes.get(layer)?.().content?.manifest.snapshot;
    },
  };
}
