/** The service on one port: one Fastify app for reads, pages, files, writes and monitors. */
import type { Server } from 'node:http';
import fastify, { type FastifyHttpOptions, type FastifyReply, type FastifyRequest } from 'fastify';
import { failureAnswer } from '../read/answer.ts';
import { addWriteRoutes } from '../write/routes.ts';
import type { Writing } from '../write/writing.ts';
import { type ClientKey, clientKey } from './clients.ts';
import { Connections, malformed } from './connections.ts';
import { Exchange, type ExchangeListener, identify, noId } from './exchange.ts';
import { type FolderWatchOptions, watchFolder } from './folder-watch.ts';
import { addHealthRoutes, Health, Incidents } from './health.ts';
import { addReadRoutes, type ReadRoutesOptions } from './reads.ts';
import { EncodedForms, encodeBodies, sendAnswer, targetToRoute } from './sending.ts';

export interface ServiceOptions
  extends FolderWatchOptions,
    Omit<ReadRoutesOptions, 'answerBytes' | 'clientOf' | 'folder' | 'writable'> {
  /** Bytes of answers kept in memory, and a quarter more of encoded ones; 0 keeps none. Default 96 MiB. */
  answerBytes?: number | undefined;
  /** Addresses or CIDR ranges of proxies whose X-Forwarded-For counts. */
  proxies: readonly string[];
  /** Secret of a CDN that forwards writes and names their clients. */
  proxySecret?: string | undefined;
  /** undefined for a read-only service. */
  writing?: Writing | undefined;
  /** What has happened to the service so far. */
  incidents?: Incidents;
  /** The listeners of requests, such as the log. Without any, nothing is measured. */
  listeners?: readonly ExchangeListener[];
  /** Milliseconds for the headers of a request, for all of it, and between two requests. */
  timeouts?: Partial<typeof defaultTimeouts>;
}

/**
 * A proxy must keep its idle connections for a shorter time: else it sends a request on one that closes at
 * this moment.
 */
const defaultTimeouts = { headers: 10_000, request: 15_000, keepAlive: 72_000 };
/** Milliseconds without a byte, after which a connection is closed. */
const silenceMs = 120_000;

/**
 * Makes the service; it does not listen yet.
 * @returns its app, its health, what loads all of it, and what ends it without a lost request
 */
export function createService(options: ServiceOptions) {
  const { writing, onError, answerBytes = 96 * 1024 * 1024, listeners = [] } = options;
  const timeouts = { ...defaultTimeouts, ...options.timeouts };
  const clientOf = clientKey(options.proxySecret);
  const server: FastifyHttpOptions<Server> = {
    http: {
      headersTimeout: timeouts.headers,
      connectionsCheckingInterval: Math.min(1000, timeouts.headers),
      // Node's own refusal is no problem document.
      requireHostHeader: false,
    },
    requestTimeout: timeouts.request,
    keepAliveTimeout: timeouts.keepAlive,
    connectionTimeout: silenceMs,
    trustProxy: options.proxies.length > 0 ? [...options.proxies] : false,
    genReqId: () => noId,
    rewriteUrl: targetToRoute,
    // The resolver reads the query.
    routerOptions: { querystringParser: () => ({}) },
    exposeHeadRoutes: false,
    return503OnClosing: false,
    clientErrorHandler: (error, socket) => connections.refuse(socket, error),
    // The path cannot be decoded, or a part of it is too long: no such address.
    frameworkErrors: (_error, request, reply) => {
      observe?.(request, reply);
      identify(request, reply);
      answerOther(request, reply);
    },
  };
  const app = fastify(server);
  const connections = new Connections(app);

  const observe = listeners.length === 0 ? undefined : observer(listeners, clientOf);
  app.addHook('onRequest', (request, reply, done) => {
    observe?.(request, reply);
    if (request.raw.httpVersion === '1.1' && request.headers.host === undefined) {
      sendAnswer(reply.header('Connection', 'close'), malformed);
      return;
    }
    // Here, and not in a handler: Fastify would read the body first.
    if (request.is404) answerOther(request, reply);
    else done();
  });
  const forms = new EncodedForms(answerBytes / 4);
  app.addHook('onSend', (request, reply, _payload, done) => {
    identify(request, reply);
    done();
  });
  app.addHook('onSend', encodeBodies(forms));
  app.setErrorHandler((error, _request, reply) => {
    onError(error);
    return sendAnswer(reply, failureAnswer(error));
  });

  const folder = watchFolder(options);
  const context = { folder, clientOf, writable: writing !== undefined, answerBytes };
  const { reads, answerOther, load } = addReadRoutes(app, { ...options, ...context });
  if (writing)
    addWriteRoutes(app, {
      ...writing,
      clientOf,
      answerOther,
      send: sendAnswer,
      refresh: reads.refresh,
      onError,
    });
  const { incidents = new Incidents() } = options;
  const { snapshot, cacheHits } = reads;
  const health = new Health({ folder, incidents, snapshot, cacheHits, database: writing });
  addHealthRoutes(app, health);
  return { app, health, load, stop: () => connections.end() };
}

/** Tells the listeners of a request when it is over. Call it at the headers of the request. */
const observer =
  (listeners: readonly ExchangeListener[], clientOf: ClientKey) =>
  (request: FastifyRequest, reply: FastifyReply): void => {
    // reply.elapsedTime begins only with the logger or a hook of Fastify.
    const start = performance.now();
    reply.raw.once('close', () => {
      const exchange = new Exchange(request, reply, clientOf, start);
      for (const listen of listeners) listen(exchange);
    });
  };
