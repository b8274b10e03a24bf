/**
 * Brings the downloads beside a snapshot up to date with it. Files come first, under names that say what is in them; then the
 * index, in one step; then the names that stay; and last goes what nothing names any more. So the immutable names in the index
 * have the bytes that it says, whenever anybody looks and wherever a run was cut short.
 */
import { existsSync, lstatSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { DownloadIndex } from '../../../api/contract/download-index.ts';
import { downloadIndexName, downloadsFolder } from '../../../api/contract/download-names.ts';
import { fileSource } from '../../../api/hosts/file-source.ts';
import { SnapshotUnavailable } from '../../../api/read/source.ts';
import { linkOrCopy, lockFile } from '../../../data/file-lock.ts';
import { UserError } from '../../../data/user-error.ts';
import { snapshotIn } from '../../snapshot/current-snapshot.ts';
import { holdSnapshot } from './held-snapshot.ts';
import { currentIndex, indexText, namesOf } from './index-file.ts';
import { makerFingerprint } from './maker.ts';

export interface DownloadsReport {
  snapshot: string;
  /** Files that can be downloaded, and their bytes. */
  files: number;
  bytes: number;
  /** Whether they had to be made. */
  made: boolean;
}

export interface DownloadsOptions {
  /** Make them even if those that are there seem right. */
  full?: boolean | undefined;
  /** Milliseconds to wait for another process that makes them. Default 60,000. */
  timeoutMs?: number;
  /** Told of how many of how many records are done. */
  onProgress?: ((done: number, total: number) => void) | undefined;
}

/** Names beginning with a dot are its own. */
const lockName = '.lock';
const workName = '.making';
/** Snapshots that builds may put in each other's place before one of them can be taken hold of. */
const maxSuccessors = 20;

/**
 * @param out folder of a snapshot
 * @throws UserError if there is none or it is damaged, or another process does not finish making them in time
 */
export async function makeDownloads(
  out: string,
  { full = false, timeoutMs = 60_000, onProgress }: DownloadsOptions = {},
): Promise<DownloadsReport> {
  const root = resolve(out);
  const kept = () => (full ? undefined : keptIn(root));
  const before = kept();
  if (before) return reportOf(before, false);
  const folder = join(root, downloadsFolder);
  makeFolder(folder);
  const unlock = lockFile(join(folder, lockName), timeoutMs);
  if (unlock === undefined)
    throw new UserError(`another process is making the downloads of ${out}; try again when it is done`);
  try {
    const meanwhile = kept();
    return meanwhile
      ? reportOf(meanwhile, false)
      : reportOf(await new Making(root, folder).run(onProgress), true);
  } catch (error) {
    if (!(error instanceof SnapshotUnavailable)) throw error;
    throw new UserError(
      `the downloads of ${out} cannot be made: ${error.message}; "awards build --full" repairs it`,
      { cause: error },
    );
  } finally {
    unlock();
  }
}

/** What is there, if it is right as far as names and sizes tell and nobody was cut short, or is still at work. */
function keptIn(root: string): DownloadIndex | undefined {
  const snapshot = snapshotIn(root);
  if (snapshot === undefined || existsSync(join(root, downloadsFolder, workName))) return undefined;
  return currentIndex(root, snapshot);
}

function reportOf({ snapshot, files }: DownloadIndex, made: boolean): DownloadsReport {
  return { snapshot, files: files.length, bytes: files.reduce((sum, { bytes }) => sum + bytes, 0), made };
}

/** Where a link leads to is none of ours, so it is never followed. */
function makeFolder(folder: string): void {
  const entry = lstatSync(folder, { throwIfNoEntry: false });
  if (entry && !entry.isDirectory()) rmSync(folder);
  mkdirSync(folder, { recursive: true });
}

/** What lies among the downloads and is none: it comes and goes with the work. */
export const isOwnName = (name: string): boolean => name === lockName || name === workName;

class Making {
  readonly #root: string;
  readonly #folder: string;
  readonly #work: string;

  /** To be used with the lock in hand. */
  constructor(root: string, folder: string) {
    this.#root = root;
    this.#folder = folder;
    this.#work = join(folder, workName);
  }

  async run(onProgress: DownloadsOptions['onProgress']): Promise<DownloadIndex> {
    const [held, files] = [join(this.#work, 'snapshot'), join(this.#work, 'files')];
    const clear = () => {
      for (const folder of [held, files]) rmSync(folder, { recursive: true, force: true });
    };
    // Whoever had it last may have been cut short.
    clear();
    try {
      this.#hold(held);
      mkdirSync(files);
      const { makeFiles } = await import('./make.ts');
      const made = await makeFiles(fileSource(held), files, onProgress);
      const index = { snapshot: made.snapshot, maker: makerFingerprint(), files: made.files };
      this.#putInPlace(files, index);
      rmSync(this.#work, { recursive: true });
      return index;
    } catch (error) {
      // The folder stays, as a sign that what is beside it is not to be trusted.
      clear();
      throw error;
    }
  }

  /** Takes hold of the snapshot in force. While writes come in, another one may take its place at any moment. */
  #hold(held: string): void {
    for (let successors = 0; ; successors += 1) {
      const before = snapshotIn(this.#root);
      try {
        holdSnapshot(this.#root, held);
        return;
      } catch (error) {
        const isReplaced = before !== snapshotIn(this.#root);
        if (!(error instanceof SnapshotUnavailable) || !isReplaced || successors === maxSuccessors)
          throw error;
      }
    }
  }

  #putInPlace(files: string, index: DownloadIndex): void {
    for (const { name, immutable_name } of index.files)
      renameSync(join(files, name), join(this.#folder, immutable_name));
    const bytes = Buffer.from(indexText(index));
    const file = join(files, downloadIndexName);
    writeFileSync(file, bytes);
    renameSync(file, join(this.#folder, downloadIndexName));
    for (const { name, immutable_name } of index.files) {
      const second = join(files, name);
      linkOrCopy(join(this.#folder, immutable_name), second);
      renameSync(second, join(this.#folder, name));
    }
    const names = namesOf({ index, bytes });
    for (const name of readdirSync(this.#folder))
      if (!names.has(name) && !isOwnName(name))
        rmSync(join(this.#folder, name), { recursive: true, force: true });
  }
}
