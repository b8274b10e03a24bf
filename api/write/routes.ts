/**
 * The write service: POST, PATCH and DELETE of records, batches of them, and GET of receipts. It checks a
 * request in this order: 401 (after ten wrong keys of a client 429 in its place), 429 (writes), 415, 413,
 * then 400 for the body. The writer refuses a key that was revoked meanwhile, and what is wrong with the
 * record itself.
 */
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { batchWritesPerWrite, maxBatchBytes, maxBatchWrites, maxBodyBytes } from '../contract/limits.ts';
import { isWritable } from '../contract/names.ts';
import { receiptPath, receiptsPath, type Route, routes, writeMethods } from '../contract/routes.ts';
import { type Answer, commonHeaders, problemAnswer, uncachedAnswer } from '../read/answer.ts';
import { receiptsAnswer } from './receipts.ts';
import {
  type CheckOptions,
  checkRequest,
  recordIdOf,
  isAddress,
  keyNameOf,
  unauthorized,
} from './request-check.ts';
import { Refusal, refusalOf, type WriteError } from './requests.ts';
import { readStrictJson } from './strict-json.ts';
import type { Writing } from './writing.ts';

interface WriteRoutesOptions extends CheckOptions, Pick<Writing, 'write' | 'connection'> {
  /** Answers a request whose address is none, or takes other methods. */
  answerOther: (request: FastifyRequest, reply: FastifyReply) => void;
  send: (reply: FastifyReply, answer: Answer) => FastifyReply;
  /**
   * Awaited before a write is answered, so that GET answers from the snapshot that holds it.
   * @returns whether it does
   */
  refresh: () => Promise<boolean>;
  onError: (error: unknown) => void;
}

/** Adds the routes of writes and receipts. */
export function addWriteRoutes(parent: FastifyInstance, options: WriteRoutesOptions): void {
  const { send } = options;
  parent.register(async (app) => {
    // The body stays bytes for strict-json; its type is already checked.
    app.removeAllContentTypeParsers();
    app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
    app.setErrorHandler((error: FastifyError | Refusal, request, reply) => {
      if (error instanceof Refusal) return send(reply, refusalAnswer(error.reason));
      // The client is gone before the end of its body.
      if (request.raw.destroyed && !request.raw.complete) return undefined;
      // Fastify would close the connection while the body still arrives, and the client would lose the
      // answer.
      reply.header('connection', reply.raw.shouldKeepAlive ? 'keep-alive' : 'close');
      request.raw.resume();
      if (error.code === 'FST_ERR_CTP_BODY_TOO_LARGE')
        return send(reply, tooLarge(request.routeOptions.bodyLimit));
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
        bodyLimit: route.kind === 'batch' ? maxBatchBytes : maxBodyBytes,
        handler: async (request, reply) => send(reply, await answerWrite(options, route, request, reply)),
      });
    }
    const answerReceipts = (request: FastifyRequest) =>
      receiptsAnswer(options.connection, recordIdOf(request), request.raw.url!, keyNameOf(request));
    for (const url of [receiptsPath, `${receiptsPath}/:id`])
      app.route({
        method: ['GET', 'HEAD'],
        url,
        config: { kind: 'receipt' },
        handler: async (request, reply) => send(reply, answerReceipts(request)),
      });
  });
}

const tooLarge = (maxBytes: number): Answer =>
  problemAnswer('body-too-large', `a body may have at most ${maxBytes} bytes`);

/** @throws Refusal of the body */
async function answerWrite(
  { write, refresh, writes }: WriteRoutesOptions,
  route: Route,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Answer> {
  const id = recordIdOf(request);
  const bytes = (request.body as Buffer | undefined | null) ?? new Uint8Array();
  const isDelete = request.method === 'DELETE';
  if (isDelete && bytes.length > 0) throw new Refusal('malformed-body', 'a DELETE has no body');
  const body = isDelete ? undefined : readStrictJson(bytes);
  const sent = { body, ifMatch: request.headers['if-match'], key: keyNameOf(request) };
  const resource = 'resource' in route && isWritable(route.resource) ? route.resource : undefined;
  // One write is counted already. A batch is admitted, however many writes it has.
  const isBatch = resource === undefined && Array.isArray(body) && body.length <= maxBatchWrites;
  if (writes && isBatch && body.length > batchWritesPerWrite)
    reply.headers(writes.count(sent.key, Math.ceil(body.length / batchWritesPerWrite) - 1));
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
