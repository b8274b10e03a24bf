/**
 * The history that a publish adds to: what changed between what is live and what goes live, and the downloads of the day. The
 * live site is the only place of the history: a publish from another machine continues it.
 */
import Value from 'typebox/value';
import { defaultReleases, isOfHistory, releaseDayOf } from '../../api/contract/history.ts';
import { manifestPath, parseManifest } from '../../api/contract/snapshot.ts';
import { nodeDigest } from '../../api/read/node-source.ts';
import { Reader } from '../../api/read/reader.ts';
import type { Snapshot } from '../../api/read/snapshot.ts';
import { SnapshotUnavailable, type Source } from '../../api/read/source.ts';
import { nextChanges, type ReadLive } from './change-history.ts';
import { addFiles, type Contents } from './contents.ts';
import { nextReleases } from './releases.ts';

export interface HistoryOptions {
  /** What is live; undefined before the first publish. */
  live: Source | undefined;
  /** Scheme and host of the site, for the links of the feed. '' makes them relative. */
  origin: string;
  /** Releases to keep; see nextReleases(). Default 30. */
  releases?: number | undefined;
  now?: Date | undefined;
}

/**
 * The contents with the history. A live snapshot that is damaged or of another format begins a new history.
 * @throws the error of the source if it is not known what is live
 */
export async function withHistory(
  contents: Contents,
  { live, origin, releases = defaultReleases, now = new Date() }: HistoryOptions,
): Promise<Contents> {
  const time = `${now.toISOString().slice(0, 19)}Z`;
  const readLive: ReadLive = async (path, schema) => {
    const value = parsed(await live?.file(path));
    return Value.Check(schema, value) ? value : undefined;
  };
  // Most shards are the same in both snapshots.
  const source: Source = {
    file: async (path) => live?.file(path),
    shard: async (path) => (contents.files.has(path) ? contents.read(path) : live?.shard(path)),
  };
  const reader = new Reader(source, { digest: nodeDigest });
  const manifest = parseManifest(await contents.read(manifestPath), nodeDigest)!;
  const changesSince = (before: Snapshot | undefined) =>
    nextChanges(before, reader.snapshotOf(manifest, before), readLive, { time, origin });
  const changes =
    (live && (await orUndefined(async () => changesSince(await reader.current())))) ??
    (await changesSince(undefined));
  const next = await nextReleases(contents, readLive, { time, count: releases });
  const paths = new Set(changes.paths);
  const isKept = (path: string): boolean => {
    const day = releaseDayOf(path);
    return day === undefined ? isOfHistory(path) && paths.has(path) : next.days.has(day);
  };
  return { ...addFiles(contents, new Map([...changes.files, ...next.files])), isKept };
}

/** undefined where the snapshot is missing or damaged. @throws the error of a source that fails */
async function orUndefined<T>(read: () => Promise<T>): Promise<T | undefined> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof SnapshotUnavailable)) throw error;
    if (error.cause !== undefined) throw error.cause;
    return undefined;
  }
}

function parsed(bytes: Uint8Array | undefined): unknown {
  try {
    return bytes && JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    return undefined;
  }
}
