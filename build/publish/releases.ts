/** The releases: the downloads of each published day, under addresses that never change. */
import { createHash } from 'node:crypto';
import {
  type DownloadIndex,
  documentSchemas,
  type Release,
  type ReleaseIndex,
} from '../../api/contract/answers.ts';
import { recordLicence } from '../../api/contract/enrichment.ts';
import { dayOf, releaseIndexPath, releasePath } from '../../api/contract/history.ts';
import { downloadIndexName, downloadIndexPath, downloadsFolder } from '../../api/contract/layers.ts';
import { resourceNames } from '../../api/contract/names.ts';
import type { ReadLive } from './change-history.ts';
import type { Contents } from './contents.ts';

type Row = ReleaseIndex['data'][number];

interface ReleaseOptions {
  /** Time of the publish, in ISO 8601 and UTC. */
  time: string;
  /** Releases to keep; of older ones the first of each month stays. 0 for none at all. */
  count: number;
}

/**
 * Adds a release if the downloads differ from those of the newest one, and the day has none yet: a release never changes.
 * Downloads with values that may not be passed on make no release, which would outlive the right to show them.
 * @returns the new files: path → bytes, or the path of the same file among the contents; and the days of all releases
 */
export async function nextReleases(contents: Contents, readLive: ReadLive, { time, count }: ReleaseOptions) {
  const files = new Map<string, Buffer | string>();
  const known = (await readLive(releaseIndexPath, documentSchemas.ReleaseIndex))?.data ?? [];
  const day = dayOf(time);
  const index = contents.files.has(downloadIndexPath)
    ? (JSON.parse(String(await contents.read(downloadIndexPath))) as DownloadIndex)
    : undefined;
  const isDue = count > 0 && !known.some(({ date }) => date >= day);
  let rows: readonly Row[] = known;
  if (isDue && index?.notices.length === 0) {
    const release = releaseOf(index);
    const bytes = Buffer.from(`${JSON.stringify(release)}\n`);
    const { snapshot, licence, records } = release;
    const row: Row = {
      ...{ date: day, snapshot, licence, records },
      path: `/${releasePath(day, downloadIndexName)}`,
      bytes: release.files.reduce((sum, file) => sum + file.bytes, 0),
      sha256: createHash('sha256').update(bytes).digest('hex'),
    };
    if (row.sha256 !== known[0]?.sha256) {
      for (const { name } of release.files) files.set(releasePath(day, name), `${downloadsFolder}/${name}`);
      files.set(releasePath(day, downloadIndexName), bytes);
      rows = [row, ...known];
    }
  }
  const isStaying = (row: Row, i: number) => count > 0 && (i < count || isFirstOfMonth(row, rows));
  // A publish of nothing new changes nothing.
  const kept = rows === known && count > 0 ? known : rows.filter(isStaying);
  files.set(releaseIndexPath, Buffer.from(`${JSON.stringify({ data: [...kept] } satisfies ReleaseIndex)}\n`));
  return { files, days: new Set(kept.map(({ date }) => date)) };
}

const isFirstOfMonth = ({ date }: Row, rows: readonly Row[]): boolean =>
  rows.every((other) => other.date >= date || other.date.slice(0, 7) !== date.slice(0, 7));

/** The index of a day: of the downloads, under their stable names alone. */
function releaseOf({ snapshot, files }: DownloadIndex): Release {
  const rowsOf = (name: string) => files.find(({ resource }) => resource === name)?.rows ?? 0;
  return {
    snapshot,
    licence: recordLicence,
    records: Object.fromEntries(resourceNames.map((name) => [name, rowsOf(name)])) as Release['records'],
    files: files.map(({ immutable_name: _changes, ...file }) => file),
  };
}
