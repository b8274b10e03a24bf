/**
 * Publishes a snapshot into another folder, for any host: first new files, then the manifest in one step, then the removal of
 * files that nothing names. A reader that follows the manifest sees the old snapshot or the new one. After an interruption a
 * marker remains, and the next publish compares every file.
 */
import { existsSync, lstatSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { downloadsFolder } from '../../api/contract/download-names.ts';
import { manifestPath, parseManifest } from '../../api/contract/snapshot.ts';
import { fileSource } from '../../api/hosts/file-source.ts';
import { nodeDigest } from '../../api/hosts/node-digest.ts';
import { lockFile } from '../../data/file-lock.ts';
import type { Connection } from '../../data/open.ts';
import { UserError } from '../../data/user-error.ts';
import { FolderOutput, lockName } from '../snapshot/output.ts';
import { type DeployTitle, formatTitle, parseTitle, refuseOlder } from './deploy-title.ts';
import { RetryLaterError, RetryPolicy } from './retry-policy.ts';
import { type Listing, listFiles, restartOnChange, SnapshotFolder } from './snapshot-folder.ts';

export interface FolderPublishOptions {
  /** Folder of the snapshot. */
  out: string;
  /** Folder to publish to; it is made if it is missing. */
  to: string;
  connection?: Connection | undefined;
  /** Replace the snapshot there even if it is newer or not comparable. */
  force?: boolean | undefined;
  onProgress?: ((what: string, done: number, total: number) => void) | undefined;
}

export interface FolderPublishReport {
  snapshot: string;
  files: number;
  written: number;
  removed: number;
  /** Bytes written. */
  bytes: number;
  /** Changes in the database that the snapshot does not have yet. */
  behind: number;
}

/** The title of the last publish, in the target folder. */
const titleName = '.awards.published';

/** @throws UserError if the folder holds other files or a newer snapshot; RetryLaterError if it is in use */
export async function publishToFolder(options: FolderPublishOptions): Promise<FolderPublishReport> {
  const [from, to] = [resolve(options.out), resolve(options.to)];
  if (isWithin(from, to) || isWithin(to, from))
    throw new UserError(
      `one of ${options.to} and ${options.out} is inside the other; choose another folder with --to`,
    );
  return restartOnChange(options.out, async () => {
    const folder = await SnapshotFolder.open(options.out, new RetryPolicy(), options);
    const output = new FolderOutput(to);
    prepare(output, options.to);
    const unlock = lockFile(join(to, lockName), 0);
    if (unlock === undefined)
      throw new RetryLaterError(`another publish or build is using ${options.to}; try again later`);
    try {
      return await copy(folder, output, options);
    } finally {
      await output.close();
      unlock();
    }
  });
}

const isWithin = (inner: string, outer: string) => !relative(outer, inner).startsWith('..');

function prepare(output: FolderOutput, to: string): void {
  try {
    output.prepare();
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    throw new UserError(`${to} holds files that are no snapshot; choose another folder with --to`, {
      cause: error,
    });
  }
}

async function copy(
  folder: SnapshotFolder,
  output: FolderOutput,
  { to, force, onProgress }: FolderPublishOptions,
): Promise<FolderPublishReport> {
  const { root } = output;
  const title = titleOf(root);
  if (title && !force) refuseOlder(title, folder.title, to);
  const counts = { written: 0, removed: 0, bytes: 0 };
  const put = async (path: string) => {
    const bytes = await folder.read(path);
    if (!output.put(path, bytes)) return;
    counts.written += 1;
    counts.bytes += bytes.length;
  };
  // After an interruption the files may not be those that the manifest names.
  const before: Listing = output.interrupted ? new Map() : await listingOf(root);
  const missing = [...folder.files].filter(
    ([path, hash]) => path !== manifestPath && before.get(path) !== hash,
  );
  output.begin(false);
  for (const [done, [path]] of missing.entries()) {
    await put(path);
    await output.room();
    if (done % 512 === 0) onProgress?.('copying', done, missing.length);
  }
  await output.flush();
  writeFileSync(join(root, titleName), `${formatTitle(folder.title)}\n`);
  await put(manifestPath);
  await output.flush();
  for (const path of [...(await output.list()), ...downloadsIn(root)])
    if (!folder.files.has(path) && output.remove(path)) counts.removed += 1;
  output.end();
  return {
    snapshot: folder.manifest.snapshot,
    files: folder.files.size,
    behind: folder.behind,
    ...counts,
  };
}

/** FolderOutput.list() leaves the downloads out. */
function downloadsIn(root: string): string[] {
  const folder = join(root, downloadsFolder);
  if (!lstatSync(folder, { throwIfNoEntry: false })?.isDirectory()) return [];
  return readdirSync(folder).map((name) => `${downloadsFolder}/${name}`);
}

/** The title of the files in a folder; without a place for a folder that a build wrote. */
function titleOf(root: string): DeployTitle | undefined {
  const file = join(root, titleName);
  const title = existsSync(file) ? parseTitle(readFileSync(file, 'utf8').trim()) : undefined;
  const snapshot = manifestOf(root)?.snapshot;
  return title ?? (snapshot === undefined ? undefined : { snapshot, rules: '', place: undefined });
}

const manifestOf = (root: string) =>
  existsSync(join(root, manifestPath))
    ? parseManifest(readFileSync(join(root, manifestPath)), nodeDigest)
    : undefined;

/** The files that the manifest in a folder names; none if one of those that name others is damaged. */
async function listingOf(root: string): Promise<Listing> {
  const manifest = manifestOf(root);
  return manifest ? listFiles(manifest, fileSource(root)).catch(() => new Map()) : new Map();
}
