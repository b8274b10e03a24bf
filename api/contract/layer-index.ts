/**
 * The index of a layer: a head, which is replaced often, and the list of the files in immutable parts.
 *
 *   layers/<layer>.json         the head (LayerHead)
 *   layers/<layer>/<hash>.json  a part: the files whose paths have its number, with their hashes
 */
import { type LayerName, type LayerState, layerIndexPath, layersFolder } from './layers.ts';
import {
  contentHash,
  formatVersion,
  type Manifest,
  type Sha256,
  textWithId,
  textWithoutId,
} from './snapshot.ts';
import { byCodeUnit } from './text.ts';

/** The index without the list of the files. */
export interface LayerHead extends LayerState {
  layer: LayerName;
  /** Files of the layer. */
  count: number;
  /** The contentHash of each part, by the number of the part. */
  parts: readonly string[];
}

/** A whole index. */
export interface LayerIndex extends LayerState {
  layer: LayerName;
  /** Path below the root → contentHash. */
  files: ReadonlyMap<string, string>;
}

/** A head as its file has it. */
interface StoredHead {
  format: number;
  layer: LayerName;
  /** contentHash of the text without this member. */
  id: string;
  code: string;
  manifest: Manifest;
  finished: boolean;
  count: number;
  parts: readonly string[];
}

/** A file with its hash, as a part has it. */
export type ListedFile = readonly [path: string, hash: string];

export const layerPartPath = (layer: LayerName, hash: string): string =>
  `${layersFolder}/${layer}/${hash}.json`;

/** Files of a part, at most on average: a change of one page writes a part of 30 KB. */
const filesOfPart = 512;

/** The number of parts of a layer: a power of two. */
export function partCount(files: number): number {
  let count = 1;
  while (count * filesOfPart < files) count *= 2;
  return count;
}

/** The number of the part that has a path: the last bits of its FNV-1a hash. */
export function partOf(path: string, count: number): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < path.length; i += 1) hash = Math.imul(hash ^ path.charCodeAt(i), 0x01000193);
  return hash & (count - 1);
}

/** The text of a part. */
export const layerPartText = (files: Iterable<ListedFile>): string =>
  `${JSON.stringify([...files].sort(([a], [b]) => byCodeUnit(a, b)))}\n`;

export const parseLayerPart = (bytes: Uint8Array): readonly ListedFile[] =>
  JSON.parse(new TextDecoder().decode(bytes)) as readonly ListedFile[];

/** The text of a head. */
export function layerHeadText(head: LayerHead, digest?: Sha256): string {
  const { layer, code, manifest, isFinished: finished, count, parts } = head;
  const named = JSON.stringify({ format: formatVersion, layer, code, manifest, finished, count, parts });
  return textWithId(`{"format":${formatVersion},"layer":"${layer}",`, 'id', named, digest).text;
}

/** The files of an index: path → text, the head last. */
export function layerIndexFiles(
  { files, ...state }: LayerIndex,
  digest?: Sha256,
): ReadonlyMap<string, string> {
  const parts: ListedFile[][] = Array.from({ length: partCount(files.size) }, () => []);
  for (const file of files) parts[partOf(file[0], parts.length)]!.push(file);
  const encoder = new TextEncoder();
  const texts = parts.map(layerPartText);
  const hashes = texts.map((text) => contentHash(encoder.encode(text), digest));
  const head = layerHeadText({ ...state, count: files.size, parts: hashes }, digest);
  return new Map([
    ...texts.map((text, number) => [layerPartPath(state.layer, hashes[number]!), text] as const),
    [layerIndexPath(state.layer), head],
  ]);
}

/**
 * Parses the head of an index, also of an unfinished one. Undefined if the bytes are truncated, of another
 * layer or version, or do not match the id.
 */
export function parseLayerHead(layer: LayerName, bytes: Uint8Array, digest?: Sha256): LayerHead | undefined {
  const read = uncheckedLayerHead(layer, bytes);
  return read && contentHash(read.named, digest) === read.id ? read.head : undefined;
}

/**
 * A parsed head whose id is not checked, and the bytes that it must be the hash of; undefined if it is not
 * one of this layer and version.
 */
export function uncheckedLayerHead(
  layer: LayerName,
  bytes: Uint8Array,
): { head: LayerHead; id: string; named: Uint8Array } | undefined {
  try {
    const text = new TextDecoder().decode(bytes);
    const { format, id, layer: own, code, manifest, finished, count, parts } = JSON.parse(text) as StoredHead;
    if (format !== formatVersion || own !== layer || !parts) return undefined;
    const head = { layer, code, manifest, isFinished: finished, count, parts };
    return { head, id, named: textWithoutId(text, 'id', id) };
  } catch {
    return undefined;
  }
}

/** Whether a file is the index of a layer in another version, as another version of the program left it. */
export function isOtherIndexVersion(bytes: Uint8Array): boolean {
  const { format } = asIndex(bytes) ?? {};
  return typeof format === 'number' && format !== formatVersion;
}

/**
 * The paths that an index or a part of one names, also a damaged one and one of another version: what another
 * version of the program may have left. Undefined if it is neither.
 */
export function pathsNamedBy(bytes: Uint8Array): string[] | undefined {
  const { files = [] } = asIndex(bytes) ?? {};
  if (asIndex(bytes) === undefined || typeof files !== 'object' || files === null) return undefined;
  const paths: unknown[] = Array.isArray(files) ? files.map((each) => [each].flat()[0]) : Object.keys(files);
  // None outside the folder.
  return paths.filter(
    (path) => typeof path === 'string' && !/^$|^\/|\\|(^|\/)\.{0,2}(\/|$)/.test(path),
  ) as string[];
}

/** The members of an index, or the files of a part. */
function asIndex(bytes: Uint8Array): Record<string, unknown> | undefined {
  try {
    const value = JSON.parse(new TextDecoder().decode(bytes)) as unknown;
    if (Array.isArray(value)) return { files: value };
    const isIndex = typeof (value as { layer?: unknown } | null)?.layer === 'string';
    return isIndex ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}
