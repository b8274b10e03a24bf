/** The routes of reads: the API, pages of the explorer and files, each with its limit; and the refusal of all other methods. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { filesPerRead, readsPerExport, searchesPerRead } from '../contract/limits.ts';
import { asksForExport } from '../contract/query-string.ts';
import { matchReceipt, matchRoute, rootPath } from '../contract/routes.ts';
import type { Target } from '../contract/target.ts';
import { explorerPage, isCompletedByServer, mcpPath, wantsPage } from '../../build/site/shared/hosting.ts';
import { loadMcp, mcpService, otherMcpMethod } from '../mcp/mcp.ts';
import { type Answer, methodNotAllowed, otherMethod, problemAnswer } from '../read/answer.ts';
import { loadOnce, SnapshotUnavailable, SnapshotWatch } from '../read/source.ts';
import { fileSource, manifestChanges, nodeDigest, takingTurns } from '../read/node-source.ts';
import { type ReadRequest, Resolver } from '../read/resolve.ts';
import { type RequestLimit, rateLimit } from '../write/rate-limit.ts';
import type { ClientKey } from './clients.ts';
import { Files, filePathOf } from './files.ts';
import { type Health, isProbe } from './health.ts';
import { sendAnswer, targetOf } from './sending.ts';

export interface ReadOptions {
  /** Folder of the snapshot. */
  out: string;
  /** GETs of the API and messages to /mcp per minute and client; files and pages have a limit in proportion. 0 for no limit. */
  readLimit: number;
  /** Other hosts that pages may show posters of. */
  imageOrigins?: readonly string[] | undefined;
  /** Scheme and host of the site, for absolute addresses. Without it those of pages are relative. */
  origin?: string | undefined;
  onError: (error: unknown) => void;
  /** Called when the snapshot or a document of the site may be damaged. */
  onDamage?: (() => void) | undefined;
}

/** What reads need of the service. */
interface ReadContext extends ReadOptions {
  /** Bytes of answers kept in memory; 0 keeps none. */
  answerBytes: number;
  clientOf: ClientKey;
  health: Health;
  /** Whether the same addresses accept writes. */
  writable: boolean;
}

/** Milliseconds for which a look at the manifest is valid. */
const watchIntervalMs = 100;
/** Bytes of pages of the explorer kept in memory. */
const pageBytes = 12 * 1024 * 1024;

/** Answers reads of the API and pages of the explorer from the snapshot in a folder. */
function snapshotReads(files: Files, context: ReadContext) {
  const { out, answerBytes, writable, origin, onError, onDamage } = context;
  const resolver = new Resolver(fileSource(out), {
    turn: takingTurns(),
    digest: nodeDigest,
    answerBytes,
    writable,
    onError(error) {
      onError(error);
      if (error instanceof SnapshotUnavailable) onDamage?.();
    },
  });
  const pages = loadOnce(async () => {
    const { SitePages } = await import('../../build/site/explorer/site-pages.ts');
    const file = (path: string) => files.bytes(path);
    const options = { resolver, file, isWritable: writable, onError, digest: nodeDigest };
    return new SitePages({ ...options, cacheBytes: pageBytes });
  });
  /** Whether the last look at the manifest succeeded. A look sets it. */
  let isCurrent = true;
  const refresh = async () => {
    isCurrent = await resolver.refresh();
    return isCurrent;
  };
  const hasChanged = manifestChanges(out);
  // A look that failed is repeated: the file need not change again.
  const refreshIfChanged = () => (hasChanged() || !isCurrent ? refresh() : undefined);
  const watch = new SnapshotWatch(refreshIfChanged, watchIntervalMs);
  const answer = (request: ReadRequest): Answer | Promise<Answer> => {
    const looking = watch.check();
    if (looking) return looking.then(() => resolver.answer(request));
    return resolver.answer(request);
  };
  const mcp = mcpService(async (request) => answer(request), onError);
  return {
    /** Loads what pages and messages need. Node keeps a failed import for good, so it must not wait for a request. */
    load: () => Promise.all([pages(), loadMcp()]),
    /** Number of requests that were answered from memory. */
    cacheHits: () => resolver.answerCache.hits,
    /** Loads a new snapshot at once. @returns whether answers come from it now */
    refresh,
    /** The id of the snapshot that is answered from now. @throws SnapshotUnavailable */
    async snapshot() {
      // A look under way first, then one of now.
      await watch.check();
      await refreshIfChanged();
      return (await resolver.snapshot()).manifest.snapshot;
    },
    /** The answer to any method at an address of the API; synchronous if it is in memory. */
    answer,
    /** The answer to a message to /mcp. */
    async mcp(sent: FastifyRequest) {
      const { raw, headers } = sent;
      // What is not read of the body must neither end the connection nor stop the next request on it.
      const body = raw.iterator({ destroyOnReturn: false }) as never;
      const options = { method: 'POST', headers: headers as Record<string, string>, body, duplex: 'half' };
      const request = new Request(`http://localhost${mcpPath}`, options);
      const answer = await mcp(request, origin ?? originOfRequest(sent));
      await request.body?.cancel().catch(() => {});
      raw.resume();
      return answer;
    },
    /** The answer at the address of a page of the explorer; undefined if there is no site. @param mayFind see SitePages */
    async page(request: ReadRequest, mayFind: () => Promise<boolean>) {
      await watch.check();
      return (await pages()).answer(request, origin ?? '', mayFind);
    },
    /** The page for a client beyond its rate limit; undefined if there is no site. */
    refusedPage: async () => (await pages()).refusal(),
  };
}

/**
 * Scheme and host that a client has used; '' if they are no such address. For answers that no cache keeps: it would give them to
 * others.
 */
function originOfRequest({ protocol, host }: FastifyRequest): string {
  const isHost = /^([a-z0-9.-]+|\[[0-9a-f:.]+\])(:\d{1,5})?$/i.test(host);
  return isHost ? `${protocol}://${host}` : '';
}

/** Finds the answer to a request; undefined if it has sent one itself. */
type Handler = (
  request: FastifyRequest,
  reply: FastifyReply,
) => Answer | undefined | Promise<Answer | undefined>;

/**
 * Sends what a handler finds. Not as an async handler of Fastify: that one waits for the reply, and sends an error as a second
 * answer if the client goes while the first one is compressed.
 */
const sending =
  (handler: Handler) =>
  (request: FastifyRequest, reply: FastifyReply): void => {
    const send = (answer: Answer | undefined) => {
      if (answer) sendAnswer(reply, answer);
    };
    const found = handler(request, reply);
    if (found instanceof Promise) found.then(send).catch((error: unknown) => void reply.send(error));
    else send(found);
  };

/** @returns the reads, and the handler for requests that no route takes */
export function addReadRoutes(app: FastifyInstance, context: ReadContext) {
  const { out, readLimit, imageOrigins = [], clientOf, health, writable } = context;
  const files = new Files({ root: out, imageOrigins, snapshotOf: (path) => health.snapshotOf(path) });
  const reads = snapshotReads(files, context);
  const limited = (perMinute: number, limit: RequestLimit | undefined, handler: Handler): Handler => {
    if (limit === undefined) return handler;
    const detail = `no more than ${perMinute} requests a minute; try again later`;
    const refusal = problemAnswer('too-many-requests', detail);
    const refuse = async (request: FastifyRequest) =>
      (isCompletedByServer(targetOf(request).path) && (await reads.refusedPage())) || refusal;
    return (request, reply) => {
      const client = clientOf(request);
      const charged = isExport(targetOf(request)) ? readsPerExport : 1;
      const refused = limit.refusal(client, charged);
      reply.headers(refused ?? limit.count(client, charged));
      return refused ? refuse(request) : handler(request, reply);
    };
  };

  const searches = rateLimit('searches', readLimit * searchesPerRead);
  let lastTurn: Promise<unknown> = Promise.resolve();
  /** Counts a search beside the page that it is for, and waits for its turn. @returns whether the client has one left */
  const countSearch = async (request: FastifyRequest, reply: FastifyReply): Promise<boolean> => {
    const client = clientOf(request);
    const refused = searches?.refusal(client);
    for (const [name, value] of Object.entries(refused ?? searches?.count(client) ?? {})) {
      const before = reply.getHeader(name);
      reply.header(name, before === undefined ? value : `${before}, ${value}`);
    }
    if (refused) return false;
    // One search in a turn of the event loop: else those of many connections come before anything else.
    lastTurn = lastTurn.then(() => nextTurn());
    await lastTurn;
    return true;
  };

  const answer: Handler = (request) => reads.answer(askedBy(request));
  const answerFile: Handler = async (request, reply) => {
    const asked = askedBy(request);
    const page = () => reads.page(asked, () => countSearch(request, reply));
    if (isCompletedByServer(asked.path)) return (await page()) ?? reads.answer(asked);
    const path = filePathOf(asked.path);
    if (path !== undefined && (await files.send(path, request, reply))) return undefined;
    // The page for an unknown address searches for its words.
    return (wantsPage(request.method, request.headers.accept) && (await page())) || reads.answer(asked);
  };

  const readsLeft = rateLimit('reads', readLimit);
  const api = limited(readLimit, readsLeft, answer);
  const message = limited(readLimit, readsLeft, (request) => reads.mcp(request));
  const pageLimit = readLimit * filesPerRead;
  const other = limited(pageLimit, rateLimit('pages', pageLimit), answerFile);
  const add = (url: string, handler: Handler) =>
    app.route({ method: ['GET', 'HEAD'], url, handler: sending(handler) });
  for (const url of [rootPath, `${rootPath}/*`]) add(url, api);
  add('/*', other);
  const answerMessage = sending((request, reply) =>
    request.method === 'POST' ? message(request, reply) : otherMcpMethod(request.method),
  );
  // A hook answers, and no handler: Fastify would check the media type and the body, before the limit.
  const onRequest = (request: FastifyRequest, reply: FastifyReply) => answerMessage(request, reply);
  app.all(mcpPath, { config: { kind: 'mcp' }, onRequest }, () => {});

  const answerOther = sending((request, reply) => {
    const { method } = request;
    const { path } = targetOf(request);
    // A request with a path that cannot be decoded.
    if (method === 'GET' || method === 'HEAD') return other(request, reply);
    const file = isCompletedByServer(path) ? explorerPage : filePathOf(path);
    const isReceipt = writable && matchReceipt(path) !== undefined;
    if (isProbe(path)) return methodNotAllowed(method, ['GET', 'HEAD']);
    if (path === mcpPath) return otherMcpMethod(method);
    if (isReceipt || (file !== undefined && files.has(file))) return otherMethod(method);
    return reads.answer(askedBy(request));
  });
  return { reads, answerOther };
}

/** Whether a request asks the API for a file with all records of a list. */
function isExport({ path, queryString }: Target): boolean {
  const route = queryString === '' ? undefined : matchRoute(path)?.route;
  if (route?.kind !== 'list' && route?.kind !== 'search') return false;
  return asksForExport(queryString);
}

/** What a request asks for. The headers of HEAD are those of GET, also of an encoded form. */
function askedBy(request: FastifyRequest): ReadRequest {
  const { method, headers } = request;
  const { path, queryString } = targetOf(request);
  const asked = method === 'HEAD' ? 'GET' : method;
  return { path, queryString, method: asked, ifNoneMatch: headers['if-none-match'] };
}
