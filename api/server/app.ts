/** The service on one port: one Fastify app for reads, pages, files, writes and monitors. */
import { randomUUID } from 'node:crypto';
import { STATUS_CODES, type Server } from 'node:http';
import fastify, { type FastifyHttpOptions, type FastifyReply, type FastifyRequest } from 'fastify';
import { layerNames } from '../contract/layers.ts';
import { maxConnections } from '../contract/limits.ts';
import { problems } from '../contract/problems.ts';
import { type Answer, failureAnswer, problemAnswer } from '../read/answer.ts';
import { addWriteRoutes } from '../write/routes.ts';
import type { Writing } from '../write/writing.ts';
import { clientKey } from './clients.ts';
import { Connections } from './connections.ts';
import { addHealthRoutes, Health } from './health.ts';
import { addReadRoutes, type ReadOptions } from './reads.ts';
import { type Exchange, exchangeOf } from './reporting.ts';
import { EncodedForms, encodeBodies, sendAnswer, targetToRoute } from './sending.ts';

export interface ServiceOptions extends ReadOptions {
  /** Bytes of answers kept in memory, and a quarter more of encoded ones; 0 keeps none. Default 96 MiB. */
  answerBytes?: number | undefined;
  /** Addresses or CIDR ranges of proxies whose X-Forwarded-For counts. */
  proxies: readonly string[];
  /** Secret of a CDN that forwards writes and names their clients. */
  proxySecret?: string | undefined;
  /** undefined for a read-only service. */
  writing?: Writing | undefined;
  /** Answers monitors. Default: one that knows the folder and this service only. */
  health?: Health;
  /** Called with every request when its response is sent, or its connection is lost. */
  onAnswered?: (exchange: Exchange) => void;
  /** Milliseconds for the headers of a request, for all of it, and between two requests. */
  timeouts?: Partial<typeof defaultTimeouts>;
}

/** A proxy must keep its idle connections for a shorter time: else it sends a request on one that closes at this moment. */
const defaultTimeouts = { headers: 10_000, request: 15_000, keepAlive: 72_000 };
/** Milliseconds without a byte, after which a connection is closed. */
const silenceMs = 120_000;

/** Makes the service; it does not listen yet. @returns its app, what loads all of it, and what ends it without a lost request */
export function createService(options: ServiceOptions) {
  const { writing, onError, onAnswered, answerBytes = 96 * 1024 * 1024 } = options;
  const { health = new Health(options.out, layerNames) } = options;
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
    genReqId: (raw) => sentId(raw.headers['x-request-id']) ?? randomUUID(),
    rewriteUrl: targetToRoute,
    // The resolver reads the query.
    routerOptions: { querystringParser: () => ({}) },
    exposeHeadRoutes: false,
    return503OnClosing: false,
    clientErrorHandler: (error, socket) => connections.refuse(socket, refusalOf(error)),
    // The path cannot be decoded, or a part of it is too long: no such address.
    frameworkErrors: (_error, request, reply) => {
      observe(request, reply);
      identify(request, reply);
      answerOther(request, reply);
    },
  };
  const app = fastify(server);
  app.server.maxConnections = maxConnections;
  const connections = new Connections(app);

  /** Names a request by the id that it came with. */
  const identify = (request: FastifyRequest, reply: FastifyReply) => {
    if (sentId(request.headers['x-request-id']) !== undefined) reply.header('X-Request-Id', request.id);
  };
  const observe = (request: FastifyRequest, reply: FastifyReply) => {
    if (!onAnswered) return;
    // reply.elapsedTime begins only with the logger or a hook of Fastify.
    const start = performance.now();
    reply.raw.once('close', () => onAnswered(exchangeOf(request, reply, clientOf, start)));
  };
  app.addHook('onRequest', (request, reply, done) => {
    observe(request, reply);
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
    // All other answers are the same bytes on every runtime.
    if (reply.statusCode >= problems['internal-error'].status) reply.header('X-Request-Id', request.id);
    else identify(request, reply);
    done();
  });
  app.addHook('onSend', encodeBodies(forms));
  app.setErrorHandler((error, _request, reply) => {
    onError(error);
    return sendAnswer(reply, failureAnswer(error));
  });

  const context = { clientOf, health, writable: writing !== undefined };
  const { reads, answerOther } = addReadRoutes(app, { ...options, ...context, answerBytes });
  addHealthRoutes(app, health);
  if (writing)
    addWriteRoutes(app, {
      ...writing,
      ...{ clientOf, answerOther, send: sendAnswer, refresh: reads.refresh, onError },
    });
  health.state = { ...reads, database: writing };
  return { app, load: reads.load, stop: () => connections.end() };
}

/** The id that a proxy or a client gave to a request; undefined for none, or one that is too long or has odd characters. */
function sentId(id: string | string[] | undefined): string | undefined {
  return typeof id === 'string' && /^[\w.:=+/-]{1,128}$/.test(id) ? id : undefined;
}

const refusals: Readonly<Record<string, Answer>> = {
  HPE_HEADER_OVERFLOW: problemAnswer(
    'headers-too-large',
    'the request line and headers are longer than this server reads',
  ),
  ERR_HTTP_REQUEST_TIMEOUT: problemAnswer('request-timeout', 'the request did not arrive in time'),
};
const malformed = problemAnswer('malformed-request', 'the request is not well-formed HTTP/1.1');

/** The answer to bytes that Node cannot read as a request, as it is sent; undefined if the connection is lost. */
function refusalOf({ code = '' }: NodeJS.ErrnoException): Buffer | undefined {
  if (!code.startsWith('HPE_') && !(code in refusals)) return undefined;
  const { status, headers, body } = refusals[code] ?? malformed;
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  const head = `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}Connection: close\r\n\r\n`;
  return Buffer.concat([Buffer.from(head), body ?? Buffer.of()]);
}
