/**
 * The record in the browser: the resolver over the static files of the snapshot. No request goes to a computing service.
 * Until the columns are loaded, precomputed pages are faster; then computing is.
 */
import { actingCategories, entryKey } from '../../../api/contract/entries.ts';
import type { ResourceName } from '../../../api/contract/names.ts';
import { recordPagePath } from '../../../api/contract/pages.ts';
import type { Category, Details, Nomination } from '../../../api/contract/resources.ts';
import { listPath, matchRoute, recordPath } from '../../../api/contract/routes.ts';
import type { Manifest } from '../../../api/contract/snapshot.ts';
import { fetchSource } from '../../../api/read/fetch-source.ts';
import { webDigest } from '../../../api/read/hashing.ts';
import { detailsOf } from '../../../api/read/nominations.ts';
import { pagePathOf } from '../../../api/read/precomputed.ts';
import { readQuestion } from '../../../api/read/question.ts';
import { noticesOf } from '../../../api/read/restricted.ts';
import { Resolver } from '../../../api/read/resolve.ts';
import type { Snapshot } from '../../../api/read/snapshot.ts';
import type { Source } from '../../../api/read/source.ts';
import { ApiError, type List, readDocument } from '../shared/api.ts';
import { savesData } from '../shared/offline.ts';
import { viewOf } from './addresses.ts';

const files = fetchSource('/', (input, init) => fetch(input, init), '/pages/');
let firstPage = requestFirstPage();
const withPages: Source = {
  ...files,
  file(path) {
    if (firstPage?.path !== path) return files.file(path);
    const { bytes } = firstPage;
    firstPage = undefined;
    return bytes;
  },
};
const options = { asyncDigest: webDigest };
const pageResolver = new Resolver(withPages, options);
const columnResolver = new Resolver({ ...files, readsPages: false }, options);
let isWarm = false;

/** Requests the page of the record at the address at once, before its hash is known. */
function requestFirstPage(): { path: string; bytes: Promise<Uint8Array | undefined> } | undefined {
  const view = viewOf(location.pathname);
  if (view.kind !== 'record') return undefined;
  const path = recordPagePath(`/api/${view.resource}`, view.id);
  const bytes = files.file(path);
  // The reader of the page handles a failure.
  bytes.catch(() => {});
  return { path, bytes };
}

function isPrecomputed(address: string): boolean {
  const [path = '', queryString = ''] = address.split('?', 2);
  const match = matchRoute(path);
  const question = match && readQuestion(match, queryString);
  if (question === undefined || Array.isArray(question) || question.kind === 'document') return false;
  return pagePathOf(path, question) !== undefined;
}

/** The answer of the API at an address such as `/api/movies?genre=Drama`. @throws ApiError */
export async function ask<T>(address: string): Promise<T> {
  if (!isWarm && isPrecomputed(address))
    try {
      return await readDocument<T>(pageResolver, address);
    } catch (error) {
      // Some hosts have no pages, and pages are not cached for offline use.
      if (!(error instanceof ApiError && error.status === 503)) throw error;
    }
  return readDocument<T>(columnResolver, address);
}

/** The page of a record. @throws ApiError */
export const askRecord = <T>(resource: ResourceName, id: number): Promise<T> =>
  ask<T>(recordPath(resource, id));

/** A nomination with what the source tells besides. */
export interface DetailedNomination extends Nomination {
  details: Details;
  /** Nominations with the same key count as one. */
  entryKey: string;
}

/** Adds the details to nominations, with small requests and without the columns. @throws SnapshotUnavailable */
export async function withDetails(nominations: readonly Nomination[]): Promise<DetailedNomination[]> {
  const current = await (isWarm ? columnResolver : pageResolver).snapshot();
  const details = await detailsOf(
    current,
    nominations.map(({ id }) => id),
  );
  // Only an entry without a number depends on the category.
  const acting = details.some(({ entry }) => entry === null)
    ? actingCategories((await ask<List<Category>>(listPath('categories'))).data)
    : undefined;
  return nominations.map((nomination, i) => {
    const own = details[i]!;
    const isActing = acting?.has(nomination.category_id) ?? false;
    return { ...nomination, details: own, entryKey: entryKey({ ...nomination, entry: own.entry }, isActing) };
  });
}

/** The details of a nomination that exists. @throws SnapshotUnavailable */
export async function detailsOfOne(id: number): Promise<Details> {
  const [details] = await detailsOf(await (isWarm ? columnResolver : pageResolver).snapshot(), [id]);
  return details!;
}

type Nominated<T> = T & { nominations: DetailedNomination[] };

/** The page of a record with the details of its nominations. @throws ApiError @throws SnapshotUnavailable */
export async function askNominated<T>(resource: ResourceName, id: number): Promise<Nominated<T>> {
  const record = await askRecord<T & { nominations: Nomination[] }>(resource, id);
  return { ...record, nominations: await withDetails(record.nominations) };
}

let warming: Promise<void> | undefined;

/** Loads the columns once, for searching and counting. @throws SnapshotUnavailable */
export function warm(): Promise<void> {
  warming ??= loadColumns().catch((error: unknown) => {
    warming = undefined;
    throw error;
  });
  return warming;
}

async function loadColumns(): Promise<void> {
  const current = await snapshot();
  await current.nominations();
  await current.searchFields();
  isWarm = true;
}

/** The snapshot; it loads each table on first use. @throws SnapshotUnavailable */
export const snapshot = (): Promise<Snapshot> => columnResolver.snapshot();

/** The snapshot with its columns loaded. @throws SnapshotUnavailable */
export async function columns(): Promise<Snapshot> {
  await warm();
  return snapshot();
}

/** Number of records of each kind. @throws SnapshotUnavailable */
export const counts = async (): Promise<Manifest['counts']> =>
  (await pageResolver.snapshot()).manifest.counts;

/**
 * The whole filtered list of an address as a file. It is made here, so that it works on a host of plain files.
 * @throws ApiError
 */
export async function exported(address: string, format: 'csv' | 'ndjson'): Promise<File> {
  const [path = '', queryString] = address.split('?', 2);
  const query = new URLSearchParams(queryString);
  for (const name of ['page', 'limit']) query.delete(name);
  query.set('format', format);
  const { status, headers, body } = await columnResolver.answer({
    method: 'GET',
    path,
    queryString: String(query),
  });
  if (status !== 200) throw new ApiError(status, 'the list cannot be made', []);
  const name = /filename="([^"]+)"/.exec(headers['Content-Disposition'] ?? '')?.[1] ?? `list.${format}`;
  return new File([body as Uint8Array<ArrayBuffer>], name, { type: headers['Content-Type'] ?? '' });
}

/** What pages must say about the sources of the record. @throws SnapshotUnavailable */
export const notices = async (): Promise<string[]> => noticesOf(await pageResolver.snapshot());

const readerEvents = ['pointermove', 'pointerdown', 'keydown', 'scroll'] as const;

/** Loads everything a search needs at the first event of the reader, unless the browser saves data. */
export function warmOnFirstEvent(): void {
  if (savesData()) return;
  const begin = () => {
    for (const event of readerEvents) removeEventListener(event, begin);
    // A search reports the failure.
    loadSearch().catch(() => {});
  };
  for (const event of readerEvents) addEventListener(event, begin, { passive: true });
}

/** Loads the columns, then one group of search terms after the other while the browser is idle. */
async function loadSearch(): Promise<void> {
  const current = await columns();
  const { keys } = await current.directory('search');
  for (const group of keys) {
    await idle();
    const { hashes } = await current.termDirectory(String(group));
    await Promise.all(hashes.map((hash) => current.termShard(hash)));
  }
}

/** Not every browser has requestIdleCallback. */
const idle = (): Promise<void> =>
  new Promise((resolve) => {
    if ('requestIdleCallback' in globalThis) requestIdleCallback(() => resolve());
    else setTimeout(resolve, 50);
  });

const listeners = new Set<() => void>();

/** Calls when the snapshot has changed. @returns a function that ends it */
export function onSnapshotChange(call: () => void): () => void {
  listeners.add(call);
  return () => void listeners.delete(call);
}

/** Reads the manifest again and tells the listeners of a new snapshot. */
export async function checkForChanges(): Promise<void> {
  const resolvers = [pageResolver, columnResolver];
  const currentIds = () =>
    Promise.all(
      resolvers.map(async (resolver) => {
        const current = await resolver.snapshot().catch(() => undefined);
        return current?.id;
      }),
    );
  const before = await currentIds();
  await Promise.all(resolvers.map((resolver) => resolver.refresh()));
  const after = await currentIds();
  if (before.some((id, i) => id !== after[i])) for (const call of listeners) call();
}
