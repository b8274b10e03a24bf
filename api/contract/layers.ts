/**
 * Layers: the derived files beside the shards. Each layer is a function (snapshot, code) → files.
 *
 *   layers/<layer>.json         the index (LayerIndex): the snapshot of the layer, and the groups of its files
 *   layers/<layer>/<hash>.json  immutable: one group, a list of paths and hashes (LayerGroup)
 *
 * Invariant: each file that an index names exists with the named bytes, at every instant. An update that replaces files in
 * place first lists them under `pending` with their new hashes: such a file has its old bytes or its new ones.
 */
import { resourceNames } from './names.ts';
import {
  contentHash,
  formatVersion,
  type Manifest,
  type Sha256,
  textWithId,
  textWithoutId,
} from './snapshot.ts';

/**
 * pages: the answer of every record, every page of the unfiltered lists and the common rankings, at `api/…json`.
 * site: the explorer, the editor, the reference, the OpenAPI document, and the rules for hosts.
 * lists: the films of each category and ceremony for media tools, at `lists/…`.
 * downloads: the whole record as NDJSON, CSV and SQLite.
 */
export const layerNames = ['pages', 'site', 'lists', 'downloads'] as const;
export type LayerName = (typeof layerNames)[number];

export interface LayerIndex {
  format: number;
  layer: LayerName;
  /** contentHash of the index without this member. */
  id: string;
  /** Fingerprint of the code that made the files. */
  code: string;
  /** The manifest of the snapshot that the files were made from. */
  manifest: Manifest;
  /** Group → hash of its LayerGroup, ascending by group. */
  groups: readonly (readonly [group: string, hash: string])[];
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

/** Folder of the programs and styles of the site, under names that contain their hash. */
export const assetsFolder = 'assets';

/** Folder of the downloads, the whole record in three formats, below the root. */
export const downloadsFolder = 'downloads';
export const downloadIndexName = 'index.json';
export const downloadIndexPath = `${downloadsFolder}/${downloadIndexName}`;

export const isDownload = (path: string): boolean => path.startsWith(`${downloadsFolder}/`);

/** Each format with its media type. */
export const downloadFormats = {
  ndjson: 'application/x-ndjson; charset=utf-8',
  csv: 'text/csv; charset=utf-8',
  sqlite: 'application/vnd.sqlite3',
} as const;
export type DownloadFormat = keyof typeof downloadFormats;

/** Folder of the lists of films below the root. */
export const listsFolder = 'lists';
export const listIndexPath = `${listsFolder}/index.json`;

/** Each category and each ceremony has a list of each kind. Winners are among the nominees. */
export const listKinds = ['winners', 'nominees'] as const;
export type ListKind = (typeof listKinds)[number];

/** Origin of the links in feeds, if none is given: where `awards serve` listens. */
export const defaultOrigin = 'http://127.0.0.1:3000';

/** The id in the name of the folder of a ceremony among the lists; undefined for other names. */
export function ceremonyOfSlug(name: string): number | undefined {
  const digits = /^ceremony-([0-9]+)$/.exec(name)?.[1];
  return digits === undefined ? undefined : Number(digits);
}

/** The layer that a file belongs to, its index included. */
export function layerOf(path: string): LayerName {
  const layer = layerNames.find((name) => path.startsWith(`${layersFolder}/${name}`));
  if (layer !== undefined) return layer;
  if (isDownload(path)) return 'downloads';
  if (path.startsWith(`${listsFolder}/`)) return 'lists';
  const name = /^api\/([^/.]+)/.exec(path)?.[1];
  return name === 'stats' || resourceNames.some((resource) => resource === name) ? 'pages' : 'site';
}

export type LayerIndexContent = Omit<LayerIndex, 'format' | 'layer' | 'id'>;

/** The text of the index of a layer. */
export function layerIndexText(layer: LayerName, content: LayerIndexContent, digest?: Sha256): string {
  const { code, manifest, groups, pending } = content;
  const named = JSON.stringify({ format: formatVersion, layer, code, manifest, groups, pending });
  return textWithId(`{"format":${formatVersion},"layer":"${layer}",`, 'id', named, digest).text;
}

/** A parsed index whose id is not checked, and the bytes that it must be the hash of; undefined if it is not one of this layer and format. */
export function uncheckedLayerIndex(
  layer: LayerName,
  bytes: Uint8Array,
): { index: LayerIndex; named: Uint8Array } | undefined {
  try {
    const text = new TextDecoder().decode(bytes);
    const index = JSON.parse(text) as LayerIndex;
    if (index.format !== formatVersion || index.layer !== layer) return undefined;
    return { index, named: textWithoutId(text, 'id', index.id) };
  } catch {
    return undefined;
  }
}

/** Parses the index of a layer; undefined if it is not whole, of another format version, or its id is wrong. */
export function parseLayerIndex(
  layer: LayerName,
  bytes: Uint8Array,
  digest?: Sha256,
): LayerIndex | undefined {
  const read = uncheckedLayerIndex(layer, bytes);
  return read && contentHash(read.named, digest) === read.index.id ? read.index : undefined;
}
