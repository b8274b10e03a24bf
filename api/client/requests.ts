/** Sends one request through a transport and reads the document or the problem of its answer. */
import { plainETag } from '../contract/etag.ts';
import {
  type Fault,
  type ProblemCode,
  type ProblemDocument,
  problemTypePrefix,
} from '../contract/problems.ts';

export interface ClientRequest {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  path: string;
  /** Without the leading `?`. */
  queryString: string;
  headers: Readonly<Record<string, string>>;
  body?: string;
  /** Whether the request needs a key. */
  secured: boolean;
  signal?: AbortSignal | undefined;
}

export interface ClientAnswer {
  status: number;
  /** @param name case-insensitive */
  header(name: string): string | null;
  text(): Promise<string>;
}

/** Sends one request. Rejects if there is no answer. */
export type Transport = (request: ClientRequest) => Promise<ClientAnswer>;

/** The error of every refused request, and of an answer that is not one of this service. */
export class ApiProblem extends Error {
  override readonly name = 'ApiProblem';
  readonly status: number;
  /** The type of the problem; `about:blank` if the answer is not a problem document, such as that of a proxy. */
  readonly type: string;
  /** The last part of a type of this service, and the heading of its section in docs/errors.md; undefined for other types. */
  readonly code: ProblemCode | undefined;
  readonly title: string;
  readonly detail: string;
  /** All faults of the query string or of the body. */
  readonly errors: readonly Fault[];
  /** Seconds to wait before the next try, if the answer has Retry-After. */
  readonly retryAfter: number | undefined;

  constructor(answer: ClientAnswer, text: string) {
    const { type, title, detail, errors } = problemIn(text, answer.status);
    super(`${title}: ${detail}`);
    this.status = answer.status;
    this.type = type;
    this.code = type.startsWith(problemTypePrefix)
      ? (type.slice(problemTypePrefix.length) as ProblemCode)
      : undefined;
    this.title = title;
    this.detail = detail;
    this.errors = errors ?? [];
    const seconds = Number(answer.header('Retry-After') ?? Number.NaN);
    this.retryAfter = Number.isNaN(seconds) ? undefined : seconds;
  }
}

function problemIn(text: string, status: number): Omit<ProblemDocument, 'status'> {
  try {
    const { type, title, detail, errors } = JSON.parse(text) as Partial<ProblemDocument>;
    if (typeof type === 'string' && typeof title === 'string' && typeof detail === 'string')
      return { type, title, detail, ...(errors && { errors }) };
  } catch {
    // Not JSON, so not a problem document.
  }
  return { type: 'about:blank', title: `Status ${status}`, detail: 'the answer is not one of this service' };
}

export interface ReadOptions<T = unknown> {
  signal?: AbortSignal | undefined;
  /** The document of an earlier read. If it is still current, the service answers 304 and the read returns this object. */
  known?: T | undefined;
}

/** Document → the ETag of its answer. */
const etags = new WeakMap<object, string>();

/** The ETag of a document that this client read or wrote, for `ifMatch`. Undefined for other objects. */
export const etagOf = (document: object): string | undefined => etags.get(document);

/** The ETag of an answer, also of one that came compressed. */
export function etagIn(answer: ClientAnswer): string | undefined {
  const etag = answer.header('ETag');
  return etag === null ? undefined : plainETag(etag);
}

/** Remembers the ETag of a document. @returns the document */
export function withEtag<T extends object>(document: T, etag: string | undefined): T {
  if (etag !== undefined) etags.set(document, etag);
  return document;
}

/** Sends a request. `document` is undefined for 304. @throws ApiProblem */
export async function send<T extends object>(
  transport: Transport,
  request: ClientRequest,
): Promise<{ answer: ClientAnswer; document: T | undefined }> {
  const answer = await transport(request);
  if (answer.status === 304) return { answer, document: undefined };
  const text = await answer.text();
  if (answer.status < 200 || answer.status > 299) throw new ApiProblem(answer, text);
  try {
    return { answer, document: JSON.parse(text) as T };
  } catch {
    // A host of plain files and a network with a sign-in page answer with a page.
    throw new ApiProblem(answer, text);
  }
}

const isPage = (answer: ClientAnswer): boolean =>
  answer.header('Content-Type')?.startsWith('text/html') ?? false;

/** Query parameters by name. Undefined values are not sent. */
type QueryValues = Readonly<
  Record<string, string | number | boolean | readonly (number | string)[] | undefined>
>;

function queryStringOf(query: QueryValues): string {
  return Object.entries(query)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(String(value))}`)
    .join('&');
}

/** Reads the text of a file. @throws ApiProblem */
export async function getText(
  transport: Transport,
  path: string,
  { query, signal }: { query: QueryValues; signal?: AbortSignal | undefined },
): Promise<string> {
  const answer = await transport({
    method: 'GET',
    path,
    queryString: queryStringOf(query),
    headers: {},
    secured: false,
    signal,
  });
  const text = await answer.text();
  if (answer.status !== 200 || isPage(answer)) throw new ApiProblem(answer, text);
  return text;
}

/** Reads a document. @throws ApiProblem */
export async function get<T extends object>(
  transport: Transport,
  path: string,
  { query = {}, secured = false, known, signal }: ReadOptions<T> & { query?: QueryValues; secured?: boolean },
): Promise<T> {
  const etag = known && etagOf(known);
  const { answer, document } = await send<T>(transport, {
    method: 'GET',
    path,
    queryString: queryStringOf(query),
    headers: etag === undefined ? {} : { 'If-None-Match': etag },
    secured,
    signal,
  });
  return document === undefined ? known! : withEtag(document, etagIn(answer));
}
