/**
 * Layers: the derived files beside the shards. Each layer is a function (snapshot, code) → files.
 *
 *   layers/<layer>.json         the index (LayerIndex): the snapshot of the layer, and the groups of its files
 *   layers/<layer>/<hash>.json  immutable: one group, a list of paths and hashes (LayerGroup)
 *
 * Invariant: each file that an index names exists with the named bytes, at every instant. An update that replaces files in
 * place first lists them under `pending` with their new hashes: such a file has its old bytes or its new ones.
 */
import { downloadsFolder, isDownload } from './download-names.ts';
import { resourceNames } from './names.ts';
import { type Directory, formatVersion, type Manifest, parseManifest } from './snapshot.ts';

/**
 * pages: the answer of every record, every page of the unfiltered lists and the common rankings, at `api/…json`.
 * site: the explorer, the editor, the reference, the OpenAPI document, and the rules for hosts.
 * downloads: the whole record as NDJSON, CSV and SQLite.
 */
export const layerNames = ['pages', 'site', 'downloads'] as const;
export type LayerName = (typeof layerNames)[number];

export interface LayerIndex {
  format: number;
  layer: LayerName;
  /** Fingerprint of the code that made the files. */
  code: string;
  /** The manifest of the snapshot that the files were made from. */
  manifest: Manifest;
  /** Group → hash of its LayerGroup, ascending by group. */
  groups: Directory;
  /** An update that is under way, or was interrupted. */
  pending?: PendingUpdate;
}

export interface PendingUpdate {
  /** The target of the update. */
  manifest: Manifest;
  /** Each file that it replaces, with its new contentHash, or null if it removes the file. */
  files: readonly (readonly [path: string, hash: string | null])[];
}

/** Files of one group: path below the root and contentHash, ascending by path. */
export type LayerGroup = readonly (readonly [path: string, hash: string])[];

export const layersFolder = 'layers';
export const layerIndexPath = (layer: LayerName): string => `${layersFolder}/${layer}.json`;
export const layerGroupPath = (layer: LayerName, hash: string): string =>
  `${layersFolder}/${layer}/${hash}.json`;

/** Ids or page numbers per group. Groups are small, so that a change affects few bytes. */
const groupSpan = 256;

/** The layer that a file belongs to, and the group of its index that names the file. */
export function placeOf(path: string): { layer: LayerName; group: string } {
  if (isDownload(path)) return { layer: 'downloads', group: downloadsFolder };
  const [, name = '', second, third] = /^api\/([^/.]+)(?:\/([^/.]+))?(?:\/([^/.]+))?/.exec(path) ?? [];
  if (name === 'stats') return { layer: 'pages', group: `stats/${second}` };
  if (!(resourceNames as readonly string[]).includes(name)) return { layer: 'site', group: 'site' };
  const span = (number: string) => Math.floor(Number(number) / groupSpan);
  if (second === undefined || second === 'pages')
    return { layer: 'pages', group: `lists/${name}/${span(third ?? '1')}` };
  return { layer: 'pages', group: `${name}/${span(second)}` };
}

/** Parses a layer index; undefined if it is not whole, of another format version, or names a damaged manifest. */
export function parseLayerIndex(bytes: Uint8Array): LayerIndex | undefined {
  try {
    const index = JSON.parse(new TextDecoder().decode(bytes)) as LayerIndex;
    const manifests = [index.manifest, index.pending?.manifest ?? index.manifest];
    const isWhole = index.groups.hashes && (index.pending === undefined || index.pending.files);
    const isValid = index.format === formatVersion && isWhole && manifests.every(isIntact);
    return isValid ? index : undefined;
  } catch {
    return undefined;
  }
}

const isIntact = (manifest: Manifest): boolean =>
  parseManifest(new TextEncoder().encode(JSON.stringify(manifest))) !== undefined;
