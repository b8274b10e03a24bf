/** The document of the records that a query selects: a page, a whole list, or a CSV or NDJSON file. */
import type { Pagination } from '../contract/answers.ts';
import type { Query } from '../contract/addresses.ts';
import { isExported, withParameter } from '../contract/query-string.ts';
import type { Asked, ListRoute, SearchRoute } from '../contract/routes.ts';
import type { Target } from '../contract/target.ts';
import { commonHeaders } from './answer.ts';
import { exportedFile, type FileDocument } from './exports.ts';
import type { Selection } from './records.ts';

/** The document of an address: as JSON, or as a file. */
export type Document = JsonDocument | FileDocument;
interface JsonDocument {
  json: object;
  /** Of a page of a list. */
  pagination?: Pagination;
  /** Address of the document that follows, of one that has no numbered pages. */
  next?: string | undefined;
  /** Other links of the header Link. */
  link?: string;
}

/** The text of a document of JSON. */
export const textOf = ({ json }: JsonDocument): string => `${JSON.stringify(json)}\n`;

/** Waits until the next part of a long document may be made: others are answered meanwhile. */
export type Turn = () => Promise<void>;

/** The bytes of a document. */
export async function bytesOf(document: Document, turn: Turn): Promise<Uint8Array> {
  const encoder = new TextEncoder();
  if ('json' in document) return encoder.encode(textOf(document));
  const parts: Uint8Array[] = [];
  for await (const part of document.parts) {
    parts.push(encoder.encode(part));
    await turn();
  }
  const bytes = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let length = 0;
  for (const part of parts) {
    bytes.set(part, length);
    length += part.length;
  }
  return bytes;
}

/** What a page of a search has besides. */
interface SearchMembers {
  query: string;
  /** The words that the answer is of, if they are others. */
  corrected?: string | undefined;
  suggestions?: readonly string[] | undefined;
}

/**
 * The document that a query of a list or search asks for.
 * @param search what a page of a search has besides
 */
export async function documentOf(
  selection: Selection,
  { route, query }: Asked<ListRoute | SearchRoute>,
  search?: SearchMembers,
): Promise<Document> {
  if (isExported(query)) return exportedFile(selection, route, query);
  if (route.kind === 'search' || route.paginated) return pageOf(selection, query, search);
  return countedList(await selection.records(0, selection.total));
}

async function pageOf(
  { total, records }: Selection,
  { page, limit }: Query,
  search?: SearchMembers,
): Promise<JsonDocument> {
  const pagination = paginationOf(total, page, limit);
  const data = await records((page - 1) * limit, page * limit);
  const { suggestions, ...first } = search ?? {};
  return { json: { ...first, data, pagination, suggestions }, pagination };
}

/** Where a page of a list stands among all its pages. @param page from 1 */
export function paginationOf(total: number, page: number, limit: number): Pagination {
  const totalPages = Math.ceil(total / limit);
  return { total, page, limit, totalPages, hasNextPage: page < totalPages, hasPrevPage: page > 1 };
}

/** What a document adds to the headers of its answer. @param target that was asked */
export function headersOf(document: Document, target: Target): Readonly<Record<string, string>> {
  if ('file' in document) {
    const exposed = commonHeaders['Access-Control-Expose-Headers'];
    return {
      'Content-Type': document.file.type,
      'Content-Disposition': `attachment; filename="${document.file.name}"`,
      'Access-Control-Expose-Headers': `${exposed}, Content-Disposition`,
    };
  }
  const { pagination, next } = document;
  if (next !== undefined) return { Link: `<${next}>; rel="next"` };
  const link = document.link ?? (pagination && linkHeader(target, pagination));
  return link === undefined ? {} : { Link: link };
}

/** Maximum characters of a Link header: some clients and servers limit headers to 8 KiB. */
const maxLinkLength = 4096;

/** RFC 8288 links to the other pages of a list, the other parameters as they were sent. */
function linkHeader({ path, queryString }: Target, { page, totalPages }: Pagination): string | undefined {
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
export const countedList = (data: readonly object[]): JsonDocument => ({
  json: { data, count: data.length },
});
