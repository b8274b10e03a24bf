/**
 * The write service: POST, PATCH and DELETE of records, batches of them, and GET of receipts. It checks a request in this order: 401, 429,
 * 415 and 413 before the body is read, then 400 for the body. The writer refuses what is wrong with the record itself.
 */
import type { IncomingMessage } from 'node:http';
import { MIMEType } from 'node:util';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest, HTTPMethods } from 'fastify';
import { bodyTypes, type JsonValue } from '../contract/bodies.ts';
import { maxBatchWrites, maxBodyBytes } from '../contract/limits.ts';
import { isWritable } from '../contract/names.ts';
import { parseId } from '../contract/query-string.ts';
import { receiptPath, receiptsPath, type Route, routes, writeMethods } from '../contract/routes.ts';
import { splitTarget } from '../contract/target.ts';
import { type Answer, commonHeaders, problemAnswer, uncachedAnswer } from '../read/answer.ts';
import type { RequestLimit, Verdict } from './rate-limit.ts';
import { receiptAnswer, receiptsAnswer } from './receipts.ts';
import { Refusal, type WriteError, writeErrorOf } from './requests.ts';
import { readStrictJson } from './strict-json.ts';
import type { Writing } from './writing.ts';

interface WriteRoutesOptions extends Pick<Writing, 'keyOf' | 'write' | 'connection' | 'writes' | 'failures'> {
  /** The client of a request, for `failures`. */
  clientOf: (request: FastifyRequest) => string;
  /** Answers a request whose address is none, or takes other methods. */
  answerOther: (request: FastifyRequest, reply: FastifyReply) => unknown;
  send: (reply: FastifyReply, answer: Answer) => void;
  /** Awaited before a write is answered, so that GET answers from the snapshot that holds it. @returns whether it does */
  refresh: () => Promise<boolean>;
  onError: (error: unknown) => void;
}

/** Of a request at an address that the router found. */
interface Params {
  id?: string;
}

/** Adds the routes of writes and receipts. */
export function addWriteRoutes(parent: FastifyInstance, options: WriteRoutesOptions): void {
  const { connection, send } = options;
  parent.register(async (app) => {
    // The body stays bytes for strict-json; its type is already checked.
    app.removeAllContentTypeParsers();
    app.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: maxBodyBytes }, (_request, body, done) =>
      done(null, body),
    );
    app.setErrorHandler((error: FastifyError | Refusal, request, reply) => {
      if (error instanceof Refusal) return send(reply, refusalAnswer(error.reason));
      // The client is gone before the end of its body.
      if (request.raw.destroyed && !request.raw.complete) return;
      // Fastify would close the connection while the body still arrives, and the client would lose the answer.
      reply.header('connection', reply.raw.shouldKeepAlive ? 'keep-alive' : 'close');
      request.raw.resume();
      if (error.code === 'FST_ERR_CTP_BODY_TOO_LARGE') return send(reply, tooLarge);
      options.onError(error);
      send(reply, refusalAnswer(writeErrorOf(error)));
    });
    app.addHook('onRequest', async (request, reply) => {
      if (!isAddress(request)) return options.answerOther(request, reply);
      const refusal = checkRequest(options, request, reply);
      if (refusal === undefined) return undefined;
      send(reply, refusal);
      return reply;
    });
    type Answerer = (request: FastifyRequest, reply: FastifyReply) => Answer | Promise<Answer>;
    const add = (method: HTTPMethods[], url: string, kind: Route['kind'] | 'receipt', answer: Answerer) =>
      app.route({
        method,
        url,
        config: { kind },
        handler: async (request, reply) => {
          send(reply, await answer(request, reply));
          return reply;
        },
      });
    for (const [pattern, route] of routes) {
      const methods = [...writeMethods(route)];
      if (methods.length > 0)
        add(methods, pattern.replace('{id}', ':id'), route.kind, (request, reply) =>
          carryOut(options, route, request, reply),
        );
    }
    add(['GET', 'HEAD'], receiptsPath, 'receipt', ({ raw }) =>
      receiptsAnswer(connection, splitTarget(raw.url!).queryString),
    );
    add(['GET', 'HEAD'], `${receiptsPath}/:id`, 'receipt', ({ params }) =>
      receiptAnswer(connection, Number((params as Params).id)),
    );
  });
}

/** Whether the address is written as it must be: the router decodes it, and takes any text for an id. */
function isAddress({ raw, routeOptions, params }: FastifyRequest): boolean {
  const { id = '1' } = params as Params;
  return parseId(id) !== undefined && splitTarget(raw.url!).path === routeOptions.url!.replace(':id', id);
}

/** The name of a request's key, after its check. */
const keyNames = new WeakMap<FastifyRequest, string>();

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
  if (refused) {
    const detail = 'too many wrong keys from this client; try again later';
    return problemAnswer('too-many-requests', detail, refused.headers);
  }
  const name = key === undefined || second !== undefined ? undefined : keyOf(key);
  if (name === undefined) {
    if (client !== undefined) failures.count(client);
    return unauthorized;
  }
  keyNames.set(request, name);
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

const tooLarge = problemAnswer('body-too-large', `a body may have at most ${maxBodyBytes} bytes`);

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

/** @throws Refusal of the body */
async function carryOut(
  { write, refresh, writes }: WriteRoutesOptions,
  route: Route,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Answer> {
  const { id } = request.params as Params;
  const bytes = (request.body as Buffer | undefined | null) ?? new Uint8Array();
  const isDelete = request.method === 'DELETE';
  if (isDelete && bytes.length > 0) throw new Refusal('malformed-body', 'a DELETE has no body');
  const body = isDelete ? undefined : readStrictJson(bytes);
  const sent = { body, ifMatch: request.headers['if-match'], key: keyNames.get(request)! };
  const resource = 'resource' in route && isWritable(route.resource) ? route.resource : undefined;
  if (resource === undefined && writes) reply.headers(chargeOf(writes, sent.key, body));
  const outcome = await write(
    resource === undefined ? sent : { ...sent, resource, id: id === undefined ? id : Number(id) },
  );
  if ('problem' in outcome) return refusalAnswer(outcome);
  const { snapshot, ...done } = outcome;
  const isShown = (await refresh()) && snapshot !== undefined;
  const shown = {
    'Access-Control-Expose-Headers': `${commonHeaders['Access-Control-Expose-Headers']}, Location, Receipt, Snapshot, Snapshot-Pending`,
    ...(isShown ? { Snapshot: snapshot } : { 'Snapshot-Pending': '?1' }),
  };
  if (resource === undefined) return uncachedAnswer(200, done, shown);
  const { status, path, etag, receipt, record } = done.data[0]!;
  return uncachedAnswer(status, record, {
    ...shown,
    ...(status === 201 && { Location: path }),
    ...(receipt !== null && { Receipt: receiptPath(receipt) }),
    ...(etag !== null && { ETag: etag }),
  });
}

/** Counts the writes of a batch, one of which is counted already. @returns the headers of the answer */
function chargeOf(writes: RequestLimit, key: string, batch: JsonValue | undefined): Verdict['headers'] {
  const length = Array.isArray(batch) && batch.length <= maxBatchWrites ? batch.length : 0;
  // The batch is admitted: only the next write has to wait.
  const { 'Retry-After': _, ...fields } = writes.count(key, Math.max(0, length - 1)).headers;
  return fields;
}

const refusalAnswer = ({ problem, detail, faults }: WriteError): Answer =>
  problemAnswer(problem, detail, problem === 'writing-unavailable' ? { 'Retry-After': '1' } : {}, faults);
