/** Which precomputed page holds the answer to a question. */
import {
  countsPagePath,
  type FilteredList,
  filteredLists,
  filteredPagePath,
  listOrder,
  listPagePath,
  rankingFilters,
  rankingPagePath,
  recordPagePath,
  sortedLists,
  sortedPagePath,
} from '../contract/pages.ts';
import { defaultQuery, maxLimit, type ParameterName, type Query } from '../contract/parameters.ts';
import { pagingParameters, rankingSorts } from '../contract/accepted.ts';
import type { ListRoute } from '../contract/routes.ts';
import { fold } from '../contract/text.ts';
import type { Pagination } from '../contract/answers.ts';
import type { Question } from './question.ts';
import type { Snapshot } from './snapshot.ts';

export interface PrecomputedDocument {
  body: Uint8Array;
  /** contentHash of the body. */
  hash: string;
  pagination?: Pagination;
}

/**
 * The path of the page that answers a question; undefined if the answer must be computed.
 * @param path of the request
 */
export function pagePathOf(
  path: string,
  question: Exclude<Question, { kind: 'document' }>,
): string | undefined {
  if (question.kind === 'record' && (question.include || question.fields)) return undefined;
  if (question.kind === 'record') return recordPagePath(path.slice(0, path.lastIndexOf('/')), question.id);
  const { route, query } = question;
  if (route.kind === 'search') return undefined;
  const sent = route.parameters.filter((name) => query[name] !== defaultQuery[name]);
  if (route.kind === 'list') {
    const [page, mayDiffer]: [number, (name: ParameterName) => boolean] = route.paginated
      ? [query.page, (name) => name === 'page']
      : [1, (name) => pagingParameters.has(name)];
    if (sent.every(mayDiffer)) return listPagePath(path, page);
    return filteredPage(route, query, sent) ?? sortedPage(route, query, sent);
  }
  if (route.kind === 'counts') return sent.length === 1 ? countsPagePath(path, query.by!) : undefined;
  const [name, ...more] = sent.filter((parameter) => parameter !== 'sort');
  const sort = query.sort ?? rankingSorts[0];
  if (name === undefined) return rankingPagePath(path, sort);
  const filter = rankingFilters[route.ranking].find((own) => own === name);
  if (filter === undefined || more.length > 0) return undefined;
  return rankingPagePath(path, sort, { name: filter, value: fold(query[filter]!) });
}

/** The page of a list with one filter at the largest limit. @param sent parameters that differ from the default */
function filteredPage(
  { resource }: ListRoute,
  query: Query,
  sent: readonly ParameterName[],
): string | undefined {
  if (!(resource in filteredLists)) return undefined;
  const list = resource as FilteredList;
  const filter = filteredLists[list];
  const others = sent.filter((name) => name !== 'page' && name !== 'limit');
  const [value, ...more] = [query[filter]].flat();
  if (query.limit !== maxLimit || others.join() !== filter || more.length > 0) return undefined;
  return filteredPagePath(list, value!, query.page);
}

/** The first page of a list by entries. */
function sortedPage(
  { resource }: ListRoute,
  query: Query,
  sent: readonly ParameterName[],
): string | undefined {
  const list = sortedLists.find((name) => name === resource);
  const isOrder = query.sort === listOrder && query.include?.join() === 'counts' && sent.length === 2;
  return list !== undefined && isOrder ? sortedPagePath(list) : undefined;
}

/** The document in a page; undefined if the snapshot has no such page yet. */
export async function readPage(
  snapshot: Snapshot,
  path: string,
  question: Question,
): Promise<PrecomputedDocument | undefined> {
  const page = await snapshot.page(path);
  return page && { ...page, ...paginationIn(page.body, question) };
}

/** A page of a list ends with its pagination. */
function paginationIn(body: Uint8Array, question: Question): { pagination?: Pagination } {
  if (question.kind !== 'query' || question.route.kind !== 'list' || !question.route.paginated) return {};
  const tail = new TextDecoder().decode(body.subarray(-maxPaginationLength));
  const text = tail.slice(tail.lastIndexOf('{'), tail.lastIndexOf('}'));
  return { pagination: JSON.parse(text) as Pagination };
}

/** Bytes. */
const maxPaginationLength = 200;
