/**
 * Layers: the derived files beside the shards. Each layer is a function (snapshot, code) → files.
 *
 *   layers/<layer>.json  the index (LayerIndex): the snapshot and the code that its files were made from, and
 *                        their hashes
 *
 * Each file that a finished index names exists with the named bytes. An update marks the index as unfinished
 * before it changes the first file, and replaces it after the last one.
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
import { byCodeUnit } from './text.ts';

/**
 * pages: the answer of every record, every page of the unfiltered lists and the common rankings, at
 * `api/…json`. site: the explorer, the editor, the reference, the OpenAPI document, and the rules for hosts.
 * lists: the films of each category and ceremony for media tools, at `lists/…`. by-imdb: the record of each
 * film and nominee by its IMDb id, at `by-imdb/….json`. downloads: the whole record as NDJSON, CSV, Parquet
 * and SQLite.
 */
export const layerNames = ['pages', 'site', 'lists', 'by-imdb', 'downloads'] as const;
export type LayerName = (typeof layerNames)[number];

/** What the files of a layer were made from. */
export interface LayerState {
  /** Fingerprint of the code that made the files. */
  code: string;
  /** The manifest of the snapshot that the files were made from. */
  manifest: Manifest;
  /**
   * False while an update changes files, and after an update that was interrupted: then a file may have other
   * bytes than the index says.
   */
  isFinished: boolean;
}

export interface LayerIndex extends LayerState {
  layer: LayerName;
  /** Path below the root → contentHash, ascending by path. */
  files: ReadonlyMap<string, string>;
}

/**
 * Whether the files of a layer may be used: they are those of a snapshot. Who makes, sends, serves or judges
 * derived files asks this.
 * @param state undefined for no valid index
 * @param snapshot id of the current snapshot
 * @param code fingerprint of the running program; left out where files of another version will do
 */
export const isCurrent = <S extends LayerState>(
  state: S | undefined,
  snapshot: string | undefined,
  code?: string,
): state is S =>
  state?.isFinished === true &&
  state.manifest.snapshot === snapshot &&
  (code === undefined || state.code === code);

export const layersFolder = 'layers';
export const layerIndexPath = (layer: LayerName): string => `${layersFolder}/${layer}.json`;

/** Folder of the programs and styles of the site, under names that contain their hash. */
export const assetsFolder = 'assets';

/** Folder of the editor, which `serve` alone has: it is not published. */
export const editorFolder = 'edit';

/** Folder of the downloads, the whole record in every format, below the root. */
export const downloadsFolder = 'downloads';
export const downloadIndexName = 'index.json';
export const downloadIndexPath = `${downloadsFolder}/${downloadIndexName}`;

export const isDownload = (path: string): boolean => path.startsWith(`${downloadsFolder}/`);

/** Each format with its media type. */
export const downloadFormats = {
  ndjson: 'application/x-ndjson; charset=utf-8',
  csv: 'text/csv; charset=utf-8',
  parquet: 'application/vnd.apache.parquet',
  sqlite: 'application/vnd.sqlite3',
} as const;
export type DownloadFormat = keyof typeof downloadFormats;

/** Folder of the lists of films below the root. */
export const listsFolder = 'lists';
export const listIndexPath = `${listsFolder}/index.json`;

/** Folder of the records by IMDb id below the root. */
export const byImdbFolder = 'by-imdb';
/** The ids that have a file: of titles, names and companies. */
export const imdbIdPattern = '^(tt|nm|co)[0-9]{1,20}$';

/** Each category and each ceremony has a list of each kind. Winners are among the nominees. */
export const listKinds = ['winners', 'nominees'] as const;
export type ListKind = (typeof listKinds)[number];

/**
 * The address of the site that the feeds of the lists name, from their index, which has it after the
 * fingerprint of the code; undefined if their addresses are relative.
 */
export const originOfLists = (lists: LayerState | undefined): string | undefined => lists?.code.split(' ')[1];

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
  if (path.startsWith(`${byImdbFolder}/`)) return 'by-imdb';
  const name = /^api\/([^/.]+)/.exec(path)?.[1];
  return name === 'stats' || resourceNames.some((resource) => resource === name) ? 'pages' : 'site';
}

/** Names that only builds give to files of a layer. The files of the site have any name. */
const builtNames: Readonly<Record<LayerName, RegExp>> = {
  pages: new RegExp(`^api/(stats|${resourceNames.join('|')})(/.+)?\\.json$`),
  site: new RegExp(`^${assetsFolder}/.+-[A-Z0-9]{8}\\.(js|css)$`),
  lists: new RegExp(`^${listsFolder}/(index\\.json|.+/(${listKinds.join('|')})\\.(json|rss))$`),
  'by-imdb': new RegExp(`^${byImdbFolder}/${imdbIdPattern.slice(1, -1)}\\.json$`),
  downloads: new RegExp(
    `^${downloadsFolder}/(index\\.json|(awards|${resourceNames.join('|')})(-[0-9a-f]{20})?\\.[a-z0-9]+)$`,
  ),
};

/**
 * Whether only a build can have made a file, by its name. A file of another name may belong to the operator,
 * who adds a CNAME or pages of his own: a build removes it only if an index names it.
 */
export const hasBuiltName = (path: string): boolean => builtNames[layerOf(path)].test(path);

/** The index as its file has it. */
interface StoredIndex {
  format: number;
  layer: LayerName;
  /** contentHash of the text without this member. */
  id: string;
  code: string;
  manifest: Manifest;
  finished: boolean;
  files: readonly (readonly [path: string, hash: string])[];
}

/** The text of an index. */
export function layerIndexText(index: LayerIndex, digest?: Sha256): string {
  const { layer, code, manifest, isFinished: finished } = index;
  const files = [...index.files].sort(([a], [b]) => byCodeUnit(a, b));
  const named = JSON.stringify({ format: formatVersion, layer, code, manifest, finished, files });
  return textWithId(`{"format":${formatVersion},"layer":"${layer}",`, 'id', named, digest).text;
}

/**
 * Parses the index of a layer, also an unfinished one. Undefined if the bytes are truncated, of another layer
 * or format version, or do not match the id.
 */
export function parseLayerIndex(
  layer: LayerName,
  bytes: Uint8Array,
  digest?: Sha256,
): LayerIndex | undefined {
  const read = uncheckedLayerIndex(layer, bytes);
  return read && contentHash(read.named, digest) === read.id ? read.index : undefined;
}

/**
 * The paths that an index names, also a damaged one and one of another format version: what another version
 * of the program may have left. Undefined if it is no index.
 */
export function pathsNamedBy(bytes: Uint8Array): string[] | undefined {
  try {
    const { layer, files } = JSON.parse(new TextDecoder().decode(bytes)) as Record<string, unknown>;
    if (typeof layer !== 'string' || typeof files !== 'object' || files === null) return undefined;
    const paths: unknown[] = Array.isArray(files)
      ? files.map((each) => [each].flat()[0])
      : Object.keys(files);
    // None outside the folder.
    return paths.filter(
      (path) => typeof path === 'string' && !/^$|^\/|\\|(^|\/)\.{0,2}(\/|$)/.test(path),
    ) as string[];
  } catch {
    return undefined;
  }
}

/**
 * A parsed index whose id is not checked, and the bytes that it must be the hash of; undefined if it is not
 * one of this layer and format.
 */
export function uncheckedLayerIndex(
  layer: LayerName,
  bytes: Uint8Array,
): { index: LayerIndex; id: string; named: Uint8Array } | undefined {
  try {
    const text = new TextDecoder().decode(bytes);
    const { id, files, ...head } = JSON.parse(text) as StoredIndex;
    const state = stateOf(layer, head);
    if (!state) return undefined;
    return { index: { layer, ...state, files: new Map(files) }, id, named: textWithoutId(text, 'id', id) };
  } catch {
    return undefined;
  }
}

/**
 * What the files of a layer were made from, read from the beginning of its index, for those who ask often:
 * the list of pages has megabytes. The id is not checked.
 */
export function parseLayerState(layer: LayerName, bytes: Uint8Array): LayerState | undefined {
  try {
    const text = new TextDecoder().decode(bytes);
    const head = text.slice(0, text.indexOf(',"files":['));
    return stateOf(layer, JSON.parse(`${head}}`) as StoredIndex);
  } catch {
    return undefined;
  }
}

function stateOf(
  layer: LayerName,
  { format, layer: own, code, manifest, finished }: Omit<StoredIndex, 'id' | 'files'>,
): LayerState | undefined {
  return format === formatVersion && own === layer ? { code, manifest, isFinished: finished } : undefined;
}
