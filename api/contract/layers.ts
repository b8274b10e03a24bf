/**
 * Layers: the derived files beside the shards. Each layer is a function (snapshot, code) → files.
 *
 *   layers/<layer>.json         the index (LayerIndex): the snapshot of the layer, and the groups of its files
 *   layers/<layer>/<hash>.json  immutable: one group, a list of paths and hashes (LayerGroup)
 *
 * Invariant: each file that an index names exists with the named bytes, at every instant. An update that replaces files in
 * place first lists them under `pending`; the index does not vouch for a pending file.
 */
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
  /** An update that is under way, or was interrupted: its target, and the paths it may replace or remove. */
  pending?: { manifest: Manifest; paths: readonly string[] };
}

/** Files of one group: path below the root and contentHash, ascending by path. */
export type LayerGroup = readonly (readonly [path: string, hash: string])[];

export const layersFolder = 'layers';
export const layerIndexPath = (layer: LayerName): string => `${layersFolder}/${layer}.json`;
export const layerGroupPath = (layer: LayerName, hash: string): string =>
  `${layersFolder}/${layer}/${hash}.json`;

/** Parses a layer index; undefined if it is not whole, of another format version, or names a damaged manifest. */
export function parseLayerIndex(bytes: Uint8Array): LayerIndex | undefined {
  try {
    const index = JSON.parse(new TextDecoder().decode(bytes)) as LayerIndex;
    const manifests = [index.manifest, index.pending?.manifest ?? index.manifest];
    const isValid = index.format === formatVersion && index.groups.hashes && manifests.every(isIntact);
    return isValid ? index : undefined;
  } catch {
    return undefined;
  }
}

const isIntact = (manifest: Manifest): boolean =>
  parseManifest(new TextEncoder().encode(JSON.stringify(manifest))) !== undefined;
