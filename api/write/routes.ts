/**
 * The write service: POST, PATCH and DELETE of records, batches of them, and GET of receipts. It checks a request in this order: 401, 429,
 * 415 and 413 before the body is read, then 400 for the body. The writer refuses what is wrong with the record itself.
 */
import type { IncomingMessage } from 'node:http';
import { MIMEType } from 'node:util';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Connection } from '../../data/open.ts';
import { bodyTypes, type JsonValue } from '../contract/bodies.ts';
import { maxBatchWrites, maxBodyBytes } from '../contract/limits.ts';
import { isWritable } from '../contract/names.ts';
import {
  receiptPath,
  receiptsPath,
  recordPath,
  matchReceipt,
  matchRoute,
  routes,
  writeMethods,
} from '../contract/routes.ts';
import { splitTarget } from '../contract/target.ts';
import { type Answer, commonHeaders, problemAnswer, uncachedAnswer } from '../read/answer.ts';
import type { RequestLimit, Verdict } from './rate-limit.ts';
import { receiptsAnswer } from './receipts.ts';
import { readStrictJson } from './strict-json.ts';
import {
  type BatchRequest,
  type Write,
  type WriteDone,
  type WriteError,
  type WriteRequest,
  type Written,
  writeErrorOf,
} from './outcomes.ts';

type Headers = Readonly<Record<string, string>>;

/** What writes need of the database and its writer. */
export interface WriteAccess {
  /** The name of a key; undefined if it is unknown or revoked. */
  keyOf: (key: string) => string | undefined;
  write: Write;
  /** For receipts. */
  connection: Connection;
  /** Writes per key; undefined for no limit. */
  writes: RequestLimit | undefined;
  /** Failed keys per client. */
  failures: RequestLimit;
}

interface WriteRoutesOptions extends WriteAccess {
  /** The client of a request, for `failures`. */
  clientOf: (request: FastifyRequest) => string;
  /** Answers a request whose address is none, or takes other methods. */
  answerOther: (request: FastifyRequest, reply: FastifyReply) => unknown;
  /** Awaited before a write is answered, so that GET answers from the snapshot that holds it. @returns whether it does */
  refresh: () => Promise<boolean>;
  onError: (error: unknown) => void;
}

/** Adds the routes of writes and receipts. */
export function addWriteRoutes(parent: FastifyInstance, options: WriteRoutesOptions): void {
  parent.register(async (app) => {
    // The body stays bytes for strict-json; its type is already checked.
    app.removeAllContentTypeParsers();
    app.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: maxBodyBytes }, (_request, body, done) =>
      done(null, body),
    );
    app.setErrorHandler((error: FastifyError, request, reply) => {
      const refusal = requestErrors[error.code];
      // Fastify would close the connection while the body still arrives, and the client would lose the answer.
      reply.header('connection', reply.raw.shouldKeepAlive ? 'keep-alive' : 'close');
      request.raw.resume();
      if (refusal === undefined) options.onError(error);
      const isClientGone = request.raw.destroyed && !request.raw.complete;
      if (!isClientGone) send(reply, refusalAnswer(refusal ?? writeErrorOf(error)));
    });
    app.addHook('onRequest', async (request, reply) => {
      // The router decodes addresses, and takes any text for an id.
      if (!isAddress(request)) return options.answerOther(request, reply);
      const refusal = checkRequest(options, request, reply);
      return refusal && send(reply, refusal);
    });
    for (const [pattern, route] of routes) {
      const method = [...writeMethods(route)];
      if (method.length === 0) continue;
      app.route({
        method,
        url: pattern.replace('{id}', ':id'),
        config: { kind: route.kind },
        handler: async (request, reply) => send(reply, await carryOut(options, request, reply)),
      });
    }
    for (const url of [receiptsPath, `${receiptsPath}/:id`])
      app.route({
        method: ['GET', 'HEAD'],
        url,
        config: { kind: 'receipt' },
        handler: async ({ raw }, reply) => send(reply, receiptsAnswer(options.connection, raw.url ?? '')),
      });
  });
}

const pathOf = ({ url = '/' }: IncomingMessage): string => splitTarget(url).path;

function isAddress({ raw }: FastifyRequest): boolean {
  const path = pathOf(raw);
  const match = matchRoute(path);
  return (
    matchReceipt(path) !== undefined ||
    (match !== undefined && (match.route.kind !== 'record' || match.id !== undefined))
  );
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

/** The name of a request's key, after its check. */
const keyNames = new WeakMap<IncomingMessage, string>();

/** Checks everything before the body. @returns the answer that refuses the request, or undefined */
function checkRequest(
  { failures, clientOf, keyOf, writes }: WriteRoutesOptions,
  request: FastifyRequest,
  reply: FastifyReply,
): Answer | undefined {
  const { raw, method } = request;
  const [key, second] = raw.headersDistinct['x-api-key'] ?? [];
  // Only a request with a key can be a guess. A client with too many wrong keys learns nothing about another one.
  const client = key === undefined ? undefined : clientOf(request);
  const refused = client === undefined ? undefined : failures.refusal(client);
  if (refused) return tooManyKeys(refused);
  const name = key === undefined || second !== undefined ? undefined : keyOf(key);
  if (name === undefined) {
    const verdict = client === undefined ? undefined : failures.count(client);
    return verdict?.allowed === false ? tooManyKeys(verdict) : unauthorized;
  }
  keyNames.set(raw, name);
  if (method !== 'POST' && method !== 'PATCH' && method !== 'DELETE') return undefined;
  const verdict = writes?.count(name);
  if (verdict) reply.headers(verdict.headers);
  if (verdict?.allowed === false)
    return problemAnswer('too-many-requests', 'too many writes with this key; try again later');
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

const unauthorized = problemAnswer(
  'unauthorized',
  'this address needs one valid key, in the header x-api-key',
  { 'WWW-Authenticate': 'ApiKey realm="film awards", header="x-api-key"' },
);

const tooManyKeys = ({ headers }: Verdict): Answer =>
  problemAnswer('too-many-requests', 'too many wrong keys from this client; try again later', headers);

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
  const parsed = parsedType(type);
  if (!parsed || !accepted.includes(parsed.essence))
    return `Content-Type is ${type ?? 'missing'}; it must be ${accepted.join(' or ')}`;
  const charset = parsed.params.get('charset') ?? 'utf-8';
  return /^utf-?8$/i.test(charset) ? undefined : `the charset is ${charset}; it must be UTF-8`;
}

function parsedType(type = ''): MIMEType | undefined {
  try {
    return new MIMEType(type);
  } catch {
    return undefined;
  }
}

async function carryOut(
  { write, refresh, writes }: WriteRoutesOptions,
  { body, headers, method, raw }: FastifyRequest,
  reply: FastifyReply,
): Promise<Answer> {
  const bytes = (body as Buffer | undefined | null) ?? new Uint8Array();
  const { route, id } = matchRoute(pathOf(raw))!;
  const record = 'resource' in route && isWritable(route.resource) && { resource: route.resource, id };
  const sent = { ifMatch: headers['if-match'], key: keyNames.get(raw)! };
  let request: WriteRequest | BatchRequest;
  if (record && method === 'DELETE') {
    if (bytes.length > 0) return problemAnswer('malformed-body', 'a DELETE has no body');
    request = { ...sent, ...record, body: undefined };
  } else {
    const json = readStrictJson(bytes);
    if (!json.ok) return problemAnswer('malformed-body', json.detail);
    request = { ...sent, ...record, body: json.value };
    if (!record && writes) reply.headers(chargeOf(writes, sent.key, json.value));
  }
  const outcome = await write(request);
  if ('problem' in outcome) return refusalAnswer(outcome);
  const isShown = await refresh();
  const shown = headersOfSnapshot(isShown ? outcome.snapshot : undefined);
  return record ? writtenAnswer(outcome, shown) : batchAnswer(outcome, shown);
}

/** Counts the writes of a batch, one of which is counted already. @returns the headers of the answer */
function chargeOf(writes: RequestLimit, key: string, batch: JsonValue): Headers {
  const length = Array.isArray(batch) && batch.length <= maxBatchWrites ? batch.length : 0;
  // The batch is admitted: only the next write has to wait.
  const { 'Retry-After': _, ...fields } = writes.count(key, Math.max(0, length - 1)).headers;
  return fields;
}

const refusalAnswer = ({ problem, detail, faults }: WriteError): Answer =>
  problemAnswer(problem, detail, problem === 'writing-unavailable' ? { 'Retry-After': '1' } : {}, faults);

/** @param id of the snapshot that holds the write and that GET answers from; undefined if there is none yet */
const headersOfSnapshot = (id: string | undefined): Headers => ({
  'Access-Control-Expose-Headers': `${commonHeaders['Access-Control-Expose-Headers']}, Location, Receipt, Snapshot, Snapshot-Pending`,
  ...(id === undefined ? { 'Snapshot-Pending': '?1' } : { Snapshot: id }),
});

const statusOf = ({ created }: WriteDone) => (created ? 201 : 200);
const pathTo = ({ resource, id }: WriteDone) => recordPath(resource, id);

function writtenAnswer({ writes, snapshot }: Written, shown: Headers): Answer {
  const done = writes[0]!;
  const { created, record, receipt, etag } = done;
  return uncachedAnswer(statusOf(done), record, {
    ...shown,
    ...(created && { Location: pathTo(done) }),
    ...(receipt !== undefined && { Receipt: receiptPath(receipt) }),
    ...(snapshot !== undefined && etag !== undefined && { ETag: etag }),
  });
}

function batchAnswer({ group, writes, snapshot }: Written, shown: Headers): Answer {
  const data = writes.map((done) => ({
    status: statusOf(done),
    path: pathTo(done),
    etag: (snapshot !== undefined && done.etag) || null,
    receipt: done.receipt ?? null,
    record: done.record,
  }));
  return uncachedAnswer(200, { group: group ?? null, data }, shown);
}
