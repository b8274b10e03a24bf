/** The history of changes: its index, the files of publishes, days and years, and the feed. */
import PQueue from 'p-queue';
import type { Change, ChangeIndex, ChangeList } from '../../api/contract/answers.ts';
import {
  changeFeedPath,
  changeIndexPath,
  changePath,
  dayOf,
  dayPath,
  daysAlone,
  daysByDay,
  isSharedFile,
  isYearFile,
  readChangeIndex,
  readChangeList,
  shortId,
  yearPath,
} from '../../api/contract/history.ts';
import { byCodeUnit, escapedXml } from '../../api/contract/text.ts';
import { changesOf } from '../../api/read/changes.ts';
import type { Snapshot } from '../../api/read/snapshot.ts';
import { SnapshotUnavailable } from '../../api/read/source.ts';
import { counted } from '../../data/system/messages.ts';
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
 *   file of a day or year
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
  const rows = isChanged && site ? await inSharedFiles(data, time, site, write) : data;
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

/** The changes of all files: path → newest first; and the paths of those that cannot be read. */
async function readLists(site: LiveSite) {
  const found = await listsAt(site.changeFiles, site);
  const lists = new Map([...found].flatMap(([path, list]) => (list ? [[path, list.data] as const] : [])));
  return { lists, damaged: site.changeFiles.filter((path) => !lists.has(path)) };
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
  const known = keysOf([...named].map((path) => lists.get(path)!));
  const startOf = (path: string) => lists.get(path)!.at(-1)!;
  if (first) oldest.published_at = startOf(first.path.slice(1)).published_at;
  const cut = [...lists.keys()].filter(
    (path) =>
      !named.has(path) &&
      !isWithin(lists.get(path)!, known) &&
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

/** What identifies a change. */
const keyOf = ({ snapshot, previous, published_at }: Change): string =>
  `${snapshot} ${previous} ${published_at}`;

/** The keys of all changes of some files. */
const keysOf = (lists: Iterable<readonly Change[]>): ReadonlySet<string> =>
  new Set([...lists].flatMap((changes) => changes.map(keyOf)));

const isWithin = (changes: readonly Change[], keys: ReadonlySet<string>): boolean =>
  changes.every((change) => keys.has(keyOf(change)));

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
    // The record can return to an earlier snapshot. The file of a day or year can be there beside
    // those that it replaces.
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
  const isOfDay = isSharedFile(path) && !isYearFile(path);
  const earlier = changes.slice(1).map((change) => shortId(change.snapshot));
  const row = { published_at, snapshot, previous, path: `/${path}`, ...(isOfDay && { earlier }) };
  const known = changes.flatMap((change) => (change.records ? [change.records] : []));
  if (known.length === 0) return { ...row, added: null, changed: null, removed: null };
  const records = known.flat();
  const added = records.filter(({ before }) => before === null).length;
  const removed = records.filter(({ after }) => after === null).length;
  return { ...row, added, changed: records.length - added - removed, removed };
}

/**
 * Puts the changes of old publishes into the files of their days, and later of their years. A file is made
 * once a day. Where files cannot be read, the rows stay as they are, and so does that of the only publish of
 * a day.
 */
async function inSharedFiles(
  rows: readonly Row[],
  time: string,
  site: LiveSite,
  write: (path: string, document: ChangeList) => void,
): Promise<Row[]> {
  const [firstAlone, firstByDay] = [daysAlone, daysByDay].map((days) =>
    dayOf(new Date(Date.parse(time) - days * 86_400_000).toISOString()),
  );
  const pathAt = (at: string): string | undefined => {
    if (at < firstByDay!) return yearPath(at);
    return at < firstAlone! ? dayPath(at) : undefined;
  };
  // A publish with a wrong clock is not later than the publishes that follow it.
  let latest = time;
  const groups = new Map<string, Row[]>();
  for (const row of rows) {
    if (row.published_at < latest) latest = row.published_at;
    const path = pathAt(latest) ?? row.path.slice(1);
    groups.set(path, [...(groups.get(path) ?? []), row]);
  }
  const shared: Row[] = [];
  for (const [path, group] of groups) {
    const isDone = group.length === 1 && (!isYearFile(path) || group[0]!.path === `/${path}`);
    const changes = isDone ? undefined : await changesOfGroup(path, group, site);
    if (changes) write(path, { data: changes });
    shared.push(...(changes ? [rowOf(path, changes)] : group));
  }
  return shared;
}

/** The changes of some rows, newest first; undefined if one cannot be read, or the file would lose others. */
async function changesOfGroup(path: string, group: readonly Row[], site: LiveSite) {
  const lists = await listsAt([...group.map((row) => row.path.slice(1)), path], site);
  const found = group.map((row) => {
    const list = lists.get(row.path.slice(1));
    return list && changesOf(row, list);
  });
  const changes = found.flatMap((list) => list ?? []);
  const isReplaceable = !site.has(path) || isWithin(lists.get(path)?.data ?? [], keysOf([changes]));
  return found.includes(undefined) || !isReplaceable ? undefined : changes;
}

/** Files that are read at a time. */
const readTogether = 16;

/** The documents of files; undefined for one that is missing or damaged. */
async function listsAt(paths: Iterable<string>, site: LiveSite) {
  const queue = new PQueue({ concurrency: readTogether });
  const lists = [...new Set(paths)].map((path) => async () => {
    const bytes = site.has(path) ? await site.read(path) : undefined;
    return [path, bytes && readChangeList(bytes)] as const;
  });
  return new Map<string, ChangeList | undefined>(await queue.addAll(lists));
}

/**
 * The live files whose changes are all in the file of a day or year that the index names. Besides those of
 * this publish, an interrupted one leaves such files.
 */
async function mergedFiles(
  site: LiveSite,
  rows: readonly Row[],
  files: ReadonlyMap<string, Buffer>,
): Promise<Set<string>> {
  const named = new Set(rows.map(({ path }) => path.slice(1)));
  const unnamed = site.changeFiles.filter((path) => !named.has(path));
  const lists = await listsAt(unnamed, site);
  const ids = new Set(
    [...lists.values()].flatMap((list) => list?.data.map(({ snapshot }) => snapshot) ?? []),
  );
  const short = new Set([...ids].map(shortId));
  const mayHave = ({ path, snapshot, earlier = [] }: Row): boolean =>
    isYearFile(path.slice(1)) || [shortId(snapshot), ...earlier].some((id) => short.has(id));
  const shared = rows.filter((row) => short.size > 0 && isSharedFile(row.path.slice(1)) && mayHave(row));
  const paths = shared.map(({ path }) => path.slice(1));
  const live = await listsAt(
    paths.filter((path) => !files.has(path)),
    site,
  );
  const kept = keysOf(
    paths.map((path) => {
      const bytes = files.get(path);
      return (bytes ? readChangeList(bytes) : live.get(path))?.data ?? [];
    }),
  );
  const isMerged = (list: ChangeList | undefined) => list !== undefined && isWithin(list.data, kept);
  return new Set(unnamed.filter((path) => isMerged(lists.get(path))));
}

/** Entries of the feed. */
const maxEntries = 100;

/**
 * The feed of publishes, in Atom (RFC 4287). Its bytes follow from the index.
 * @param origin scheme and host of the site; '' makes relative links, which a reader resolves
 */
function feedText({ oldest, data }: ChangeIndex, origin: string): string {
  const link = (path: string, relation: string, type: string) =>
    `<link rel="${relation}" type="${type}" href="${escapedXml(`${origin}${path}`)}"/>`;
  const single = data.filter(({ path }) => !isYearFile(path.slice(1)));
  const entries = single.slice(0, maxEntries).map((row) => {
    const what = [
      row.added && `${counted(row.added, 'record')} added`,
      row.changed && `${counted(row.changed, 'record')} changed`,
      row.removed && `${counted(row.removed, 'record')} removed`,
    ].filter(Boolean);
    const nothing = row.added === null ? 'what changed is not known' : 'no public field changed';
    const title = `${dayOf(row.published_at)}: ${what.join(', ') || nothing}`;
    return [
      '<entry>',
      `<id>urn:film-awards:publish:${row.published_at}:${row.snapshot}</id>`,
      `<title>${escapedXml(title)}</title>`,
      `<updated>${row.published_at}</updated>`,
      link(row.path, 'alternate', 'application/json'),
      `<summary>From snapshot ${row.previous} to ${row.snapshot}.</summary>`,
      '</entry>',
    ].join('\n');
  });
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<feed xmlns="http://www.w3.org/2005/Atom">',
    '<id>urn:film-awards:changes</id>',
    '<title>Film Awards: changes of the record</title>',
    '<author><name>Film Awards</name></author>',
    `<updated>${data[0]?.published_at ?? oldest.published_at}</updated>`,
    link(`/${changeFeedPath}`, 'self', 'application/atom+xml'),
    link(`/${changeIndexPath}`, 'alternate', 'application/json'),
    ...entries,
    '</feed>',
    '',
  ].join('\n');
}
