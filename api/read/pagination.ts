/** Where a page of a list stands among all its pages, and the links to the others. */
import type { Pagination } from '../contract/answers.ts';
import { withParameter } from '../contract/query-string.ts';
import type { Target } from '../contract/target.ts';

/** @param page from 1 */
export function paginationOf(total: number, page: number, limit: number): Pagination {
  const totalPages = Math.ceil(total / limit);
  return { total, page, limit, totalPages, hasNextPage: page < totalPages, hasPrevPage: page > 1 };
}

/** Maximum characters of a Link header: some clients and servers limit headers to 8 KiB. */
const maxLinkLength = 4096;

/** RFC 8288 links to the other pages of a list, the other parameters as they were sent. */
export function linkHeader(
  { path, queryString }: Target,
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
