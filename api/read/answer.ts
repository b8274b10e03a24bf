/**
 * HTTP answers that are the same on every runtime: problems, CORS preflights and the methods of each route.
 */
import { readMethods } from '../contract/addresses.ts';
import { knownETag } from '../contract/etag.ts';
import { type Fault, type ProblemCode, problemDocument, problems, summaryOf } from '../contract/problems.ts';
import { nearestAddress, recordHint } from '../contract/nearest-address.ts';
import { rootPath } from '../contract/routes.ts';
import { SnapshotUnavailable } from './source.ts';

export interface Answer {
  status: number;
  headers: Readonly<Record<string, string>>;
  /** null for HEAD, 204 and 304. */
  body: Uint8Array | null;
}

/** Headers of every answer with a document. */
export const commonHeaders = {
  'Content-Type': 'application/json; charset=utf-8',
  'X-Content-Type-Options': 'nosniff',
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Expose-Headers': 'ETag, Link, RateLimit, RateLimit-Policy, Retry-After',
} as const;

type Headers = Readonly<Record<string, string>>;

/** A complete answer to GET, with its ETag. */
export interface Found extends Answer {
  headers: Headers & { ETag: string };
  body: Uint8Array;
}

/** @param hash contentHash of the body @param more headers of the kind of document */
export const foundAnswer = (body: Uint8Array, hash: string, more: Headers = foundHeaders): Found => ({
  status: 200,
  // The service compresses, and so do CDNs.
  headers: { ...more, Vary: 'Accept-Encoding', ETag: `"${hash}"`, 'Content-Length': String(body.length) },
  body,
});

export const foundHeaders = { ...commonHeaders, 'Cache-Control': 'public, max-age=0, must-revalidate' };

/** 304 if `If-None-Match` has the ETag of the answer or of an encoded form. @param ifNoneMatch the header */
export function conditional(answer: Found, ifNoneMatch: string | null | undefined): Answer {
  const known = knownETag(ifNoneMatch, answer.headers.ETag);
  if (known === undefined) return answer;
  const { 'Content-Length': _length, ...headers } = answer.headers;
  return { status: 304, headers: { ...headers, ETag: known }, body: null };
}

/** A JSON document as an answer that is never cached. @param more additional headers */
export function uncachedAnswer(
  status: number,
  document: object,
  more: Headers = {},
): Answer & { body: Uint8Array } {
  const body = new TextEncoder().encode(`${JSON.stringify(document)}\n`);
  const own = { ...commonHeaders, 'Cache-Control': 'no-store', 'Content-Length': String(body.length) };
  return { status, headers: { ...own, ...more }, body };
}

/** A problem document. @param headers additional headers */
export const problemAnswer = (code: ProblemCode, detail: string, headers?: Headers, faults?: Fault[]) =>
  uncachedAnswer(problems[code].status, problemDocument(code, detail, faults), headers);

/** The answer to a query string with faults. */
export const faultsAnswer = (faults: Fault[]) =>
  problemAnswer('invalid-parameters', summaryOf(faults), {}, faults);

/** The answer at an unknown address. @param path as sent */
export function nothingThere(path: string) {
  const nearest = nearestAddress(path);
  const hint = nearest === undefined ? `${rootPath} lists the addresses` : `did you mean ${nearest}?`;
  return problemAnswer('unknown-address', `there is nothing at ${path}; ${hint}`);
}

/** The answer where a record could be. @param path as sent */
export const noSuchRecord = (path: string) =>
  problemAnswer('no-such-record', `there is no record at ${path}${recordHint(path)}`);

/** The refusal of a method. @param allowed the methods of the address */
export const methodNotAllowed = (method: string | undefined, allowed: readonly string[]) =>
  problemAnswer('method-not-allowed', `${method} is not allowed here`, { Allow: allowed.join(', ') });

/** The answer to a read that failed: 503 while a part of the snapshot is missing, else 500. */
export const failureAnswer = (error: unknown): Answer =>
  error instanceof SnapshotUnavailable
    ? problemAnswer('snapshot-unavailable', `the snapshot is incomplete: ${error.message}`, {
        'Retry-After': '2',
      })
    : problemAnswer('internal-error', 'the request could not be answered; it has been logged');

/**
 * An answer as a Response of the web. The types of some platforms ask for bytes that no other thread can
 * change.
 */
export const responseOf = ({ status, headers, body }: Answer): Response =>
  new Response(body as Uint8Array<ArrayBuffer> | null, { status, headers });

/** The answer to HEAD. */
export const withoutBody = (answer: Answer): Answer => ({ ...answer, body: null });

/**
 * The answer to a CORS preflight.
 * @param allowed the methods of the address
 * @param sent headers that a browser may send
 */
export function preflight(
  allowed: readonly string[],
  sent = 'Content-Type, If-Match, If-None-Match, x-api-key',
): Answer {
  const allow = allowed.join(', ');
  const headers = {
    Allow: allow,
    'Access-Control-Allow-Origin': '*',
    'Access-Control-Allow-Methods': allow,
    'Access-Control-Allow-Headers': sent,
    'Access-Control-Max-Age': '86400',
  };
  return { status: 204, headers, body: null };
}

/** The answer to any method but GET and HEAD where nothing is written: what is allowed, or a refusal. */
export const otherMethod = (method: string | undefined): Answer =>
  method === 'OPTIONS' ? preflight(readMethods) : methodNotAllowed(method, readMethods);
