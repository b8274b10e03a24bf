/**
 * The service as Netlify's edge functions run it. Everything under /api goes through here: a header rule reaches no edge
 * function, a plain file has an ETag that the write service does not know (If-Match could never hold), and no rule can tell a
 * method. Documents that are precomputed are still read from their files and not computed; what is answered is kept by the CDN
 * until the next deploy, without asking here again.
 */
import { LRUCache } from 'lru-cache';
import { readsPerMinute } from '../contract/limits.ts';
import { fetchSource } from '../read/fetch-source.ts';
import { EdgeService } from './edge-service.ts';
import type { WriteService } from './write-forwarding.ts';

/** The global of Netlify's edge runtime. */
declare const Netlify: { env: { get(name: string): string | undefined } };

export interface NetlifyOptions {
  /** Reads an environment variable; first asked at a request, for while a deploy is prepared there is none. */
  variable?: (name: string) => string | undefined;
  onError?: (error: unknown) => void;
}

/** Addresses that the functions answer. */
export const path = ['/api', '/api/*'];

/** Requests a minute and client. A plain "ip" would be read as "domain": everyone together. */
export const rateLimit = { windowLimit: readsPerMinute, windowSize: 60, aggregateBy: ['ip', 'domain'] };

/** Where netlify.toml lets pages be read past the functions, which stand before the addresses they answer. */
const pagesFolder = '/pages/';

/** Domains of one site that a running function may be asked under in turn; each has a snapshot of its own. */
const maxDomains = 2;

/** Milliseconds that a file has to arrive. */
const timeoutMs = 8000;
const fetchInTime: typeof fetch = (input, init) =>
  fetch(input, { ...init, signal: AbortSignal.timeout(timeoutMs) });

/** What an edge function does with a request. */
export function netlifyService({ variable = ofTheSite, onError = log }: NetlifyOptions = {}) {
  const services = new LRUCache<string, EdgeService>({ max: maxDomains });
  return async (request: Request, context: { ip: string }): Promise<Response> => {
    // The files of the very deploy that was asked: previews and branches have domains of their own.
    const { origin } = new URL(request.url);
    let service = services.get(origin);
    if (!service) {
      const source = fetchSource(`${origin}/`, fetchInTime, `${origin}${pagesFolder}`);
      service = new EdgeService(source, { writes: writeService(variable), onError });
      services.set(origin, service);
    }
    const response = await service.fetch(request, context.ip);
    response.headers.set('Netlify-CDN-Cache-Control', cacheControl(request, response));
    return response;
  };
}

const ofTheSite = (name: string) => Netlify.env.get(name);
// biome-ignore lint/suspicious/noConsole: the only log that an edge function has
const log = (error: unknown) => console.error(error);

function writeService(variable: (name: string) => string | undefined): WriteService | undefined {
  const origin = variable('WRITE_ORIGIN');
  return origin ? { origin, secret: variable('WRITE_SECRET') ?? '' } : undefined;
}

/** Kept for as long as the deploy lives: every deploy starts with nothing kept. Only whole documents, never a 304 or an error. */
function cacheControl(request: Request, response: Response): string {
  return request.method === 'GET' && response.status === 200
    ? 'public, max-age=31536000, must-revalidate'
    : 'no-store';
}
