/** Where a page of a list stands among all its pages. */
import type { Pagination } from '../contract/answers.ts';

/** @param page from 1 */
export function paginationOf(total: number, page: number, limit: number): Pagination {
  const totalPages = Math.ceil(total / limit);
  return { total, page, limit, totalPages, hasNextPage: page < totalPages, hasPrevPage: page > 1 };
}
