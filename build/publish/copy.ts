/**
 * Publishes a snapshot into another folder, for any other host, in the order in which a build writes one: what is new first,
 * then the manifest in one step, and last what nothing names any more. Whoever reads by the manifest sees the one before or
 * this one. Killed at any point, it leaves a marker behind; the next run trusts nothing it finds and makes it whole.
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
import { RetryLaterError, SnapshotChanged } from './failure.ts';
import { SnapshotFolder } from './folder.ts';
import { type Listing, listFiles } from './listing.ts';
import { type Label, labelText, parseLabel, refuseOlder } from './order.ts';

export interface CopyOptions {
  /** Folder of the snapshot. */
  out: string;
  /** Folder to publish to; made if missing. */
  to: string;
  connection?: Connection | undefined;
  /** Replace what is there even if it is newer, or nobody can tell. */
  force?: boolean | undefined;
  onProgress?: ((what: string, done: number, total: number) => void) | undefined;
}

export interface CopyReport {
  snapshot: string;
  files: number;
  written: number;
  removed: number;
  /** Bytes written. */
  bytes: number;
  behind: number;
}

/** Beside the manifest, and like the lock and the marker no part of the snapshot: its label. */
const labelName = '.awards.published';
const maxRestarts = 5;

/** @throws UserError if the folder holds something else or a newer snapshot; RetryLaterError if another one is publishing to it */
export async function publishToFolder(options: CopyOptions): Promise<CopyReport> {
  const [from, to] = [resolve(options.out), resolve(options.to)];
  const way = relative(from, to);
  if (way === '' || !way.startsWith('..') || !relative(to, from).startsWith('..'))
    throw new UserError(
      `${options.to} and ${options.out} are one in the other; choose another folder with --to`,
    );
  for (let restarts = 0; ; restarts += 1) {
    const folder = await SnapshotFolder.open(options.out, options.connection);
    const output = new FolderOutput(to);
    prepare(output, options);
    const unlock = lockFile(join(to, lockName), 0);
    if (unlock === undefined)
      throw new RetryLaterError(`another publish or build is at work on ${options.to}; try again later`);
    try {
      return await copy(folder, output, options);
    } catch (error) {
      if (!(error instanceof SnapshotChanged)) throw error;
      if (restarts === maxRestarts)
        throw new RetryLaterError(
          `${options.out} is built again and again while it is being published; try later`,
        );
    } finally {
      await output.close();
      unlock();
    }
  }
}

function prepare(output: FolderOutput, { to }: CopyOptions): void {
  try {
    output.prepare();
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    throw new UserError(`${to} holds something that is no snapshot; choose another folder with --to`, {
      cause: error,
    });
  }
}

async function copy(
  folder: SnapshotFolder,
  output: FolderOutput,
  { to, force, onProgress }: CopyOptions,
): Promise<CopyReport> {
  const { root } = output;
  const label: Label = { snapshot: folder.manifest.snapshot, rules: '', place: folder.place };
  const there = labelOf(root);
  if (there && !force) refuseOlder(there, label, to);
  // Only of a whole copy is it known what it holds without looking.
  const before: Listing = output.interrupted ? new Map() : await listingOf(root);
  const report = { snapshot: label.snapshot, files: folder.files.size + 1, behind: folder.behind };
  const counts = { written: 0, removed: 0, bytes: 0 };
  const put = (path: string, bytes: Uint8Array) => {
    if (!output.put(path, bytes)) return;
    counts.written += 1;
    counts.bytes += bytes.length;
  };
  const missing = [...folder.files].filter(([path, hash]) => before.get(path) !== hash);
  output.begin(false);
  for (const [done, [path]] of missing.entries()) {
    put(path, await folder.read(path));
    await output.room();
    if (done % 512 === 0) onProgress?.('copying', done, missing.length);
  }
  await output.flush();
  writeFileSync(join(root, labelName), `${labelText(label)}\n`);
  put(manifestPath, folder.manifestBytes);
  await output.flush();
  for (const path of [...(await output.list()), ...downloadsIn(root)])
    if (path !== manifestPath && !folder.files.has(path) && output.remove(path)) counts.removed += 1;
  output.end();
  return { ...report, ...counts };
}

/** What lies among the downloads, which a build's output leaves out. */
function downloadsIn(root: string): string[] {
  const folder = join(root, downloadsFolder);
  if (!lstatSync(folder, { throwIfNoEntry: false })?.isDirectory()) return [];
  return readdirSync(folder).map((name) => `${downloadsFolder}/${name}`);
}

/** The label of what a folder shows; of a build's own folder the snapshot alone is known. */
function labelOf(root: string): Label | undefined {
  const file = join(root, labelName);
  const kept = existsSync(file) ? parseLabel(readFileSync(file, 'utf8').trim()) : undefined;
  const snapshot = manifestOf(root)?.snapshot;
  // A label whose snapshot never came, or went: what is there says nothing of its place.
  return kept ?? (snapshot === undefined ? undefined : { snapshot, rules: '', place: undefined });
}

const manifestOf = (root: string) =>
  existsSync(join(root, manifestPath))
    ? parseManifest(readFileSync(join(root, manifestPath)), nodeDigest)
    : undefined;

/** What a folder holds, as far as its own manifest can be followed. */
async function listingOf(root: string): Promise<Listing> {
  const manifest = manifestOf(root);
  return manifest ? listFiles(manifest, fileSource(root)).catch(() => new Map()) : new Map();
}
