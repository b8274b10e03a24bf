/** The public site: the snapshot it shows, and how its files differ from those to publish. */
import { downloadIndexPath } from '../../api/contract/download-names.ts';
import { contentHash, type Manifest, manifestPath, parseManifest } from '../../api/contract/snapshot.ts';
import { byCodeUnit } from '../../api/contract/text.ts';
import { nodeDigest } from '../../api/hosts/node-digest.ts';
import { fetchSource } from '../../api/read/fetch-source.ts';
import type { Source } from '../../api/read/source.ts';
import { listDownloads, parseIndex } from '../layers/downloads/index-file.ts';
import { RetryLaterError, type RetryPolicy } from './retry-policy.ts';
import { type Listing, listFiles, type SnapshotFolder } from './snapshot-folder.ts';

const requestTimeoutMs = 15_000;

/** @param address without a slash at the end */
const liveSource = (address: string): Source =>
  fetchSource(`${address}/`, (url, init) =>
    fetch(url, { ...init, signal: AbortSignal.timeout(requestTimeoutMs) }),
  );

/** undefined if the site shows no manifest or does not answer. */
async function liveManifest(source: Source): Promise<{ manifest: Manifest; hash: string } | undefined> {
  const bytes = await source.manifest().catch(() => undefined);
  const manifest = bytes && parseManifest(bytes, nodeDigest);
  return manifest && { manifest, hash: contentHash(bytes!, nodeDigest) };
}

/** @throws RetryLaterError if the site does not show the snapshot after `timeoutMs` */
export async function waitUntilLive(
  address: string,
  snapshot: string,
  timeoutMs: number,
  retry: RetryPolicy,
): Promise<void> {
  const source = liveSource(address);
  let shown: string | undefined;
  const ask = async () => {
    shown = (await liveManifest(source))?.manifest.snapshot;
    return shown === snapshot || undefined;
  };
  if (await retry.poll('waiting for the site', ask, { timeoutMs })) return;
  throw new RetryLaterError(
    `the deploy of snapshot ${snapshot} is ready, but ${address}/manifest.json shows ${shown ?? 'no snapshot'}; look again in a minute`,
  );
}

export interface PlannedFile {
  path: string;
  bytes: number;
  why: 'new' | 'changed';
}

export interface Plan {
  snapshot: string;
  /** Address of the site. */
  site: string;
  /** The snapshot that the site shows; undefined for none. */
  live: string | undefined;
  /** Files with content that the site does not show, each content once, ascending by path. Netlify may have some of them. */
  files: PlannedFile[];
  /** Bytes of all of them. */
  bytes: number;
  /** Paths to remove, ascending. */
  removed: string[];
  /** Files of the deploy. */
  total: number;
  /** Changes in the database that the snapshot does not have yet. */
  behind: number;
}

/** What a publish would send. @param hasRules whether the live deploy has the same configuration: the site does not show it */
export async function planOf(folder: SnapshotFolder, site: string, hasRules: boolean): Promise<Plan> {
  const { snapshot: live, files: there } = await liveFiles(liveSource(site));
  const shown = new Set(there.values());
  const files: PlannedFile[] = [];
  for (const [path, hash] of folder.files) {
    if (shown.has(hash) || (hasRules && folder.isConfiguration(path))) continue;
    shown.add(hash);
    const why = there.has(path) ? 'changed' : 'new';
    files.push({ path, bytes: folder.sizeOf(path), why });
  }
  return {
    snapshot: folder.manifest.snapshot,
    site,
    live,
    files: files.sort((a, b) => byCodeUnit(a.path, b.path)),
    bytes: files.reduce((sum, file) => sum + file.bytes, 0),
    removed: [...there.keys()].filter((path) => !folder.files.has(path)).sort(byCodeUnit),
    total: folder.files.size,
    behind: folder.behind,
  };
}

/** The files of the site; only the manifest if the others change, or are damaged, while they are listed. */
async function liveFiles(source: Source): Promise<{ snapshot: string | undefined; files: Listing }> {
  const live = await liveManifest(source);
  if (live === undefined) return { snapshot: undefined, files: new Map() };
  const { snapshot } = live.manifest;
  const manifestOnly = new Map([[manifestPath, live.hash]]);
  try {
    const index = await source.shard(downloadIndexPath);
    const downloads = listDownloads(index && parseIndex(index));
    const files = await listFiles(live.manifest, source);
    return { snapshot, files: new Map([...files, ...downloads, ...manifestOnly]) };
  } catch {
    return { snapshot, files: manifestOnly };
  }
}
