/**
 * The service over HTTP on one port: GETs from the snapshot in a folder, writes to the write service, and the files of the
 * site. Composition root of all three.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { matchReceipt, matchRoute, writeMethod } from '../contract/routes.ts';
import { fileSource, manifestChanges } from '../hosts/file-source.ts';
import { nodeDigest } from '../hosts/node-digest.ts';
import { type Answer, problemAnswer } from '../read/answer.ts';
import { Resolver } from '../read/resolve.ts';
import { SnapshotWatch } from '../read/watch.ts';
import { createWriteService } from '../write/service.ts';
import { type ClientKey, clientKey } from './client-address.ts';
import { FileAnswers } from './file-answers.ts';
import { rejectMalformedRequests } from './malformed-requests.ts';
import { Turns } from './pipelining.ts';
import { rateLimit } from './rate-limit.ts';
import type { Writing } from './writing.ts';

export interface ServeOptions {
  /** Folder of the snapshot. */
  out: string;
  /** GETs per minute and client; 0 for no limit. */
  readLimit: number;
  /** Addresses or CIDR ranges of proxies whose X-Forwarded-For counts. */
  proxies: readonly string[];
  /** Shown by a CDN that hands writes through and tells whom they come from. */
  proxySecret?: string | undefined;
  /** What writes go to; undefined for a service that only reads. */
  writing?: Writing | undefined;
  /** Told of everything that went wrong on this side. */
  onError: (error: unknown) => void;
  /** Bytes of answers kept in memory, 0 for none. Default 64 MiB: about every page of the real record. */
  answerBytes?: number;
  /** Milliseconds a client has to send the headers of a request, and all of it. Default 10 s and 15 s. */
  timeouts?: { headers: number; request: number };
}

/** Makes the server, not listening yet. */
export function createService(options: ServeOptions): Server {
  const clientOf = clientKey(options.proxies, options.proxySecret);
  const { answer, refresh } = answering(options, clientOf);
  const show = showing(options, answer);
  const write = writeTaking(options, clientOf, refresh);
  const turns = new Turns();
  const respond = (request: IncomingMessage, response: ServerResponse): void => {
    // Whoever keeps asking on one connection must not hold up a service that was told to stop; and what was sent right
    // behind a wish for another protocol, Node has thrown away.
    if (!server.listening || request.headers.upgrade !== undefined) response.shouldKeepAlive = false;
    if (request.httpVersion === '1.1' && request.headers.host === undefined) {
      response.shouldKeepAlive = false;
      request.resume();
      send(response, problemAnswer('malformed-request', 'an HTTP/1.1 request needs a Host header'));
      return;
    }
    const target = targetOf(request.url ?? '/');
    const writes = write !== undefined && isForWriting(request.method, target.path);
    // A body nobody asked for is let go, so that the connection can serve the next request.
    if (!writes) request.resume();
    const carryOut = writes ? write : isApi(target.path) ? answer : show;
    turns.take(request, response, writes, () => {
      carryOut(request, response, target).catch((error: unknown) => {
        options.onError(error);
        const problem = problemAnswer(
          'internal-error',
          'the request could not be answered; it has been logged',
        );
        if (response.headersSent) response.destroy();
        else send(response, problem);
      });
    });
  };
  const { headers, request } = options.timeouts ?? { headers: 10_000, request: 15_000 };
  const server = createServer(
    {
      headersTimeout: headers,
      requestTimeout: request,
      connectionsCheckingInterval: Math.min(1000, headers),
      // Node would refuse it without a word of explanation.
      requireHostHeader: false,
    },
    respond,
  );
  // Who has said all there is to say, and closes that half of the connection, still hears the answers.
  Object.assign(server, { httpAllowHalfOpen: true });
  // Whoever neither reads nor writes for so long is gone.
  server.timeout = 120_000;
  // Node would refuse any but 100-continue, again without a word.
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));
  rejectMalformedRequests(server);
  return server;
}

/** Milliseconds for which a look at the manifest is valid. */
const watchIntervalMs = 100;

type Respond = (request: IncomingMessage, response: ServerResponse, target: Target) => Promise<void>;

/** What the service does with a request to read, and how it takes up a new snapshot at once. */
function answering(
  options: ServeOptions,
  clientOf: ClientKey,
): { answer: Respond; refresh: () => Promise<void> } {
  const { onError, readLimit, answerBytes = 64 * 1024 * 1024, writing } = options;
  const resolver = new Resolver(fileSource(options.out), {
    digest: nodeDigest,
    onError,
    answerBytes,
    writable: writing !== undefined,
  });
  const limit = rateLimit(readLimit);
  const refresh = () => resolver.refresh();
  const hasChanged = manifestChanges(options.out);
  const watch = new SnapshotWatch(() => (hasChanged() ? refresh() : undefined), watchIntervalMs);
  const answer: Respond = async (request, response, { path, queryString }) => {
    // An unconditional await would cost as much as a cached answer.
    const changing = watch.check();
    if (changing) await changing;
    const { method = 'GET' } = request;
    const counted = method === 'GET' || method === 'HEAD';
    const verdict = limit && counted ? await limit(clientOf(request)) : undefined;
    if (verdict?.allowed === false) {
      const detail = `no more than ${readLimit} requests a minute; try again later`;
      send(response, problemAnswer('too-many-requests', detail), verdict.headers);
      return;
    }
    const asked = { method, path, queryString, ifNoneMatch: request.headers['if-none-match'] };
    send(response, resolver.cached(asked) ?? (await resolver.answer(asked)), verdict?.headers);
  };
  return { answer, refresh };
}

/** Whether the resolver answers, whatever there is. */
const isApi = (path: string): boolean => path === '/api' || path.startsWith('/api/');

/** Answers with files, which are not counted: the site reads them by the dozen. What is no file is left to the resolver. */
function showing({ out }: ServeOptions, answer: Respond): Respond {
  const files = new FileAnswers(out);
  return async (request, response, target) => {
    if (!(await files.take(request, response, target.path))) await answer(request, response, target);
  };
}

/** Hands requests to the write service; undefined where nothing can be written. */
function writeTaking(
  { writing, onError }: ServeOptions,
  clientOf: ClientKey,
  refresh: () => Promise<void>,
): Respond | undefined {
  if (writing === undefined) return undefined;
  const service = createWriteService({ ...writing, clientOf, refresh, onError });
  return async (request, response, { path, queryString }) => {
    // In the form that a router takes: a whole address may have been sent.
    request.url = queryString === '' ? path : `${path}?${queryString}`;
    (await service).routing(request, response);
  };
}

/** Whether a request is for the write service; every other one is for the resolver, which reads or refuses. */
function isForWriting(method: string | undefined, path: string): boolean {
  if (method !== 'POST' && method !== 'PATCH') return matchReceipt(path) !== undefined;
  const match = matchRoute(path);
  // An address that can be no record's is not found, whoever asks.
  if (match === undefined || (match.route.kind === 'record' && match.id === undefined))
    return matchReceipt(path) !== undefined;
  return writeMethod(match.route) === method;
}

interface Target {
  path: string;
  queryString: string;
}

/**
 * Path and query string of a request target, which may be a whole address (RFC 9112 section 3.2.2). Characters that HTTP
 * lets through but no address may have are encoded, as a browser does before sending them.
 */
function targetOf(sent: string): Target {
  const target = /["<>]/.test(sent) ? sent.replace(/["<>]/g, encodeURIComponent) : sent;
  if (target.startsWith('/') && !target.includes('?')) return { path: target, queryString: '' };
  const origin = /^https?:\/\/[^/?#]*/i.exec(target)?.[0] ?? '';
  const rest = target.slice(origin.length);
  const question = rest.indexOf('?');
  return question < 0
    ? { path: rest || '/', queryString: '' }
    : { path: rest.slice(0, question) || '/', queryString: rest.slice(question + 1) };
}

/** Node leaves out the body of an answer to HEAD. */
function send(
  response: ServerResponse,
  { status, headers, body }: Answer,
  extra?: Readonly<Record<string, string>>,
): void {
  response.writeHead(status, extra ? { ...headers, ...extra } : headers);
  response.end(body ?? undefined);
}
