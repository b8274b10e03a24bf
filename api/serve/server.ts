/** The service on one port: the resolver, the write service and the files of the site, wired together. */
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import { type LayerName, layerNames, layerOf } from '../contract/layers.ts';
import { maxConnections } from '../contract/limits.ts';
import { defaultOrigin } from '../contract/lists.ts';
import { matchReceipt, matchRoute, readMethods, writeMethod } from '../contract/routes.ts';
import { isApiPath, isCompletedByServer } from '../contract/site.ts';
import { manifestPath } from '../contract/snapshot.ts';
import { splitTarget, type Target } from '../contract/target.ts';
import { failureAnswer, preflight } from '../read/answer.ts';
import { createWriteService } from '../write/service.ts';
import { type ClientKey, clientKey, isFromProxy } from './client-address.ts';
import { Connections } from './connections.ts';
import { Exchange } from './exchange.ts';
import { fileResponder } from './file-answers.ts';
import { FolderStatus } from './folder-status.ts';
import { Health, isProbe } from './health.ts';
import { rejectMalformedRequests, requestFault } from './malformed-requests.ts';
import { PublicFiles } from './public-files.ts';
import { Reading, type ReadingOptions } from './reading.ts';
import { originOf } from './run.ts';
import { send, ServiceResponse } from './service-response.ts';
import type { Writing } from './writing.ts';

export interface ServeOptions {
  /** Folder of the snapshot. */
  out: string;
  /** GETs of the API per minute and client; files and pages have a limit in proportion. 0 for no limit. */
  readLimit: number;
  /** Addresses or CIDR ranges of proxies whose X-Forwarded-For counts. */
  proxies: readonly string[];
  /** Secret of a CDN that forwards writes and names their clients. */
  proxySecret?: string | undefined;
  /** undefined for a read-only service. */
  writing?: Writing | undefined;
  /** Receives every failure of the service itself. */
  onError: (error: unknown) => void;
  /** Layers that the folder must have. Default none. */
  layers?: readonly LayerName[] | undefined;
  /** Scheme and host of the site, for absolute addresses in its pages. Default: where the service listens. */
  origin?: (() => string) | undefined;
  /** Other hosts that pages may show posters of. Default none. */
  imageOrigins?: readonly string[] | undefined;
  /** Called when a file is missing or damaged, or may be. @param layer of the file; undefined for the snapshot */
  onDamage?: ((layer: LayerName | undefined) => void) | undefined;
  /** Limit of the answer cache, 0 for no cache; encoded forms have a quarter of it more. Default 96 MiB: some 28,000 record pages. */
  answerBytes?: number;
  /** Answers monitors. Default: one that knows the folder and this service only. */
  health?: Health;
  /** Called with every request when its response is sent, or its connection is lost. */
  onAnswered?: (exchange: Exchange) => void;
  /** Milliseconds for the headers of a request, and for all of it. Default 10 s and 15 s. */
  timeouts?: { headers: number; request: number };
  /** Milliseconds that a connection may be idle between two requests. Default 72 s: proxies must pool for less. */
  keepAliveMs?: number;
}

/** Makes the server; it does not listen yet. */
export function createService(options: ServeOptions): Server {
  const { headers, request } = options.timeouts ?? { headers: 10_000, request: 15_000 };
  const server: Server = createServer({
    ServerResponse: ServiceResponse,
    headersTimeout: headers,
    requestTimeout: request,
    keepAliveTimeout: options.keepAliveMs ?? 72_000,
    connectionsCheckingInterval: Math.min(1000, headers),
    // Node's own refusal is not a problem document.
    requireHostHeader: false,
  });
  server.maxConnections = maxConnections;
  const connections = new Connections(server, isFromProxy(options.proxies));
  // Node's own version, part of close(), also cuts connections whose last response is still being sent.
  server.closeIdleConnections = () => connections.close();
  // A server that stops has no address any more, and still answers.
  let listening = defaultOrigin;
  server.on('listening', () => {
    listening = originOf(server);
  });
  const { origin = () => listening } = options;
  server.on('request', requestListener({ ...options, origin }, connections));
  // Keep half-closed sockets open until the responses are sent.
  Object.assign(server, { httpAllowHalfOpen: true });
  // Idle socket timeout.
  server.timeout = 120_000;
  // Node's own refusal of unknown expectations is not a problem document.
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));
  rejectMalformedRequests(server, connections, options.writing !== undefined);
  return server;
}

function requestListener(
  options: ReadingOptions,
  connections: Connections,
): RequestListener<typeof IncomingMessage, typeof ServiceResponse> {
  const clientOf = clientKey(options.proxies, options.proxySecret);
  const { layers = [], imageOrigins = [], onDamage = () => {} } = options;
  const files = new PublicFiles(options.out, { layers, onDamage: (path) => onDamage(ownerOf(path)) });
  const reading = new Reading(options, clientOf, files);
  const { health = new Health(new FolderStatus(options.out, layerNames)), writing, onAnswered } = options;
  health.state = {
    snapshot: () => reading.snapshot(),
    answerCache: () => reading.answerCache,
    pendingChanges: () => writing?.pendingChanges(),
    isLocked: () => writing?.isLocked(),
    connections: () => connections.size,
    openRequests: () => connections.openRequests,
  };
  const answerFile = fileResponder(files, imageOrigins);
  const answerWrite = answeringWrites(options, clientOf, () => reading.refresh());
  const read = async (request: IncomingMessage, response: ServiceResponse, target: Target) => {
    const verdict = reading.verdictOn(request, target);
    if (!isApiPath(target.path)) {
      const isPage = isCompletedByServer(target.path);
      if (isPage && (await reading.answerPage(request, response, target, verdict))) return;
      if (verdict?.allowed !== false && (await answerFile(request, response, target.path))) return;
    }
    await reading.answer(request, response, target, verdict);
  };
  // RFC 9110 section 9.3.7: the methods of the server in general.
  const serverMethods = preflight([...readMethods, ...(answerWrite ? ['POST', 'PATCH'] : [])]);
  return (request, response) => {
    const fault = requestFault(request);
    // Close after this answer: to a malformed request, or with Upgrade (Node discards what follows).
    if (fault || request.headers.upgrade !== undefined) response.shouldKeepAlive = false;
    const target = targetOf(request.url ?? '/');
    const write = !fault && isForWriting(request.method, target.path) ? answerWrite : undefined;
    // Discard a body that is not expected, so that the connection can serve the next request.
    if (write === undefined) request.resume();
    const exchange = onAnswered && new Exchange(request, response, target.path, clientOf);
    connections.add(
      request,
      response,
      // Inline functions: tsx wraps named ones, which takes time in each request.
      async () => {
        try {
          if (fault) send(response, fault);
          else if (target.path === '*' && request.method === 'OPTIONS') send(response, serverMethods);
          else if (write) await write(request, response, target);
          else if (isProbe(target.path)) send(response, await health.answer(request.method, target.path));
          else await read(request, response, target);
        } catch (error) {
          options.onError(error);
          if (response.headersSent) response.destroy();
          else send(response, failureAnswer(error));
        }
      },
      exchange && (() => onAnswered(exchange)),
    );
  };
}

/** The layer that makes a file; undefined for a file of the snapshot. */
const ownerOf = (path: string): LayerName | undefined =>
  path === manifestPath || path.startsWith('shards/') ? undefined : layerOf(path);

/** Hands requests to the write service; undefined for a read-only service. */
function answeringWrites(
  { writing, onError }: ServeOptions,
  clientOf: ClientKey,
  refresh: () => Promise<void>,
): ((request: IncomingMessage, response: ServiceResponse, target: Target) => Promise<void>) | undefined {
  if (writing === undefined) return undefined;
  const service = createWriteService({ ...writing, clientOf, refresh, onError });
  return async (request, response, { path, queryString }) => {
    // The router takes no absolute URL.
    request.url = queryString === '' ? path : `${path}?${queryString}`;
    (await service).routing(request, response);
  };
}

/** Whether the write service answers: all methods of receipts, and the writing methods of the route table. */
function isForWriting(method: string | undefined, path: string): boolean {
  if (matchReceipt(path) !== undefined) return true;
  if (method !== 'POST' && method !== 'PATCH') return false;
  const match = matchRoute(path);
  // Without a valid id the address is unknown: 404 from the resolver, with or without a key.
  if (match === undefined || (match.route.kind === 'record' && match.id === undefined)) return false;
  return writeMethod(match.route) === method;
}

/**
 * Splits a request target, which may be an absolute URL (RFC 9112 section 3.2.2). Encodes characters that HTTP lets through
 * but a URL must not have, as browsers do.
 */
function targetOf(sent: string): Target {
  const target = sent.replace(/^https?:\/\/[^/?#]*/i, '').replace(/["<>]/g, encodeURIComponent);
  const { path, queryString } = splitTarget(target);
  return { path: path || '/', queryString };
}
