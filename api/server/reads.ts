/**
 * The routes of reads: the API, pages of the explorer and files, each with its limit; and the refusal of all
 * other methods.
 */
import type { FastifyInstance } from 'fastify';
import { explorerPage, isCompletedByServer, isMcpPath, wantsPage } from '../../build/site/shared/hosting.ts';
import { matchReceipt, openapiPath, rootPath } from '../contract/routes.ts';
import { methodNotAllowed, otherMethod } from '../read/answer.ts';
import type { ClientKey } from './clients.ts';
import { Files, filePathOf } from './files.ts';
import { isMonitorPath } from './health.ts';
import { addMcpRoute } from './mcp-route.ts';
import { readLimits } from './read-limits.ts';
import { type Handler, readRequestOf, sending, targetOf } from './sending.ts';
import { type SnapshotReadsOptions, snapshotReads } from './snapshot-reads.ts';

export interface ReadRoutesOptions extends SnapshotReadsOptions {
  /**
   * GETs of the API and messages to /mcp per minute and client; files and pages have a limit in proportion. 0
   * for no limit.
   */
  readLimit: number;
  /** Other hosts that pages may show posters of. */
  imageOrigins?: readonly string[] | undefined;
  clientOf: ClientKey;
}

/** @returns the reads, the handler for requests that no route takes, and what loads all code of reads */
export function addReadRoutes(app: FastifyInstance, options: ReadRoutesOptions) {
  const { out, readLimit, imageOrigins = [], clientOf, folder, writable } = options;
  const files = new Files({ root: out, imageOrigins, snapshotOf: folder.snapshotOf });
  const reads = snapshotReads(files, options);
  const refusedPage = async (path: string) =>
    isCompletedByServer(path) ? await reads.refusedPage() : undefined;
  const { limitApi, limitPages, countSearch } = readLimits({ readLimit, clientOf, refusedPage });

  const answerApi = limitApi((request) => {
    const asked = readRequestOf(request);
    const isMissing = asked.path === openapiPath && !files.has(openapiPath.slice(1));
    return (isMissing ? reads.missing(asked.path) : undefined) ?? reads.answer(asked);
  });
  const answerFile = limitPages(async (request, reply) => {
    const asked = readRequestOf(request);
    const page = () => reads.page(asked, () => countSearch(request, reply));
    const missing = () => reads.missing(asked.path) ?? reads.answer(asked);
    if (isCompletedByServer(asked.path)) return (await page()) ?? missing();
    const path = filePathOf(asked.path);
    if (path !== undefined && (await files.send(path, request, reply))) return undefined;
    const known = path && reads.missing(`/${path}`);
    if (known) return known;
    // The page for an unknown address searches for its words.
    return (wantsPage(request.method, request.headers.accept) && (await page())) || reads.answer(asked);
  });

  const add = (url: string, handler: Handler) =>
    app.route({ method: ['GET', 'HEAD'], url, handler: sending(handler) });
  for (const url of [rootPath, `${rootPath}/*`]) add(url, answerApi);
  add('/*', answerFile);
  const mcp = addMcpRoute(app, limitApi, { ...options, ...reads });

  const answerOther = sending((request, reply) => {
    const { method } = request;
    const { path } = targetOf(request);
    // A request with a path that cannot be decoded.
    if (method === 'GET' || method === 'HEAD') return answerFile(request, reply);
    const file = isCompletedByServer(path) ? explorerPage : filePathOf(path);
    const isReceipt = writable && matchReceipt(path) !== undefined;
    if (isMonitorPath(path)) return methodNotAllowed(method, ['GET', 'HEAD']);
    if (isMcpPath(path)) return mcp.answerOther(method);
    if (isReceipt || (file !== undefined && files.has(file))) return otherMethod(method);
    return reads.answer(readRequestOf(request));
  });
  return { reads, answerOther, load: () => Promise.all([reads.load(), mcp.load()]) };
}
