/** Sending a request and reading the document that answers it. */
import { ApiProblem } from './problem.ts';
import type { ClientAnswer, ClientRequest, Transport } from './transport.ts';

export interface ReadOptions<T = unknown> {
  signal?: AbortSignal | undefined;
  /** What the same question was answered with before: if it is the same still, it is given back without being sent again. */
  known?: T | undefined;
}

/** The ETag that each document came with. */
const tags = new WeakMap<object, string>();

/** The ETag of a document that a client read: what `ifMatch` takes. Undefined for any other object. */
export const etagOf = (document: object): string | undefined => tags.get(document);

/** Remembers the ETag of a document. @returns the document */
export function withEtag<T extends object>(document: T, answer: ClientAnswer): T {
  const etag = answer.header('ETag');
  if (etag !== null) tags.set(document, etag);
  return document;
}

/** Sends a request. @throws ApiProblem where it is refused */
export async function send<T extends object>(
  transport: Transport,
  request: ClientRequest,
): Promise<{ answer: ClientAnswer; document: T | undefined }> {
  const answer = await transport(request);
  if (answer.status === 304) return { answer, document: undefined };
  const text = await answer.text();
  if (answer.status < 200 || answer.status > 299) throw new ApiProblem(answer, text);
  return { answer, document: JSON.parse(text) as T };
}

/** Values of query parameters by name; those that are undefined are not sent. */
export type QueryValues = Readonly<Record<string, string | number | boolean | readonly number[] | undefined>>;

/** A query string, without the leading `?`. */
export function queryStringOf(query: QueryValues): string {
  return Object.entries(query)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(String(value))}`)
    .join('&');
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
  return document === undefined ? known! : withEtag(document, answer);
}
