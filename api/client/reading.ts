/** Everything that can be read: one function for each operation, each of which needs nothing of the others. */
import type {
  ListOf,
  PageOf,
  RankingOf,
  ReceiptDocument,
  ReceiptList,
  SearchResult,
} from '../contract/answers.ts';
import type { DownloadIndex } from '../contract/download-index.ts';
import { downloadIndexPath } from '../contract/download-names.ts';
import type { ResourceName } from '../contract/names.ts';
import type { ParameterName, ParameterValue } from '../contract/parameters.ts';
import type { Nomination, RecordOf } from '../contract/resources.ts';
import {
  type ListParameter,
  listPath,
  openapiPath,
  type RankingName,
  type RankingParameter,
  rankingPath,
  receiptPath,
  receiptsPath,
  recordPath,
  type SearchParameter,
  searchPath,
} from '../contract/routes.ts';
import { get, type ReadOptions } from './documents.ts';
import type { Transport } from './transport.ts';

/** Values for some of these parameters. */
type QueryOf<P extends ParameterName> = { readonly [N in P]?: ParameterValue<N> | undefined };

export type ListQuery<R extends ResourceName> = QueryOf<ListParameter<R>>;
export type SearchQuery = QueryOf<Exclude<SearchParameter, 'q'>> & { readonly q: string };
export type RankingQuery<K extends RankingName> = QueryOf<RankingParameter<K>>;

/** A list, or a page of it. @throws ApiProblem */
export function list<R extends ResourceName>(
  transport: Transport,
  resource: R,
  query: ListQuery<R> = {},
  options: ReadOptions<ListOf[R]> = {},
): Promise<ListOf[R]> {
  return get<ListOf[R]>(transport, listPath(resource), { query, ...options });
}

/** All records of a list, whatever its pages. @throws ApiProblem */
export async function* listAll<R extends ResourceName>(
  transport: Transport,
  resource: R,
  query: QueryOf<Exclude<ListParameter<R>, 'page'>> = {},
  options: Pick<ReadOptions, 'signal'> = {},
): AsyncGenerator<RecordOf[R], void, undefined> {
  yield* everyPage<RecordOf[R]>((page) =>
    get(transport, listPath(resource), { query: { ...query, page }, ...options }),
  );
}

/** One record with what belongs to it. @throws ApiProblem with the code `no-such-record` where there is none */
export function read<R extends ResourceName>(
  transport: Transport,
  resource: R,
  id: number,
  options: ReadOptions<PageOf[R]> = {},
): Promise<PageOf[R]> {
  return get<PageOf[R]>(transport, recordPath(resource, id), options);
}

/** Nominations by words of the nominee, the film and the category. @throws ApiProblem */
export function search(
  transport: Transport,
  query: SearchQuery,
  options: ReadOptions<SearchResult> = {},
): Promise<SearchResult> {
  return get<SearchResult>(transport, searchPath, { query, ...options });
}

/** All that a search finds, the best match first. @throws ApiProblem */
export async function* searchAll(
  transport: Transport,
  query: Omit<SearchQuery, 'page'>,
  options: Pick<ReadOptions, 'signal'> = {},
): AsyncGenerator<Nomination, void, undefined> {
  yield* everyPage<Nomination>((page) =>
    get(transport, searchPath, { query: { ...query, page }, ...options }),
  );
}

/** Films or people by nominations or wins. @throws ApiProblem */
export function ranking<K extends RankingName>(
  transport: Transport,
  name: K,
  query: RankingQuery<K> = {},
  options: ReadOptions<RankingOf[K]> = {},
): Promise<RankingOf[K]> {
  return get<RankingOf[K]>(transport, rankingPath(name), { query, ...options });
}

/** What was written, newest first. Needs a key. @throws ApiProblem */
export function receipts(
  transport: Transport,
  query: { readonly before?: number | undefined } = {},
  options: Pick<ReadOptions, 'signal'> = {},
): Promise<ReceiptList> {
  return get<ReceiptList>(transport, receiptsPath, { query, secured: true, ...options });
}

/** What one write changed. Needs a key. @throws ApiProblem */
export function receipt(
  transport: Transport,
  id: number,
  options: Pick<ReadOptions, 'signal'> = {},
): Promise<ReceiptDocument> {
  return get<ReceiptDocument>(transport, receiptPath(id), { secured: true, ...options });
}

/** What can be downloaded, with sizes and hashes. Over HTTP only. @throws ApiProblem */
export function downloads(
  transport: Transport,
  options: ReadOptions<DownloadIndex> = {},
): Promise<DownloadIndex> {
  return get<DownloadIndex>(transport, `/${downloadIndexPath}`, options);
}

/** The description of the service for programs (OpenAPI 3.1). @throws ApiProblem */
export function description(
  transport: Transport,
  options: ReadOptions<Record<string, unknown>> = {},
): Promise<Record<string, unknown>> {
  return get<Record<string, unknown>>(transport, openapiPath, options);
}

interface OnePage<T> {
  data: readonly T[];
  /** Missing where a list comes all at once. */
  pagination?: { hasNextPage: boolean };
}

async function* everyPage<T>(
  pageAt: (page: number) => Promise<OnePage<T>>,
): AsyncGenerator<T, void, undefined> {
  for (let page = 1; ; page += 1) {
    const { data, pagination } = await pageAt(page);
    yield* data;
    if (!pagination?.hasNextPage) return;
  }
}
