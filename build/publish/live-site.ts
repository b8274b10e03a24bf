/** The public site: its files, the wait for a deploy, and what a publish would do. */
import { layerIndexPath, layerNames, parseLayerIndex } from '../../api/contract/layers.ts';
import { contentHash, manifestPath, parseManifest } from '../../api/contract/snapshot.ts';
import { byCodeUnit } from '../../api/contract/text.ts';
import { fetchSource } from '../../api/read/fetch-source.ts';
import { nodeDigest } from '../../api/read/node-source.ts';
import { shardsOf } from '../../api/read/walk.ts';
import { RetryLaterError, type Requests } from '../system/requests.ts';
import type { Contents } from './contents.ts';

const liveSource = (address: string) =>
  fetchSource(`${address}/`, (url, init) => fetch(url, { ...init, signal: AbortSignal.timeout(15_000) }));

/** @param address without a slash at the end @throws RetryLaterError if it does not show the snapshot after `timeoutMs` */
export async function waitUntilLive(
  address: string,
  snapshot: string,
  timeoutMs: number,
  requests: Requests,
): Promise<void> {
  let shown: string | undefined;
  const ask = async () => {
    shown = (await readManifest(address))?.manifest.snapshot;
    return shown === snapshot || undefined;
  };
  if (await requests.poll('waiting for the site', ask, { timeoutMs })) return;
  throw new RetryLaterError(
    `the deploy of snapshot ${snapshot} is ready, but ${address}/manifest.json shows ${shown ?? 'no snapshot'}; look again in a minute`,
  );
}

/** undefined if the site does not show one, or does not answer. */
async function readManifest(address: string) {
  const bytes = await liveSource(address)
    .file(manifestPath)
    .catch(() => undefined);
  const manifest = bytes && parseManifest(bytes, nodeDigest);
  return manifest && { manifest, bytes };
}

/** What a site shows. */
export interface LiveSite {
  snapshot: string | undefined;
  /** Path below the root → contentHash. */
  files: ReadonlyMap<string, string>;
}

/** @param address without a slash at the end */
export async function readLiveSite(address: string): Promise<LiveSite> {
  const source = liveSource(address);
  const files = new Map<string, string>();
  const found = await readManifest(address);
  if (!found) return { snapshot: undefined, files };
  files.set(manifestPath, contentHash(found.bytes, nodeDigest));
  for (const { path, hash } of shardsOf(found.manifest)) files.set(path, hash);
  for (const layer of layerNames) {
    const bytes = await source.file(layerIndexPath(layer)).catch(() => undefined);
    const index = bytes && parseLayerIndex(layer, bytes, nodeDigest);
    if (!index) continue;
    files.set(layerIndexPath(layer), contentHash(bytes, nodeDigest));
    for (const [path, hash] of index.files) files.set(path, hash);
  }
  return { snapshot: found.manifest.snapshot, files };
}

export interface Plan {
  snapshot: string;
  /** Address of the site; undefined for a site that is not known. */
  site: string | undefined;
  /** The snapshot that the site shows; undefined for none. */
  live: string | undefined;
  /** All files of each deploy; those to send, ascending by path, each content once, as Netlify may have some; their bytes. */
  deploys: {
    layers: readonly string[];
    total: number;
    files: { path: string; bytes: number; why: 'new' | 'changed' }[];
    bytes: number;
  }[];
  /** Paths that are gone after the last deploy, ascending. */
  removed: string[];
  /** Changes in the database that the snapshot does not have yet. */
  behind: number;
}

/** @param steps the contents of each deploy */
export function planOf(steps: readonly Contents[], site: string | undefined, live: LiveSite): Plan {
  const shown = new Set(live.files.values());
  const deploys = steps.map(({ files: all }) => {
    const files: Plan['deploys'][number]['files'] = [];
    for (const [path, { hash, size }] of all) {
      if (shown.has(hash)) continue;
      shown.add(hash);
      files.push({ path, bytes: size, why: live.files.has(path) ? 'changed' : 'new' });
    }
    files.sort((a, b) => byCodeUnit(a.path, b.path));
    const layers = layerNames.filter((layer) => all.has(layerIndexPath(layer)));
    return { layers, total: all.size, files, bytes: files.reduce((sum, { bytes }) => sum + bytes, 0) };
  });
  const { title, behind, files } = steps.at(-1)!;
  const removed = [...live.files.keys()].filter((path) => !files.has(path)).sort(byCodeUnit);
  return { snapshot: title.snapshot, site, live: live.snapshot, deploys, removed, behind };
}
