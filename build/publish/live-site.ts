/** The public site: its files, the wait for a deploy, and a dry run. */
import { layerIndexPath, layerNames, parseLayerIndex } from '../../api/contract/layers.ts';
import { contentHash, manifestPath, parseManifest } from '../../api/contract/snapshot.ts';
import { byCodeUnit } from '../../api/contract/text.ts';
import { nodeDigest } from '../../api/read/node-source.ts';
import { fetchSource } from '../../api/read/fetch-source.ts';
import type { Source } from '../../api/read/source.ts';
import { checkedRead, shardsOf, walkLayer } from '../../api/read/walk.ts';
import { RetryLaterError, type RetryPolicy } from '../system/retry-policy.ts';
import { type Listing, listingOf, type SnapshotFolder } from './snapshot-folder.ts';

const requestTimeoutMs = 15_000;

/** @param address without a slash at the end */
const liveSource = (address: string): Source =>
  fetchSource(`${address}/`, (url, init) =>
    fetch(url, { ...init, signal: AbortSignal.timeout(requestTimeoutMs) }),
  );

/** The bytes of a mutable file; undefined if the site does not show it or does not answer. */
const liveFile = (source: Source, path: string) => source.file(path).catch(() => undefined);

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
    const bytes = await liveFile(source, manifestPath);
    shown = bytes && parseManifest(bytes, nodeDigest)?.snapshot;
    return shown === snapshot || undefined;
  };
  if (await retry.poll('waiting for the site', ask, { timeoutMs })) return;
  throw new RetryLaterError(
    `the deploy of snapshot ${snapshot} is ready, but ${address}/manifest.json shows ${shown ?? 'no snapshot'}; look again in a minute`,
  );
}

/**
 * @param local lists of files that it has are not fetched
 * @returns the snapshot, undefined for none, and the files, without those that change while they are listed
 */
export async function readLiveSite(
  address: string,
  local: SnapshotFolder,
): Promise<{ snapshot: string | undefined; files: Listing }> {
  const remote = liveSource(address);
  const isLocal = (path: string) => local.files.has(path);
  const shard = async (path: string) => (isLocal(path) ? local.read(path) : remote.shard(path));
  const read = checkedRead({ ...remote, shard }, nodeDigest);
  const files = new Map<string, string>();
  const bytes = await liveFile(remote, manifestPath);
  const manifest = bytes && parseManifest(bytes, nodeDigest);
  if (!manifest) return { snapshot: undefined, files };
  const add = async (path: string, own: Uint8Array, walk: Parameters<typeof listingOf>[0]) => {
    for (const [named, hash] of await listingOf(walk).catch(() => [])) files.set(named, hash);
    files.set(path, contentHash(own, nodeDigest));
  };
  await add(manifestPath, bytes, shardsOf(manifest));
  for (const layer of layerNames) {
    const own = await liveFile(remote, layerIndexPath(layer));
    const index = own && parseLayerIndex(layer, own, nodeDigest);
    if (index) await add(layerIndexPath(layer), own, walkLayer(index, read));
  }
  return { snapshot: manifest.snapshot, files };
}

interface PlannedFile {
  path: string;
  bytes: number;
  why: 'new' | 'changed';
}

interface PlannedDeploy {
  layers: readonly string[];
  /** All files of the deploy. */
  total: number;
  /** Files to send, ascending by path: each content that the site does not show, once. Netlify may have some of them. */
  files: PlannedFile[];
  /** Bytes of all of them. */
  bytes: number;
}

export interface Plan {
  snapshot: string;
  /** Address of the site; undefined for a site that is not known. */
  site: string | undefined;
  /** The snapshot that the site shows; undefined for none. */
  live: string | undefined;
  deploys: PlannedDeploy[];
  /** Paths that are gone after the last deploy, ascending. */
  removed: string[];
  /** Changes in the database that the snapshot does not have yet. */
  behind: number;
}

/** @param folders one for each deploy @param hasConfiguration whether the live deploy has the same configuration */
export function planOf(
  folders: readonly SnapshotFolder[],
  live: Listing,
  hasConfiguration: boolean,
): Pick<Plan, 'deploys' | 'removed'> {
  const shown = new Set(live.values());
  const sent = new Set<string>();
  const deploys = folders.map((folder): PlannedDeploy => {
    const files: PlannedFile[] = [];
    for (const [path, hash] of folder.files) {
      const isThere = folder.isConfiguration(path) ? hasConfiguration : shown.has(hash);
      if (isThere || sent.has(hash)) continue;
      sent.add(hash);
      files.push({ path, bytes: folder.sizeOf(path), why: live.has(path) ? 'changed' : 'new' });
    }
    files.sort((a, b) => byCodeUnit(a.path, b.path));
    const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
    return { layers: folder.title.layers, total: folder.files.size, files, bytes };
  });
  const last = folders.at(-1)!;
  const removed = [...live.keys()].filter((path) => !last.files.has(path)).sort(byCodeUnit);
  return { deploys, removed };
}
