/**
 * Makes pages where no server does: without a network, and on hosts of plain files. It renders them as a
 * server does, from the shards of the snapshot, which it reads on demand and keeps. The whole record is kept
 * when the reader comes back or asks for it.
 */
import { type Manifest, manifestPath, parseManifest } from '../../api/contract/snapshot.ts';
import { responseOf } from '../../api/read/answer.ts';
import { hashBy, type Source } from '../../api/read/source.ts';
import { Resolver } from '../../api/read/resolve.ts';
import { shardsOf } from '../../api/read/walk.ts';
import { SitePages } from './explorer/site-pages.ts';
import { explorerPage, isImmutable, keepRecordMessage, pageAt, shellClass } from './shared/hosting.ts';

/** Set by the bundler: the files of this version that pages load. */
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
  skipWaiting(): Promise<void>;
  addEventListener(
    type: 'install' | 'activate' | 'message' | 'fetch',
    listener: (event: WorkerEvent) => void,
  ): void;
}
const scope = self as unknown as Scope;

const siteCache = `site-${site.version}`;
const recordCache = 'record';
const siteFiles: ReadonlySet<string> = new Set(site.paths.map((path) => `/${path}`));

/** After this time, a page is made here instead of waiting for the network. */
const networkTimeoutMs = 4000;
/** A shard of a slow network takes longer. */
const shardTimeoutMs = 20_000;

scope.addEventListener('install', (event) =>
  event.waitUntil(
    caches
      .open(siteCache)
      // The browser's HTTP cache may hold an older version of a file without a hash in its name.
      .then((cache) =>
        cache.addAll(
          site.paths.map(
            (path) => new Request(`/${path}`, { cache: isImmutable(path) ? 'default' : 'reload' }),
          ),
        ),
      )
      // Pages are documents: none runs with the files of another version.
      .then(() => scope.skipWaiting()),
  ),
);

scope.addEventListener('activate', (event) => event.waitUntil(activate()));

async function activate(): Promise<void> {
  const outdated = (await caches.keys()).filter((name) => name !== siteCache && name !== recordCache);
  await Promise.all(outdated.map((name) => caches.delete(name)));
  await scope.clients.claim();
}

/** The keeping under way, which all pages share. */
let keeping: Promise<void> | undefined;

scope.addEventListener('message', (event) => {
  // After a network error, the next visit goes on.
  if (event.data !== keepRecordMessage) return;
  keeping ??= keepRecord()
    .catch(() => {})
    .finally(() => {
      keeping = undefined;
    });
  event.waitUntil(keeping);
});

scope.addEventListener('fetch', (event) => {
  const { request } = event;
  const { origin, pathname, searchParams } = new URL(request.url);
  if (request.method !== 'GET' || origin !== location.origin) return;
  const isPage = request.mode === 'navigate' || searchParams.has('part');
  if (isPage && pageAt(pathname) === explorerPage) event.respondWith(answerPage(request));
  else if (siteFiles.has(pathname) && request.mode !== 'navigate') event.respondWith(answerSiteFile(request));
});

/** Whether the host sends the shell for every page. */
let isPlainHost = false;

/** Network first. A page is made here if the host has no renderer, cannot be reached, or takes too long. */
async function answerPage(request: Request): Promise<Response> {
  const fetched = isPlainHost ? undefined : fromNetwork(request);
  const late = new Promise<undefined>((resolve) => setTimeout(resolve, networkTimeoutMs));
  const response = fetched && (await Promise.race([fetched, late]));
  if (response) return response;
  const made = await madePage(request);
  if (made.type !== 'error' && made.status < 500) return made;
  return (await fetched) ?? made;
}

/** The page of the host; undefined if it is the shell, or if there is no page. */
async function fromNetwork(request: Request): Promise<Response | undefined> {
  const response = await fetch(request).catch(() => undefined);
  if (response === undefined || response.status >= 500) return undefined;
  // A redirect leads to another page.
  if (response.type === 'opaqueredirect') return response;
  const text = await response.clone().text();
  isPlainHost = text.includes(`<body class="${shellClass}">`);
  return isPlainHost ? undefined : response;
}

const hashOf = hashBy({});

/** The files of the snapshot: immutable ones from the cache first, the manifest from the network first. */
const source: Source = {
  async shard(path) {
    const cached = await caches.match(`/${path}`, { cacheName: recordCache });
    const response = cached ?? (await fetch(`/${path}`, { signal: AbortSignal.timeout(shardTimeoutMs) }));
    if (!response.ok) return undefined;
    const bytes = new Uint8Array(await response.arrayBuffer());
    // A network with a sign-in page answers every request with that page.
    if (!cached && path.endsWith(`/${await hashOf(bytes)}.json`)) await keep(`/${path}`, bytes);
    return bytes;
  },
  async file(path) {
    const signal = AbortSignal.timeout(networkTimeoutMs);
    const response = await fetch(`/${path}`, { cache: 'no-cache', signal }).catch(() => undefined);
    const isManifest = path === manifestPath;
    if (response?.ok) {
      const bytes = new Uint8Array(await response.arrayBuffer());
      // A newer one replaces it when its shards are there: see keepRecord().
      const isKept = isManifest && (await caches.match(`/${path}`, { cacheName: recordCache })) !== undefined;
      if (isManifest && !isKept && parseManifest(bytes) !== undefined) await keep(`/${path}`, bytes);
      return bytes;
    }
    const cached = await caches.match(`/${path}`, { cacheName: isManifest ? recordCache : siteCache });
    return cached && new Uint8Array(await cached.arrayBuffer());
  },
};

const keep = async (address: string, bytes: Uint8Array): Promise<void> =>
  (await caches.open(recordCache)).put(address, new Response(bytes as Uint8Array<ArrayBuffer>));

const resolver = new Resolver(source, { cacheBytes: 16 * 1024 * 1024, answerBytes: 0 });
const pages = new SitePages({
  resolver,
  // The shell of the version that this worker renders for.
  file: async (path) =>
    path === explorerPage
      ? caches
          .match(`/${path}`, { cacheName: siteCache })
          .then(async (cached) => cached && new Uint8Array(await cached.arrayBuffer()))
      : source.file(path),
  cacheBytes: 2 * 1024 * 1024,
  unavailable: {
    title: 'You are offline',
    text: 'This browser has not saved this page. Connect to the network to open it. To read all pages offline, choose “Keep the record in this browser” on the page Downloads.',
  },
});

async function madePage(request: Request): Promise<Response> {
  const { pathname: path, search } = new URL(request.url);
  await resolver.refresh();
  // Only crawlers and other programs need absolute addresses.
  const answer = await pages.answer({ method: 'GET', path, queryString: search.slice(1) }, '');
  if (answer === undefined) return Response.error();
  const { Location } = answer.headers;
  if (Location === undefined) return responseOf(answer);
  // The browser takes no relative address from a worker.
  const headers = { ...answer.headers, Location: new URL(Location, request.url).href };
  return new Response(null, { status: 301, headers });
}

async function answerSiteFile(request: Request): Promise<Response> {
  const cached = await caches
    .match(request, { cacheName: siteCache, ignoreSearch: true })
    .catch(() => undefined);
  return cached ?? fetch(request);
}

/** Concurrent downloads; few, so that they do not delay the requests of the page. */
const maxDownloads = 3;

/** Keeps every shard of the current snapshot, and removes those of earlier ones. */
async function keepRecord(): Promise<void> {
  const bytes = await source.file(manifestPath);
  const manifest: Manifest | undefined = bytes && parseManifest(bytes);
  if (manifest === undefined) return;
  const paths = Array.from(shardsOf(manifest), ({ path }) => path);
  const cache = await caches.open(recordCache);
  const kept = new Set((await cache.keys()).map(({ url }) => new URL(url).pathname));
  const left = paths.filter((path) => !kept.has(`/${path}`)).values();
  const download = async () => {
    for (const path of left) await source.shard(path);
  };
  await Promise.all(Array.from({ length: maxDownloads }, download));
  const current = new Set([manifestPath, ...paths].map((path) => `/${path}`));
  await keep(`/${manifestPath}`, bytes!);
  for (const request of await cache.keys())
    if (!current.has(new URL(request.url).pathname)) await cache.delete(request);
}
