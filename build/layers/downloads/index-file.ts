/** Reads downloads/index.json, and tells whether it and what it names belong to the snapshot beside it. */
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { DownloadIndex } from '../../../api/contract/download-index.ts';
import {
  downloadIndexName,
  downloadIndexPath,
  downloadsFolder,
} from '../../../api/contract/download-names.ts';
import { contentHash } from '../../../api/contract/snapshot.ts';
import { nodeDigest } from '../../../api/hosts/node-digest.ts';
import { makerFingerprint } from './maker.ts';

/** Names of files, never of a way out of their folder. */
const plainName = /^[a-z]+(-[0-9a-f]{20})?\.[a-z0-9]+$/;

export const indexText = (index: DownloadIndex): string => `${JSON.stringify(index)}\n`;

export interface FoundIndex {
  index: DownloadIndex;
  bytes: Uint8Array;
}

/** The index in the folder of a snapshot; undefined if there is none that is whole. */
export function readIndex(root: string): FoundIndex | undefined {
  const file = join(root, downloadIndexPath);
  return existsSync(file) ? parseIndex(readFileSync(file)) : undefined;
}

/** Reads an index; undefined unless it is whole. */
export function parseIndex(bytes: Uint8Array): FoundIndex | undefined {
  try {
    const index = JSON.parse(new TextDecoder().decode(bytes)) as DownloadIndex;
    const isWhole =
      typeof index.snapshot === 'string' &&
      index.files.every(
        ({ name, immutable_name, sha256 }) =>
          plainName.test(name) && plainName.test(immutable_name) && /^[0-9a-f]{64}$/.test(sha256),
      );
    return isWhole ? { index, bytes } : undefined;
  } catch {
    return undefined;
  }
}

/** The names in the folder of downloads that belong there, with the size of each, in the order in which they are put there. */
export function namesOf({ index, bytes }: FoundIndex): Map<string, number> {
  const names = new Map<string, number>();
  for (const file of index.files) names.set(file.immutable_name, file.bytes);
  names.set(downloadIndexName, bytes.length);
  for (const file of index.files) names.set(file.name, file.bytes);
  return names;
}

/** Path below the root of everything that an index lists, and of itself → contentHash, in the order of namesOf(). */
export function listDownloads(found: FoundIndex | undefined): Map<string, string> {
  const hashes = new Map<string, string>();
  if (found === undefined) return hashes;
  const { index, bytes } = found;
  const add = (name: string, hash: string) => hashes.set(`${downloadsFolder}/${name}`, hash);
  // The beginning of the SHA-256 is what contentHash says.
  for (const { immutable_name, sha256 } of index.files) add(immutable_name, sha256.slice(0, 20));
  add(downloadIndexName, contentHash(bytes, nodeDigest));
  for (const { name, sha256 } of index.files) add(name, sha256.slice(0, 20));
  return hashes;
}

/** The index of the downloads in a folder if they are those of a snapshot, made by this program, and all there by name and size. */
export function currentIndex(root: string, snapshot: string): DownloadIndex | undefined {
  const found = readIndex(root);
  if (found?.index.snapshot !== snapshot || found.index.maker !== makerFingerprint()) return undefined;
  const isThere = ([name, bytes]: readonly [string, number]) =>
    statSync(join(root, downloadsFolder, name), { throwIfNoEntry: false })?.size === bytes;
  return [...namesOf(found)].every(isThere) ? found.index : undefined;
}
