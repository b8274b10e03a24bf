/** The history of changes: its index, a file for each publish and for each earlier year, and the feed. */
import type { Change, ChangeIndex, ChangeList } from '../../api/contract/answers.ts';
import {
  changeDays,
  changeFeedPath,
  changeIndexPath,
  changePath,
  isYearFile,
  readChangeIndex,
  readChangeList,
  yearPath,
} from '../../api/contract/history.ts';
import { byCodeUnit } from '../../api/contract/text.ts';
import { changesOf } from '../../api/read/changes.ts';
import type { Snapshot } from '../../api/read/snapshot.ts';
import { SnapshotUnavailable } from '../../api/read/source.ts';
import { counted } from '../../data/system/messages.ts';
import { feedText } from './change-feed.ts';
import { changesBetween } from './changes.ts';
import { type LiveSite, plausibleTime } from './live-site.ts';

type Row = ChangeIndex['data'][number];
/** Where a history begins, and its publishes, newest first. */
type History = Pick<ChangeIndex, 'oldest' | 'data'>;

/** What a live site shows. */
export interface Shown {
  /** Id of the snapshot. */
  id: string;
  /** Undefined for a snapshot of another version of the format, which cannot be read. */
  snapshot: Snapshot | undefined;
}

interface ChangeOptions {
  /** Time of the publish, in ISO 8601 and UTC. */
  time: string;
  /** Scheme and host of the site, for the links of the feed. */
  origin: string;
}

/**
 * Adds what a publish changes. Where nothing was published, a history begins.
 * @param site what is live; undefined where nothing was published
 * @param shown undefined if it is not known what the site shows, and the publish goes on @param after what
 *   goes live
 * @returns the files that are new, or may differ: path → bytes; and the live files whose changes are in the
 *   file of a year
 * @throws UserError if the history cannot be continued
 */
export async function nextChanges(
  site: LiveSite | undefined,
  shown: Shown | undefined,
  after: Snapshot,
  { time, origin }: ChangeOptions,
) {
  const files = new Map<string, Buffer>();
  const write = (path: string, document: object) =>
    files.set(path, Buffer.from(`${JSON.stringify(document)}\n`));
  const begun: ChangeIndex = {
    snapshot: after.id,
    oldest: { snapshot: shown?.id ?? after.id, published_at: time },
    data: [],
  };
  const live = (site && (await liveIndex(site, shown?.id, time))) ?? begun;
  const { data } = live;
  const oldest = site ? plausibleStart(live, time, site) : live.oldest;
  const previous = data[0]?.snapshot ?? oldest.snapshot;
  const isChanged = previous !== after.id;
  if (isChanged) {
    const last = [...data.map((row) => row.published_at), oldest.published_at].find(
      (own) => plausibleTime(own, time) !== undefined,
    );
    const change: Change = {
      // A clock can be set back. Readers rely on the order.
      published_at: last !== undefined && last > time ? last : time,
      snapshot: after.id,
      previous,
      records: await recordsBetween(site, shown, after, previous),
    };
    const path = await freePath(change, data, site);
    write(path, { data: [change] } satisfies ChangeList);
    data.unshift(rowOf(path, [change]));
  }
  // A publish of nothing new changes nothing.
  const rows = isChanged && site ? await byYear(data, time, site, write) : data;
  // Members of a later version stay.
  const index: ChangeIndex = { ...live, snapshot: after.id, oldest, data: rows };
  files.set(changeFeedPath, Buffer.from(feedText(index, origin)));
  write(changeIndexPath, index);
  return { files, merged: site ? await mergedFiles(site, rows, files) : new Set<string>() };
}

/** null if it is not known what changed, and the publish goes on. */
async function recordsBetween(
  site: LiveSite | undefined,
  shown: Shown | undefined,
  after: Snapshot,
  previous: string,
): Promise<Change['records']> {
  const name = site?.name;
  if (!site || !shown || shown.id !== previous) return null;
  if (!shown.snapshot) {
    site.notice(
      `${name} shows a snapshot of another version of the format: this publish is noted without its records, and copies start again from a download`,
    );
    return null;
  }
  try {
    return await changesBetween(shown.snapshot, after);
  } catch (error) {
    if (!(error instanceof SnapshotUnavailable)) throw error;
    if (error.cause !== undefined) throw error.cause;
    site.giveUp(
      `what this publish changes cannot be told, because in ${name} ${error.message}`,
      'this publish is noted without its records, and copies start again from a download',
    );
    return null;
  }
}

/**
 * The history until the live snapshot, from its index, or from the files of publishes if the index is lost.
 * Undefined for a site without a history.
 * @param shown id of the live snapshot
 */
async function liveIndex(
  site: LiveSite,
  shown: string | undefined,
  time: string,
): Promise<ChangeIndex | undefined> {
  const bytes = await site.read(changeIndexPath);
  const index = bytes && readChangeIndex(bytes);
  if (index && isWhole(index)) {
    const known = endingWith(shown ?? index.snapshot, index);
    if (known) return { ...index, ...(await withFilesFound(site, known)) };
    site.giveUp(
      `${changeIndexPath} of ${site.name} ends with snapshot ${index.snapshot}, but the site shows ${shown}`,
      'this publish is noted without its records, and copies start again from a download',
    );
    return index;
  }
  if (!bytes && site.changeFiles.length === 0) return undefined;
  return rebuilt(site, shown, time, bytes ? 'damaged, or of another version' : 'missing');
}

/**
 * The history with the files that are there: under another name if the index has a wrong one. Says which are
 * missing.
 */
async function withFilesFound(site: LiveSite, history: History): Promise<History> {
  const named = new Set(history.data.map(({ path }) => path.slice(1)));
  const missing = [...named].filter((path) => !site.has(path));
  if (missing.length === 0) return history;
  if (site.changeFiles.some((path) => !named.has(path))) {
    const data = chainOf(history.data[0]!.snapshot, (await readLists(site)).lists);
    if (data.at(-1)?.previous === history.oldest.snapshot) {
      const what = `${changeIndexPath} of ${site.name} names ${missing[0]}, which is missing`;
      site.notice(`${what}: it is made again from ${counted(data.length, 'file')} of changes`);
      return { ...history, data };
    }
  }
  for (const path of missing)
    site.notice(
      `${path} of ${site.name} is missing: copies that are older start again from a download, until it is restored`,
    );
  return history;
}

/**
 * Whether an index leads from its newest snapshot to its oldest one, and names each file as its publish does.
 */
function isWhole({ snapshot, oldest, data }: ChangeIndex): boolean {
  let next = snapshot;
  for (const row of data) {
    const day = changePath(row.published_at, row.snapshot).replace('.json', '');
    const isOwn = row.path.startsWith(`/${day}`) || !/-[0-9a-f]{20}/.test(row.path);
    if (row.snapshot !== next || !isOwn) return false;
    next = row.previous;
  }
  return next === oldest.snapshot;
}

/**
 * The part of the history until a snapshot: a publish that was interrupted may have noted more. Undefined if
 * it is not in it.
 */
function endingWith(snapshot: string, { oldest, data }: ChangeIndex): History | undefined {
  const position = data.findIndex((row) => row.snapshot === snapshot);
  if (position >= 0) return { oldest, data: data.slice(position) };
  return oldest.snapshot === snapshot ? { oldest, data: [] } : undefined;
}

/** Files that are read at a time. */
const readTogether = 16;

/** The changes of all files: path → newest first; and the paths of those that cannot be read. */
async function readLists(site: LiveSite) {
  const lists = new Map<string, ChangeList['data']>();
  const damaged: string[] = [];
  const paths = site.changeFiles;
  for (let start = 0; start < paths.length; start += readTogether)
    await Promise.all(
      paths.slice(start, start + readTogether).map(async (path) => {
        const list = await listAt(site, path);
        if (list) lists.set(path, list.data);
        else damaged.push(path);
      }),
    );
  return { lists, damaged: damaged.sort() };
}

/** Makes the index again from the files of publishes. @param what is wrong with it */
async function rebuilt(
  site: LiveSite,
  shown: string | undefined,
  time: string,
  what: string,
): Promise<ChangeIndex | undefined> {
  const problem = `${changeIndexPath} of ${site.name} is ${what}`;
  if (shown === undefined) {
    site.giveUp(`${problem}, and so is the manifest`, 'a new history begins; the files of the old one stay');
    return undefined;
  }
  const { lists, damaged } = await readLists(site);
  const data = chainOf(shown, lists);
  const first = data.at(-1);
  // Only what was published since the first of these is known to be there.
  const oldest = { snapshot: first?.previous ?? shown, published_at: first?.published_at ?? time };
  const named = new Set(data.map(({ path }) => path.slice(1)));
  const startOf = (path: string) => lists.get(path)!.at(-1)!;
  if (first) oldest.published_at = startOf(first.path.slice(1)).published_at;
  const cut = [...lists.keys()].filter(
    (path) =>
      !named.has(path) &&
      !isWithin(
        lists.get(path)!,
        [...named].map((own) => lists.get(own)!),
      ) &&
      startOf(path).published_at < oldest.published_at,
  );
  const lost = [...damaged, ...cut].sort();
  const made = `it is made again from ${counted(named.size, 'file')} of changes`;
  if (lost.length === 0) site.notice(`${problem}: ${made}`);
  else {
    const which = damaged.length > 0 ? `${damaged[0]} cannot be read` : `no file leads to ${cut.at(-1)}`;
    site.giveUp(
      `${problem}, and ${which}`,
      `${made}, and copies from before ${oldest.published_at} start again from a download`,
    );
  }
  return { snapshot: shown, oldest, data };
}

/** Whether changes are among those of other files. */
const isWithin = (changes: ChangeList['data'], others: readonly ChangeList['data'][]): boolean =>
  changes.every((change) => others.some((list) => list.some((own) => isSame(own, change))));

const isSame = (one: Change, other: Change): boolean =>
  one.snapshot === other.snapshot &&
  one.previous === other.previous &&
  one.published_at === other.published_at;

/** The rows of the files that lead back from a snapshot, newest first. */
function chainOf(snapshot: string, lists: ReadonlyMap<string, ChangeList['data']>): Row[] {
  const rows: Row[] = [];
  const left = new Map(lists);
  let [next, before] = [snapshot, '9999'];
  for (;;) {
    const found = [...left].flatMap(([path, changes]) => {
      const start = changes.findIndex((own) => own.snapshot === next);
      return start < 0 ? [] : [{ path, changes: changes.slice(start) }];
    });
    // The record can return to an earlier snapshot. A file of a year can be there beside those that it
    // replaces.
    const timeOf = ({ changes }: (typeof found)[number]) => changes[0]!.published_at;
    found.sort(
      (a, b) =>
        Number(timeOf(b) <= before) - Number(timeOf(a) <= before) ||
        byCodeUnit(timeOf(b), timeOf(a)) ||
        b.changes.length - a.changes.length,
    );
    const [best] = found;
    if (!best) return rows;
    rows.push(rowOf(best.path, best.changes));
    left.delete(best.path);
    const last = best.changes.at(-1)!;
    [next, before] = [last.previous, last.published_at];
  }
}

/**
 * Where the history begins, at a time that can be true: a later one would refuse every reader who asks by
 * time.
 */
function plausibleStart({ oldest, data }: History, time: string, site: LiveSite): ChangeIndex['oldest'] {
  const times = [...data.map((row) => row.published_at), oldest.published_at];
  const ahead = times.find((own) => plausibleTime(own, time) === undefined);
  if (ahead === undefined) return oldest;
  site.notice(
    `${site.name} notes a publish at ${ahead}, more than a year after now: a clock was wrong; the times go on from now`,
  );
  const first = times.findLast((own) => plausibleTime(own, time) !== undefined);
  return { ...oldest, published_at: first ?? time };
}

/**
 * The path of a change. The record can be published, changed and changed back on one day. A file that an
 * interrupted publish of the same change left is replaced, any other stays.
 */
async function freePath(change: Change, rows: readonly Row[], site: LiveSite | undefined): Promise<string> {
  const path = changePath(change.published_at, change.snapshot);
  for (let number = 2, free = path; ; number += 1) {
    const isNamed = rows.some((row) => row.path === `/${free}`);
    if (!isNamed && (!site?.has(free) || (await isAttempt(change, free, site)))) return free;
    free = path.replace('.json', `-${number}.json`);
  }
}

async function isAttempt({ snapshot, previous }: Change, path: string, site: LiveSite): Promise<boolean> {
  const bytes = await site.read(path);
  const [own, ...others] = (bytes && readChangeList(bytes)?.data) ?? [];
  const isOwn = own?.snapshot === snapshot && own.previous === previous;
  return isOwn && others.length === 0;
}

/** The row of a file. @param changes newest first */
function rowOf(path: string, changes: readonly Change[]): Row {
  const [{ published_at, snapshot }, { previous }] = [changes[0]!, changes.at(-1)!];
  const row = { published_at, snapshot, previous, path: `/${path}` };
  const known = changes.flatMap((change) => (change.records ? [change.records] : []));
  if (known.length === 0) return { ...row, added: null, changed: null, removed: null };
  const records = known.flat();
  const added = records.filter(({ before }) => before === null).length;
  const removed = records.filter(({ after }) => after === null).length;
  return { ...row, added, changed: records.length - added - removed, removed };
}

/**
 * Puts the changes of old publishes into the files of their years. A year whose files cannot be read stays as
 * it is.
 */
async function byYear(
  rows: readonly Row[],
  time: string,
  site: LiveSite,
  write: (path: string, document: ChangeList) => void,
): Promise<Row[]> {
  const start = new Date(Date.parse(time) - changeDays * 86_400_000).toISOString();
  // A publish with a wrong clock is not later than the publishes that follow it.
  let latest = time;
  const timed = rows.map((row) => {
    if (row.published_at < latest) latest = row.published_at;
    return { row, at: latest };
  });
  const merged = timed.filter(({ at }) => at >= start).map(({ row }) => row);
  const old = timed.filter(({ at }) => at < start);
  for (const path of new Set(old.map(({ at }) => yearPath(at)))) {
    const year = old.filter(({ at }) => yearPath(at) === path).map(({ row }) => row);
    const isDone = year.every((row) => row.path === `/${path}`);
    const changesIn = async (row: Row) => {
      const list = await listAt(site, row.path.slice(1));
      return list && changesOf(row, list);
    };
    const data = await Promise.all(isDone ? [] : year.map(changesIn));
    const changes = data.flatMap((list) => list ?? []);
    const isReplaceable = async () =>
      !site.has(path) || isWithin((await listAt(site, path))?.data ?? [], [changes]);
    if (isDone || data.includes(undefined) || !(await isReplaceable())) merged.push(...year);
    else {
      write(path, { data: changes });
      merged.push(rowOf(path, changes));
    }
  }
  return merged;
}

async function listAt(site: LiveSite, path: string): Promise<ChangeList | undefined> {
  const bytes = await site.read(path);
  return bytes && readChangeList(bytes);
}

/**
 * The live files whose changes are all in the file of a year that the index names. An interrupted publish
 * leaves such files.
 */
async function mergedFiles(
  site: LiveSite,
  rows: readonly Row[],
  files: ReadonlyMap<string, Buffer>,
): Promise<Set<string>> {
  const merged = new Set<string>();
  const named = new Set(rows.map(({ path }) => path.slice(1)));
  const unnamed = site.changeFiles.filter((path) => !named.has(path));
  const years = [...named].filter(isYearFile);
  if (unnamed.length === 0 || years.length === 0) return merged;
  const newList = (path: string) => {
    const bytes = files.get(path);
    return bytes && readChangeList(bytes);
  };
  const lists = await Promise.all(years.map(async (path) => newList(path) ?? (await listAt(site, path))));
  const kept = lists.flatMap((list) => (list ? [list.data] : []));
  for (const path of unnamed) {
    const list = await listAt(site, path);
    if (list && isWithin(list.data, kept)) merged.add(path);
  }
  return merged;
}
