/**
 * The service in Netlify's edge functions. They answer the pages of the explorer and everything under /api:
 * header rules do not apply to edge functions, plain files have an ETag that If-Match cannot match, and no
 * rule can select a method. The CDN caches answers until the next deploy.
 */
import { LRUCache } from 'lru-cache';
import { readsPerMinute } from '../contract/limits.ts';
import {
  explorerPage,
  isAnsweredByCode,
  mcpPath,
  pageAddresses,
  robotsPath,
} from '../../build/site/shared/hosting.ts';
import { fetchSource } from '../read/source.ts';
import type { SitePages } from '../../build/site/explorer/site-pages.ts';
import { edgeService } from './edge-service.ts';
import { writeServiceOf } from './write-forwarding.ts';

/** The global of Netlify's edge runtime. */
declare const Netlify: { env: { get(name: string): string | undefined } };

interface NetlifyOptions {
  onError?: (error: unknown) => void;
  /** Makes the pages of the explorer. */
  Pages?: typeof SitePages;
}

/** Addresses of the API. */
export const path = ['/api', '/api/*'];

/** Addresses of the pages of the explorer, and of what crawlers read. */
const pagePaths = [
  ...[...pageAddresses]
    .filter(([, file]) => file === explorerPage)
    .map(([address]) => address.replace(/\{\w+\}$/, '*')),
  robotsPath,
  '/sitemap*.xml',
];

/** The Free plan has two limits. So /mcp shares the one of reads, and writes have the other. */
export const readPaths = [...path, mcpPath, `${mcpPath}/`, ...pagePaths];

/** Requests per minute and client. Netlify reads the string "ip" as "domain", so this must be an array. */
export const rateLimit = { windowLimit: readsPerMinute, windowSize: 60, aggregateBy: ['ip', 'domain'] };

/**
 * netlify.toml serves the documents of the API below this path, because the functions cover their own
 * addresses.
 */
const documentsFolder = '/pages/';

/** Domains of a site that one function instance serves; each has its own deploy and snapshot. */
const maxDomains = 2;

/** Milliseconds to wait for a file. */
const timeoutMs = 8000;
const fetchInTime: typeof fetch = (input, init) =>
  fetch(input, { ...init, signal: AbortSignal.timeout(timeoutMs) });

/** The handler of an edge function. */
export function netlifyService({ onError = log, Pages }: NetlifyOptions = {}) {
  const services = new LRUCache<string, ReturnType<typeof edgeService>>({ max: maxDomains });
  return async (request: Request, context: { ip: string; next?(): Promise<Response> }): Promise<Response> => {
    // Previews and branch deploys have domains of their own: read the files of the same deploy.
    const { origin, pathname } = new URL(request.url);
    // A pattern covers more than the pages. Others are answered without this function.
    if (context.next && !isAnsweredByCode(pathname)) return context.next();
    let service = services.get(origin);
    if (!service) {
      // Not before a request: there are no variables while a deploy is prepared.
      const variable = (name: string) => Netlify.env.get(name);
      const source = fetchSource(`${origin}/`, fetchInTime, `${origin}${documentsFolder}`);
      service = edgeService(source, {
        writes: writeServiceOf(variable('WRITE_ORIGIN'), variable('WRITE_SECRET')),
        onError,
        Pages,
        // Netlify sets URL to the main address of the site.
        origin: variable('AWARDS_ORIGIN') || variable('URL'),
      });
      services.set(origin, service);
    }
    const response = await service(request, context.ip);
    // Complete answers stay in the CDN until the next deploy, which empties its cache. A 304 or an error is
    // never cached.
    const isComplete = request.method === 'GET' && response.status === 200;
    const caching = isComplete ? 'public, max-age=31536000, must-revalidate' : 'no-store';
    response.headers.set('Netlify-CDN-Cache-Control', caching);
    return response;
  };
}

// biome-ignore lint/suspicious/noConsole: the only log of an edge function
const log = (error: unknown) => console.error(error);
