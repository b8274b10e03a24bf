/** The routes of reads: the API, pages of the explorer and files, each with its limit; and the refusal of all other methods. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { filesPerRead } from '../contract/limits.ts';
import { matchReceipt, methodsOf, routes } from '../contract/routes.ts';
import { explorerPage, isCompletedByServer, wantsPage } from '../../build/site/shared/hosting.ts';
import { type Answer, methodNotAllowed, otherMethod, problemAnswer } from '../read/answer.ts';
import type { ReadRequest } from '../read/resolve.ts';
import { type RequestLimit, rateLimit } from '../write/rate-limit.ts';
import type { ClientKey } from './clients.ts';
import { Files, filePathOf } from './files.ts';
import { isProbe } from './health.ts';
import { Reads, type ReadsOptions } from './reads.ts';
import { sendAnswer, targetOf } from './sending.ts';

export interface ReadOptions extends Omit<ReadsOptions, 'file'> {
  clientOf: ClientKey;
  /** GETs of the API per minute and client; files and pages have a limit in proportion. 0 for no limit. */
  readLimit: number;
  /** Other hosts that pages may show posters of. */
  imageOrigins: readonly string[];
  /** The snapshot that a file was made from; undefined for a file that is the same for all. */
  snapshotOf: (path: string) => string | undefined;
}

/** Returns nothing where the answer is in memory: to wait for a sent reply would take longer than to make it. */
type Handler = (request: FastifyRequest, reply: FastifyReply) => undefined | Promise<FastifyReply>;

/** @returns what answers reads, and the handler for requests that no route takes */
export function addReadRoutes(
  app: FastifyInstance,
  { clientOf, readLimit, imageOrigins, snapshotOf, ...options }: ReadOptions,
): { reads: Reads; answerOther: Handler } {
  const files = new Files(options.out, imageOrigins, snapshotOf);
  const reads = new Reads({ ...options, file: (path) => files.bytes(path) });
  const limited = (limit: RequestLimit | undefined, perMinute: number, handler: Handler): Handler => {
    if (limit === undefined) return handler;
    const detail = `no more than ${perMinute} requests a minute; try again later`;
    const refusal = problemAnswer('too-many-requests', detail);
    const refuse = async (request: FastifyRequest, reply: FastifyReply) => {
      const isPage = isCompletedByServer(targetOf(request).path);
      sendAnswer(reply, (isPage ? await reads.refusedPage() : undefined) ?? refusal);
      return reply;
    };
    return (request, reply) => {
      const client = clientOf(request);
      const refused = limit.refusal(client);
      reply.headers(refused ?? limit.count(client));
      return refused ? refuse(request, reply) : handler(request, reply);
    };
  };

  const computed = async (reply: FastifyReply, found: Promise<Answer>) => {
    sendAnswer(reply, await found);
    return reply;
  };
  const answer: Handler = (request, reply) => {
    const found = reads.answer(askedBy(request));
    if (found instanceof Promise) return computed(reply, found);
    sendAnswer(reply, found);
    return undefined;
  };

  const answerFile: Handler = async (request, reply) => {
    const asked = askedBy(request);
    const page = isCompletedByServer(asked.path) ? await reads.page(asked) : undefined;
    const path = filePathOf(asked.path);
    if (page) sendAnswer(reply, page);
    else if (path !== undefined && (await files.send(path, request, reply))) return reply;
    else if (wantsPage(request.method, request.headers.accept) && (await files.sendNotFound(reply)))
      return reply;
    else sendAnswer(reply, await reads.answer(asked));
    return reply;
  };

  const api = limited(rateLimit(readLimit), readLimit, answer);
  const fileLimit = readLimit * filesPerRead;
  const other = limited(rateLimit(fileLimit), fileLimit, answerFile);
  for (const [pattern, route] of routes)
    if (methodsOf(route).includes('GET')) {
      const url = pattern.replace('{id}', ':id');
      app.route({ method: ['GET', 'HEAD'], url, config: { kind: route.kind }, handler: api });
    }
  for (const [url, handler] of [
    ['/api', api],
    ['/api/*', api],
    ['/*', other],
  ] as const)
    app.route({ method: ['GET', 'HEAD'], url, config: { kind: 'file' }, handler });

  const answerOther: Handler = (request, reply) => {
    const { method } = request;
    const { path } = targetOf(request);
    // A request with a path that cannot be decoded.
    if (method === 'GET' || method === 'HEAD') return other(request, reply);
    const file = isCompletedByServer(path) ? explorerPage : filePathOf(path);
    const isReceipt = options.writable && matchReceipt(path) !== undefined;
    if (isProbe(path)) sendAnswer(reply, methodNotAllowed(method, ['GET', 'HEAD']));
    else if (isReceipt || (file !== undefined && files.has(file))) sendAnswer(reply, otherMethod(method));
    else return answer(request, reply);
    return undefined;
  };
  return { reads, answerOther };
}

/** What a request asks for. The headers of HEAD are those of GET, also of an encoded form. */
function askedBy(request: FastifyRequest): ReadRequest {
  const { method, headers } = request;
  const { path, queryString } = targetOf(request);
  return {
    method: method === 'HEAD' ? 'GET' : method,
    path,
    queryString,
    ifNoneMatch: headers['if-none-match'],
  };
}
