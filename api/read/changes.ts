/** The answer of /api/changes: what was published after a snapshot or since a time, from the files of the history. */
import type { Change, ChangeIndex, ChangeList, ChangesAnswer } from '../contract/answers.ts';
import { changeIndexPath } from '../contract/history.ts';
import { readTime } from '../contract/query-string.ts';
import { changesPath } from '../contract/routes.ts';
import { SnapshotUnavailable } from './source.ts';

/** Reads a file; undefined if there is none. */
type ReadFile = (path: string) => Promise<Uint8Array | undefined>;

/** What was published since then is not kept. */
export class ChangesGone extends Error {}

/**
 * The answer. A site without a history has published its current snapshot only.
 * @param current id of the snapshot that answers
 * @param since a snapshot, or a date or time; undefined for all that is kept
 * @throws ChangesGone if the snapshot is unknown, or the time is before the oldest one; SnapshotUnavailable
 */
export async function changesSince(
  current: string,
  since: string | undefined,
  file: ReadFile,
): Promise<ChangesAnswer> {
  const index = await readJson<ChangeIndex>(file, changeIndexPath);
  // A service that writes can be ahead of what is published.
  if (since === current || !index) {
    if (since !== current && since !== undefined) throw gone(since, current);
    return { snapshot: current, data: [] };
  }
  const { snapshot, oldest, data: rows } = index;
  const time = since === undefined ? undefined : readTime(since);
  const isOld = (own: { snapshot: string; published_at: string }) =>
    time ? own.published_at < time.first : own.snapshot === since;
  const { data, isReached } = await newerChanges(rows, isOld, file);
  // A publish is noted to the second, a time to the millisecond.
  const isOldest = time ? oldest.published_at.slice(0, 19) <= time.last : oldest.snapshot === since;
  if (since !== undefined && !isReached && !isOldest) throw gone(since, oldest.snapshot);
  return { snapshot, data };
}

/** The changes before the first old one. */
async function newerChanges(
  rows: ChangeIndex['data'],
  isOld: (own: { snapshot: string; published_at: string }) => boolean,
  file: ReadFile,
): Promise<{ data: ChangeList['data']; isReached: boolean }> {
  const data: ChangeList['data'] = [];
  for (const row of rows) {
    if (isOld(row)) return { data, isReached: true };
    const path = row.path.slice(1);
    const list = await readJson<ChangeList>(file, path);
    const changes = list && changesOf(row, list);
    if (!changes) throw new SnapshotUnavailable(`${path} is missing, or not the file that the index names`);
    for (const change of changes) {
      if (isOld(change)) return { data, isReached: true };
      data.push(change);
    }
  }
  return { data, isReached: false };
}

/**
 * The changes of a row of the index. A publish replaces the file of a year before the index, so the file can have newer ones,
 * which have rows of their own. Undefined for another file.
 */
export function changesOf(
  { published_at, snapshot }: ChangeIndex['data'][number],
  { data }: ChangeList,
): Change[] | undefined {
  const start = data.findIndex((own) => own.snapshot === snapshot && own.published_at === published_at);
  return start < 0 ? undefined : data.slice(start);
}

const gone = (since: string, oldest: string) =>
  new ChangesGone(
    `the changes since ${since} are not kept; the oldest are at ${changesPath}?since=${oldest}`,
  );

async function readJson<T>(file: ReadFile, path: string): Promise<T | undefined> {
  const bytes = await file(path);
  try {
    return bytes && (JSON.parse(new TextDecoder().decode(bytes)) as T);
  } catch (error) {
    throw new SnapshotUnavailable(`${path} is damaged`, { cause: error });
  }
}
