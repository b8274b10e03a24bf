/** The requests of the client. All of them reject with an ApiProblem where the service refuses. */
import type { BatchResult } from '../contract/answers.ts';
import type { WritableResource } from '../contract/names.ts';
import { batchPath, type ListPath, type RecordPath, receiptsPath } from '../contract/routes.ts';
import { ApiProblem, documentIn, etagOf, withEtag } from './answers.ts';
import type * as Types from './types.ts';

export interface ClientOptions {
  /** The address of the service, such as `https://awards.example`. Default: that of the page. */
  baseUrl?: string | undefined;
  /** The API key for writes and receipts. */
  key?: string | undefined;
  /** What sends the requests: the runtime's own by default, or `snapshotFetch(…)`. */
  fetch?: Types.Fetch | undefined;
}

export type Client = ReturnType<typeof createClient>;

export function createClient({ baseUrl = '', key, fetch: ask = fetch }: ClientOptions = {}) {
  const root = baseUrl.replace(/\/+$/, '');

  function send(path: string, init: RequestInit & { headers?: object }, signal: AbortSignal | undefined) {
    // A key makes a browser send a preflight request first.
    const isSecured = init.method !== undefined || path.startsWith(receiptsPath);
    const headers = { ...init.headers, ...(isSecured && key !== undefined && { 'x-api-key': key }) };
    return ask(root + path, { ...init, headers, ...(signal && { signal }) });
  }

  async function write<T extends object>(
    method: 'POST' | 'PATCH' | 'DELETE',
    path: string,
    content: object | undefined,
    { ifMatch, signal }: Types.WriteOptions,
  ): Promise<Types.Written<T>> {
    const headers = {
      ...(content && { 'Content-Type': 'application/json' }),
      ...(ifMatch !== undefined && { 'If-Match': ifMatch }),
    };
    const body = content && { body: JSON.stringify(content) };
    const answer = await send(path, { method, headers, ...body }, signal);
    const record = await documentIn<T>(answer);
    const receipt = answer.headers.get('Receipt')?.split('/').at(-1);
    return {
      record,
      etag: etagOf(record),
      receipt: receipt === undefined ? undefined : Number(receipt),
      snapshot: answer.headers.get('Snapshot') ?? undefined,
    };
  }

  /** Reads a document. `include` and `fields` determine the members of records. */
  async function get<
    P extends Types.ReadPath,
    I extends Types.Include<P> = never,
    F extends Types.Field<P> = never,
  >(
    path: P,
    query?: Types.Query<P, I, F>,
    options: Types.ReadOptions<Types.DocumentAt<P, I, F>> = {},
  ): Promise<Types.DocumentAt<P, I, F>> {
    const known = options.known as object | undefined;
    const etag = known && etagOf(known);
    const headers = etag === undefined ? {} : { 'If-None-Match': etag };
    const answer = await send(withQuery(path, query), { headers }, options.signal);
    return (answer.status === 304 ? known : await documentIn(answer)) as Types.DocumentAt<P, I, F>;
  }

  /** Iterates over the records of all pages of a list or a search. Waits where the rate limit is reached. */
  async function* all<
    P extends Types.ListPath,
    I extends Types.Include<P> = never,
    F extends Types.Field<P> = never,
  >(
    path: P,
    query?: Omit<Types.Query<P, I, F>, 'page'>,
    { signal }: Types.SignalOption = {},
  ): AsyncGenerator<Types.Listed<P, I, F>, void, undefined> {
    for (let page = 1, hasNext = true; hasNext; page += 1) {
      const address = withQuery(path, { ...(query as object), page });
      const read = async () => documentIn<Page>(await send(address, {}, signal));
      const { data, pagination } = await read().catch(async (error: unknown) => {
        if (!(error instanceof ApiProblem && error.status === 429 && error.retryAfter !== undefined))
          throw error;
        await delay(error.retryAfter * 1000, signal);
        return read();
      });
      yield* data as Types.Listed<P, I, F>[];
      hasNext = pagination?.hasNextPage ?? false;
    }
  }

  return {
    get,
    all,

    /** Adds a record. */
    post: <R extends WritableResource>(
      path: ListPath<R>,
      record: Types.NewRecord<R>,
      options: Types.SignalOption = {},
    ) => write<Types.WrittenRecord<R>>('POST', path, record, options),

    /** Changes a record. The code of the problem is `precondition-failed` if the ETag is not `ifMatch`. */
    patch: <R extends WritableResource>(
      path: RecordPath<R>,
      change: Types.RecordChange<R>,
      options: Types.WriteOptions = {},
    ) => write<Types.WrittenRecord<R>>('PATCH', path, change, options),

    /** Removes a record. The code of the problem is `still-referenced` if others refer to it. @returns the record that is gone */
    delete: <R extends WritableResource>(path: RecordPath<R>, options: Types.WriteOptions = {}) =>
      write<Types.WrittenRecord<R>>('DELETE', path, undefined, options),

    /** Carries out all writes, at most 200, or none. The pointers of a problem begin with the position of the write. */
    batch: async (writes: readonly Types.BatchWrite[], options: Types.SignalOption = {}) => {
      const { record: result, snapshot } = await write<BatchResult>('POST', batchPath, writes, options);
      for (const { record, etag } of result.data) withEtag(record, etag);
      return { ...result, snapshot };
    },
  };
}

/** `pagination` is missing in a list without pages. */
interface Page {
  data: unknown[];
  pagination?: { hasNextPage: boolean };
}

/** Undefined values are not sent; lists are joined by commas. */
function withQuery(path: string, query: object = {}): string {
  const parts = Object.entries(query)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(String(value))}`);
  return parts.length === 0 ? path : `${path}?${parts.join('&')}`;
}

/** Rejects with the reason of the signal if it is aborted before. */
const delay = (milliseconds: number, signal: AbortSignal | undefined): Promise<void> =>
  new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const timer = setTimeout(resolve, milliseconds);
    const stop = () => {
      clearTimeout(timer);
      reject(signal!.reason);
    };
    signal?.addEventListener('abort', stop, { once: true });
  });
