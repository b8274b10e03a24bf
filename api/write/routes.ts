/**
 * The write service: POST, PATCH and DELETE of records, batches of them, and GET of receipts. It checks a request in
 * this order: 401 (after ten wrong keys of a client 429 in its place), 429 (writes), 415, 413, then 400 for the body. The writer
 * refuses a key that was revoked meanwhile, and what is wrong with the record itself.
 */
import type { IncomingMessage } from 'node:http';
import { MIMEType } from 'node:util';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Connection } from '../../data/database/open.ts';
import { listReceipts, readReceipt } from '../../data/record/receipts.ts';
import { bodyTypes } from '../contract/bodies.ts';
import { maxBatchWrites, maxBodyBytes } from '../contract/limits.ts';
import { isWritable } from '../contract/names.ts';
import { parseId, parseQuery, readTime, withParameter } from '../contract/query-string.ts';
import { receiptPath, receiptsPath, type Route, routeAt, routes, writeMethods } from '../contract/routes.ts';
import { splitTarget } from '../contract/target.ts';
import { type Answer, commonHeaders, faultsAnswer, problemAnswer, uncachedAnswer } from '../read/answer.ts';
import { Refusal, refusalOf, type WriteError } from './requests.ts';
import { readStrictJson } from './strict-json.ts';
import type { Writing } from './writing.ts';

interface WriteRoutesOptions extends Pick<Writing, 'keyOf' | 'write' | 'connection' | 'writes' | 'failures'> {
  /** The client of a request, for `failures`. */
  clientOf: (request: FastifyRequest) => string;
  /** Answers a request whose address is none, or takes other methods. */
  answerOther: (request: FastifyRequest, reply: FastifyReply) => void;
  send: (reply: FastifyReply, answer: Answer) => FastifyReply;
  /** Awaited before a write is answered, so that GET answers from the snapshot that holds it. @returns whether it does */
  refresh: () => Promise<boolean>;
  onError: (error: unknown) => void;
}

/** Adds the routes of writes and receipts. */
export function addWriteRoutes(parent: FastifyInstance, options: WriteRoutesOptions): void {
  const { send } = options;
  parent.register(async (app) => {
    // The body stays bytes for strict-json; its type is already checked.
    app.removeAllContentTypeParsers();
    app.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: maxBodyBytes }, (_request, body, done) =>
      done(null, body),
    );
    app.setErrorHandler((error: FastifyError | Refusal, request, reply) => {
      if (error instanceof Refusal) return send(reply, refusalAnswer(error.reason));
      // The client is gone before the end of its body.
      if (request.raw.destroyed && !request.raw.complete) return undefined;
      // Fastify would close the connection while the body still arrives, and the client would lose the answer.
      reply.header('connection', reply.raw.shouldKeepAlive ? 'keep-alive' : 'close');
      request.raw.resume();
      if (error.code === 'FST_ERR_CTP_BODY_TOO_LARGE') return send(reply, tooLarge);
      options.onError(error);
      return send(reply, refusalAnswer(refusalOf(error).reason));
    });
    app.addHook('onRequest', (request, reply, done) => {
      if (!isAddress(request)) return options.answerOther(request, reply);
      const refusal = checkRequest(options, request, reply);
      if (refusal) send(reply, refusal);
      else done();
    });
    for (const [pattern, route] of routes) {
      const method = [...writeMethods(route)];
      if (method.length === 0) continue;
      app.route({
        method,
        url: pattern.replace('{id}', ':id'),
        config: { kind: route.kind },
        handler: async (request, reply) => send(reply, await carryOut(options, route, request, reply)),
      });
    }
    for (const url of [receiptsPath, `${receiptsPath}/:id`])
      app.route({
        method: ['GET', 'HEAD'],
        url,
        config: { kind: 'receipt' },
        handler: async (request, reply) => send(reply, receiptsAnswer(options.connection, request)),
      });
  });
}

/** The id in the address of a record or receipt. */
const idOf = ({ params }: FastifyRequest) => (params as { id?: string }).id;

/** Whether the address is written as it must be: the router decodes it, and takes any text for an id. */
function isAddress(request: FastifyRequest): boolean {
  const id = idOf(request) ?? '1';
  const path = request.routeOptions.url!.replace(':id', id);
  return parseId(id) !== undefined && splitTarget(request.raw.url!).path === path;
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
  // Before the limit: behind one proxy, the wrong keys of one client must not lock out the others. A key cannot be guessed.
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

/** @throws Refusal of the body */
async function carryOut(
  { write, refresh, writes }: WriteRoutesOptions,
  route: Route,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Answer> {
  const id = idOf(request);
  const bytes = (request.body as Buffer | undefined | null) ?? new Uint8Array();
  const isDelete = request.method === 'DELETE';
  if (isDelete && bytes.length > 0) throw new Refusal('malformed-body', 'a DELETE has no body');
  const body = isDelete ? undefined : readStrictJson(bytes);
  const sent = { body, ifMatch: request.headers['if-match'], key: keyNames.get(request)! };
  const resource = 'resource' in route && isWritable(route.resource) ? route.resource : undefined;
  // One write is counted already. A batch is admitted, however many writes it has.
  const isBatch = resource === undefined && Array.isArray(body) && body.length <= maxBatchWrites;
  if (writes && isBatch && body.length > 1) reply.headers(writes.count(sent.key, body.length - 1));
  const outcome = await write(
    resource === undefined ? sent : { ...sent, resource, id: id === undefined ? id : Number(id) },
  );
  if ('problem' in outcome) return outcome.problem === 'unauthorized' ? unauthorized : refusalAnswer(outcome);
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

const refusalAnswer = ({ problem, detail, faults }: WriteError): Answer =>
  problemAnswer(problem, detail, problem === 'writing-unavailable' ? { 'Retry-After': '1' } : {}, faults);

/** One receipt with everything, or a page of the list of them, which is the audit log. */
function receiptsAnswer(connection: Connection, request: FastifyRequest): Answer {
  const id = idOf(request);
  const { path, queryString } = splitTarget(request.raw.url!);
  const receipt = id === undefined ? undefined : readReceipt(connection, Number(id));
  if (receipt) return uncachedAnswer(200, receipt);
  if (id !== undefined) return problemAnswer('no-such-record', `there is no receipt at ${path}`);
  const parsed = parseQuery(queryString, routeAt(receiptsPath));
  if (!parsed.ok) return faultsAnswer(parsed.faults);
  const { limit, before, resource, record_id, key, group, ...times } = parsed.query;
  const since = times.since && readTime(times.since)!.first;
  const until = times.until && readTime(times.until)!.last;
  if (since && until && since > until)
    return faultsAnswer([
      { parameter: 'since', message: `since ${times.since} is after until ${times.until}` },
    ]);
  // One more tells whether there is a next page.
  const filter = { before, resource, record_id, key, group, since, until, limit: limit + 1 };
  const found = listReceipts(connection, filter);
  const data = found.slice(0, limit);
  if (found.length === data.length) return uncachedAnswer(200, { data });
  const next = withParameter(queryString, 'before', data.at(-1)!.id);
  return uncachedAnswer(200, { data }, { Link: `<${receiptsPath}?${next}>; rel="next"` });
}
