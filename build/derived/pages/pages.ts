/** Every page of a snapshot, and the pages that a difference between two snapshots affects. */
import { type ResourceName, resourceNames } from '../../../api/contract/names.ts';
import { defaultLimit } from '../../../api/contract/parameters.ts';
import { type ListRoute, listPath, recordPath, routes } from '../../../api/contract/routes.ts';
import { answerQuestion } from '../../../api/read/question.ts';
import type { Snapshot } from '../../../api/read/snapshot.ts';
import type { LayerFile } from '../layer.ts';
import { type Affected, findAffected } from '../affected.ts';
import { affectedFilteredPages, allFilteredPages, pageCount, sortedPages } from './filtered.ts';
import { type Page, pageOf, queryPage } from './page.ts';
import { allRankingPages } from './rankings.ts';

const everyPageCause = 'every page is made';

/** The file of every page. */
export async function* allPageFiles(snapshot: Snapshot): AsyncGenerator<LayerFile> {
  const encode = pageEncoder();
  for await (const page of allPages(snapshot)) yield fileOf(page, snapshot, encode);
}

/** The files of the pages that may differ between two snapshots. */
export async function* affectedPageFiles(before: Snapshot, after: Snapshot): AsyncGenerator<LayerFile> {
  const encode = pageEncoder();
  const affected = await findAffected(before, after);
  for await (const page of affectedPages(affected, before, after)) yield fileOf(page, after, encode);
}

function fileOf(page: Page, snapshot: Snapshot, encode: (text: string) => Uint8Array): LayerFile {
  const { path, cause, question, exists } = page;
  const render = async () => {
    const document = await answerQuestion(snapshot, question);
    if (document === undefined) throw new Error(`${path} has no record`);
    return encode(document.text);
  };
  return { path, cause, content: async () => (exists ? render() : undefined) };
}

/** Encodes one page at a time into a shared buffer: 30,000 buffers would cost more than the rendering. */
function pageEncoder(): (text: string) => Uint8Array {
  const encoder = new TextEncoder();
  let buffer = new Uint8Array(64 * 1024);
  return (text) => {
    // UTF-8 takes at most three bytes for a UTF-16 unit.
    if (buffer.length < text.length * 3) buffer = new Uint8Array(text.length * 6);
    return buffer.subarray(0, encoder.encodeInto(text, buffer).written);
  };
}

/** Every page of a snapshot. */
async function* allPages(snapshot: Snapshot): AsyncGenerator<Page> {
  const ids = await snapshot.table('ids');
  for (const resource of resourceNames) {
    const records = ids[resource];
    for (let row = 0; row < records.count; row += 1)
      yield* recordPage(resource, records.id(row), everyPageCause);
  }
  for (const resource of resourceNames) {
    const last = listPageCount(resource, ids[resource].count);
    for (let page = 1; page <= last; page += 1)
      yield* queryPage(listPath(resource), { page }, everyPageCause);
  }
  yield* allFilteredPages(snapshot, everyPageCause);
  yield* orderedPages(snapshot, everyPageCause);
}

/** Sorted lists, counts and rankings. */
async function* orderedPages(snapshot: Snapshot, cause: string): AsyncGenerator<Page> {
  yield* sortedPages(cause);
  yield* allRankingPages(snapshot, cause);
}

/** The pages that may differ between two snapshots. */
async function* affectedPages(affected: Affected, before: Snapshot, after: Snapshot): AsyncGenerator<Page> {
  const [was, is] = [await before.table('ids'), await after.table('ids')];
  for (const resource of resourceNames)
    for (const [id, cause] of affected.shown[resource])
      yield* recordPage(resource, id, cause, is[resource].row(id) >= 0);
  for (const resource of resourceNames) {
    const last = listPageCount(resource, is[resource].count);
    const pages = affected.resized.has(resource)
      ? everyPage(resource, Math.max(last, listPageCount(resource, was[resource].count)))
      : pagesOfRecords(affected, resource, is[resource]);
    for (const [page, cause] of pages) yield* queryPage(listPath(resource), { page }, cause, page <= last);
  }
  yield* affectedFilteredPages(affected, before, after);
  yield* renewedPages(before, after);
}

/** The pages of orderedPages(): few enough to be made again with every change. Listing the old ones renders nothing. */
async function* renewedPages(before: Snapshot, after: Snapshot): AsyncGenerator<Page> {
  const cause = 'the snapshot changed';
  const gone = new Map<string, Page>();
  for await (const page of orderedPages(before, cause)) gone.set(page.path, page);
  for await (const page of orderedPages(after, cause)) {
    gone.delete(page.path);
    yield page;
  }
  for (const page of gone.values()) yield { ...page, exists: false };
}

/** The total is on every page. */
const everyPage = (resource: ResourceName, count: number): Map<number, string> =>
  new Map(Array.from({ length: count }, (_, i) => [i + 1, `the number of ${resource} changed`]));

/** The list pages that show the affected records. */
function pagesOfRecords(
  { changed, shown }: Affected,
  resource: ResourceName,
  ids: { row(id: number): number },
): Map<number, string> {
  const pages = new Map<number, string>();
  // Nominations and honors show names of other records. The other lists show their own records only.
  const isDerived = resource === 'nominations' || resource === 'honors';
  const records = (isDerived ? shown : changed)[resource];
  for (const [id, cause] of records)
    pages.set(isPaginated(resource) ? Math.floor(ids.row(id) / defaultLimit) + 1 : 1, cause);
  return pages;
}

const recordPage = (resource: ResourceName, id: number, cause: string, exists?: boolean): Generator<Page> =>
  pageOf(recordPath(resource, id), { kind: 'record', resource, id }, cause, exists);

const isPaginated = (resource: ResourceName): boolean =>
  (routes.get(listPath(resource)) as ListRoute).paginated;

/** Pages of an unfiltered list. */
const listPageCount = (resource: ResourceName, records: number): number =>
  isPaginated(resource) ? pageCount(records, defaultLimit) : 1;
