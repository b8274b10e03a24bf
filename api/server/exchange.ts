/** One request that is over, for the log and the metrics. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { problems } from '../contract/problems.ts';
import { matchRoute, type Route } from '../contract/routes.ts';
import { splitTarget } from '../contract/target.ts';
import type { ClientKey } from './clients.ts';

/** What a request is for. "unknown": there is nothing at its address. */
type ExchangeKind = Route['kind'] | 'receipt' | 'probe' | 'file' | 'unknown';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Of a route's requests, for metrics. */
    kind?: ExchangeKind;
  }
}

export type Exchange = ReturnType<typeof exchangeOf>;

/** Call it when the response is sent, or the connection is lost. */
export function exchangeOf(request: FastifyRequest, reply: FastifyReply, clientOf: ClientKey) {
  const { id, method } = request;
  /** As sent, without the query string. */
  const { path } = splitTarget(request.originalUrl);
  /** undefined if the connection was lost before the headers were sent. */
  const status = reply.raw.headersSent ? reply.statusCode : undefined;
  const isEmpty = method === 'HEAD' || status === 304 || status === undefined;
  const bytes = isEmpty ? 0 : Number(reply.getHeader('content-length') ?? 0);
  const route = request.routeOptions.config?.kind ?? matchRoute(path)?.route.kind ?? 'unknown';
  const isNothing = path.startsWith('/api/') || status === problems['unknown-address'].status;
  const kind: ExchangeKind = route === 'file' && isNothing ? 'unknown' : route;
  const seconds = reply.elapsedTime / 1000;
  return {
    ...{ id, method, path, status, bytes, seconds, kind },
    /** Whether the connection was lost before the whole response was sent. */
    isAborted: !reply.raw.writableFinished,
    /** The client that the request counts for; '' if the connection was lost. */
    client: clientOf(request),
  };
}
