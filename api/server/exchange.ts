/** A request with its response: its id, what it is for, and how it ended. */
import { randomUUID } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { problems } from '../contract/problems.ts';
import { matchRoute, type Route } from '../contract/routes.ts';
import { splitTarget } from '../contract/target.ts';
import type { ClientKey } from './clients.ts';

/** What a request is for. "unknown": there is nothing at its address. */
type ExchangeKind = Route['kind'] | 'receipt' | 'mcp' | 'probe' | 'file' | 'unknown';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Of a route's requests, for metrics. */
    kind?: ExchangeKind;
  }
}

/** The id of a request that has none yet: see requestIdOf(). */
export const noId = '';

/** The id of a request: the one that it came with, or a new one. Made when it is first sent or logged. */
export function requestIdOf(request: FastifyRequest): string {
  if (request.id === noId) request.id = sentIdOf(request) ?? randomUUID();
  return request.id;
}

/** Sends the id of a request back to a client that gave it one, or that may ask about a failure. */
export function identify(request: FastifyRequest, reply: FastifyReply): void {
  // All other answers are the same bytes on every runtime.
  if (reply.statusCode >= problems['internal-error'].status || sentIdOf(request) !== undefined)
    reply.header('X-Request-Id', requestIdOf(request));
}

/**
 * The id that a proxy or a client gave to a request; undefined for none, or one that is too long or has odd
 * characters.
 */
function sentIdOf({ headers }: FastifyRequest): string | undefined {
  const sent = headers['x-request-id'];
  return typeof sent === 'string' && /^[\w.:=+/-]{1,128}$/.test(sent) ? sent : undefined;
}

/** Called with every request when its response is sent, or its connection is lost. */
export type ExchangeListener = (exchange: Exchange) => void;

/** A request that is over. What no listener asks for is not computed. */
export class Exchange {
  readonly request: FastifyRequest;
  readonly #reply: FastifyReply;
  readonly #clientOf: ClientKey;
  /** Milliseconds from the headers of the request to the end of its response. */
  readonly ms: number;

  /**
   * To be made when the response is sent, or the connection is lost.
   * @param start performance.now() at the headers of the request
   */
  constructor(request: FastifyRequest, reply: FastifyReply, clientOf: ClientKey, start: number) {
    this.request = request;
    this.#reply = reply;
    this.#clientOf = clientOf;
    this.ms = Math.round((performance.now() - start) * 1000) / 1000;
  }

  /** As sent, without the query string. */
  get path(): string {
    return splitTarget(this.request.originalUrl).path;
  }

  /** null if the connection was lost before the headers were sent. */
  get status(): number | null {
    return this.#reply.raw.headersSent ? this.#reply.statusCode : null;
  }

  /** Bytes of the body. */
  get bytes(): number {
    const { status } = this;
    const isEmpty = this.request.method === 'HEAD' || status === 304 || status === null;
    return isEmpty ? 0 : Number(this.#reply.getHeader('content-length') ?? 0);
  }

  /** The client that the request counts for; '' if the connection was lost. */
  get client(): string {
    return this.#clientOf(this.request);
  }

  /** Whether the connection was lost before the whole response was sent. */
  get isAborted(): boolean {
    return !this.#reply.raw.writableFinished;
  }

  get isOfMonitor(): boolean {
    return this.request.routeOptions.config?.kind === 'probe';
  }

  get kind(): ExchangeKind {
    const { path } = this;
    const known = this.request.routeOptions.config?.kind ?? matchRoute(path)?.route.kind;
    if (known !== undefined) return known;
    const isNothing = path.startsWith('/api/') || this.status === problems['unknown-address'].status;
    return isNothing ? 'unknown' : 'file';
  }
}
