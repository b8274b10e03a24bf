/** The whole service as seen from a CDN: reading from the snapshot's files, writing through the service that takes writes. */
import { matchRoute, writeMethod } from '../contract/routes.ts';
import { webDigest } from '../read/hashing.ts';
import type { Source } from '../read/source.ts';
import { type FollowingOptions, FollowingResolver } from './following-resolver.ts';
import { type Forwarding, forwardWrite, type WriteService } from './write-forwarding.ts';

export interface EdgeOptions extends Omit<FollowingOptions, 'writable'>, Omit<Forwarding, 'onError'> {
  /** undefined: nothing can be written, and answers say so. */
  writes?: WriteService | undefined;
}

/**
 * Bytes of shards and of answers kept in memory, where the CDN keeps answers already and memory is shared with other code:
 * the columns of the real record are 0.8 MB of text, and the records that many queries show stand in as much again.
 */
const memory = { cacheBytes: 6 * 1024 * 1024, answerBytes: 1024 * 1024 };

export class EdgeService {
  readonly #resolver: FollowingResolver;
  readonly #options: EdgeOptions;

  constructor(source: Source, options: EdgeOptions = {}) {
    this.#options = options;
    this.#resolver = new FollowingResolver(source, {
      ...memory,
      asyncDigest: webDigest,
      ...options,
      writable: options.writes !== undefined,
    });
  }

  /** Answers any request. @param client address it came from */
  async fetch(request: Request, client: string): Promise<Response> {
    const { writes } = this.#options;
    if (writes && isWrite(request)) return forwardWrite(request, client, writes, this.#options);
    return this.#resolver.fetch(request);
  }
}

/** Whether there is something to write by this method at this address; all else is answered here. */
function isWrite({ method, url }: Request): boolean {
  const match = matchRoute(new URL(url).pathname);
  return match !== undefined && writeMethod(match.route) === method;
}
