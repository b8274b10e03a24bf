/** Offline cache of the manifest and its shards, and the eviction of stale shards. */
import { type Manifest, manifestPath, parseManifest } from '../../../api/contract/snapshot.ts';
import { hashBy } from '../../../api/read/hashing.ts';
import { fallbackDigest } from '../../../api/read/fallback-digest.ts';
import { type NamedFile, walkSnapshot } from '../../../api/read/walk.ts';

export const manifestAddress = `/${manifestPath}`;

/** Concurrent downloads; few, so that they do not delay the requests of the page. */
const maxDownloads = 3;

/** Downloads every shard of the cached manifest that is not cached yet. @throws if a directory cannot be read */
export async function cacheAllShards(cache: Cache): Promise<void> {
  const started = new Map<string, Promise<void>>();
  const cacheOnce = (path: string): Promise<void> => {
    const download = started.get(path) ?? cacheShard(cache, `/${path}`);
    started.set(path, download);
    return download;
  };
  const read = async <T>({ path }: NamedFile) => {
    await cacheOnce(path);
    return readCached<T>(cache, `/${path}`);
  };
  const files = walkSnapshot(await readCached<Manifest>(cache, manifestAddress), read);
  const downloadFiles = async () => {
    for await (const { path } of files) await cacheOnce(path);
  };
  await Promise.all(Array.from({ length: maxDownloads }, downloadFiles));
}

async function cacheShard(cache: Cache, address: string): Promise<void> {
  if (await cache.match(address)) return;
  await cacheIfValid(cache, address, await fetch(address, { priority: 'low' }));
}

/** Deletes the shards that the cached manifest does not name. Deletes nothing if a directory is not cached. */
export async function evictStaleShards(cache: Cache): Promise<void> {
  const current = new Set<string>();
  try {
    const manifest = await readCached<Manifest>(cache, manifestAddress);
    const read = <T>({ path }: NamedFile) => readCached<T>(cache, `/${path}`);
    for await (const { path } of walkSnapshot(manifest, read)) current.add(`/${path}`);
  } catch {
    return;
  }
  for (const request of await cache.keys()) {
    const { pathname } = new URL(request.url);
    if (pathname.startsWith('/shards/') && !current.has(pathname)) await cache.delete(request);
  }
}

const hashOf = hashBy({ digest: fallbackDigest });

/**
 * Caches the manifest or a shard if its content is valid. A network with a sign-in page answers every request with that page.
 * @returns whether it was cached
 */
export async function cacheIfValid(cache: Cache, address: string, response: Response): Promise<boolean> {
  if (!response.ok) return false;
  const bytes = new Uint8Array(await response.clone().arrayBuffer());
  const isValid =
    address === manifestAddress
      ? parseManifest(bytes) !== undefined
      : address.endsWith(`/${await hashOf(bytes)}.json`);
  if (isValid) await cache.put(address, response);
  return isValid;
}

async function readCached<T>(cache: Cache, address: string): Promise<T> {
  const response = await cache.match(address);
  if (response === undefined) throw new Error(`${address} is not cached`);
  return (await response.json()) as T;
}
