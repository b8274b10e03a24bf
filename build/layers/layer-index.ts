/** The index of a layer on the disk: reading it, and the bytes of its files. */
import { isImmutableDownload } from '../../api/contract/download-names.ts';
import {
  type LayerGroup,
  type LayerIndex,
  type LayerIndexContent,
  type LayerName,
  layerGroupPath,
  layerIndexPath,
  layerIndexText,
  layersFolder,
  parseLayerIndex,
} from '../../api/contract/layers.ts';
import { assetsFolder } from '../../api/contract/site.ts';
import { contentHash } from '../../api/contract/snapshot.ts';
import { byCodeUnit } from '../../api/contract/text.ts';
import { nodeDigest } from '../../api/hosts/node-digest.ts';
import type { OutputFolder } from '../snapshot/output-folder.ts';

/** The index of a layer; undefined if there is none that is valid. */
export function readLayerIndex(folder: OutputFolder, layer: LayerName): LayerIndex | undefined {
  const bytes = folder.read(layerIndexPath(layer));
  return bytes && parseLayerIndex(layer, bytes, nodeDigest);
}

export interface IndexFile {
  path: string;
  hash: string;
  bytes: Uint8Array;
}

/** The file of one group. @param files path → contentHash */
export function groupFile(layer: LayerName, files: ReadonlyMap<string, string>): IndexFile {
  const entries: LayerGroup = [...files].sort(([a], [b]) => byCodeUnit(a, b));
  const bytes = encoder.encode(`${JSON.stringify(entries)}\n`);
  const hash = contentHash(bytes, nodeDigest);
  return { path: layerGroupPath(layer, hash), hash, bytes };
}

export const indexBytes = (layer: LayerName, index: LayerIndexContent): Uint8Array =>
  encoder.encode(layerIndexText(layer, index, nodeDigest));

const encoder = new TextEncoder();

/** Whether a file is immutable, so that a reader of an older index may still ask for it. */
export const isRetained = (path: string): boolean =>
  path.startsWith(`${layersFolder}/`) || path.startsWith(`${assetsFolder}/`) || isImmutableDownload(path);
