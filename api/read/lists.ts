/** Answers of the lists. */
import type { Query, SortedResource } from '../contract/parameters.ts';
import type { ListRoute } from '../contract/routes.ts';
import { answerPage, countedText, type Document, nominationSelection, type Selection } from './documents.ts';
import { sortRows } from './orders.ts';
import { honorTexts, recordsWith } from './records.ts';
import { selectRows } from './selection.ts';
import type { Snapshot } from './snapshot.ts';

/** Ascending by id or in the order of `sort`; ceremonies: newest first. */
export async function answerList(snapshot: Snapshot, route: ListRoute, query: Query): Promise<Document> {
  const selection = await selectList(snapshot, route, query);
  if (route.paginated) return answerPage(selection, query);
  return { text: countedText(await selection.texts(selection.rows(0, selection.total))) };
}

/** The records of a list that a query selects. */
export async function selectList(
  snapshot: Snapshot,
  { resource }: ListRoute,
  query: Query,
): Promise<Selection> {
  const selected = await selectRows(snapshot, resource, query);
  const count = snapshot.manifest.counts[resource];
  if (resource === 'nominations')
    return nominationSelection(snapshot, await sorted(snapshot, resource, query, selected, count), query);
  if (resource === 'honors')
    return {
      ...ascending(selected, count),
      texts: (some) => honorTexts(snapshot, some, query.fields),
    };
  const table = (await snapshot.table('ids'))[resource];
  const texts = async (some: ArrayLike<number>) => {
    const records = await Promise.all(Array.from(some, (row) => snapshot.existing(resource, table.id(row))));
    return query.include || query.fields ? recordsWith(snapshot, resource, some, records, query) : records;
  };
  if (resource === 'ceremonies')
    return { ...inRows((await snapshot.table('ceremonies')).newestFirst(selected)), texts };
  if (resource === 'categories') return { ...ascending(selected, count), texts };
  return { ...(await sorted(snapshot, resource, query, selected, count)), texts };
}

type Rows = Omit<Selection, 'texts' | 'records'>;

const inRows = (rows: readonly number[]): Rows => ({
  total: rows.length,
  rows: (start, end) => rows.slice(start, end),
});

/** @param rows undefined for all */
const ascending = (rows: Int32Array | undefined, count: number): Rows => ({
  total: rows?.length ?? count,
  rows: (start, end) => rows?.slice(start, end) ?? rowsBetween(start, Math.min(end, count)),
});

/** @param rows ascending; undefined for all */
async function sorted(
  snapshot: Snapshot,
  resource: SortedResource,
  { sort }: Query,
  rows: Int32Array | undefined,
  count: number,
): Promise<Rows> {
  if (sort === undefined || sort === 'id') return ascending(rows, count);
  return { total: rows?.length ?? count, rows: await sortRows(snapshot, resource, sort, rows, count) };
}

const rowsBetween = (start: number, end: number): number[] =>
  Array.from({ length: Math.max(0, end - start) }, (_, i) => start + i);
