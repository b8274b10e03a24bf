/** Reads downloads/index.json, and tells whether it and what it names belong to the snapshot beside it. */
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { DownloadIndex } from '../../api/contract/download-index.ts';
import { downloadIndexName, downloadIndexPath, downloadsFolder } from '../../api/contract/download-names.ts';
import { makerFingerprint } from './maker.ts';

/** Names of files, never of a way out of their folder. */
const plainName = /^[a-z]+(-[0-9a-f]{20})?\.[a-z0-9]+$/;

export const indexText = (index: DownloadIndex): string => `${JSON.stringify(index)}\n`;

/** The index in the folder of a snapshot; undefined if there is none that is whole. */
export function readIndex(root: string): { index: DownloadIndex; bytes: Buffer } | undefined {
  const file = join(root, downloadIndexPath);
  if (!existsSync(file)) return undefined;
  const bytes = readFileSync(file);
  try {
    const index = JSON.parse(bytes.toString()) as DownloadIndex;
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
export function namesOf({ index, bytes }: { index: DownloadIndex; bytes: Buffer }): Map<string, number> {
  const names = new Map<string, number>();
  for (const file of index.files) names.set(file.immutable_name, file.bytes);
  names.set(downloadIndexName, bytes.length);
  for (const file of index.files) names.set(file.name, file.bytes);
  return names;
}

/** The index of the downloads in a folder if they are those of a snapshot, made by this program, and all there by name and size. */
export function currentIndex(root: string, snapshot: string): DownloadIndex | undefined {
  const found = readIndex(root);
  if (found?.index.snapshot !== snapshot || found.index.maker !== makerFingerprint()) return undefined;
  const isThere = ([name, bytes]: readonly [string, number]) =>
    statSync(join(root, downloadsFolder, name), { throwIfNoEntry: false })?.size === bytes;
  return [...namesOf(found)].every(isThere) ? found.index : undefined;
}
