/** The releases: the downloads of each published day, under addresses that never change. */
import { createHash } from 'node:crypto';
import type { DownloadIndex, Release, ReleaseIndex } from '../../api/contract/answers.ts';
import {
  dayOf,
  readRelease,
  readReleaseIndex,
  releaseDayOf,
  releaseIndexPath,
  releasePath,
} from '../../api/contract/history.ts';
import { downloadIndexName, downloadIndexPath, downloadsFolder } from '../../api/contract/layers.ts';
import { resourceNames } from '../../api/contract/names.ts';
import { licenceOf } from '../../api/contract/sources.ts';
import { byCodeUnit } from '../../api/contract/text.ts';
import { counted } from '../../data/system/messages.ts';
import type { Contents } from './contents.ts';
import { type LiveSite, plausibleTime } from './live-site.ts';

type Row = ReleaseIndex['data'][number];

interface ReleaseOptions {
  /** Time of the publish, in ISO 8601 and UTC. */
  time: string;
  /** Releases to keep; of older ones the first of each month stays. 0 for none at all. */
  count: number;
}

/**
 * Adds a release if the downloads differ from those of the newest one, and the day has none yet: a release
 * never changes. Downloads with values that may not be passed on make no release, which would outlive the
 * right to show them.
 * @param site what is live; undefined where nothing was published
 * @returns the new files: path → bytes, or the path of the same file among the contents; and the days that go
 */
export async function nextReleases(
  contents: Contents,
  site: LiveSite | undefined,
  { time, count }: ReleaseOptions,
) {
  const files = new Map<string, Buffer | string>();
  const live = (site && (await liveReleases(site))) ?? { data: [] };
  const known = live.data;
  const day = dayOf(time);
  const index = contents.files.has(downloadIndexPath)
    ? (JSON.parse(String(await contents.read(downloadIndexPath))) as DownloadIndex)
    : undefined;
  const earlier = known.filter(({ date }) => plausibleTime(date, time) !== undefined);
  // A day that is live and not whole is in no index. Its files stay as they are.
  const isLive = site?.has(releasePath(day, downloadIndexName)) ?? false;
  const isDue = count > 0 && !isLive && !earlier.some(({ date }) => date >= day);
  let rows: readonly Row[] = known;
  if (isDue && index?.notices.length === 0) {
    const release = releaseOf(index);
    const bytes = Buffer.from(`${JSON.stringify(release)}\n`);
    const row = rowOf(day, release, bytes);
    if (row.sha256 !== earlier[0]?.sha256) {
      for (const { name } of release.files) files.set(releasePath(day, name), `${downloadsFolder}/${name}`);
      files.set(releasePath(day, downloadIndexName), bytes);
      rows = [row, ...known];
    }
  }
  const isStaying = (row: Row, i: number) => count > 0 && (i < count || isFirstOfMonth(row, rows));
  // A publish of nothing new changes nothing.
  const kept = rows === known && count > 0 ? known : rows.filter(isStaying);
  const next: ReleaseIndex = { ...live, data: [...kept] };
  files.set(releaseIndexPath, Buffer.from(`${JSON.stringify(next)}\n`));
  const dropped = rows.filter((row) => !kept.includes(row)).map(({ date }) => date);
  return { files, dropped: new Set(dropped) };
}

/** The releases of a site: those of its index, and the days that it does not name, which name themselves. */
async function liveReleases(site: LiveSite): Promise<ReleaseIndex | undefined> {
  const bytes = await site.read(releaseIndexPath);
  const index = bytes && readReleaseIndex(bytes);
  const known = index?.data ?? [];
  const dates = new Set(known.map(({ date }) => date));
  const found: Row[] = [];
  for (const day of new Set(site.historyPaths.map(releaseDayOf)))
    if (day !== undefined && !dates.has(day)) {
      const row = await liveRow(site, day);
      if (row) found.push(row);
      // An interrupted publish leaves a day without an index.
      else if (site.has(releasePath(day, downloadIndexName)))
        site.notice(
          `${releasePath(day, downloadIndexName)} of ${site.name} is not whole: the index of releases leaves the day out`,
        );
    }
  const isDamaged = bytes !== undefined && !index;
  if (isDamaged || found.length > 0) {
    const what = isDamaged ? 'is damaged, or of another version' : 'lacks days';
    site.notice(
      `${releaseIndexPath} of ${site.name} ${what}: it is completed with ${counted(found.length, 'day')} of downloads`,
    );
  }
  for (const { path } of known)
    if (!site.has(path.slice(1)))
      site.notice(`${path.slice(1)} of ${site.name} is missing: restore it, such as from an earlier deploy`);
  if (found.length === 0) return index;
  return { ...index, data: [...known, ...found].sort((a, b) => byCodeUnit(b.date, a.date)) };
}

/** The row of a day that has all its files. */
async function liveRow(site: LiveSite, day: string): Promise<Row | undefined> {
  const path = releasePath(day, downloadIndexName);
  const bytes = site.has(path) ? await site.read(path) : undefined;
  const release = bytes && readRelease(bytes);
  const isWhole = release?.files.every(({ name }) => site.has(releasePath(day, name)));
  return isWhole ? rowOf(day, release!, bytes!) : undefined;
}

function rowOf(day: string, release: Release, bytes: Uint8Array): Row {
  const { snapshot, licence, records } = release;
  return {
    date: day,
    snapshot,
    licence,
    records,
    path: `/${releasePath(day, downloadIndexName)}`,
    bytes: release.files.reduce((sum, file) => sum + file.bytes, 0),
    sha256: createHash('sha256').update(bytes).digest('hex'),
  };
}

const isFirstOfMonth = ({ date }: Row, rows: readonly Row[]): boolean =>
  rows.every((other) => other.date >= date || other.date.slice(0, 7) !== date.slice(0, 7));

/** The index of a day: of the downloads, under their stable names alone. */
function releaseOf({ snapshot, sources, files }: DownloadIndex): Release {
  const rowsOf = (name: string) => files.find(({ resource }) => resource === name)?.rows ?? 0;
  return {
    snapshot,
    licence: licenceOf(sources),
    records: Object.fromEntries(resourceNames.map((name) => [name, rowsOf(name)])) as Release['records'],
    sources,
    files: files.map(({ immutable_name: _changes, ...file }) => file),
  };
}
