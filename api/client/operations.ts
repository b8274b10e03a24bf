/** One function per operation of the service, and a client object with all of them. A bundler drops unused functions. */
import type {
  BatchResult,
  CountsList,
  RankingOf,
  ReceiptDocument,
  ReceiptList,
} from '../contract/answers.ts';
import type { Batch } from '../contract/bodies.ts';
import type { DownloadIndex } from '../contract/download-index.ts';
import { downloadIndexPath } from '../contract/download-names.ts';
import type { ResourceName, WritableResource } from '../contract/names.ts';
import type { CountKey, ParameterName, ParameterValue } from '../contract/parameters.ts';
import type { Details, RecordOf } from '../contract/resources.ts';
import {
  batchPath,
  type CountsParameter,
  countsPath,
  type ListField,
  type ListInclude,
  type ListParameter,
  type ListSort,
  listPath,
  openapiPath,
  type RankingName,
  type RankingParameter,
  type RankingSort,
  type ReceiptParameter,
  type RecordField,
  type RecordInclude,
  rankingPath,
  receiptPath,
  receiptsPath,
  recordPath,
  type SearchParameter,
  type SearchSort,
  searchPath,
} from '../contract/routes.ts';
import type { ListDocument, Listed, RecordDocument, SearchDocument } from './shapes.ts';
import {
  type ClientAnswer,
  etagIn,
  get,
  getText,
  type ReadOptions,
  send,
  type Transport,
  withEtag,
} from './requests.ts';

/** Parameters whose values are the same at all addresses. */
type QueryOf<P extends ParameterName> = {
  readonly [N in Exclude<P, AddressParameter>]?: ParameterValue<N> | undefined;
};
type AddressParameter = 'include' | 'sort' | 'fields' | 'format';
/** Parameters whose values depend on the address; those that it does not take are never. */
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

/** Iterates over the records of all pages of a list. @throws ApiProblem */
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
  yield* everyPage<Listed<R, I, F>>((page) =>
    get(transport, listPath(resource), { query: { ...query, page }, ...options }),
  );
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

/** Iterates over all results of a search, best match first unless `sort` says otherwise. @throws ApiProblem */
export async function* searchAll<I extends SearchInclude = never, F extends SearchField = never>(
  transport: Transport,
  query: Omit<SearchQuery<I, F>, 'page'>,
  options: SignalOption = {},
): AsyncGenerator<Listed<'nominations', I, F>, void, undefined> {
  yield* everyPage<Listed<'nominations', I, F>>((page) =>
    get(transport, searchPath, { query: { ...query, page }, ...options }),
  );
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

/** Reads the OpenAPI 3.1 document. @throws ApiProblem */
export const description = (transport: Transport, options: ReadOptions<Record<string, unknown>> = {}) =>
  get<Record<string, unknown>>(transport, openapiPath, options);

interface Page<T> {
  data: readonly T[];
  /** Missing in a list without pages. */
  pagination?: { hasNextPage: boolean };
}

async function* everyPage<T>(pageAt: (page: number) => Promise<Page<T>>): AsyncGenerator<T, void, undefined> {
  for (let page = 1; ; page += 1) {
    const { data, pagination } = await pageAt(page);
    yield* data;
    if (!pagination?.hasNextPage) return;
  }
}

/** Resource → the required fields of a new record. */
export interface RequiredFieldOf {
  nominations: 'id' | 'ceremony_id' | 'category_id' | 'movie_id' | 'nominee_id';
  ceremonies: 'ceremony_year';
  movies: 'title';
  nominees: 'name';
  songs: 'original_title';
}

/** Only nominations have details. */
type DetailsOf<R extends WritableResource, D> = R extends 'nominations' ? { readonly details?: D } : unknown;

/** The fields of a new record: the required ones, and any others. */
export type NewRecord<R extends WritableResource> = Pick<
  RecordOf[R],
  RequiredFieldOf[R] & keyof RecordOf[R]
> &
  Partial<RecordOf[R]> &
  DetailsOf<R, Partial<Details> | null>;

/** A record as a write returns it: with details if the write has some. */
export type WrittenRecord<R extends WritableResource> = RecordOf[R] & DetailsOf<R, Details>;

/** The fields to change. null removes a value. */
export type RecordChange<R extends WritableResource> = {
  readonly [F in keyof RecordOf[R]]?: RecordOf[R][F] | null;
} & DetailsOf<R, { readonly [F in keyof Details]?: Details[F] | null } | null>;

export interface WriteOptions {
  signal?: AbortSignal | undefined;
  /** The write fails unless the record still has this ETag: `etagOf` its page, or `etag` of the last write. */
  ifMatch?: string | undefined;
}

export interface Written<T> {
  /** The record after the write. */
  record: T;
  /** The ETag of the record's page; undefined until a snapshot contains the write. */
  etag: string | undefined;
  /** The id of the receipt; undefined if the write changed nothing. */
  receipt: number | undefined;
  /** The snapshot that contains the write; undefined until it exists. */
  snapshot: string | undefined;
}

/** Adds a record. @throws ApiProblem */
export const create = <R extends WritableResource>(
  transport: Transport,
  resource: R,
  record: NewRecord<R>,
  options: SignalOption = {},
) => write<WrittenRecord<R>>(transport, 'POST', listPath(resource), record, options);

/** Changes a record. @throws ApiProblem with the code `precondition-failed` if the ETag is not `ifMatch` */
export const update = <R extends WritableResource>(
  transport: Transport,
  resource: R,
  id: number,
  change: RecordChange<R>,
  options: WriteOptions = {},
) => write<WrittenRecord<R>>(transport, 'PATCH', recordPath(resource, id), change, options);

/** A write of a batch: a new record, or a change. */
export type BatchWrite = {
  [R in WritableResource]:
    | { readonly create: R; readonly record: NewRecord<R> }
    | {
        readonly update: R;
        readonly id: number;
        readonly change: RecordChange<R>;
        readonly ifMatch?: string | undefined;
      };
}[WritableResource];

export interface WrittenBatch {
  /** Number of the group of receipts; undefined if nothing changed. */
  group: number | undefined;
  /** The snapshot that contains the batch; undefined until it exists. */
  snapshot: string | undefined;
  /** The outcome of each write, in the order of the batch. */
  writes: Omit<Written<BatchResult['data'][number]['record']>, 'snapshot'>[];
}

/** Carries out all writes, at most 200, or none. @throws ApiProblem whose pointers begin with the position of the write */
export async function batch(
  transport: Transport,
  writes: readonly BatchWrite[],
  { signal }: SignalOption = {},
): Promise<WrittenBatch> {
  const body = writes.map((one): Batch[number] =>
    'create' in one
      ? { method: 'POST', path: listPath(one.create), body: one.record }
      : {
          method: 'PATCH',
          path: recordPath(one.update, one.id),
          body: one.change,
          ...(one.ifMatch !== undefined && { if_match: one.ifMatch }),
        },
  );
  const { answer, document } = await sendWrite<BatchResult>(transport, 'POST', batchPath, body, { signal });
  return {
    group: document.group ?? undefined,
    snapshot: answer.header('Snapshot') ?? undefined,
    writes: document.data.map(({ record, etag, receipt }) => ({
      record: withEtag(record, etag ?? undefined),
      etag: etag ?? undefined,
      receipt: receipt ?? undefined,
    })),
  };
}

async function write<T extends object>(
  transport: Transport,
  method: 'POST' | 'PATCH',
  path: string,
  body: object,
  options: WriteOptions,
): Promise<Written<T>> {
  const { answer, document } = await sendWrite<T>(transport, method, path, body, options);
  const receiptAddress = answer.header('Receipt');
  const etag = etagIn(answer);
  return {
    record: withEtag(document, etag),
    etag,
    receipt: receiptAddress === null ? undefined : Number(receiptAddress.split('/').at(-1)),
    snapshot: answer.header('Snapshot') ?? undefined,
  };
}

async function sendWrite<T extends object>(
  transport: Transport,
  method: 'POST' | 'PATCH',
  path: string,
  body: object,
  { signal, ifMatch }: WriteOptions,
): Promise<{ answer: ClientAnswer; document: T }> {
  const { answer, document } = await send<T>(transport, {
    method,
    path,
    queryString: '',
    headers: { 'Content-Type': 'application/json', ...(ifMatch !== undefined && { 'If-Match': ifMatch }) },
    body: JSON.stringify(body),
    secured: true,
    signal,
  });
  return { answer, document: document! };
}

export type Client = ReturnType<typeof createClient>;

/** All operations as methods of one object. @param transport `httpTransport(…)` or `snapshotTransport(…)` */
export function createClient(transport: Transport) {
  const bind =
    <Arguments extends unknown[], Result>(
      operation: (transport: Transport, ...rest: Arguments) => Result,
    ): ((...rest: Arguments) => Result) =>
    (...rest) =>
      operation(transport, ...rest);
  return {
    list: bind(list),
    listAll: bind(listAll),
    exportList: bind(exportList),
    read: bind(read),
    search: bind(search),
    searchAll: bind(searchAll),
    exportSearch: bind(exportSearch),
    ranking: bind(ranking),
    counts: bind(counts),
    receipts: bind(receipts),
    receipt: bind(receipt),
    downloads: bind(downloads),
    description: bind(description),
    create: bind(create),
    update: bind(update),
    batch: bind(batch),
  };
}
