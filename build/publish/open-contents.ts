/** Opens what is published: after a build that runs, and for one publisher at a time. */
import { existsSync, rmSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { lockFile } from '../../data/system/file-lock.ts';
import { isThere, makeFolders } from '../../data/system/files.ts';
import { UserError } from '../../data/system/messages.ts';
import { type Requests, RetryLaterError } from '../../data/system/requests.ts';
import { layersLockName, snapshotLockName } from '../snapshot/output-folder.ts';
import { type ContentOptions, type Contents, listContents } from './contents.ts';

/**
 * Does the work of the only publisher of a folder, with a frozen copy of what is published.
 * @param timeoutMs how long to wait for another publisher
 * @param work also gets the folder beside `out` where publishes keep what the next one may use
 * @throws UserError if another publish does not end in time; as openContents()
 */
export async function withFrozenContents<T>(
  options: ContentOptions,
  requests: Requests,
  timeoutMs: number | undefined,
  work: (contents: Contents, folder: string) => Promise<T>,
): Promise<T> {
  const { out } = options;
  requireFolder(out);
  // Beside the folder, which may be deleted at any time.
  const folder = join(dirname(resolve(out)), `.${basename(resolve(out))}.publish`);
  const copy = join(folder, 'frozen');
  makeFolders(folder);
  const lock = () => lockFile(join(folder, 'lock'), 0);
  const unlock = await requests.poll('waiting for another publish', lock, { maxPauseMs: 100, timeoutMs });
  if (!unlock) throw new UserError(`another publish of ${out} is running; try again when it is done`);
  try {
    // A killed publish leaves its copy.
    rmSync(copy, { recursive: true, force: true });
    makeFolders(copy);
    return await work(await openContents(options, requests, copy), folder);
  } finally {
    await rm(copy, { recursive: true, force: true });
    unlock();
  }
}

/**
 * Lists what is published, after a running build has ended.
 * @param copy a folder for the frozen copy; without it the files are read where they are
 * @throws UserError if there is no snapshot, a layer is missing or behind, or a file is missing
 */
export async function openContents(
  options: ContentOptions,
  requests: Requests,
  copy?: string,
): Promise<Contents> {
  const { out, updateLayers } = options;
  requireFolder(out);
  const open = async () => {
    await updateLayers?.().catch((error: Error) => {
      throw new RetryLaterError(`the layers of ${out} are behind: ${error.message}`, { cause: error });
    });
    return whileNotBuilding(resolve(out), () => listContents(options, copy));
  };
  const timing = { maxPauseMs: 50, timeoutMs: 60_000 };
  const contents = await requests.poll('waiting for a build', open, timing);
  if (contents) return contents;
  throw new UserError(`a build of ${out} is running; try again when it is done`);
}

function requireFolder(out: string): void {
  if (!isThere(out)) throw new UserError(`there is no folder ${out}; "awards build" makes it`);
}

/**
 * Holds the locks of the build. The work must not wait: a build in this process would block on the locks.
 * @returns undefined while a build runs
 */
function whileNotBuilding<T>(root: string, work: () => T): T | undefined {
  const unlocks: (() => void)[] = [];
  try {
    for (const file of [snapshotLockName, layersLockName].map((name) => join(root, name))) {
      // A folder without a lock file is a copy: no build writes to it.
      const unlock = existsSync(file) ? lockFile(file, 0) : () => {};
      if (!unlock) return undefined;
      unlocks.push(unlock);
    }
    return work();
  } finally {
    for (const unlock of unlocks) unlock();
  }
}
