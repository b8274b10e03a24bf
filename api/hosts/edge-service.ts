/** The whole service behind a CDN: reads come from the files of the snapshot, writes go to the write service. */
import { matchRoute, writeMethod } from '../contract/routes.ts';
import { isCompletedByServer } from '../contract/site.ts';
import { responseOf } from '../read/answer.ts';
import type { HtmlRenderer } from '../read/html.ts';
import { Resolver, type ResolverOptions } from '../read/resolve.ts';
import type { Source } from '../read/source.ts';
import { SnapshotWatch } from '../read/watch.ts';
import { HtmlPages } from './html-pages.ts';
import { type Forwarding, forwardWrite, type WriteService } from './write-forwarding.ts';

export interface EdgeOptions extends Omit<ResolverOptions, 'writable'>, Omit<Forwarding, 'onError'> {
  /** Accepts writes; undefined for a service that only reads. */
  writes?: WriteService | undefined;
  /** Renders the pages of the explorer; undefined for a service without pages. */
  render?: HtmlRenderer | undefined;
  /** Scheme and host of the site. Default: those of the request, which the host has checked. */
  origin?: string | undefined;
}

/**
 * Milliseconds for which a look at the manifest is valid. A request after that waits for the look: an answer from an old
 * snapshot would stay in the CDN until the next deploy.
 */
const watchIntervalMs = 1000;
/** Memory limits. The CDN caches answers already, and memory is shared with other code. */
const memory = { cacheBytes: 6 * 1024 * 1024, answerBytes: 1024 * 1024 };

export class EdgeService {
  readonly #resolver: Resolver;
  readonly #watch: SnapshotWatch;
  readonly #pages: HtmlPages | undefined;
  readonly #options: EdgeOptions;

  constructor(source: Source, options: EdgeOptions = {}) {
    const { writes, render } = options;
    this.#options = options;
    this.#resolver = new Resolver(source, {
      ...memory,
      ...options,
      writable: writes !== undefined,
    });
    this.#pages =
      render &&
      new HtmlPages({
        ...options,
        resolver: this.#resolver,
        render,
        file: (path) => source.file(path),
        cacheBytes: memory.answerBytes,
      });
    // A deploy usually starts new code. The watch covers hosts that replace files under running code.
    this.#watch = new SnapshotWatch(() => this.#resolver.refresh(), watchIntervalMs);
  }

  /** Answers any request. @param client address of the client */
  async fetch(request: Request, client: string): Promise<Response> {
    const { writes } = this.#options;
    if (writes && isWrite(request)) return forwardWrite(request, client, writes, this.#options);
    await this.#watch.check();
    return (await this.#page(request)) ?? this.#resolver.fetch(request);
  }

  /** A page of the explorer; undefined for other addresses. */
  async #page(request: Request): Promise<Response | undefined> {
    const { pathname, search, origin } = new URL(request.url);
    if (!this.#pages || !isCompletedByServer(pathname)) return undefined;
    const { method, headers: asked } = request;
    const ifNoneMatch = asked.get('If-None-Match');
    const asking = { method, path: pathname, queryString: search.slice(1), ifNoneMatch };
    const answer = await this.#pages.answer(asking, this.#options.origin ?? origin);
    return answer && responseOf(answer);
  }
}

/** Whether the address accepts writes by this method. */
function isWrite({ method, url }: Request): boolean {
  const match = matchRoute(new URL(url).pathname);
  return match !== undefined && writeMethod(match.route) === method;
}
