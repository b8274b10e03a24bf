/**
 * The answer of /api/changes: what was published after a snapshot or since a time, from the files of the
 * history.
 */
import type { Change, ChangeIndex, ChangeList, ChangesAnswer } from '../contract/answers.ts';
import {
  changeIndexPath,
  isSharedFile,
  isYearFile,
  longestPublishMs,
  readChangeIndex,
  readChangeList,
  shortId,
} from '../contract/history.ts';
import { downloadIndexPath } from '../contract/layers.ts';
import { changedRecordsPerAnswer, publishesPerAnswer } from '../contract/limits.ts';
import { readTime } from '../contract/query-string.ts';
import { changesPath } from '../contract/routes.ts';
import { SnapshotUnavailable } from './source.ts';

/** Reads a file; undefined if there is none. */
type ReadFile = (path: string) => Promise<Uint8Array | undefined>;
type Row = ChangeIndex['data'][number];
/** A publish as its row or its file has it. */
type Publish = Pick<Row, 'snapshot' | 'previous' | 'published_at'>;

/** The changes since the asked snapshot or time are no longer kept. */
export class ChangesGone extends Error {}

/**
 * The answer: the first changes after `since`. A site without a history has published its current snapshot
 * only.
 * @param current id of the snapshot that answers
 * @param since a snapshot, or a date or time, which gets what may have been live after it; undefined for all
 *   that is kept
 * @throws ChangesGone if the snapshot is unknown, the time is before the oldest one, or a file with changes
 *   since then is lost; SnapshotUnavailable
 */
export async function changesSince(
  current: string,
  since: string | undefined,
  file: ReadFile,
): Promise<ChangesAnswer> {
  const index = await readIndex(file);
  // A service that writes can be ahead of what is published.
  if (since === current || !index) {
    if (since !== current && since !== undefined) throw gone(since, current);
    return { snapshot: current, data: [] };
  }
  try {
    return await changesAfter(since, index, file);
  } catch (error) {
    if (!(error instanceof LostFile)) throw error;
    // A publish may have replaced the file after the index was read.
    const newer = await readIndex(file);
    if (newer && JSON.stringify(newer) !== JSON.stringify(index))
      throw new SnapshotUnavailable(`${error.message}; a publish is replacing it`);
    throw gone(since ?? error.oldest, error.oldest);
  }
}

/** A file that the index names is missing, or has other changes. */
class LostFile extends Error {
  /** The oldest snapshot whose later changes are all there. */
  readonly oldest: string;

  constructor(path: string, oldest: string) {
    super(`${path} is missing, or not the file that the index names`);
    this.oldest = oldest;
  }
}

async function changesAfter(
  since: string | undefined,
  { snapshot, oldest, data: rows }: ChangeIndex,
  file: ReadFile,
): Promise<ChangesAnswer> {
  const time = since === undefined ? undefined : readTime(since);
  const isOld = (own: Publish) => (time ? own.published_at < time.first : own.snapshot === since);
  const isOldest = time ? isBegun(oldest, time.last) : oldest.snapshot === since;
  const shared = sharedFiles(file);
  let end = rows.findIndex(isOld);
  if (end < 0 && !isOldest && since !== undefined) {
    end = time ? 0 : 1 + (await shared.rowWith(since, rows));
    if (end === 0) throw gone(since, oldest.snapshot);
  }
  // A publish that began before the time may have been live after it.
  const overlap = time && new Date(Date.parse(time.first) - longestPublishMs).toISOString();
  const mayBeNew = (own: Publish | undefined) => overlap !== undefined && own!.published_at >= overlap;
  if (end >= 0 && mayBeNew(rows[end])) end += 1;
  const isLost = (error: unknown) => since === undefined && error instanceof LostFile;
  /** The oldest first. */
  let picked: (Row | Change)[] = [];
  let records = 0;
  let hasMore = false;
  for (const row of rows.slice(0, end < 0 ? rows.length : end).reverse()) {
    const publishes = await shared.publishesOf(row).catch((error: unknown) => {
      if (!isLost(error)) throw error;
      picked = [];
      return [];
    });
    const old = publishes.findLastIndex(isOld);
    if (old >= 0) picked = [];
    const isOverlap = old >= 0 && mayBeNew(publishes[old]);
    for (const publish of publishes.slice(isOverlap ? old : old + 1)) {
      records = sizeOf(publish) + (picked.length === 0 ? 0 : records);
      const isFull = picked.length === publishesPerAnswer || records > changedRecordsPerAnswer;
      hasMore = picked.length > 0 && isFull;
      if (hasMore) break;
      picked.push(publish);
    }
    if (hasMore) break;
  }
  let data: ChangesAnswer['data'] = [];
  const found = await Promise.all(picked.map((publish) => changesIn(publish, file)));
  for (const [i, own] of picked.entries()) {
    const changes = i > 0 && picked[i - 1]!.snapshot !== own.previous ? undefined : found[i];
    if (changes?.every(isKnown)) data.unshift(...changes);
    else if (since === undefined) data = [];
    else if (changes) throw gone(since, own.snapshot);
    else throw new LostFile('path' in own ? own.path.slice(1) : changeIndexPath, own.snapshot);
  }
  if (!hasMore) return { snapshot, data };
  const last = picked.at(-1)!.snapshot;
  return { snapshot: last, data, next: `${changesPath}?since=${last}` };
}

/** Whether a history began by then. A publish is noted to the second, a time to the millisecond. */
const isBegun = (oldest: ChangeIndex['oldest'], time: string): boolean =>
  oldest.published_at.slice(0, 19) <= time;

const isKnown = (change: Change): change is ChangesAnswer['data'][number] => change.records !== null;

/** Records that a publish changed. */
const sizeOf = (publish: Row | Change): number =>
  'records' in publish
    ? (publish.records?.length ?? 0)
    : (publish.added ?? 0) + (publish.changed ?? 0) + (publish.removed ?? 0);

/** The changes of a publish, newest first; undefined if its file is lost. */
async function changesIn(publish: Row | Change, file: ReadFile): Promise<readonly Change[] | undefined> {
  if ('records' in publish) return [publish];
  const bytes = await file(publish.path.slice(1));
  const list = bytes && readChangeList(bytes);
  return list && changesOf(publish, list);
}

/** The files of days and years, each read once. */
function sharedFiles(file: ReadFile) {
  const read = new Map<string, readonly Change[]>();
  /** @throws LostFile */
  const changesOfRow = async (row: Row): Promise<readonly Change[]> => {
    const changes = read.get(row.path) ?? (await changesIn(row, file));
    const isWhole = changes?.every((own, i) => i === 0 || changes[i - 1]!.previous === own.snapshot);
    if (!isWhole) throw new LostFile(row.path.slice(1), row.snapshot);
    read.set(row.path, changes!);
    return changes!;
  };
  return {
    /** The publishes of a row, the oldest first: the row itself, if it is one. @throws LostFile */
    publishesOf: async (row: Row): Promise<readonly (Row | Change)[]> =>
      isSharedFile(row.path.slice(1)) ? [...(await changesOfRow(row))].reverse() : [row],
    /**
     * Position of the day or year that has a snapshot within; -1 for none.
     * @throws LostFile if it may be in a lost one
     */
    async rowWith(snapshot: string, rows: readonly Row[]): Promise<number> {
      for (const [i, row] of rows.entries())
        if (isYearFile(row.path.slice(1)) || row.earlier?.includes(shortId(snapshot)))
          if ((await changesOfRow(row)).some((own) => own.snapshot === snapshot)) return i;
      return -1;
    },
  };
}

/**
 * The changes of a row of the index. A publish replaces the file of a day or year before the index, so the
 * file can have newer ones, which have rows of their own. Undefined for another file.
 */
export function changesOf(
  { published_at, snapshot }: Pick<Row, 'published_at' | 'snapshot'>,
  { data }: ChangeList,
): Change[] | undefined {
  const start = data.findIndex((own) => own.snapshot === snapshot && own.published_at === published_at);
  // The snapshot alone identifies the only change of a file.
  const isOnly = data.length === 1 && data[0]!.snapshot === snapshot;
  return start < 0 && !isOnly ? undefined : data.slice(Math.max(start, 0));
}

const gone = (since: string, oldest: string) =>
  new ChangesGone(
    `the changes since ${since} are not kept; the oldest are at ${changesPath}?since=${oldest}; a copy starts again from /${downloadIndexPath}`,
  );

/**
 * undefined if there is none.
 * @throws SnapshotUnavailable if it is damaged: the next publish makes it again
 */
async function readIndex(file: ReadFile): Promise<ChangeIndex | undefined> {
  const bytes = await file(changeIndexPath);
  const index = bytes && readChangeIndex(bytes);
  if (bytes && !index) throw new SnapshotUnavailable(`${changeIndexPath} is damaged`);
  return index;
}
