/**
 * What is published: a snapshot, its layers, and the configuration of the host. It is listed, and where
 * sending it takes long linked into a folder of its own, under the locks of the build: a build that follows
 * replaces files by renaming, so the links keep their bytes.
 */
import { statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { isHistoryIndex, isOfHistory } from '../../api/contract/history.ts';
import {
  editorFolder,
  isCurrent,
  type LayerName,
  layerIndexPath,
  layerNames,
  layerOf,
} from '../../api/contract/layers.ts';
import { contentHash, manifestPath, parseManifest } from '../../api/contract/snapshot.ts';
import { isMissing, nodeDigest, readIfPresent } from '../../api/read/node-source.ts';
import { shardsOf } from '../../api/read/walk.ts';
import type { Connection } from '../../data/database/open.ts';
import { isThere, linkOrCopy } from '../../data/system/files.ts';
import { UserError } from '../../data/system/messages.ts';
import { bytesOfIndex, readLayerIndex } from '../snapshot/named-files.ts';
import { type DeployTitle, placeOf } from './deploy-title.ts';

export interface ContentOptions {
  /** Folder of the snapshot. */
  out: string;
  /** The database of the snapshot; without it the age of the snapshot is unknown. */
  connection?: Connection | undefined;
  /** Files for the host alone: path in the deploy → bytes. */
  configuration?: ReadonlyMap<string, Buffer> | undefined;
  /**
   * Which pages are published: all, those of lists and rankings, or none. The host computes the other
   * answers. Default all.
   */
  pages?: 'all' | 'lists' | 'none' | undefined;
  /** Whether the files of IMDb ids are published, more than many hosts take. Default false. */
  byImdb?: boolean | undefined;
  /** Brings the layers up to date. Without it, a layer that is behind is an error. */
  updateLayers?: (() => Promise<void>) | undefined;
}

interface PublishedFile {
  /** contentHash of the bytes. */
  hash: string;
  size: number;
  /** The bytes of the manifest, an index or the configuration. */
  bytes?: Buffer;
}

export interface Contents {
  title: DeployTitle;
  /**
   * By path below the root: the shards and the files of layers; then the configuration, the indexes, and the
   * manifest.
   */
  files: ReadonlyMap<string, PublishedFile>;
  /** Changes in the database that the snapshot does not have yet. */
  behind: number;
  /** Whether a file of earlier publishes stays as it is. */
  isKept(path: string): boolean;
  /** @throws ChangedContent if the file is damaged, or a build has replaced it */
  read(path: string): Promise<Buffer>;
}

/** The same contents without the pages. */
export function withoutPages(contents: Contents): Contents {
  const files = new Map([...contents.files].filter(([path]) => layerOf(path) !== 'pages'));
  return { ...contents, files, title: { ...contents.title, files: hashOf(files) } };
}

/**
 * The contents with more files, before the manifest.
 * @param more path → bytes, or the path of the same file among the contents
 */
export function addFiles(contents: Contents, more: ReadonlyMap<string, Buffer | string>): Contents {
  const files = new Map(contents.files);
  const read = (path: string) => {
    const added = more.get(path);
    return Buffer.isBuffer(added) ? Promise.resolve(added) : contents.read(added ?? path);
  };
  for (const [path, added] of more)
    files.set(
      path,
      Buffer.isBuffer(added)
        ? { hash: contentHash(added, nodeDigest), size: added.length, bytes: added }
        : contents.files.get(added)!,
    );
  const manifest = files.get(manifestPath)!;
  files.delete(manifestPath);
  files.set(manifestPath, manifest);
  return { ...contents, files, read, title: { ...contents.title, files: hashOf(files) } };
}

const layerIndexes: ReadonlySet<string> = new Set(layerNames.map(layerIndexPath));
/** Whether a file names other files. */
export const isIndex = (path: string): boolean => layerIndexes.has(path) || isHistoryIndex(path);

/** Later publishes keep files of the history without their bytes; its indexes have their hashes. */
const hashOf = (files: Contents['files']): string => {
  const named = [...files].filter(([path]) => !isOfHistory(path) || isHistoryIndex(path));
  return contentHash(Buffer.from(JSON.stringify(named.map(([path, { hash }]) => [path, hash]))), nodeDigest);
};

/**
 * Lists what is published. It must run while nothing is built.
 * @param copy a folder for a frozen copy; without it the files are read where they are
 * @returns undefined if a layer is behind that `updateLayers` will bring up to date
 * @throws UserError if there is no snapshot, a layer is missing or behind, or a file is missing
 */
export function listContents(options: ContentOptions, copy: string | undefined): Contents | undefined {
  const { out, connection, configuration, pages, byImdb, updateLayers } = options;
  const root = resolve(out);
  const bytes = readIfPresent(join(root, manifestPath));
  const manifest = bytes && parseManifest(bytes, nodeDigest);
  if (!manifest) throw new UserError(`${out} holds no snapshot of this version; "awards build" makes one`);
  const { snapshot } = manifest;
  const files = new Map<string, PublishedFile>();
  const frozen = new Set<string>();
  const add = (path: string, hash: string) => {
    const size = statSync(join(root, path), { throwIfNoEntry: false })?.size;
    if (size === undefined) throw fault(root, path, 'missing');
    files.set(path, { hash, size });
    if (copy !== undefined && !frozen.has(hash)) linkOrCopy(join(root, path), join(copy, hash));
    frozen.add(hash);
  };
  for (const { path, hash } of shardsOf(manifest)) add(path, hash);
  const held = new Map(configuration);
  const isLeftOut = (layer: LayerName) =>
    (layer === 'pages' && pages === 'none') || (layer === 'by-imdb' && !byImdb);
  for (const layer of layerNames.filter((name) => !isLeftOut(name))) {
    const found = readLayer(root, layer, snapshot, pages === 'lists');
    if (found === 'behind' && updateLayers) return undefined;
    if (found === 'behind')
      throw new UserError(
        `the ${layer} layer of ${out} is not at the snapshot; "awards build" brings it up to date`,
      );
    for (const [path, hash] of found.files) add(path, hash);
    for (const [path, own] of found.index) held.set(path, own);
  }
  for (const [path, heldBytes] of held.set(manifestPath, bytes))
    files.set(path, { hash: contentHash(heldBytes, nodeDigest), size: heldBytes.length, bytes: heldBytes });
  const read = async (path: string): Promise<Buffer> => {
    const { hash, bytes: heldBytes } = files.get(path)!;
    const file = copy === undefined ? join(root, path) : join(copy, hash);
    const found = heldBytes ?? (await readFile(file).catch(absent));
    if (!found || contentHash(found, nodeDigest) !== hash)
      throw fault(root, path, found ? 'damaged' : 'missing');
    return found;
  };
  const { place, behind } = placeOf(connection, root, snapshot);
  return { title: { snapshot, files: hashOf(files), place }, files, behind, isKept: () => false, read };
}

function absent(error: unknown): undefined {
  if (!isMissing(error)) throw error;
}

/** A file of the contents has other bytes than its index says, or is gone. */
export class ChangedContent extends UserError {}

const fault = (root: string, path: string, what: 'damaged' | 'missing') =>
  new ChangedContent(`${path} in ${root} is ${what}; "awards build --full" repairs it`);

/** The pages of single records, but for those of ceremonies and categories: nearly all files. */
const singlePage = /^api\/(movies|nominations|nominees|songs|honors)\/[0-9]+\.json$/;

/**
 * What is published of a layer: its index and its files, without the editor, which needs the service.
 * @param isListsOnly leaves out the pages of single records
 */
function readLayer(root: string, layer: LayerName, snapshot: string, isListsOnly: boolean) {
  // Downloads are optional, and may be those of an earlier snapshot: `--no-downloads` leaves them as they
  // are.
  if (layer === 'downloads' && !isThere(join(root, layerIndexPath(layer)))) return { files: [], index: [] };
  const index = readLayerIndex(root, layer);
  if (!isCurrent(index, layer === 'downloads' ? index?.manifest.snapshot : snapshot)) return 'behind';
  const isPublished = (path: string) =>
    !path.startsWith(`${editorFolder}/`) && !(isListsOnly && singlePage.test(path));
  const files = new Map([...index.files].filter(([path]) => isPublished(path)));
  return { files, index: bytesOfIndex({ ...index, files }) };
}
