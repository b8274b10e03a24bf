/** The document of the records that a query selects: a page, a whole list, or a CSV or NDJSON file. */
import { shapingParameters } from '../contract/accepted.ts';
import type { Pagination } from '../contract/answers.ts';
import { downloadFormats } from '../contract/layers.ts';
import type { ParameterName, Query } from '../contract/parameters.ts';
import type { ListRoute, SearchRoute } from '../contract/routes.ts';
import { fold } from '../contract/text.ts';
import { csvColumns, csvHeading, csvRecord } from './csv.ts';
import { detailsOf, idsOf, nominationRecord, nominationTexts, textsOf } from './nominations.ts';
import { paginationOf } from './pagination.ts';
import type { Snapshot } from './snapshot.ts';

/** The document of an address; `pagination` for a page of a list. */
export interface Document {
  text: string;
  pagination?: Pagination;
  /** Of a document that browsers store as a file. */
  file?: { name: string; type: string };
}

/** What a page of a search has besides. */
interface SearchMembers {
  words: string;
  /** The words that the answer is of, if they are others. */
  corrected?: string | undefined;
  suggestions: readonly string[] | undefined;
}

/** A page of a list or search. */
function pageText(records: readonly string[], pagination: Pagination, search?: SearchMembers): string {
  const corrected = search?.corrected === undefined ? '' : `"corrected":${JSON.stringify(search.corrected)},`;
  const echo = search ? `"query":${JSON.stringify(search.words)},${corrected}` : '';
  const more = search?.suggestions ? `,"suggestions":${JSON.stringify(search.suggestions)}` : '';
  return `{${echo}"data":[${records.join(',')}],"pagination":${JSON.stringify(pagination)}${more}}\n`;
}

/** The records that a query selects, in its order. */
export interface Selection {
  total: number;
  /** The rows of the records from one position to another, exclusive. */
  rows(start: number, end: number): ArrayLike<number>;
  /** The records in some rows as JSON, as the query shows them. */
  texts(rows: ArrayLike<number>): Promise<string[]>;
  /** The same records as objects, perhaps with members that the query does not show. Default: the texts, parsed. */
  records?: (rows: ArrayLike<number>) => Promise<Record<string, unknown>[]>;
}

/** The nominations of a list or search. @param rows their rows, in the order of the query */
export const nominationSelection = (
  snapshot: Snapshot,
  rows: Omit<Selection, 'texts' | 'records'>,
  { include, fields }: Query,
): Selection => {
  const details = include?.includes('details') ?? false;
  return {
    ...rows,
    texts: (some) => nominationTexts(snapshot, some, { details, fields }),
    async records(some) {
      const nominations = await textsOf(snapshot);
      const all = details ? await detailsOf(snapshot, idsOf(nominations.table, some)) : undefined;
      return Array.from(some, (row, i) => nominationRecord(nominations, row, all?.[i]));
    },
  };
};

/** The page that a query of a list or search asks for. */
export async function answerPage(
  { total, rows, texts }: Selection,
  { page, limit }: Query,
  search?: SearchMembers,
): Promise<Document> {
  const pagination = paginationOf(total, page, limit);
  const start = (page - 1) * limit;
  return {
    text: pageText(await texts(rows(start, start + limit)), pagination, search),
    pagination,
  };
}

/** A list without pages. */
export function countedText(records: readonly string[]): string {
  return `{"data":[${records.join(',')}],"count":${records.length}}\n`;
}

/** All records that a query selects, as a file. */
export async function fileDocument(
  { total, rows, texts, records }: Selection,
  route: ListRoute | SearchRoute,
  query: Query & { format: 'csv' | 'ndjson' },
): Promise<Document> {
  const { format } = query;
  const file = { name: `${fileName(route, query)}.${format}`, type: downloadFormats[format] };
  const all = rows(0, total);
  if (format === 'ndjson') return { text: (await texts(all)).map((line) => `${line}\n`).join(''), file };
  const resource = route.kind === 'search' ? 'nominations' : route.resource;
  const columns = csvColumns(resource, query.include ?? [], query.fields);
  const objects = records
    ? await records(all)
    : (await texts(all)).map((text) => JSON.parse(text) as Record<string, unknown>);
  const lines = objects.map((record) => csvRecord(columns, record));
  return { text: csvHeading(columns) + lines.join(''), file };
}

/** Characters of a file name. */
const maxNameLength = 120;

/** The collection and the filters: `nominations-category-cinematography-winner-true`. */
function fileName(route: ListRoute | SearchRoute, query: Query): string {
  const filters = route.parameters.filter((name) => !shapingParameters.has(name));
  const words = filters.flatMap((name) => wordsOf(name, query));
  const start = route.kind === 'search' ? 'search' : route.resource;
  return [start, ...words].join('-').slice(0, maxNameLength).replace(/-+$/, '');
}

function wordsOf(name: ParameterName, query: Query): string[] {
  const value = fold(String(query[name] ?? ''))
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-+|-+$/g, '');
  if (value === '') return [];
  return name === 'q' ? [value] : [name, value];
}
