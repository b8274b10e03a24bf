/**
 * The limits of reads per minute and client: of the API, of pages and files, and of the searches of pages.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { filesPerRead, readsPerExport, searchesPerRead } from '../contract/limits.ts';
import { asksForExport } from '../contract/query-string.ts';
import { matchRoute } from '../contract/routes.ts';
import type { Target } from '../contract/target.ts';
import { type Answer, problemAnswer } from '../read/answer.ts';
import { type RequestLimit, rateLimit } from '../write/rate-limit.ts';
import type { ClientKey } from './clients.ts';
import { type Handler, targetOf } from './sending.ts';

interface ReadLimitOptions {
  /**
   * GETs of the API and messages to /mcp per minute and client; files and pages have a limit in proportion. 0
   * for no limit.
   */
  readLimit: number;
  clientOf: ClientKey;
  /** The page that refuses a request of a page; undefined for other requests. */
  refusedPage: (path: string) => Promise<Answer | undefined>;
}

export function readLimits({ readLimit, clientOf, refusedPage }: ReadLimitOptions) {
  const pageLimit = readLimit * filesPerRead;
  const reads = rateLimit('reads', readLimit);
  const pages = rateLimit('pages', pageLimit);
  const searches = rateLimit('searches', readLimit * searchesPerRead);
  let lastTurn: Promise<unknown> = Promise.resolve();
  const limited = (perMinute: number, limit: RequestLimit | undefined, handler: Handler): Handler => {
    if (limit === undefined) return handler;
    const detail = `no more than ${perMinute} requests a minute; try again later`;
    const problem = problemAnswer('too-many-requests', detail);
    const refuse = async (request: FastifyRequest) => (await refusedPage(targetOf(request).path)) ?? problem;
    return (request, reply) => {
      const client = clientOf(request);
      const charged = isExport(targetOf(request)) ? readsPerExport : 1;
      const refused = limit.refusal(client, charged);
      reply.headers(refused ?? limit.count(client, charged));
      return refused ? refuse(request) : handler(request, reply);
    };
  };
  return {
    /** Requests of the API and messages to /mcp count together. */
    limitApi: (handler: Handler): Handler => limited(readLimit, reads, handler),
    limitPages: (handler: Handler): Handler => limited(pageLimit, pages, handler),
    /**
     * Counts a search beside the page that it is for, and waits for its turn.
     * @returns whether the client has one left
     */
    async countSearch(request: FastifyRequest, reply: FastifyReply): Promise<boolean> {
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
    },
  };
}

/** Whether a request asks the API for a file with all records of a list. */
function isExport({ path, queryString }: Target): boolean {
  // Few queries do: most addresses are matched by the resolver alone.
  if (queryString === '' || !asksForExport(queryString)) return false;
  const kind = matchRoute(path)?.route.kind;
  return kind === 'list' || kind === 'search';
}
