/** The files of the index of a layer: their paths and bytes. */
import {
  type LayerGroup,
  type LayerIndexContent,
  type LayerName,
  layerGroupPath,
  layerIndexText,
} from '../../api/contract/layers.ts';
import { contentHash } from '../../api/contract/snapshot.ts';
import { byCodeUnit } from '../../api/contract/text.ts';
import { nodeDigest } from '../../api/read/node-source.ts';

export interface IndexFile {
  path: string;
  hash: string;
  bytes: Uint8Array;
}

/** A list of names with their hashes, ascending by name: the groups of an index, the files of a group. */
export const listOf = (hashes: ReadonlyMap<string, string>): LayerGroup =>
  [...hashes].sort(([a], [b]) => byCodeUnit(a, b));

/** The file of one group. @param files path → contentHash */
export function groupFile(layer: LayerName, files: ReadonlyMap<string, string>): IndexFile {
  const bytes = encoder.encode(`${JSON.stringify(listOf(files))}\n`);
  const hash = contentHash(bytes, nodeDigest);
  return { path: layerGroupPath(layer, hash), hash, bytes };
}

export const indexBytes = (layer: LayerName, index: LayerIndexContent): Uint8Array =>
  encoder.encode(layerIndexText(layer, index, nodeDigest));

const encoder = new TextEncoder();
