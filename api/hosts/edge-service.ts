/** The whole service behind a CDN: reads come from the files of the snapshot, writes go to the write service. */
import { matchRoute, writeMethod } from '../contract/routes.ts';
import { webDigest } from '../read/hashing.ts';
import { Resolver, type ResolverOptions } from '../read/resolve.ts';
import type { Source } from '../read/source.ts';
import { SnapshotWatch } from '../read/watch.ts';
import { type Forwarding, forwardWrite, type WriteService } from './write-forwarding.ts';

export interface EdgeOptions extends Omit<ResolverOptions, 'writable'>, Omit<Forwarding, 'onError'> {
  /** Accepts writes; undefined for a service that only reads. */
  writes?: WriteService | undefined;
  /**
   * Milliseconds for which a look at the manifest is valid. Default 1000. A request after that waits for the look: an answer
   * from an old snapshot would stay in the CDN until the next deploy.
   */
  watchIntervalMs?: number;
  /** Milliseconds on a monotonic clock. */
  now?: (() => number) | undefined;
}

/** Memory limits. The CDN caches answers already, and memory is shared with other code. */
const memory = { cacheBytes: 6 * 1024 * 1024, answerBytes: 1024 * 1024 };

export class EdgeService {
  readonly #resolver: Resolver;
  readonly #watch: SnapshotWatch;
  readonly #options: EdgeOptions;

  constructor(source: Source, options: EdgeOptions = {}) {
    const { watchIntervalMs = 1000, now, writes } = options;
    this.#options = options;
    this.#resolver = new Resolver(source, {
      ...memory,
      asyncDigest: webDigest,
      ...options,
      writable: writes !== undefined,
    });
    // A deploy usually starts new code. The watch covers hosts that replace files under running code.
    this.#watch = new SnapshotWatch(() => this.#resolver.refresh(), watchIntervalMs, now);
  }

  /** Answers any request. @param client address of the client */
  async fetch(request: Request, client: string): Promise<Response> {
    const { writes } = this.#options;
    if (writes && isWrite(request)) return forwardWrite(request, client, writes, this.#options);
    await this.#watch.check();
    return this.#resolver.fetch(request);
  }
}

/** Whether the address accepts writes by this method. */
function isWrite({ method, url }: Request): boolean {
  const match = matchRoute(new URL(url).pathname);
  return match !== undefined && writeMethod(match.route) === method;
}
