/** The service over HTTP on one port: GETs from the snapshot in a folder. Composition root of reading and, later, writing. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { nodeDigest } from '../node/digest.ts';
import { fileSource } from '../node/file-source.ts';
import { type Answer, problemAnswer } from '../read/answer.ts';
import { Resolver } from '../read/resolve.ts';
import { clientKey } from './client-address.ts';
import { snapshotWatch } from './current-snapshot.ts';
import { rateLimit } from './rate-limit.ts';
import { refuseUnreadable } from './unreadable.ts';

export interface ServeOptions {
  /** Folder of the snapshot. */
  out: string;
  /** GETs per minute and client; 0 for no limit. */
  readLimit: number;
  /** Addresses or CIDR ranges of proxies whose X-Forwarded-For counts. */
  proxies: readonly string[];
  /** Told of everything that went wrong on this side. */
  onError: (error: unknown) => void;
  /** Bytes of answers kept in memory, 0 for none. Default 64 MiB: about every page of the real record. */
  answerBytes?: number;
  /** Milliseconds a client has to send the headers of a request, and all of it. Default 10 s and 15 s. */
  timeouts?: { headers: number; request: number };
}

/** Makes the server, not listening yet. */
export function createService(options: ServeOptions): Server {
  const answer = answering(options);
  const respond = (request: IncomingMessage, response: ServerResponse): void => {
    // A body nobody asked for is let go, so that the connection can serve the next request.
    request.resume();
    // Whoever keeps asking on one connection must not hold up a service that was told to stop; and what was sent right
    // behind a wish for another protocol, Node has thrown away.
    if (!server.listening || request.headers.upgrade !== undefined) response.shouldKeepAlive = false;
    answer(request, response).catch((error: unknown) => {
      options.onError(error);
      const problem = problemAnswer(
        'internal-error',
        'the request could not be answered; it has been logged',
      );
      if (response.headersSent) response.destroy();
      else send(response, problem);
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
  // Whoever neither reads nor writes for so long is gone.
  server.timeout = 120_000;
  // Node would refuse any but 100-continue, again without a word.
  server.on('checkExpectation', respond);
  refuseUnreadable(server);
  return server;
}

/** What the service does with a request. */
function answering(options: ServeOptions) {
  const { onError, readLimit, answerBytes = 64 * 1024 * 1024 } = options;
  const resolver = new Resolver(fileSource(options.out), { digest: nodeDigest, onError, answerBytes });
  const limit = rateLimit(readLimit);
  const keyOf = clientKey(options.proxies);
  const upToDate = snapshotWatch(options.out, () => resolver.refresh());
  return async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (request.httpVersion === '1.1' && request.headers.host === undefined) {
      response.shouldKeepAlive = false;
      send(response, problemAnswer('malformed-request', 'an HTTP/1.1 request needs a Host header'));
      return;
    }
    // Awaiting what is there already would cost as much as answering from memory does.
    const changing = upToDate();
    if (changing) await changing;
    const { method = 'GET' } = request;
    const counted = method === 'GET' || method === 'HEAD';
    const verdict = limit && counted ? await limit(keyOf(request)) : undefined;
    if (verdict?.allowed === false) {
      const detail = `no more than ${readLimit} requests a minute; try again later`;
      send(response, problemAnswer('too-many-requests', detail), verdict.headers);
      return;
    }
    const { path, queryString } = targetOf(request.url ?? '/');
    const asked = { method, path, queryString, ifNoneMatch: request.headers['if-none-match'] };
    send(response, resolver.kept(asked) ?? (await resolver.answer(asked)), verdict?.headers);
  };
}

/**
 * Path and query string of a request target, which may be a whole address (RFC 9112 section 3.2.2). Characters that HTTP
 * lets through but no address may have are encoded, as a browser does before sending them.
 */
function targetOf(sent: string): { path: string; queryString: string } {
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
