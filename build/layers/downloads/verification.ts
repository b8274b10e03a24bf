/**
 * Compares the downloads beside a snapshot with what is made anew from it, byte for byte. They follow the snapshot at a
 * distance, so those of an earlier one are behind, which is no fault.
 */
import { lstatSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { downloadIndexName, downloadsFolder } from '../../../api/contract/download-names.ts';
import { fileSource } from '../../../api/hosts/file-source.ts';
import { SnapshotUnavailable } from '../../../api/read/source.ts';
import { snapshotIn } from '../../snapshot/current-snapshot.ts';
import type { Difference } from '../../snapshot/verify.ts';
import { isOwnName } from './downloads.ts';
import { measureFile } from './hashed-file.ts';
import { indexText, namesOf, readIndex } from './index-file.ts';
import { makeFiles } from './make.ts';
import { makerFingerprint } from './maker.ts';

export interface DownloadsVerification {
  /** "unknown": the snapshot they would be made from is damaged. */
  state: 'missing' | 'behind' | 'current' | 'unknown';
  /** Ascending by path. */
  differences: Difference[];
  /** Files that should be there, under all names. */
  files: number;
}

/** @param out folder of a snapshot */
export async function verifyDownloads(out: string): Promise<DownloadsVerification> {
  const root = resolve(out);
  const folder = join(root, downloadsFolder);
  const nothing = { differences: [], files: 0 };
  if (!lstatSync(folder, { throwIfNoEntry: false })?.isDirectory()) return { state: 'missing', ...nothing };
  const snapshot = snapshotIn(root);
  const maker = makerFingerprint();
  const there = readIndex(root)?.index;
  if (there && (there.snapshot !== snapshot || there.maker !== maker)) return { state: 'behind', ...nothing };
  const scratch = mkdtempSync(join(tmpdir(), 'awards-downloads-'));
  try {
    const made = await makeFiles(fileSource(root), scratch);
    const index = { snapshot: made.snapshot, maker, files: made.files };
    const bytes = Buffer.from(indexText(index));
    return compare(folder, namesOf({ index, bytes }), (name) =>
      name === downloadIndexName
        ? readFileSync(join(folder, name)).equals(bytes)
        : hasHash(index.files, folder, name),
    );
  } catch (error) {
    if (!(error instanceof SnapshotUnavailable)) throw error;
    return { state: 'unknown', ...nothing };
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

function hasHash(
  files: readonly { name: string; immutable_name: string; sha256: string }[],
  folder: string,
  name: string,
): boolean {
  const { sha256 } = files.find((file) => file.name === name || file.immutable_name === name)!;
  return measureFile(join(folder, name)).sha256 === sha256;
}

/** @param isRight whether the file of a name that is there has the right bytes */
function compare(
  folder: string,
  names: ReadonlyMap<string, number>,
  isRight: (name: string) => boolean,
): DownloadsVerification {
  const differences: Difference[] = [];
  const add = (name: string, problem: Difference['problem']) =>
    differences.push({ path: `${downloadsFolder}/${name}`, problem });
  const present = new Map(readdirSync(folder, { withFileTypes: true }).map((entry) => [entry.name, entry]));
  for (const name of names.keys()) {
    const entry = present.get(name);
    if (entry === undefined) add(name, 'missing');
    else if (!entry.isFile() || !isRight(name)) add(name, 'different');
  }
  for (const name of present.keys()) if (!names.has(name) && !isOwnName(name)) add(name, 'unexpected');
  differences.sort((a, b) => (a.path < b.path ? -1 : 1));
  return { state: 'current', differences, files: names.size };
}
