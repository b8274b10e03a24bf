/** Forwards writes to the write service, unchanged, with the address of the client. */
import { problemAnswer, responseOf } from '../read/answer.ts';

/** The shared secret. Without it the service ignores `clientHeader`. */
export const secretHeader = 'x-awards-proxy-secret';
/** The IP address of the client, for the rate limit. */
export const clientHeader = 'x-awards-client';

export interface WriteService {
  /** Scheme and host, such as https://write.example.org. */
  origin: string;
  /** Shared with the service, which then accepts the forwarded client address. */
  secret: string;
}

/**
 * The write service of a host's variables WRITE_ORIGIN and WRITE_SECRET; undefined for a site that only
 * reads.
 */
export const writeServiceOf = (origin?: string, secret = ''): WriteService | undefined =>
  origin ? { origin, secret } : undefined;

export interface Forwarding {
  /** Milliseconds to wait for the start of the answer. Default 30 s. */
  timeoutMs?: number;
  /** Called with the reason when the service cannot be reached. */
  onError?: (error: unknown) => void;
}

/** Hop-by-hop headers (RFC 9110 section 7.6.1), and headers that fetch sets. */
const ofTheConnection =
  /^(connection|keep-alive|proxy-.*|te|trailer|transfer-encoding|upgrade|host|content-length|expect)$/;

/**
 * Forwards a request of a client and streams the answer back. Without an answer in time, the result is a
 * problem document.
 */
export async function forwardWrite(
  request: Request,
  client: string,
  service: WriteService,
  { timeoutMs = 30_000, onError = () => {} }: Forwarding = {},
): Promise<Response> {
  if (service.secret === '') {
    onError(new Error('WRITE_SECRET is not set: there is no secret for the write service'));
    return unavailable('the write service is not configured');
  }
  const { pathname, search } = new URL(request.url);
  // A URL parser would take a path such as //elsewhere/ for another host.
  const address = `${service.origin.replace(/\/+$/, '')}${pathname}${search}`;
  const giveUp = new AbortController();
  const timer = setTimeout(() => giveUp.abort(new Error(`no answer within ${timeoutMs} ms`)), timeoutMs);
  try {
    const answer = await fetch(address, {
      method: request.method,
      headers: { ...headersToPass(request.headers), [secretHeader]: service.secret, [clientHeader]: client },
      body: request.body,
      // The client follows redirects, without the secret.
      redirect: 'manual',
      signal: giveUp.signal,
      // `duplex` streams the body. The types of some runtimes lack it.
      ...({ duplex: 'half' } as object),
    });
    const headers = new Headers(headersToPass(answer.headers));
    // fetch decodes the body.
    headers.delete('content-encoding');
    return new Response(answer.body, { status: answer.status, headers });
  } catch (error) {
    onError(error);
    return unavailable('the write service does not answer; the write may or may not have happened');
  } finally {
    clearTimeout(timer);
  }
}

function headersToPass(headers: Headers): Record<string, string> {
  const named = (headers.get('connection') ?? '').split(',').map((name) => name.trim().toLowerCase());
  const dropped = new Set([...named, secretHeader, clientHeader]);
  const isPassed = (name: string) => !dropped.has(name) && !ofTheConnection.test(name);
  return Object.fromEntries([...headers].filter(([name]) => isPassed(name)));
}

const unavailable = (detail: string): Response =>
  responseOf(problemAnswer('writing-unavailable', detail, { 'Retry-After': '30' }));
