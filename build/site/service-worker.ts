/**
 * Lets the site work without a network after the first visit. The files of one version of the site are kept together, those
 * of a large page that few visitors open once it is opened; what the record consists of is kept as it is read, and all of it
 * when there is time. A page comes from the network where there is one and names its programs and styles by their content,
 * so no page ever runs with those of another version: a new worker waits until nobody uses the old.
 */

import { openapiPath } from '../../api/contract/routes.ts';
import { isImmutable, pageAt } from '../../api/contract/site.ts';
import { manifestPath } from '../../api/contract/snapshot.ts';
import { keepRecord } from './shared/offline.ts';
import { keepIfRight, keepShards, sweep } from './shared/offline-cache.ts';

/** What the bundler tells: the files of this version, and by page those that are kept only once that page is opened. */
declare const site: {
  version: string;
  paths: readonly string[];
  apart: Readonly<Record<string, readonly string[]>>;
};

/** What this uses of its runtime. */
interface WorkerEvent extends Event {
  waitUntil(work: Promise<unknown>): void;
}
interface FetchEvent extends WorkerEvent {
  request: Request;
  respondWith(response: Promise<Response>): void;
}
interface MessageEventOfPage extends WorkerEvent {
  data: unknown;
  source: { url: string } | null;
}
interface Scope {
  clients: { claim(): Promise<void> };
  addEventListener(type: 'install' | 'activate', listener: (event: WorkerEvent) => void): void;
  addEventListener(type: 'message', listener: (event: MessageEventOfPage) => void): void;
  addEventListener(type: 'fetch', listener: (event: FetchEvent) => void): void;
}
const scope = self as unknown as Scope;

const siteCache = `site-${site.version}`;
const recordCache = 'record';
const siteFiles: ReadonlySet<string> = new Set(
  [site.paths, ...Object.values(site.apart)].flat().map((path) => `/${path}`),
);
const manifestAddress = `/${manifestPath}`;

/** Milliseconds after which a page that is kept is better than one that is waited for. */
const timeoutMs = 4000;

scope.addEventListener('install', (event) =>
  event.waitUntil(caches.open(siteCache).then((cache) => cache.addAll(site.paths.map(requestOf)))),
);

/** What is named by its content may come from the browser's own cache; there, another file may be that of the version before. */
const requestOf = (path: string): Request =>
  new Request(`/${path}`, { cache: isImmutable(path) ? 'default' : 'reload' });

scope.addEventListener('activate', (event) => event.waitUntil(takeOver()));

async function takeOver(): Promise<void> {
  const names = await caches.keys();
  const outdated = names.filter((name) => name !== siteCache && name !== recordCache);
  await Promise.all(outdated.map((name) => caches.delete(name)));
  // The page of a first visit reads the record through this worker, too.
  await scope.clients.claim();
}

scope.addEventListener('message', (event) => {
  // Where the network fails it goes on with the next visit.
  if (event.data === keepRecord) event.waitUntil(keepAll(event.source?.url).catch(() => {}));
});

/** @param opened address of the page that asks for it */
async function keepAll(opened: string | undefined): Promise<void> {
  // Its files may be those of a newer version, which keeps them itself.
  if (opened !== undefined) await keepApart(pageAt(new URL(opened).pathname)).catch(() => {});
  const cache = await caches.open(recordCache);
  await keepManifest(cache, await fetch(manifestAddress, { cache: 'no-cache' }));
  await keepShards(cache, manifestAddress);
}

async function keepApart(page: string | undefined): Promise<void> {
  const paths = site.apart[page ?? ''];
  if (paths === undefined) return;
  const cache = await caches.open(siteCache);
  for (const path of paths) if (!(await cache.match(`/${path}`))) await cache.add(requestOf(path));
  // The reference describes the service by it; from then on it is kept as it is read.
  const record = await caches.open(recordCache);
  if (!(await record.match(openapiPath))) await keepDescription(record, await fetch(openapiPath));
}

scope.addEventListener('fetch', (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== 'GET' || origin !== location.origin) return;
  const page = request.mode === 'navigate' ? pageAt(pathname) : undefined;
  if (page !== undefined) event.respondWith(pageOrKept(request, `/${page}`));
  else if (pathname.startsWith('/shards/')) event.respondWith(keptOrFetched(event));
  else if (pathname === manifestAddress) event.respondWith(latest(event, keepManifest));
  else if (pathname === openapiPath) event.respondWith(latest(event, keepDescription));
  else if (siteFiles.has(pathname)) event.respondWith(keptFile(request));
});

/** A page as it is now, or as it is kept where the network has none or is slow; the first page says so of one that is not kept. */
async function pageOrKept(request: Request, file: string): Promise<Response> {
  const fetched = fetch(request).then((response) => (response.status >= 500 ? undefined : response));
  const late = new Promise<undefined>((resolve) => setTimeout(resolve, timeoutMs));
  const response = await Promise.race([fetched.catch(() => undefined), late]);
  if (response) return response;
  const cache = await caches.open(siteCache);
  const kept = await keptPage(cache, file);
  if (kept) return kept;
  return fetch(request).catch(async () => (await keptPage(cache, '/index.html')) ?? Response.error());
}

/** Some hosts lead from the file of a page to its address; browsers refuse what was led elsewhere as the answer to a visit. */
async function keptPage(cache: Cache, file: string): Promise<Response | undefined> {
  const kept = await cache.match(file);
  return kept?.redirected ? new Response(kept.body, kept) : kept;
}

async function keptFile(request: Request): Promise<Response> {
  return (await caches.match(request, { cacheName: siteCache, ignoreSearch: true })) ?? fetch(request);
}

/** What never changes is read once. */
async function keptOrFetched(event: FetchEvent): Promise<Response> {
  const cache = await caches.open(recordCache);
  const kept = await cache.match(event.request);
  if (kept) return kept;
  const response = await fetch(event.request);
  event.waitUntil(keepIfRight(cache, new URL(event.request.url).pathname, response.clone()));
  return response;
}

/** What changes, as it is now, or the last that was kept. @param keep given each answer that may be one */
async function latest(
  event: FetchEvent,
  keep: (cache: Cache, response: Response) => Promise<void>,
): Promise<Response> {
  const cache = await caches.open(recordCache);
  const response = await fetch(event.request).catch(() => undefined);
  if (response?.ok) {
    event.waitUntil(keep(cache, response.clone()));
    return response;
  }
  return (await cache.match(event.request)) ?? response ?? Response.error();
}

/** What the manifest before led to, and this one does not, is dropped. */
async function keepManifest(cache: Cache, response: Response): Promise<void> {
  if (await keepIfRight(cache, manifestAddress, response)) await sweep(cache, manifestAddress);
}

async function keepDescription(cache: Cache, response: Response): Promise<void> {
  if (response.ok && response.headers.get('Content-Type')?.includes('json'))
    await cache.put(openapiPath, response);
}
