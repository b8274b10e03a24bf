/**
 * Publishes the snapshot in a folder to a target: it reads what is live, refuses or adds to the history, and
 * changes what differs. An older snapshot never replaces a newer one.
 */
import { rmSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { resolve } from 'node:path';
import { isThere, makeFolders } from '../../data/system/files.ts';
import { UserError } from '../../data/system/messages.ts';
import { type RequestOptions, Requests, RetryLaterError } from '../../data/system/requests.ts';
import { whileNotBuilding } from '../snapshot/output-folder.ts';
import { ChangedContent, type ContentOptions, type Contents, listContents } from './contents.ts';
import { withKnownPlace } from './deploy-title.ts';
import { type HistoryOptions, withHistory } from './history.ts';
import type { Live, Target } from './target.ts';

export interface PublishOptions
  extends Omit<ContentOptions, 'configuration'>,
    Omit<HistoryOptions, 'origin'> {
  /** Scheme and host of the site, for the links of the feed. Default its address. */
  origin?: string | undefined;
  /** Plan only: change nothing. */
  dryRun?: boolean | undefined;
  /** Attempts, time limits, and the signal that stops it. */
  retry?: RequestOptions | undefined;
  /** Milliseconds to wait for another publisher. Default 60,000. */
  timeoutMs?: number | undefined;
}

/** What a publish changes. */
export interface Plan {
  snapshot: string;
  /** Address of the site; undefined if it is not known. */
  site: string | undefined;
  /** The snapshot that the target shows; undefined for none. */
  live: string | undefined;
  /** Number of all files afterwards. */
  total: number;
  /** Those to send, ascending by path. */
  files: { path: string; bytes: number; why: 'new' | 'changed' }[];
  /** Paths that are gone afterwards, ascending. */
  removed: string[];
  /** Changes in the database that the snapshot does not have yet. */
  behind: number;
}

/**
 * @returns what was changed, and what the target reports; with `dryRun`, what a publish would change
 * @throws RetryLaterError if a later publish may succeed; UserError if not. The target then shows what it did
 */
export async function publish<Outcome>(
  options: PublishOptions,
  target: Target<Outcome>,
): Promise<{ plan: Plan; outcome: Outcome | undefined }> {
  const requests = new Requests(options.retry);
  if (options.dryRun) return publishOnce(options, target, requests, undefined);
  const { timeoutMs = 60_000 } = options;
  const timing = { maxPauseMs: 100, timeoutMs };
  const unlock = await requests.poll('waiting for another publish', () => target.lock(), timing);
  if (!unlock) throw new UserError(`another publish of ${options.out} is running; try again when it is done`);
  const copy = target.frozenIn;
  try {
    if (copy !== undefined) {
      // A killed publish leaves its copy.
      rmSync(copy, { recursive: true, force: true });
      makeFolders(copy);
    }
    return await publishOnce(options, target, requests, copy);
  } finally {
    if (copy !== undefined) await rm(copy, { recursive: true, force: true });
    unlock();
  }
}

/** @param copy folder for a frozen copy; without it a build can replace files meanwhile */
async function publishOnce<Outcome>(
  options: PublishOptions,
  target: Target<Outcome>,
  requests: Requests,
  copy: string | undefined,
): Promise<{ plan: Plan; outcome: Outcome | undefined }> {
  const { configuration } = target;
  const opened = await openContents({ ...options, configuration }, requests, copy);
  try {
    return await publishContents(opened, options, target);
  } catch (error) {
    if (copy !== undefined || !(error instanceof ChangedContent)) throw error;
    const now = await openContents({ ...options, configuration }, requests);
    if (now.title.files === opened.title.files) throw error;
    // A build has replaced the file. What was sent by then is not sent again.
    return publishOnce(options, target, requests, copy);
  }
}

async function publishContents<Outcome>(
  opened: Contents,
  options: PublishOptions,
  target: Target<Outcome>,
): Promise<{ plan: Plan; outcome: Outcome | undefined }> {
  const live = await target.live();
  live.refuse(opened);
  const { now = new Date(), dryRun } = options;
  const contents = await withHistory(withKnownPlace(opened, live.title), live, {
    ...options,
    origin: options.origin ?? live.address,
    now: dryRun ? now : target.timeOf(opened, now),
  });
  const lacking = await live.lacks(contents);
  const isStaying = (path: string) => contents.isKept(path) && !contents.files.has(path);
  const kept = [...live.paths].filter(isStaying);
  const staying = new Set(kept);
  const gone = [...new Set(live.own)]
    .filter((path) => !contents.files.has(path) && !staying.has(path))
    .sort();
  const plan = planOf(contents, live, { lacking, kept, gone });
  const outcome = dryRun ? undefined : await target.apply({ contents, lacking, kept, gone });
  return { plan, outcome };
}

/**
 * Lists what is published, after a running build has ended.
 * @param copy a folder for a frozen copy; without it the files are read where they are
 * @throws UserError as listContents()
 */
async function openContents(options: ContentOptions, requests: Requests, copy?: string): Promise<Contents> {
  const { out, updateLayers } = options;
  if (!isThere(out)) throw new UserError(`there is no folder ${out}; "awards build" makes it`);
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

interface Differences {
  lacking: readonly string[];
  kept: readonly string[];
  gone: string[];
}

const planOf = (
  { title, files, behind }: Contents,
  live: Live,
  { lacking, kept, gone }: Differences,
): Plan => ({
  snapshot: title.snapshot,
  site: live.address || undefined,
  live: live.title?.snapshot,
  total: files.size + kept.length,
  files: lacking.toSorted().map((path) => ({
    path,
    bytes: files.get(path)!.size,
    why: live.paths.has(path) ? 'changed' : 'new',
  })),
  removed: gone,
  behind,
});
