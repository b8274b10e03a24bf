/** The document of the records that a query selects: a page, a whole list, or a CSV or NDJSON file. */
import { shapingParameters } from '../contract/accepted.ts';
import type { Pagination } from '../contract/answers.ts';
import { downloadFormats } from '../contract/layers.ts';
import type { ParameterName, Query } from '../contract/parameters.ts';
import { withParameter } from '../contract/query-string.ts';
import type { ListRoute, SearchRoute } from '../contract/routes.ts';
import { fold } from '../contract/text.ts';
import { csvColumns, csvHeading, csvRecord } from './csv.ts';
import { nominationRecords, nominationTexts } from './nominations.ts';
import type { Snapshot } from './snapshot.ts';

/** The document of an address; `pagination` for a page of a list. */
export interface Document {
  text: string;
  pagination?: Pagination;
  /** Of a document that browsers store as a file. */
  file?: { name: string; type: string };
}

/** The records that a query selects, in its order. */
export interface Selection {
  total: number;
  /** The rows of the records from one position to another, exclusive. */
  rows(start: number, end: number): ArrayLike<number>;
  /** The records in some rows as JSON, as the query shows them. */
  texts(rows: ArrayLike<number>): Promise<string[]>;
  /** The same as objects, for CSV; they may have more members. Without it, the texts are parsed. */
  records?(rows: ArrayLike<number>): Promise<Record<string, unknown>[]>;
}

/** The nominations of a list or search. @param rows their rows, in the order of the query */
export const nominationSelection = (
  snapshot: Snapshot,
  rows: Omit<Selection, 'texts' | 'records'>,
  { include, fields }: Query,
): Selection => {
  const shown = { details: include?.includes('details') ?? false, fields };
  return {
    ...rows,
    texts: (some) => nominationTexts(snapshot, some, shown),
    records: (some) => nominationRecords(snapshot, some, shown),
  };
};

/** What a page of a search has besides. */
interface SearchMembers {
  words: string;
  /** The words that the answer is of, if they are others. */
  corrected?: string | undefined;
  suggestions: readonly string[] | undefined;
}

/** The page that a query of a list or search asks for. */
export async function answerPage(
  { total, rows, texts }: Selection,
  { page, limit }: Query,
  search?: SearchMembers,
): Promise<Document> {
  const pagination = paginationOf(total, page, limit);
  const start = (page - 1) * limit;
  const records = await texts(rows(start, start + limit));
  const corrected = search?.corrected === undefined ? '' : `"corrected":${JSON.stringify(search.corrected)},`;
  const echo = search ? `"query":${JSON.stringify(search.words)},${corrected}` : '';
  const more = search?.suggestions ? `,"suggestions":${JSON.stringify(search.suggestions)}` : '';
  const text = `{${echo}"data":[${records.join(',')}],"pagination":${JSON.stringify(pagination)}${more}}\n`;
  return { text, pagination };
}

/** Where a page of a list stands among all its pages. @param page from 1 */
export function paginationOf(total: number, page: number, limit: number): Pagination {
  const totalPages = Math.ceil(total / limit);
  return { total, page, limit, totalPages, hasNextPage: page < totalPages, hasPrevPage: page > 1 };
}

/** Maximum characters of a Link header: some clients and servers limit headers to 8 KiB. */
const maxLinkLength = 4096;

/** RFC 8288 links to the other pages of a list, the other parameters as they were sent. */
export function linkHeader(
  { path, queryString }: { path: string; queryString: string },
  { page, totalPages }: Pagination,
): string | undefined {
  const link = (number: number, relation: string) =>
    `<${path}?${withParameter(queryString, 'page', number)}>; rel="${relation}"`;
  const last = Math.max(1, totalPages);
  const links = [link(1, 'first')];
  if (page > 1) links.push(link(Math.min(page - 1, last), 'prev'));
  if (page < totalPages) links.push(link(page + 1, 'next'));
  links.push(link(last, 'last'));
  const all = links.join(', ');
  // A longer header makes clients and proxies refuse the answer. `pagination` has the same information.
  return all.length > maxLinkLength ? undefined : all;
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
