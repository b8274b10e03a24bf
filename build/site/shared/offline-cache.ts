/** What is kept of the record for a time without a network: all that its pages are made of, and nothing that belongs to it no more. */
import {
  type Directory,
  type FamilyName,
  type Manifest,
  manifestFamilies,
  manifestPath,
  parseManifest,
  shardPath,
} from '../../../api/contract/snapshot.ts';
import { hashBy, webDigest } from '../../../api/read/hashing.ts';

const addressOf = (family: FamilyName, hash: string): string => `/${shardPath(family, hash)}`;
const familyOf = (pathname: string): string => pathname.slice('/shards/'.length, pathname.lastIndexOf('/'));

/**
 * Deletes the shards that the kept manifest does not lead to. What they are is told by directories that are files themselves:
 * where one is not kept, nothing of its family is dropped, for it may be named there.
 */
export async function sweep(cache: Cache, manifestAddress: string): Promise<void> {
  const manifest = await read<Manifest>(cache, manifestAddress);
  if (manifest === undefined) return;
  const named = new Set<string>();
  const uncertain = new Set<string>();
  for (const family of manifestFamilies) {
    const entry = manifest.families[family];
    if ('head' in entry) named.add(addressOf(family, entry.head));
    const directory = 'head' in entry ? await read<Directory>(cache, addressOf(family, entry.head)) : entry;
    if (directory === undefined) uncertain.add(family).add(family === 'search' ? 'terms' : family);
    for (const hash of directory?.hashes ?? []) named.add(addressOf(family, hash));
    if (family === 'search') await nameTerms(cache, directory, named, uncertain);
  }
  for (const request of await cache.keys()) {
    const { pathname } = new URL(request.url);
    if (pathname.startsWith('/shards/') && !named.has(pathname) && !uncertain.has(familyOf(pathname)))
      await cache.delete(request);
  }
}

/** The shards of "search" are directories of "terms". */
async function nameTerms(
  cache: Cache,
  directory: Directory | undefined,
  named: Set<string>,
  uncertain: Set<string>,
): Promise<void> {
  for (const hash of directory?.hashes ?? []) {
    const terms = await read<Directory>(cache, addressOf('search', hash));
    if (terms === undefined) uncertain.add('terms');
    for (const own of terms?.hashes ?? []) named.add(addressOf('terms', own));
  }
}

/** Fetches what is not kept yet, a few files at a time. The hashes of pages are left out: pages are computed from the rest. */
export async function keepShards(cache: Cache, manifestAddress: string): Promise<void> {
  const manifest = await read<Manifest>(cache, manifestAddress);
  if (manifest === undefined) return;
  for (const family of manifestFamilies) {
    const entry = manifest.families[family];
    if ('head' in entry) await keep(cache, addressOf(family, entry.head));
    const directory = 'head' in entry ? await read<Directory>(cache, addressOf(family, entry.head)) : entry;
    await keepNamed(cache, family, directory);
    if (family === 'search')
      for (const hash of directory?.hashes ?? [])
        await keepNamed(cache, 'terms', await read<Directory>(cache, addressOf(family, hash)));
  }
}

async function keepNamed(cache: Cache, family: FamilyName, directory: Directory | undefined): Promise<void> {
  const waiting = (directory?.hashes ?? []).map((hash) => addressOf(family, hash));
  const keepSome = async () => {
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) await keep(cache, next);
  };
  await Promise.all(Array.from({ length: atOnce }, keepSome));
}

/** Files on their way at once, so that what somebody waits for is not held up. */
const atOnce = 3;

async function keep(cache: Cache, address: string): Promise<void> {
  if (await cache.match(address)) return;
  await keepIfRight(cache, address, await fetch(address, { priority: 'low' }));
}

const hashOf = hashBy({ asyncDigest: webDigest });

/**
 * Keeps the manifest or a shard, if that is what was answered: a network that wants its users to sign in answers everything
 * with a page of its own, and what is kept is not asked for again.
 * @param address path of the file
 * @returns whether it is kept
 */
export async function keepIfRight(cache: Cache, address: string, response: Response): Promise<boolean> {
  if (!response.ok) return false;
  const bytes = new Uint8Array(await response.clone().arrayBuffer());
  const isRight =
    address === `/${manifestPath}`
      ? parseManifest(bytes) !== undefined
      : address.endsWith(`/${await hashOf(bytes)}.json`);
  if (isRight) await cache.put(address, response);
  return isRight;
}

async function read<T>(cache: Cache, address: string): Promise<T | undefined> {
  const response = await cache.match(address);
  return response && ((await response.json()) as T);
}
