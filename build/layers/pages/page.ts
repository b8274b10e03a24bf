/** A page: the file in which the resolver looks for the answer to a question. */
import { defaultQuery, type Query } from '../../../api/contract/parameters.ts';
import { type Route, routes } from '../../../api/contract/routes.ts';
import { type PageQuestion, pagePathOf } from '../../../api/read/precomputed.ts';

export interface Page {
  path: string;
  question: PageQuestion;
  cause: string;
  /** False if the page is gone in the new snapshot. */
  exists: boolean;
}

/** The page of a question, none where its answer is computed. @param address that asks the question, without its query */
export function* pageOf(
  address: string,
  question: PageQuestion,
  cause: string,
  exists = true,
): Generator<Page> {
  const path = pagePathOf(address, question);
  if (path !== undefined) yield { path, question, cause, exists };
}

/** @param query what differs from the default */
export function* queryPage(
  address: string,
  query: Partial<Query>,
  cause: string,
  exists = true,
): Generator<Page> {
  const route = routes.get(address) as Route & (PageQuestion & { kind: 'query' })['route'];
  yield* pageOf(address, { kind: 'query', route, query: { ...defaultQuery, ...query } }, cause, exists);
}
