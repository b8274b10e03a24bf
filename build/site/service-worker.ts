/**
 * Makes the site work offline after the first visit. It caches one version of the site's files and the whole record. Pages
 * name their programs and styles by content hash, and a new worker waits until no page uses the old one: so a page never runs
 * with programs of another version.
 */
import { isImmutable, pageAt } from './shared/hosting.ts';
import { manifestPath, parseManifest } from '../../api/contract/snapshot.ts';
import { hashBy } from '../../api/read/hashing.ts';
import { shardsOf } from '../../api/read/walk.ts';
import { cacheRecordMessage } from './shared/offline.ts';

/** Set by the bundler: the files of this version. */
declare const site: { version: string; paths: readonly string[] };

/** The parts of the service worker API that this file uses. */
interface WorkerEvent extends Event {
  waitUntil(work: Promise<unknown>): void;
  /** Of "fetch". */
  request: Request;
  respondWith(response: Promise<Response>): void;
  /** Of "message". */
  data: unknown;
}
interface Scope {
  clients: { claim(): Promise<void> };
  addEventListener(
    type: 'install' | 'activate' | 'message' | 'fetch',
    listener: (event: WorkerEvent) => void,
  ): void;
}
const scope = self as unknown as Scope;

const siteCache = `site-${site.version}`;
const recordCache = 'record';
const manifestAddress = `/${manifestPath}`;
const siteFiles: ReadonlySet<string> = new Set(site.paths.map((path) => `/${path}`));

/** After this time, a cached page is shown instead of one from the network. */
const pageTimeoutMs = 4000;

scope.addEventListener('install', (event) =>
  event.waitUntil(caches.open(siteCache).then((cache) => cache.addAll(site.paths.map(requestOf)))),
);

/** The browser's HTTP cache may hold an older version of a file without a hash in its name. */
const requestOf = (path: string): Request =>
  new Request(`/${path}`, { cache: isImmutable(path) ? 'default' : 'reload' });

scope.addEventListener('activate', (event) => event.waitUntil(activate()));

async function activate(): Promise<void> {
  const outdated = (await caches.keys()).filter((name) => name !== siteCache && name !== recordCache);
  await Promise.all(outdated.map((name) => caches.delete(name)));
  // Lets the page of the first visit use this worker, too.
  await scope.clients.claim();
}

scope.addEventListener('message', (event) => {
  // After a network error, the next visit goes on.
  if (event.data === cacheRecordMessage) event.waitUntil(cacheAll().catch(() => {}));
});

async function cacheAll(): Promise<void> {
  const cache = await caches.open(recordCache);
  await cacheManifest(cache, await fetch(manifestAddress, { cache: 'no-cache' }));
  await cacheAllShards(cache);
  await evictStaleShards(cache);
}

scope.addEventListener('fetch', (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== 'GET' || origin !== location.origin) return;
  const page = request.mode === 'navigate' ? pageAt(pathname) : undefined;
  if (page !== undefined && siteFiles.has(`/${page}`)) event.respondWith(answerPage(request, `/${page}`));
  else if (pathname.startsWith('/shards/')) event.respondWith(answerShard(event, pathname));
  else if (pathname === manifestAddress) event.respondWith(answerManifest(event));
  else if (siteFiles.has(pathname)) event.respondWith(answerSiteFile(request));
});

/** A response from a cache. A browser cannot open its caches on a full or damaged disk: the network answers then. */
const cachedIn = (cacheName: string, request: RequestInfo): Promise<Response | undefined> =>
  caches.match(request, { cacheName, ignoreSearch: cacheName === siteCache }).catch(() => undefined);

/** Network first, then the cache; for a page in neither, the home page, which says that the reader is offline. */
async function answerPage(request: Request, file: string): Promise<Response> {
  const fetched = fetch(request).then((response) => (response.status >= 500 ? undefined : response));
  const late = new Promise<undefined>((resolve) => setTimeout(resolve, pageTimeoutMs));
  const response = await Promise.race([fetched.catch(() => undefined), late]);
  if (response) return response;
  const cached = await cachedPage(file);
  if (cached) return cached;
  return fetch(request).catch(async () => (await cachedPage('/index.html')) ?? Response.error());
}

/** Some hosts redirect a page's file to its address, and browsers refuse a redirected response to a navigation: copies it. */
async function cachedPage(file: string): Promise<Response | undefined> {
  const cached = await cachedIn(siteCache, file);
  return cached?.redirected ? new Response(cached.body, cached) : cached;
}

async function answerSiteFile(request: Request): Promise<Response> {
  return (await cachedIn(siteCache, request)) ?? fetch(request);
}

/** Cache first: shards are immutable. */
async function answerShard(event: WorkerEvent, address: string): Promise<Response> {
  const cached = await cachedIn(recordCache, event.request);
  if (cached) return cached;
  const response = await fetch(event.request);
  const copy = response.clone();
  event.waitUntil(caches.open(recordCache).then((cache) => cacheIfValid(cache, address, copy)));
  return response;
}

/** Network first, then the cache. */
async function answerManifest(event: WorkerEvent): Promise<Response> {
  const response = await fetch(event.request).catch(() => undefined);
  if (response?.ok) {
    const copy = response.clone();
    event.waitUntil(caches.open(recordCache).then((cache) => cacheManifest(cache, copy)));
    return response;
  }
  return (await cachedIn(recordCache, event.request)) ?? response ?? Response.error();
}

async function cacheManifest(cache: Cache, response: Response): Promise<void> {
  if (await cacheIfValid(cache, manifestAddress, response)) await evictStaleShards(cache);
}

/** Addresses of the shards of the cached manifest; undefined if none of this format is cached. */
async function namedShards(cache: Cache): Promise<string[] | undefined> {
  const response = await cache.match(manifestAddress);
  const manifest = response && parseManifest(new Uint8Array(await response.arrayBuffer()));
  return manifest && Array.from(shardsOf(manifest), ({ path }) => `/${path}`);
}

/** Concurrent downloads; few, so that they do not delay the requests of the page. */
const maxDownloads = 3;

/** Downloads every shard of the cached manifest that is not cached yet. */
async function cacheAllShards(cache: Cache): Promise<void> {
  const addresses = ((await namedShards(cache)) ?? []).values();
  const downloadFiles = async () => {
    for (const address of addresses) await cacheShard(cache, address);
  };
  await Promise.all(Array.from({ length: maxDownloads }, downloadFiles));
}

async function cacheShard(cache: Cache, address: string): Promise<void> {
  if (await cache.match(address)) return;
  await cacheIfValid(cache, address, await fetch(address, { priority: 'low' }));
}

/** Deletes the files that the cached manifest does not name. */
async function evictStaleShards(cache: Cache): Promise<void> {
  const shards = await namedShards(cache);
  if (shards === undefined) return;
  const current = new Set([manifestAddress, ...shards]);
  for (const request of await cache.keys()) {
    const { pathname } = new URL(request.url);
    if (!current.has(pathname)) await cache.delete(request);
  }
}

const hashOf = hashBy({});

/**
 * Caches the manifest or a shard if its content is valid. A network with a sign-in page answers every request with that page.
 * @returns whether it was cached
 */
async function cacheIfValid(cache: Cache, address: string, response: Response): Promise<boolean> {
  if (!response.ok) return false;
  const bytes = new Uint8Array(await response.clone().arrayBuffer());
  const isValid =
    address === manifestAddress
      ? parseManifest(bytes) !== undefined
      : address.endsWith(`/${await hashOf(bytes)}.json`);
  if (isValid) await cache.put(address, response);
  return isValid;
}
