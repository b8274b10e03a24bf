/**
 * The whole service behind a CDN: reads come from the files of the snapshot, writes go to the write service.
 */
import { matchRoute, type WriteMethod, writeMethods } from '../contract/routes.ts';
import { isCompletedByServer, isMcpPath } from '../../build/site/shared/hosting.ts';
import { responseOf } from '../read/answer.ts';
import { Resolver, type ResolverOptions } from '../read/resolve.ts';
import { type Source, SnapshotWatch } from '../read/source.ts';
import type { SitePages } from '../../build/site/explorer/site-pages.ts';
import { mcpService } from '../mcp/mcp.ts';
import { type Forwarding, forwardWrite, type WriteService } from './write-forwarding.ts';

interface EdgeOptions extends Omit<ResolverOptions, 'writable'>, Omit<Forwarding, 'onError'> {
  /** Accepts writes; undefined for a service that only reads. */
  writes?: WriteService | undefined;
  /** Makes the pages of the explorer; undefined for a service without pages. */
  Pages?: typeof SitePages | undefined;
  /** Scheme and host of the site. Default: those of the request, which the host has checked. */
  origin?: string | undefined;
}

/**
 * Milliseconds for which a look at the manifest is valid. A request after that waits for the look: an answer
 * from an old snapshot would stay in the CDN until the next deploy.
 */
const watchIntervalMs = 1000;
/** Memory limits. The CDN caches answers already, and memory is shared with other code. */
const memory = { cacheBytes: 6 * 1024 * 1024, answerBytes: 1024 * 1024 };

/** Makes the function that answers any request of a client, which is an IP address. */
export function edgeService(
  source: Source,
  options: EdgeOptions = {},
): (request: Request, client: string) => Promise<Response> {
  const { writes, Pages } = options;
  const resolver = new Resolver(source, { ...memory, ...options, writable: writes !== undefined });
  const file = (path: string) => source.file(path);
  const { onError, digest } = options;
  const pages = Pages && new Pages({ resolver, file, onError, digest, cacheBytes: memory.answerBytes });
  const mcp = mcpService(resolver, onError);
  // A deploy usually starts new code. The watch covers hosts that replace files under running code.
  const watch = new SnapshotWatch(() => resolver.refresh(), watchIntervalMs);
  return async (request, client) => {
    const { method, headers } = request;
    const { pathname: path, search, origin } = new URL(request.url);
    const match = writes && matchRoute(path);
    if (match && writeMethods(match.route).includes(method as WriteMethod))
      return forwardWrite(request, client, writes, options);
    await watch.check();
    if (isMcpPath(path)) return responseOf(await mcp(request, options.origin ?? origin));
    if (!pages || !isCompletedByServer(path)) return resolver.fetch(request);
    const asked = { method, path, queryString: search.slice(1), ifNoneMatch: headers.get('If-None-Match') };
    const page = await pages.answer(asked, options.origin ?? origin);
    return page ? responseOf(page) : resolver.fetch(request);
  };
}
