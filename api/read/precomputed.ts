/** Which precomputed page holds the answer to a question. */
import {
  countsPagePath,
  listPagePath,
  rankingFilters,
  rankingPagePath,
  recordPagePath,
} from '../contract/pages.ts';
import { defaultQuery, type ParameterName, type Query } from '../contract/parameters.ts';
import { pagingParameters, rankingSorts } from '../contract/routes.ts';
import { fold } from '../contract/text.ts';
import { type Pagination, paginationOf } from './documents.ts';
import type { Question } from './question.ts';
import type { Snapshot } from './snapshot.ts';

/** A precomputed document. */
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
    const [page, free]: [number, (name: ParameterName) => boolean] = route.paginated
      ? [query.page, (name) => name === 'page']
      : [1, (name) => pagingParameters.has(name)];
    return sent.every(free) ? listPagePath(path, page) : undefined;
  }
  if (route.kind === 'counts') return sent.length === 1 ? countsPagePath(path, query.by!) : undefined;
  const [name, ...more] = sent.filter((parameter) => parameter !== 'sort');
  const sort = query.sort ?? rankingSorts[0];
  if (name === undefined) return rankingPagePath(path, sort);
  const filter = rankingFilters[route.ranking].find((own) => own === name);
  if (filter === undefined || more.length > 0) return undefined;
  return rankingPagePath(path, sort, { name: filter, value: fold(query[filter]!) });
}

/** The document in a page; undefined if the snapshot has no such page yet. */
export async function readPage(
  snapshot: Snapshot,
  path: string,
  question: Question,
): Promise<PrecomputedDocument | undefined> {
  const page = await snapshot.page(path);
  return page && { ...page, ...paginationIn(snapshot, question) };
}

/** The pagination of a page of an unfiltered list: its total is the number of records. */
function paginationIn(snapshot: Snapshot, question: Question): { pagination?: Pagination } {
  if (question.kind !== 'query' || question.route.kind !== 'list' || !question.route.paginated) return {};
  const { page, limit }: Query = question.query;
  return { pagination: paginationOf(snapshot.manifest.counts[question.route.resource], page, limit) };
}
