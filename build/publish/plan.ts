/** What a publish would do, found out without doing any of it: the site is asked what it shows, and compared. */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { downloadIndexPath } from '../../api/contract/download-names.ts';
import type { Manifest } from '../../api/contract/snapshot.ts';
import { manifestPath } from '../../api/contract/snapshot.ts';
import { byCodeUnit } from '../../api/contract/text.ts';
import { listDownloads, parseIndex } from '../layers/downloads/index-file.ts';
import type { SnapshotFolder } from './folder.ts';
import { type Listing, listFiles } from './listing.ts';
import { liveManifest, liveSource } from './live.ts';
import type { Rules } from './rules.ts';

export interface PlannedFile {
  path: string;
  bytes: number;
  why: 'new' | 'changed';
}

export interface Plan {
  snapshot: string;
  /** Address of the site. */
  site: string;
  /** The snapshot it shows; undefined for none. */
  live: string | undefined;
  /** What would be sent, ascending by path: content that the site does not show, each once. The host may have some of it. */
  files: PlannedFile[];
  /** Bytes of all of them. */
  bytes: number;
  /** Paths that would be gone, ascending. */
  removed: string[];
  /** Files of the deploy. */
  total: number;
  /** Changes that the database holds and the snapshot does not. */
  behind: number;
}

/** @param liveRules whether the rules that go along are those of the live deploy */
export async function planOf(
  folder: SnapshotFolder,
  rules: Rules,
  site: string,
  liveRules: boolean,
): Promise<Plan> {
  const { snapshot } = folder.manifest;
  const live = await liveManifest(site);
  const there = live ? await listingOf(live, site) : new Map<string, string>();
  const shown = new Set(there.values());
  const files: PlannedFile[] = [];
  const add = (path: string, bytes: number, isThere: boolean) =>
    files.push({ path, bytes, why: isThere ? 'changed' : 'new' });
  for (const [path, hash] of folder.files) {
    if (shown.has(hash)) continue;
    shown.add(hash);
    add(path, statSync(join(folder.root, path)).size, there.has(path));
  }
  if (live?.snapshot !== snapshot) add(manifestPath, folder.manifestBytes.length, live !== undefined);
  if (!liveRules) for (const [path, bytes] of rules) add(path, bytes.length, false);
  return {
    snapshot,
    site,
    live: live?.snapshot,
    files: files.sort((a, b) => byCodeUnit(a.path, b.path)),
    bytes: files.reduce((sum, file) => sum + file.bytes, 0),
    removed: [...there.keys()].filter((path) => !folder.files.has(path)).sort(byCodeUnit),
    total: folder.files.size + rules.size + 1,
    behind: folder.behind,
  };
}

/** What a site shows; nothing if it changes, or is damaged, while it is listed: then everything may have to go. */
async function listingOf(manifest: Manifest, site: string): Promise<Listing> {
  const source = liveSource(site);
  try {
    const files = await listFiles(manifest, source);
    const index = await source.shard(downloadIndexPath);
    for (const [path, hash] of listDownloads(index && parseIndex(index))) files.set(path, hash);
    return files;
  } catch {
    return new Map();
  }
}
