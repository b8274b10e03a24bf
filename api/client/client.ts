/** The requests of the client. All of them reject with an ApiProblem where the service refuses. */
import type { BatchResult, ChangesAnswer } from '../contract/answers.ts';
import type { WritableResource } from '../contract/names.ts';
import { batchPath, changesPath, type ListPath, type RecordPath, receiptsPath } from '../contract/routes.ts';
import { plainETag } from '../contract/etag.ts';
import {
  type Fault,
  type ProblemCode,
  type ProblemDocument,
  problemTypePrefix,
} from '../contract/problems.ts';
import type * as Types from './types.ts';

/**
 * The error of every refused request, and of an answer that is not one of this service.
 * @example
 * try {
 *   await awards.get('/api/nominations', { year: 3000 });
 * } catch (error) {
 *   if (error instanceof ApiProblem) console.error(error.code, error.detail, error.errors);
 * }
 */
export class ApiProblem extends Error {
  override readonly name = 'ApiProblem';
  readonly status: number;
  /**
   * The type of the problem; `about:blank` if the answer is not a problem document, such as that of a proxy.
   */
  readonly type: string;
  /**
   * The last part of a type of this service, and the heading of its section in docs/errors.md; undefined for
   * other types.
   */
  readonly code: ProblemCode | undefined;
  readonly title: string;
  readonly detail: string;
  /** All faults of the query string or of the body. */
  readonly errors: readonly Fault[];
  /** Seconds to wait before the next try, if the answer has Retry-After. */
  readonly retryAfter: number | undefined;

  constructor({ status, headers }: Response, text: string) {
    const { type, title, detail, errors = [] } = problemIn(text, status);
    super(`${title}: ${detail}`);
    this.status = status;
    this.type = type;
    this.code = type.startsWith(problemTypePrefix)
      ? (type.slice(problemTypePrefix.length) as ProblemCode)
      : undefined;
    this.title = title;
    this.detail = detail;
    this.errors = errors;
    const seconds = Number(headers.get('Retry-After') ?? Number.NaN);
    this.retryAfter = Number.isNaN(seconds) ? undefined : seconds;
  }
}

function problemIn(text: string, status: number): ProblemDocument {
  try {
    const problem = JSON.parse(text) as ProblemDocument;
    if ([problem.type, problem.title, problem.detail].every((part) => typeof part === 'string'))
      return problem;
  } catch {
    // Not JSON, so not a problem document.
  }
  const detail = 'the answer is not one of this service';
  return { type: 'about:blank', title: `Status ${status}`, status, detail };
}

/** Document → the ETag of its answer. */
const etags = new WeakMap<object, string>();

/**
 * The ETag of a document that this client read or wrote, for `ifMatch`. Undefined for other objects.
 * @example
 * const film = await awards.get('/api/movies/360');
 * await awards.patch('/api/movies/360', { runtime: 123 }, { ifMatch: etagOf(film) });
 */
export const etagOf = (document: object): string | undefined => etags.get(document);

/** Remembers the ETag of a document, also of one that came compressed. @returns the document */
function withEtag<T extends object>(document: T, etag: string | null): T {
  if (etag !== null) etags.set(document, plainETag(etag));
  return document;
}

/**
 * @throws ApiProblem for a refusal, and for a page: of a host of plain files, or of a network with a sign-in
 */
async function documentIn<T extends object>(answer: Response): Promise<T> {
  const text = await answer.text();
  if (!answer.ok) throw new ApiProblem(answer, text);
  try {
    return withEtag(JSON.parse(text) as T, answer.headers.get('ETag'));
  } catch {
    throw new ApiProblem(answer, text);
  }
}

export interface ClientOptions {
  /** The address of the service, such as `https://awards.example`. Default: that of the page. */
  baseUrl?: string | undefined;
  /** The API key for writes and receipts. */
  key?: string | undefined;
  /** What sends the requests: the runtime's own by default, or `snapshotFetch(…)`. */
  fetch?: Types.Fetch | undefined;
}

export type Client = ReturnType<typeof createClient>;

/**
 * A client of one service. It keeps no answer, and repeats no request but one of `all` and `changes` that the
 * rate limit refused.
 * @example
 * const awards = createClient({ baseUrl: 'https://awards.example', key });
 * const { data } = await awards.get('/api/movies', { yearStart: 1970, yearEnd: 1979, sort: '-wins' });
 */
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

  /** Reads a document. Waits where the rate limit is reached. */
  async function readPatiently<T extends object>(
    address: string,
    signal: AbortSignal | undefined,
  ): Promise<T> {
    const read = async () => documentIn<T>(await send(address, {}, signal));
    return read().catch(async (error: unknown) => {
      if (!(error instanceof ApiProblem && error.status === 429 && error.retryAfter !== undefined))
        throw error;
      await delay(error.retryAfter * 1000, signal);
      return read();
    });
  }

  /**
   * Iterates over what publishes changed after a snapshot or since a time, the oldest first, through all
   * answers. A time gets the publish before it as well, if that may have been live later. The code of the
   * problem is `changes-gone` where a copy must start again from a download.
   * @example
   * for await (const { snapshot, records } of awards.changes('2026-11-26')) console.log(snapshot,
   * records.length);
   */
  async function* changes(
    since?: string,
    { signal }: Types.SignalOption = {},
  ): AsyncGenerator<ChangesAnswer['data'][number], void, undefined> {
    for (let address: string | undefined = withQuery(changesPath, { since }); address !== undefined; ) {
      const { data, next }: ChangesAnswer = await readPatiently(address, signal);
      yield* data.reverse();
      address = next;
    }
  }

  /**
   * Reads a document. `include` and `fields` determine the members of records.
   * @param options `known`: an earlier answer, which is returned again where the service answers 304
   * @example
   * const film = await awards.get('/api/movies/360', { include: ['counts'] });
   * const later = await awards.get('/api/movies/360', { include: ['counts'] }, { known: film });
   */
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

  /**
   * Iterates over the records of all pages of a list or a search. Waits where the rate limit is reached.
   * @example
   * for await (const { movie, nominee } of awards.all('/api/nominations', { winner: true, category: 'actress'
   * }))
   *   console.log(movie, nominee);
   */
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
      const { data, pagination } = await readPatiently<Page>(address, signal);
      yield* data as Types.Listed<P, I, F>[];
      hasNext = pagination?.hasNextPage ?? false;
    }
  }

  return {
    get,
    all,
    changes,

    /**
     * Adds a record.
     * @example
     * const { record } = await awards.post('/api/movies', { title: 'A new film' });
     */
    post: <R extends WritableResource>(
      path: ListPath<R>,
      record: Types.NewRecord<R>,
      options: Types.SignalOption = {},
    ) => write<Types.WrittenRecord<R>>('POST', path, record, options),

    /**
     * Changes a record. The code of the problem is `precondition-failed` if the ETag is not `ifMatch`.
     * @example
     * const { receipt } = await awards.patch('/api/movies/360', { title: 'Another title' });
     */
    patch: <R extends WritableResource>(
      path: RecordPath<R>,
      change: Types.RecordChange<R>,
      options: Types.WriteOptions = {},
    ) => write<Types.WrittenRecord<R>>('PATCH', path, change, options),

    /**
     * Removes a record. The code of the problem is `still-referenced` if others refer to it.
     * @returns the record that is gone
     * @example
     * await awards.delete('/api/songs/12');
     */
    delete: <R extends WritableResource>(path: RecordPath<R>, options: Types.WriteOptions = {}) =>
      write<Types.WrittenRecord<R>>('DELETE', path, undefined, options),

    /**
     * Carries out all writes, at most 1,000, or none. The pointers of a problem begin with the position of
     * the write.
     * @example
     * await awards.batch([
     *   { method: 'PATCH', path: '/api/nominations/1', body: { winner: true } },
     *   { method: 'PATCH', path: '/api/nominations/2', body: { winner: false } },
     * ]);
     */
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
