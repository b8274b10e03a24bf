/**
 * The history that a publish adds to: what changed between what is live and what goes live, and the downloads
 * of the day. The live site is the only place of the history: a publish from another machine continues it. A
 * publish removes no file of it but releases beyond their number, and changes that are in the file of their
 * year now.
 */
import { defaultReleases, isHistoryIndex, isOfHistory, releaseDayOf } from '../../api/contract/history.ts';
import { contentHash, manifestPath, parseManifest, textWithoutId } from '../../api/contract/snapshot.ts';
import { nodeDigest } from '../../api/read/node-source.ts';
import { Reader } from '../../api/read/reader.ts';
import type { Source } from '../../api/read/source.ts';
import { nextChanges, type Shown } from './change-history.ts';
import { addFiles, type Contents } from './contents.ts';
import { LiveSite, type LiveSiteOptions } from './live-site.ts';
import { nextReleases } from './releases.ts';
import type { Live } from './target.ts';

export interface HistoryOptions extends LiveSiteOptions {
  /** Scheme and host of the site, for the links of the feed. '' makes them relative. */
  origin: string;
  /** Releases to keep; see nextReleases(). Default 30. */
  releases?: number | undefined;
  now?: Date | undefined;
}

/**
 * The contents with the history of what is live.
 * @throws UserError if the live site is damaged, so that the history cannot be continued; the error of the
 *   source if it is not known what is live
 */
export async function withHistory(
  contents: Contents,
  live: Live,
  { origin, releases = defaultReleases, now = new Date(), force, onNotice }: HistoryOptions,
): Promise<Contents> {
  const time = `${now.toISOString().slice(0, 19)}Z`;
  const found = new LiveSite(live, { force, onNotice });
  // Only where nothing was published a history begins.
  const site = found.isNew ? undefined : found;
  // Most shards are the same in both snapshots.
  const source: Source = {
    file: async (path) => site?.read(path),
    shard: async (path) => (contents.files.has(path) ? contents.read(path) : site?.readShard(path)),
  };
  const reader = new Reader(source, { digest: nodeDigest });
  const shown = site && (await shownBy(site, reader));
  const manifest = parseManifest(await contents.read(manifestPath), nodeDigest)!;
  const after = reader.snapshotOf(manifest, shown?.snapshot);
  const changes = await nextChanges(site, shown, after, { time, origin });
  const next = await nextReleases(contents, site, { time, count: releases });
  const isKept = (path: string): boolean => {
    if (!isOfHistory(path) || isHistoryIndex(path)) return false;
    const day = releaseDayOf(path);
    return day === undefined ? !changes.merged.has(path) : releases > 0 && !next.dropped.has(day);
  };
  return { ...addFiles(contents, new Map([...changes.files, ...next.files])), isKept };
}

/** The live snapshot; undefined if its manifest is lost, and the publish goes on without it. */
async function shownBy(site: LiveSite, reader: Reader): Promise<Shown | undefined> {
  const bytes = await site.read(manifestPath);
  const manifest = bytes && parseManifest(bytes, nodeDigest);
  if (manifest) return { id: manifest.snapshot, snapshot: reader.snapshotOf(manifest) };
  const other = bytes && snapshotOfOtherFormat(bytes);
  if (other !== undefined) return { id: other, snapshot: undefined };
  site.giveUp(
    `${manifestPath} of ${site.name} is ${bytes ? 'damaged' : 'missing'}`,
    'this publish is noted without its records, and copies start again from a download',
  );
  return undefined;
}

/** The id in the manifest of another version of the format, which is whole. */
function snapshotOfOtherFormat(bytes: Uint8Array): string | undefined {
  try {
    const text = new TextDecoder().decode(bytes);
    const { snapshot } = JSON.parse(text) as { snapshot: string };
    const hash = contentHash(textWithoutId(text, 'snapshot', snapshot), nodeDigest);
    return hash === snapshot ? snapshot : undefined;
  } catch {
    return undefined;
  }
}
