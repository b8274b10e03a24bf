/** Hands writes through to the service that takes them: the request as it came, and word of whom it came from. */
import { clientHeader, secretHeader } from '../contract/forwarding.ts';
import { type Answer, problemAnswer } from '../read/answer.ts';

export interface WriteService {
  /** Scheme and host, such as https://write.example.org. */
  origin: string;
  /** Known to both sides: with it the service believes the client address it is told. */
  secret: string;
}

export interface Forwarding {
  fetchService?: typeof fetch;
  /** Milliseconds that the service has to begin its answer. Default 30 s. */
  timeoutMs?: number;
  /** Told why the service was not reached. */
  onError?: (error: unknown) => void;
}

/** Of one connection, not of the message (RFC 9110 section 7.6.1); and what fetch sets by itself. */
const ofTheConnection = [
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'host',
  'content-length',
  'expect',
];

/**
 * Sends a request on and gives back the answer, both bodies as they flow; where there is none in time, a problem document.
 * @param client address the request came from
 */
export async function forwardWrite(
  request: Request,
  client: string,
  service: WriteService,
  { fetchService = fetch, timeoutMs = 30_000, onError = () => {} }: Forwarding = {},
): Promise<Response> {
  if (service.secret === '') {
    onError(new Error('there is no secret to show the write service: WRITE_SECRET is not set'));
    return unavailable('the way to the service that takes writes is not set up');
  }
  const giveUp = new AbortController();
  const timer = setTimeout(() => giveUp.abort(new Error(`no answer within ${timeoutMs} ms`)), timeoutMs);
  try {
    const answer = await fetchService(addressAt(service.origin, request.url), {
      method: request.method,
      headers: { ...headersToPass(request.headers), [secretHeader]: service.secret, [clientHeader]: client },
      body: request.body,
      // An answer that leads elsewhere is the client's to follow, without the secret.
      redirect: 'manual',
      signal: giveUp.signal,
      // What the types of some runtimes do not know: a body that is sent as it arrives.
      ...({ duplex: 'half' } as object),
    });
    const headers = new Headers(headersToPass(answer.headers));
    // fetch has decoded the body.
    headers.delete('content-encoding');
    return new Response(answer.body, { status: answer.status, headers });
  } catch (error) {
    onError(error);
    return unavailable(
      'the service that takes writes does not answer; the write may or may not have happened',
    );
  } finally {
    clearTimeout(timer);
  }
}

/** By hand: a path such as //elsewhere/ would name another host to a URL parser. */
function addressAt(origin: string, requested: string): string {
  const { pathname, search } = new URL(requested);
  return `${origin.replace(/\/+$/, '')}${pathname}${search}`;
}

function headersToPass(headers: Headers): Record<string, string> {
  const named = (headers.get('connection') ?? '').split(',').map((name) => name.trim().toLowerCase());
  const dropped = new Set([...ofTheConnection, ...named, secretHeader, clientHeader]);
  return Object.fromEntries([...headers].filter(([name]) => !dropped.has(name)));
}

function unavailable(detail: string): Response {
  const { status, headers, body }: Answer = problemAnswer('writing-unavailable', detail, {
    'Retry-After': '30',
  });
  return new Response(body as Uint8Array<ArrayBuffer>, { status, headers });
}
