/**
 * The resolver of the browser, over the static files of the snapshot. No request goes to a computing service. Until the columns
 * are loaded, precomputed pages are faster; then computing is.
 */
import { matchRoute } from '../../../api/contract/routes.ts';
import { splitTarget } from '../../../api/contract/target.ts';
import { pagePathOf } from '../../../api/read/precomputed.ts';
import { readQuestion } from '../../../api/read/question.ts';
import { PageResolver } from '../../../api/read/page-resolver.ts';
import type { Snapshot } from '../../../api/read/snapshot.ts';
import type { Source } from '../../../api/read/source.ts';
import { ApiError, readDocument } from '../shared/api.ts';
import { files, takeFirstPage } from './first-page.ts';
import type { Reading } from './record.ts';
import { readingOf } from './snapshot-reading.ts';

const withPages: Source = { ...files, file: (path) => takeFirstPage(path) ?? files.file(path) };
const pageResolver = new PageResolver(withPages);
const columnResolver = new PageResolver({ ...files, readsPages: false });
let isWarm = false;

function isPrecomputed(address: string): boolean {
  const { path, queryString } = splitTarget(address);
  const match = matchRoute(path);
  const question = match && readQuestion(match, queryString);
  if (question === undefined || Array.isArray(question) || question.kind === 'document') return false;
  return pagePathOf(path, question) !== undefined;
}

/** The answer of the API at an address such as `/api/movies?genre=Drama`. @throws ApiError */
async function ask<T>(address: string): Promise<T> {
  if (!isWarm && isPrecomputed(address))
    try {
      return await readDocument<T>(pageResolver, address);
    } catch (error) {
      // Some hosts have no pages, and pages are not cached for offline use.
      if (!(error instanceof ApiError && error.status === 503)) throw error;
    }
  return readDocument<T>(columnResolver, address);
}

let warming: Promise<void> | undefined;

/** Loads the columns once. @throws SnapshotUnavailable */
function warm(): Promise<void> {
  warming ??= loadColumns().catch((error: unknown) => {
    warming = undefined;
    throw error;
  });
  return warming;
}

async function loadColumns(): Promise<void> {
  const current = await columnResolver.snapshot();
  await current.texts();
  await current.searchFields();
  isWarm = true;
}

async function columns(): Promise<Snapshot> {
  await warm();
  return columnResolver.snapshot();
}

/** The files of the snapshot, read by the browser. */
export const reading: Reading = readingOf({
  ask,
  pages: () => (isWarm ? columnResolver : pageResolver).snapshot(),
  tables: () => columnResolver.snapshot(),
  columns,
  file: (path) => files.file(path),
});

/**
 * The whole filtered list of an address as a file. It is made here, so that it works on a host of plain files.
 * @throws ApiError
 */
export async function exported(address: string, format: 'csv' | 'ndjson'): Promise<File> {
  const { path, queryString } = splitTarget(address);
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

/** Loads the columns, then one group of search terms after the other while the browser is idle. */
export async function loadSearch(): Promise<void> {
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

/**
 * Reads the manifest again.
 * @param shown id of the snapshot that the page shows, if that is not the one of the resolver
 * @returns whether there is another snapshot than the one shown
 */
export async function takeUpChanges(shown: string | undefined): Promise<boolean> {
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
  const isReplaced = shown !== undefined && after[0] !== undefined && after[0] !== shown;
  return isReplaced || before.some((id, i) => id !== after[i]);
}
