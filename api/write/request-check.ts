/** The checks of a request before its body: its address, its key, the limits, and the media type. */
import type { IncomingMessage } from 'node:http';
import { MIMEType } from 'node:util';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { bodyTypes } from '../contract/bodies.ts';
import { parseId } from '../contract/query-string.ts';
import { splitTarget } from '../contract/target.ts';
import { type Answer, problemAnswer } from '../read/answer.ts';
import type { Writing } from './writing.ts';

export interface CheckOptions extends Pick<Writing, 'keyOf' | 'writes' | 'failures'> {
  /** The client of a request, for `failures`. */
  clientOf: (request: FastifyRequest) => string;
}

/** The id in the address of a record or receipt. */
export const recordIdOf = ({ params }: FastifyRequest) => (params as { id?: string }).id;

/** Whether the address is written as it must be: the router decodes it, and takes any text for an id. */
export function isAddress(request: FastifyRequest): boolean {
  const id = recordIdOf(request) ?? '1';
  const path = request.routeOptions.url!.replace(':id', id);
  return parseId(id) !== undefined && splitTarget(request.raw.url!).path === path;
}

/** The name of each request's key, after its check. */
const keyNames = new WeakMap<FastifyRequest, string>();

/** The name of the key of a request that checkRequest() has not refused. */
export const keyNameOf = (request: FastifyRequest): string => keyNames.get(request)!;

/** Checks everything before the body. @returns the answer that refuses the request, or undefined */
export function checkRequest(
  { failures, clientOf, keyOf, writes }: CheckOptions,
  request: FastifyRequest,
  reply: FastifyReply,
): Answer | undefined {
  const { raw, method } = request;
  const [key, second] = raw.headersDistinct['x-api-key'] ?? [];
  // Before the limit: behind one proxy, the wrong keys of one client must not lock out the others. A key
  // cannot be guessed.
  const name = key === undefined || second !== undefined ? undefined : keyOf(key);
  if (name === undefined) {
    // Only a request with a key can be a guess.
    if (key === undefined) return unauthorized;
    const client = clientOf(request);
    const refused = failures.refusal(client);
    if (refused === undefined) failures.count(client);
    return refused ? problemAnswer('too-many-requests', tooManyWrongKeys, refused) : unauthorized;
  }
  keyNames.set(request, name);
  if (method !== 'POST' && method !== 'PATCH' && method !== 'DELETE') return undefined;
  const spent = writes?.refusal(name);
  if (writes) reply.headers(spent ?? writes.count(name));
  if (spent) return problemAnswer('too-many-requests', 'too many writes with this key; try again later');
  if (method === 'DELETE') {
    // Some clients send one with every request. Without it, Fastify does not check it.
    delete raw.headers['content-type'];
    return undefined;
  }
  const fault = mediaTypeFault(raw, bodyTypes[method]);
  if (fault === undefined) return undefined;
  // RFC 5789 and W3C Accept-Post.
  const accepted = { [method === 'POST' ? 'Accept-Post' : 'Accept-Patch']: bodyTypes[method].join(', ') };
  return problemAnswer('unsupported-media-type', fault, accepted);
}

const tooManyWrongKeys = 'too many wrong keys from this client; try again later';

export const unauthorized = problemAnswer(
  'unauthorized',
  'this address needs one valid key, in the header x-api-key',
  { 'WWW-Authenticate': 'ApiKey realm="film awards", header="x-api-key"' },
);

function mediaTypeFault(
  { headers, headersDistinct }: IncomingMessage,
  accepted: readonly string[],
): string | undefined {
  const [type, second] = headersDistinct['content-type'] ?? [];
  if (second !== undefined) return 'Content-Type is given more than once';
  if ((headers['content-encoding'] ?? 'identity').toLowerCase() !== 'identity')
    return 'Content-Encoding is not supported; send the body without it';
  if ((headers['transfer-encoding'] ?? 'chunked').toLowerCase() !== 'chunked')
    return 'Transfer-Encoding is not supported, except chunked';
  let parsed: MIMEType | undefined;
  try {
    parsed = new MIMEType(type ?? '');
  } catch {
    // It is none.
  }
  if (!parsed || !accepted.includes(parsed.essence))
    return `Content-Type is ${type ?? 'missing'}; it must be ${accepted.join(' or ')}`;
  const charset = parsed.params.get('charset') ?? 'utf-8';
  return /^utf-?8$/i.test(charset) ? undefined : `the charset is ${charset}; it must be UTF-8`;
}
