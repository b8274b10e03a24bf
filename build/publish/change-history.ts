/** The history of changes: its index, a file for each publish and for each earlier year, and the feed. */
import type { Static, TSchema } from 'typebox';
import {
  type Change,
  type ChangeIndex,
  type ChangeList,
  documentSchemas,
} from '../../api/contract/answers.ts';
import {
  changeDays,
  changeFeedPath,
  changeIndexPath,
  changePath,
  yearPath,
} from '../../api/contract/history.ts';
import { changesOf } from '../../api/read/changes.ts';
import type { Snapshot } from '../../api/read/snapshot.ts';
import { feedText } from './change-feed.ts';
import { changesBetween } from './changes.ts';

type Row = ChangeIndex['data'][number];
/** Reads a JSON file of the live site; undefined if it is missing, or another document than the schema says. */
export type ReadLive = <S extends TSchema>(path: string, schema: S) => Promise<Static<S> | undefined>;

interface ChangeOptions {
  /** Time of the publish, in ISO 8601 and UTC. */
  time: string;
  /** Scheme and host of the site, for the links of the feed. */
  origin: string;
}

/**
 * Adds what a publish changes. Without a live snapshot, or if the live history does not end with it, a new history begins.
 * @param before what is live @param after what goes live
 * @returns the files that are new, or may differ: path → bytes; and the paths of all files of the history
 */
export async function nextChanges(
  before: Snapshot | undefined,
  after: Snapshot,
  readLive: ReadLive,
  { time, origin }: ChangeOptions,
) {
  const files = new Map<string, Buffer>();
  const write = (path: string, document: object) =>
    files.set(path, Buffer.from(`${JSON.stringify(document)}\n`));
  const live = before && (await readLive(changeIndexPath, documentSchemas.ChangeIndex));
  const begun = { snapshot: before?.id ?? after.id, published_at: time };
  const { oldest, data } = (live && endingWith(before.id, live)) ?? { oldest: begun, data: [] };
  const isChanged = before !== undefined && before.id !== after.id;
  if (isChanged) {
    const last = data[0]?.published_at ?? oldest.published_at;
    const change = {
      // A clock can be set back. Readers rely on the order.
      published_at: time > last ? time : last,
      ...{ snapshot: after.id, previous: before.id },
      records: await changesBetween(before, after),
    };
    const path = freePath(changePath(change.published_at, after.id), data);
    write(path, { data: [change] } satisfies ChangeList);
    data.unshift(rowOf(path, [change]));
  }
  // A publish of nothing new changes nothing.
  const rows = isChanged ? await byYear(data, time, readLive, write) : data;
  const index: ChangeIndex = { snapshot: after.id, oldest, data: rows };
  files.set(changeFeedPath, Buffer.from(feedText(index, origin)));
  write(changeIndexPath, index);
  return { files, paths: [...rows.map(({ path }) => path.slice(1)), ...files.keys()] };
}

/** The part of the history until a snapshot: a publish that was interrupted may have noted more. Undefined if it is not in it. */
function endingWith(
  snapshot: string,
  { oldest, data }: ChangeIndex,
): Pick<ChangeIndex, 'oldest' | 'data'> | undefined {
  const position = data.findIndex((row) => row.snapshot === snapshot);
  if (position >= 0) return { oldest, data: data.slice(position) };
  return oldest.snapshot === snapshot ? { oldest, data: [] } : undefined;
}

/** The record can be published, changed and changed back on one day. */
function freePath(path: string, rows: readonly Row[]): string {
  for (let number = 2, free = path; ; number += 1) {
    if (!rows.some((row) => row.path === `/${free}`)) return free;
    free = path.replace('.json', `-${number}.json`);
  }
}

/** The row of a file. @param changes newest first */
function rowOf(path: string, changes: readonly Change[]): Row {
  const [{ published_at, snapshot }, { previous }] = [changes[0]!, changes.at(-1)!];
  const records = changes.flatMap((change) => change.records);
  const added = records.filter(({ before }) => before === null).length;
  const removed = records.filter(({ after }) => after === null).length;
  const changed = records.length - added - removed;
  return { published_at, snapshot, previous, path: `/${path}`, added, changed, removed };
}

/** Puts the changes of old publishes into the files of their years. A year whose files cannot be read stays as it is. */
async function byYear(
  rows: readonly Row[],
  time: string,
  readLive: ReadLive,
  write: (path: string, document: ChangeList) => void,
): Promise<Row[]> {
  const start = new Date(Date.parse(time) - changeDays * 86_400_000).toISOString();
  const merged = rows.filter(({ published_at }) => published_at >= start);
  const old = rows.filter(({ published_at }) => published_at < start);
  for (const path of new Set(old.map(({ published_at }) => yearPath(published_at)))) {
    const year = old.filter(({ published_at }) => yearPath(published_at) === path);
    const isDone = year.every((row) => row.path === `/${path}`);
    const changesIn = async (row: Row) => {
      const list = await readLive(row.path.slice(1), documentSchemas.ChangeList);
      return list && changesOf(row, list);
    };
    const data = await Promise.all(isDone ? [] : year.map(changesIn));
    if (isDone || data.includes(undefined)) merged.push(...year);
    else {
      const changes = data.flatMap((list) => list!);
      write(path, { data: changes });
      merged.push(rowOf(path, changes));
    }
  }
  return merged;
}
