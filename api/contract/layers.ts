/**
 * Layers: the derived files beside the shards. Each layer is a function (snapshot, code) → files.
 *
 * Each layer has an index (layer-index.ts): the snapshot and the code that its files were made from, and
 * their hashes. Each file that a finished index names exists with the named bytes. An update marks the index
 * as unfinished before it changes the first file, and replaces it after the last one.
 */
import { resourceNames } from './names.ts';
import type { Manifest } from './snapshot.ts';

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

/**
 * Whether the files of a layer may be used: they are those of a snapshot. The build, the service, publishing
 * and `doctor` all decide it here.
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
export const byImdbIndexPath = `${byImdbFolder}/index.json`;
/** The ids that have a file: of titles, names and companies. */
export const imdbIdPattern = '^(tt|nm|co)[0-9]{1,20}$';

/** Each category and each ceremony has a list of each kind. Winners are among the nominees. */
export const listKinds = ['winners', 'nominees'] as const;
export type ListKind = (typeof listKinds)[number];

/**
 * The origin of the links in the feeds of the lists; undefined if the links are relative. `code` of the index
 * has it after the fingerprint.
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
  'by-imdb': new RegExp(`^${byImdbFolder}/(index|${imdbIdPattern.slice(1, -1)})\\.json$`),
  downloads: new RegExp(
    `^${downloadsFolder}/(index\\.json|(awards|${resourceNames.join('|')})(-[0-9a-f]{20})?\\.[a-z0-9]+)$`,
  ),
};

/**
 * Whether only a build can have made a file, by its name. A file of another name may belong to the operator,
 * who adds a CNAME or pages of his own: a build removes it only if an index names it.
 */
export const hasBuiltName = (path: string): boolean =>
  isLayerPart(path) || builtNames[layerOf(path)].test(path);

/** Whether a file is a part of the index of a layer, by its name. */
export const isLayerPart = (path: string): boolean => layerPart.test(path);
const layerPart = new RegExp(`^${layersFolder}/(${layerNames.join('|')})/[0-9a-f]{20}\\.json$`);
