/** One function per read of the service. A bundler drops unused functions. */
import type {
  CountsList,
  ListOf,
  PageOf,
  RankingOf,
  ReceiptDocument,
  ReceiptList,
  SearchResult,
} from '../contract/answers.ts';
import type { DownloadIndex } from '../contract/download-index.ts';
import { downloadIndexPath } from '../contract/download-names.ts';
import type { FilmListIndex, ListedFilm } from '../contract/film-lists.ts';
import { listIndexPath } from '../contract/lists.ts';
import type { ResourceName } from '../contract/names.ts';
import type { CountKey, ParameterName, ParameterValue } from '../contract/parameters.ts';
import type {
  CountsParameter,
  ListField,
  ListInclude,
  ListParameter,
  ListSort,
  RankingName,
  RankingParameter,
  RankingSort,
  ReceiptParameter,
  RecordField,
  RecordInclude,
  SearchParameter,
  SearchSort,
} from '../contract/accepted.ts';
import type { Details, EntryCounts, Nomination, RecordOf } from '../contract/resources.ts';
import {
  countsPath,
  listPath,
  openapiPath,
  rankingPath,
  receiptPath,
  receiptsPath,
  recordPath,
  searchPath,
} from '../contract/routes.ts';
import { ApiProblem, get, getText, type ReadOptions, type Transport } from './requests.ts';

/** Parameters whose values are the same at all addresses. */
type QueryOf<P extends ParameterName> = {
  readonly [N in Exclude<P, AddressParameter>]?: ParameterValue<N> | undefined;
};
type AddressParameter = 'include' | 'sort' | 'fields' | 'format';
/** Parameters whose values depend on the address. A type argument is `never` where the address does not take the parameter. */
type AddressQuery<I, S, F> = {
  readonly include?: readonly I[] | undefined;
  readonly sort?: S | undefined;
  readonly fields?: readonly F[] | undefined;
};
type SignalOption = Pick<ReadOptions, 'signal'>;

/** @typeParam I what to include @typeParam F the names in `fields` */
export type ListQuery<R extends ResourceName, I = ListInclude<R>, F = ListField<R>> = QueryOf<
  ListParameter<R>
> &
  AddressQuery<I, ListSort<R>, F>;
/** The query of all pages of a list. */
export type ListAllQuery<R extends ResourceName, I = ListInclude<R>, F = ListField<R>> = Omit<
  ListQuery<R, I, F>,
  'page'
>;
export type SearchQuery<I = SearchInclude, F = SearchField> = QueryOf<Exclude<SearchParameter, 'q'>> &
  AddressQuery<I, SearchSort, F> & { readonly q: string };
export type CountsQuery = QueryOf<Exclude<CountsParameter, 'by'>> & { readonly by: CountKey };
export type RankingQuery<K extends RankingName> = QueryOf<RankingParameter<K>> & {
  readonly sort?: RankingSort | undefined;
};
type SearchInclude = ListInclude<'nominations'>;
type SearchField = ListField<'nominations'>;

/** The nominations that a record embeds. @typeParam I the values of `include` */
type Embedded<I> = ('details' extends I ? Nomination & { details: Details } : Nomination)[];

/** The members that `include` adds to a record. */
type Added<R extends ResourceName, I> = (R extends 'nominations'
  ? 'details' extends I
    ? { details: Details }
    : unknown
  : 'nominations' extends I
    ? { nominations: Embedded<I> }
    : unknown) &
  ('counts' extends I ? { counts: EntryCounts } : unknown) &
  ('film_year' extends I ? { film_year: number | null } : unknown);

/** The members of a record that `fields` names; all of them for `never`. */
type Selected<T, F> = [F] extends [never] ? T : Pick<T, F & keyof T>;

/** A record of a list. @typeParam I the values of `include` @typeParam F the names in `fields`; never for all members */
export type Listed<R extends ResourceName, I = never, F = never> = Selected<RecordOf[R] & Added<R, I>, F>;

/** One page of a list, or a list without pages. */
export type ListDocument<R extends ResourceName, I = never, F = never> = Omit<ListOf[R], 'data'> & {
  data: Listed<R, I, F>[];
};

/** One page of a search. */
export type SearchDocument<I = never, F = never> = Omit<SearchResult, 'data'> & {
  data: Listed<'nominations', I, F>[];
};

/** The page of a record. */
export type RecordDocument<R extends ResourceName, I = never, F = never> = Selected<
  Omit<PageOf[R], 'counts' | 'details' | 'film_year' | 'nominations'> &
    (PageOf[R] extends { nominations: unknown } ? { nominations: Embedded<I> } : unknown) &
    Added<R, Exclude<I, 'nominations'>>,
  F
>;

/** Reads one page of a list, or a list without pages. `include` and `fields` determine the members of the records. @throws ApiProblem */
export const list = <
  R extends ResourceName,
  I extends ListInclude<R> = never,
  F extends ListField<R> = never,
>(
  transport: Transport,
  resource: R,
  query: ListQuery<R, I, F> = {},
  options: ReadOptions<ListDocument<R, I, F>> = {},
) => get<ListDocument<R, I, F>>(transport, listPath(resource), { query, ...options });

/** Iterates over the records of all pages of a list. Waits where the rate limit is reached. @throws ApiProblem */
export async function* listAll<
  R extends ResourceName,
  I extends ListInclude<R> = never,
  F extends ListField<R> = never,
>(
  transport: Transport,
  resource: R,
  query: ListAllQuery<R, I, F> = {} as ListAllQuery<R, I, F>,
  options: SignalOption = {},
): AsyncGenerator<Listed<R, I, F>, void, undefined> {
  const pageAt = (page: number) =>
    get<Page<Listed<R, I, F>>>(transport, listPath(resource), { query: { ...query, page }, ...options });
  yield* everyPage(pageAt, options);
}

/** The formats of whole lists. */
export type ExportFormat = Exclude<ParameterValue<'format'>, 'json'>;

/** Reads all records of a list as the text of a file. @throws ApiProblem */
export const exportList = <R extends ResourceName>(
  transport: Transport,
  resource: R,
  format: ExportFormat,
  query: Omit<ListQuery<R>, 'page' | 'limit'> = {} as Omit<ListQuery<R>, 'page' | 'limit'>,
  options: SignalOption = {},
): Promise<string> => getText(transport, listPath(resource), { query: { ...query, format }, ...options });

/** Reads all results of a search as the text of a file. @throws ApiProblem */
export const exportSearch = (
  transport: Transport,
  format: ExportFormat,
  query: Omit<SearchQuery, 'page' | 'limit'>,
  options: SignalOption = {},
): Promise<string> => getText(transport, searchPath, { query: { ...query, format }, ...options });

/** Reads the page of one record. @throws ApiProblem with the code `no-such-record` for an unknown id */
export const read = <
  R extends ResourceName,
  I extends RecordInclude<R> = never,
  F extends RecordField<R> = never,
>(
  transport: Transport,
  resource: R,
  id: number,
  {
    include,
    fields,
    ...options
  }: ReadOptions<RecordDocument<R, I, F>> & {
    include?: readonly I[] | undefined;
    fields?: readonly F[] | undefined;
  } = {},
) =>
  get<RecordDocument<R, I, F>>(transport, recordPath(resource, id), {
    query: { include, fields },
    ...options,
  });

/** Searches nominations by words of the nominee, the film and the category. @throws ApiProblem */
export const search = <I extends SearchInclude = never, F extends SearchField = never>(
  transport: Transport,
  query: SearchQuery<I, F>,
  options: ReadOptions<SearchDocument<I, F>> = {},
) => get<SearchDocument<I, F>>(transport, searchPath, { query, ...options });

/**
 * Iterates over all results of a search, best match first unless `sort` says otherwise. Waits where the rate limit is reached.
 * @throws ApiProblem
 */
export async function* searchAll<I extends SearchInclude = never, F extends SearchField = never>(
  transport: Transport,
  query: Omit<SearchQuery<I, F>, 'page'>,
  options: SignalOption = {},
): AsyncGenerator<Listed<'nominations', I, F>, void, undefined> {
  const pageAt = (page: number) =>
    get<Page<Listed<'nominations', I, F>>>(transport, searchPath, { query: { ...query, page }, ...options });
  yield* everyPage(pageAt, options);
}

/** Ranks films or people by nominations or wins. @throws ApiProblem */
export const ranking = <K extends RankingName>(
  transport: Transport,
  name: K,
  query: RankingQuery<K> = {},
  options: ReadOptions<RankingOf[K]> = {},
) => get<RankingOf[K]>(transport, rankingPath(name), { query, ...options });

/** Counts nominations in groups, such as decades. @throws ApiProblem */
export const counts = (transport: Transport, query: CountsQuery, options: ReadOptions<CountsList> = {}) =>
  get<CountsList>(transport, countsPath, { query, ...options });

/** Reads receipts, newest first. Needs a key. @throws ApiProblem */
export const receipts = (
  transport: Transport,
  query: QueryOf<ReceiptParameter> = {},
  options: SignalOption = {},
) => get<ReceiptList>(transport, receiptsPath, { query, secured: true, ...options });

/** Reads one receipt. Needs a key. @throws ApiProblem */
export const receipt = (transport: Transport, id: number, options: SignalOption = {}) =>
  get<ReceiptDocument>(transport, receiptPath(id), { secured: true, ...options });

/** Reads the index of the downloads. Over HTTP only. @throws ApiProblem */
export const downloads = (transport: Transport, options: ReadOptions<DownloadIndex> = {}) =>
  get<DownloadIndex>(transport, `/${downloadIndexPath}`, options);

/** Reads the index of the lists of films for media tools. Over HTTP only. @throws ApiProblem */
export const filmLists = (transport: Transport, options: ReadOptions<FilmListIndex> = {}) =>
  get<FilmListIndex>(transport, `/${listIndexPath}`, options);

/** Reads a list of films. Over HTTP only. @param path `json` of the list in the index @throws ApiProblem */
export const filmList = (transport: Transport, path: string, options: ReadOptions<ListedFilm[]> = {}) =>
  get<ListedFilm[]>(transport, path, options);

/** Reads the OpenAPI 3.1 document. @throws ApiProblem */
export const description = (transport: Transport, options: ReadOptions<Record<string, unknown>> = {}) =>
  get<Record<string, unknown>>(transport, openapiPath, options);

interface Page<T> {
  data: readonly T[];
  /** Missing in a list without pages. */
  pagination?: { hasNextPage: boolean };
}

async function* everyPage<T>(
  pageAt: (page: number) => Promise<Page<T>>,
  { signal }: SignalOption,
): AsyncGenerator<T, void, undefined> {
  for (let page = 1; ; page += 1) {
    const { data, pagination } = await pageAt(page).catch(async (error: unknown) => {
      const seconds = error instanceof ApiProblem && error.status === 429 ? error.retryAfter : undefined;
      if (seconds === undefined) throw error;
      await delay(seconds * 1000, signal);
      return pageAt(page);
    });
    yield* data;
    if (!pagination?.hasNextPage) return;
  }
}

/** Resolves after some milliseconds. Rejects with the reason of the signal if it is aborted before. */
async function delay(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  signal?.throwIfAborted();
  await new Promise<void>((resolve, reject) => {
    const timer = setTimeout(resolve, milliseconds);
    signal?.addEventListener('abort', () => {
      clearTimeout(timer);
      reject(signal.reason);
    });
  });
}
