/**
 * A resolver that notices, between two requests, that the snapshot behind its source was replaced. A publication starts new
 * code as a rule; nothing here relies on it.
 */
import type { Answer } from '../read/answer.ts';
import { type ReadRequest, Resolver, type ResolverOptions } from '../read/resolve.ts';
import type { Source } from '../read/source.ts';

export interface FollowingOptions extends ResolverOptions {
  /**
   * Milliseconds for which a look at the manifest is good enough. Default 1000: an answer is at most that much older than its
   * request, and a busy place asks for one small file a second. Whoever comes later than that waits for the look: answered
   * first and looked at afterwards, code that slept through a publication would hand out the old record once more, to be
   * kept by the CDN.
   */
  interval?: number;
  /** Milliseconds on any clock that only goes forward. */
  now?: () => number;
}

export class FollowingResolver {
  readonly #resolver: Resolver;
  readonly #interval: number;
  readonly #now: () => number;
  #lookedAt = Number.NEGATIVE_INFINITY;
  #looking: Promise<void> | undefined;

  constructor(source: Source, options: FollowingOptions = {}) {
    this.#resolver = new Resolver(source, options);
    this.#interval = options.interval ?? 1000;
    this.#now = options.now ?? (() => performance.now());
  }

  /** As Resolver.answer, from the snapshot that was in force not much longer than the interval ago. */
  async answer(request: ReadRequest): Promise<Answer> {
    await this.#look();
    return this.#resolver.answer(request);
  }

  /** As Resolver.fetch. */
  async fetch(request: Request): Promise<Response> {
    await this.#look();
    return this.#resolver.fetch(request);
  }

  /** One look for all who ask meanwhile. */
  #look(): Promise<void> | undefined {
    if (this.#looking || this.#now() - this.#lookedAt < this.#interval) return this.#looking;
    this.#lookedAt = this.#now();
    this.#looking = this.#resolver.refresh().finally(() => {
      this.#looking = undefined;
    });
    return this.#looking;
  }
}
