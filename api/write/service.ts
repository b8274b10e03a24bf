/**
 * The write service: POST and PATCH of records, batches of them, and GET of receipts. It checks a request in this order: 401, 429,
 * 415 and 413 before the body is read, then 400 for the body. The writer refuses what is wrong with the record itself.
 */
import type { IncomingMessage } from 'node:http';
import { MIMEType } from 'node:util';
import fastify, {
  type FastifyError,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
} from 'fastify';
import type { Connection } from '../../data/open.ts';
import { bodyTypes, type JsonValue } from '../contract/bodies.ts';
import { maxBatchWrites, maxBodyBytes } from '../contract/limits.ts';
import { isWritable } from '../contract/names.ts';
import { batchPath, receiptPath, receiptsPath, recordPath, routes, writeMethod } from '../contract/routes.ts';
import { type Answer, commonHeaders, otherMethod, problemAnswer, uncachedAnswer } from '../read/answer.ts';
import { hasKey, type KeyCheck } from './keys.ts';
import { receiptsAnswer } from './receipts.ts';
import { readStrictJson } from './strict-json.ts';
import {
  type BatchDone,
  type BatchRequest,
  type Write,
  type WriteDone,
  type WriteError,
  type WriteRequest,
  writeErrorOf,
} from './outcomes.ts';

export interface Verdict {
  allowed: boolean;
  /** For the response, whether allowed or not. */
  headers: Readonly<Record<string, string>>;
}

/** A limit of requests per client. */
export interface RequestLimit {
  /** @param requests that one is charged as; default 1 */
  count(client: string, requests?: number): Verdict;
  /** The refusal of a client that has no request left; counts nothing. */
  refusal(client: string): Verdict | undefined;
}

/** What writes need of the database and its writer. */
export interface WriteAccess {
  keyOf: KeyCheck;
  write: Write;
  /** For receipts. */
  connection: Connection;
  /** Writes per key; undefined for no limit. */
  writes: RequestLimit | undefined;
  /** Failed keys per client. */
  failures: RequestLimit;
}

interface WriteServiceOptions extends WriteAccess {
  /** The client of a request, for `failures`. */
  clientOf: (request: IncomingMessage) => string;
  /** Awaited before a write is answered, so that GET answers from the snapshot that holds it. */
  refresh: () => Promise<void>;
  onError: (error: unknown) => void;
}

/** Makes the service. Hand requests to its `routing`; it listens on no port. */
export async function createWriteService(options: WriteServiceOptions): Promise<FastifyInstance> {
  const app = fastify({
    bodyLimit: maxBodyBytes,
    logger: false,
    routerOptions: { ignoreTrailingSlash: false },
  });
  // The body stays bytes for strict-json; its type is already checked.
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
  app.setErrorHandler((error: FastifyError, request, reply) => {
    const refusal = requestErrors[error.code];
    // Fastify would close the connection while the body still arrives, and the client would lose the answer.
    reply.header('connection', reply.raw.shouldKeepAlive ? 'keep-alive' : 'close');
    request.raw.resume();
    if (refusal === undefined) options.onError(error);
    const isClientGone = request.raw.destroyed && !request.raw.complete;
    if (!isClientGone) send(reply, refusalAnswer(refusal ?? writeErrorOf(error) ?? failed));
  });
  app.addHook('onRequest', async (request, reply) => {
    const refusal = await checkRequest(options, request, reply);
    return refusal && send(reply, refusal);
  });
  for (const [pattern, route] of routes) {
    const method = writeMethod(route);
    if (method === undefined || !('resource' in route) || !isWritable(route.resource)) continue;
    const { resource } = route;
    app.route({
      method,
      url: pattern.replace('{id}', ':id'),
      handler: async (request, reply) => {
        const { id } = request.params as { id?: string };
        const record = { resource, id: id === undefined ? undefined : Number(id) };
        return send(reply, await carryOut(options, request, reply, record));
      },
    });
  }
  app.post(batchPath, async (request, reply) => send(reply, await carryOut(options, request, reply)));
  for (const url of [receiptsPath, `${receiptsPath}/:id`])
    app.get(url, async ({ raw }, reply) => send(reply, receiptsAnswer(options.connection, raw.url ?? '')));
  await app.ready();
  return app;
}

function send(reply: FastifyReply, { status, headers, body }: Answer): FastifyReply {
  return reply
    .code(status)
    .headers(headers)
    .send(body === null ? undefined : Buffer.from(body));
}

/** Errors of Fastify that the client causes. */
const requestErrors: Readonly<Record<string, WriteError>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: {
    problem: 'body-too-large',
    detail: `a body may have at most ${maxBodyBytes} bytes`,
  },
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: {
    problem: 'malformed-body',
    detail: 'the body is not as long as Content-Length says',
  },
  ECONNRESET: { problem: 'malformed-body', detail: 'the connection closed before the end of the body' },
};
const failed: WriteError = {
  problem: 'internal-error',
  detail: 'the write could not be carried out; it has been logged',
};

/** The name of a request's key, after its check. */
const keyNames = new WeakMap<IncomingMessage, string>();

/** Checks everything before the body. @returns the answer that refuses the request, or undefined */
async function checkRequest(
  options: WriteServiceOptions,
  { raw, is404, method }: FastifyRequest,
  reply: FastifyReply,
): Promise<Answer | undefined> {
  // The caller has matched the address, so an unknown route is another method on receipts.
  if (is404) return otherMethod(method);
  // Only a request with a key can be a guess. A client with too many wrong keys learns nothing about another one.
  const client = hasKey(raw) ? options.clientOf(raw) : undefined;
  const refusal = client === undefined ? undefined : options.failures.refusal(client);
  if (refusal) return tooManyKeys(refusal);
  const name = options.keyOf(raw);
  if (name === undefined) return wrongKey(options, client);
  keyNames.set(raw, name);
  if (method !== 'POST' && method !== 'PATCH') return undefined;
  const verdict = options.writes?.count(name);
  if (verdict) reply.headers(verdict.headers);
  if (verdict?.allowed === false)
    return problemAnswer('too-many-requests', 'too many writes with this key; try again later');
  const fault = mediaTypeFault(raw, bodyTypes[method]);
  if (fault === undefined) return undefined;
  // RFC 5789 and W3C Accept-Post.
  const accepted = { [method === 'POST' ? 'Accept-Post' : 'Accept-Patch']: bodyTypes[method].join(', ') };
  return problemAnswer('unsupported-media-type', fault, accepted);
}

/** @param client undefined for a request without a key, which is not counted */
function wrongKey({ failures }: WriteServiceOptions, client: string | undefined): Answer {
  const verdict = client === undefined ? undefined : failures.count(client);
  if (verdict?.allowed === false) return tooManyKeys(verdict);
  return problemAnswer('unauthorized', 'this address needs one valid key, in the header x-api-key', {
    'WWW-Authenticate': 'ApiKey realm="film awards", header="x-api-key"',
  });
}

const tooManyKeys = ({ headers }: Verdict): Answer =>
  problemAnswer(
    'too-many-requests',
    'too many wrong keys from this client; all its keys are refused for now',
    headers,
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
  const wanted = accepted.join(' or ');
  if (type === undefined) return `Content-Type is missing; it must be ${wanted}`;
  const parsed = parsedType(type);
  if (!parsed || !accepted.includes(parsed.essence)) return `Content-Type is ${type}; it must be ${wanted}`;
  const charset = parsed.params.get('charset') ?? 'utf-8';
  return /^utf-?8$/i.test(charset) ? undefined : `the charset is ${charset}; it must be UTF-8`;
}

function parsedType(type: string): MIMEType | undefined {
  try {
    return new MIMEType(type);
  } catch {
    return undefined;
  }
}

/** @param record that the address names; undefined for a batch */
async function carryOut(
  { write, refresh, writes }: WriteServiceOptions,
  { body, headers, raw }: FastifyRequest,
  reply: FastifyReply,
  record?: Omit<WriteRequest, keyof BatchRequest>,
): Promise<Answer> {
  const json = readStrictJson((body as Buffer | undefined | null) ?? new Uint8Array());
  if (!json.ok) return problemAnswer('malformed-body', json.detail);
  const sent = { body: json.value, ifMatch: headers['if-match'], key: keyNames.get(raw)! };
  if (record === undefined && writes) reply.headers(chargeOf(writes, sent.key, sent.body));
  const outcome = await write({ ...sent, ...record });
  if ('problem' in outcome) return refusalAnswer(outcome);
  await refresh();
  return 'writes' in outcome ? batchAnswer(outcome) : writtenAnswer(outcome);
}

/** Counts the writes of a batch, one of which is counted already. @returns the headers of the answer */
function chargeOf(writes: RequestLimit, key: string, batch: JsonValue): Readonly<Record<string, string>> {
  const length = Array.isArray(batch) && batch.length <= maxBatchWrites ? batch.length : 0;
  const { headers } = writes.count(key, Math.max(0, length - 1));
  // The batch is admitted: only the next write has to wait.
  const { 'Retry-After': _, ...fields } = headers;
  return fields;
}

function refusalAnswer({ problem, detail, faults }: WriteError): Answer {
  const retry: Record<string, string> = problem === 'writing-unavailable' ? { 'Retry-After': '1' } : {};
  return problemAnswer(problem, detail, retry, faults);
}

function writtenAnswer({ created, resource, id, record, receipt, published }: WriteDone): Answer {
  return uncachedAnswer(created ? 201 : 200, record, {
    ...writeHeaders(published?.snapshot),
    ...(created && { Location: recordPath(resource, id) }),
    ...(receipt !== undefined && { Receipt: receiptPath(receipt) }),
    ...(published?.etag !== undefined && { ETag: published.etag }),
  });
}

function batchAnswer({ group, writes }: BatchDone): Answer {
  const data = writes.map(({ created, resource, id, record, receipt, published }) => ({
    status: created ? 201 : 200,
    path: recordPath(resource, id),
    etag: published?.etag ?? null,
    receipt: receipt ?? null,
    record,
  }));
  // All are in the same snapshot.
  return uncachedAnswer(200, { group: group ?? null, data }, writeHeaders(writes[0]!.published?.snapshot));
}

/** @param snapshot that holds the write; undefined if its build failed */
const writeHeaders = (snapshot: string | undefined) => ({
  'Access-Control-Expose-Headers': `${commonHeaders['Access-Control-Expose-Headers']}, Location, Receipt, Snapshot, Snapshot-Pending`,
  ...(snapshot === undefined ? { 'Snapshot-Pending': '?1' } : { Snapshot: snapshot }),
});
