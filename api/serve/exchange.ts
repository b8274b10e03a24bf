/** One request and its response, for the log and the metrics. */
import type { IncomingMessage } from 'node:http';
import { problems } from '../contract/problems.ts';
import { matchReceipt, matchRoute, type Route } from '../contract/routes.ts';
import type { ClientKey } from './client-address.ts';
import { isProbe } from './health.ts';
import type { ServiceResponse } from './service-response.ts';

/** What a request is for. "unknown": there is nothing at its address. */
type ExchangeKind = Route['kind'] | 'receipt' | 'probe' | 'file' | 'unknown';

export class Exchange {
  readonly request: IncomingMessage;
  readonly response: ServiceResponse;
  /** As sent, without the query string. */
  readonly path: string;
  readonly #clientOf: ClientKey;
  readonly #started = performance.now();

  constructor(request: IncomingMessage, response: ServiceResponse, path: string, clientOf: ClientKey) {
    this.request = request;
    this.response = response;
    this.path = path;
    this.#clientOf = clientOf;
  }

  /** Seconds since the headers of the request arrived. */
  get seconds(): number {
    return (performance.now() - this.#started) / 1000;
  }

  /** The client that the request counts for; '' if the connection was lost. */
  get client(): string {
    return this.#clientOf(this.request);
  }

  get kind(): ExchangeKind {
    if (isProbe(this.path)) return 'probe';
    if (matchReceipt(this.path)) return 'receipt';
    const isNotFound = this.response.statusCode === problems['unknown-address'].status;
    const isNothing = this.path.startsWith('/api/') || isNotFound;
    return matchRoute(this.path)?.route.kind ?? (isNothing ? 'unknown' : 'file');
  }
}
