/** The files of the index of a layer: its groups, their paths and bytes. */
import {
  ceremonyOfSlug,
  type LayerGroup,
  type LayerIndexContent,
  type LayerName,
  layerGroupPath,
  layerIndexText,
  layerOf,
} from '../../api/contract/layers.ts';
import { contentHash } from '../../api/contract/snapshot.ts';
import { byCodeUnit } from '../../api/contract/text.ts';
import { nodeDigest } from '../../api/read/node-source.ts';

/** Ids or page numbers per group. Groups are small, so that a change affects few bytes. */
const groupSpan = 256;
/** Ceremonies per group of lists about them. */
const ceremonySpan = 16;

/** The group of the index of its layer that names a file. */
export function groupOf(path: string): string {
  const layer = layerOf(path);
  if (layer === 'lists') {
    const ceremony = ceremonyOfSlug(path.split('/')[1]!);
    return ceremony === undefined ? 'categories' : `ceremonies/${Math.floor(ceremony / ceremonySpan)}`;
  }
  if (layer !== 'pages') return layer;
  const [, name = '', second, third] = /^api\/([^/.]+)(?:\/([^/.]+))?(?:\/([^/.]+))?/.exec(path) ?? [];
  if (name === 'stats') return `stats/${second}`;
  const span = (number: string) => Math.floor(Number(number) / groupSpan);
  if (second === 'sort' || second === 'year' || second === 'ceremony_ids') {
    const part = second === 'sort' ? '' : `/${Math.floor(Number(third) / ceremonySpan)}`;
    return `lists/${name}/${second}${part}`;
  }
  if (second === undefined || second === 'pages') return `lists/${name}/${span(third ?? '1')}`;
  return `${name}/${span(second)}`;
}

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
