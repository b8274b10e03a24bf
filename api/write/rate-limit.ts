/** Counts requests per client and minute, with the RateLimit fields of draft-ietf-httpapi-ratelimit-headers. */
import { LRUCache } from 'lru-cache';
import { countedClients } from '../contract/limits.ts';

const windowSeconds = 60;

export interface Verdict {
  allowed: boolean;
  /** For the response, whether allowed or not. */
  headers: Readonly<Record<string, string>>;
}

/** A limit of requests per client. */
export interface RequestLimit {
  /** @param requests that one is charged as; default 1 */
  count(client: string, requests?: number): Verdict;
  /** The refusal of a client that has no request left; counts nothing. */
  refusal(client: string): Verdict | undefined;
}

interface Window {
  used: number;
  /** On the monotonic clock: after a jump of the system clock, a client would wait for longer than the window. */
  end: number;
}

/** Sums of fractions are rounded: a window of a minute could have 60.000000000007 seconds left, which is 61 as a whole number. */
const wholeMilliseconds = (): number => Math.floor(performance.now());

/**
 * The counters of the clients that sent requests last, in bounded memory. A window begins with the first request of a client.
 * rate-limiter-flexible is no replacement: its counters in memory are unbounded and follow the system clock.
 */
class RateLimit implements RequestLimit {
  readonly #requests: number;
  readonly #policy: string;
  readonly #windows = new LRUCache<string, Window>({ max: countedClients });

  constructor(requests: number) {
    this.#requests = requests;
    this.#policy = `"default";q=${requests};w=${windowSeconds}`;
  }

  count(client: string, requests = 1): Verdict {
    const now = wholeMilliseconds();
    let window = this.#windows.get(client);
    if (window === undefined || window.end <= now) {
      window = { used: 0, end: now + windowSeconds * 1000 };
      this.#windows.set(client, window);
    }
    window.used += requests;
    return this.#verdict(window.used, window.end - now);
  }

  refusal(client: string): Verdict | undefined {
    const now = wholeMilliseconds();
    const window = this.#windows.get(client);
    if (window === undefined || window.end <= now || window.used < this.#requests) return undefined;
    return this.#verdict(window.used + 1, window.end - now);
  }

  #verdict(used: number, restMs: number): Verdict {
    const allowed = used <= this.#requests;
    const seconds = Math.max(1, Math.ceil(restMs / 1000));
    const headers: Record<string, string> = {
      'RateLimit-Policy': this.#policy,
      RateLimit: `"default";r=${Math.max(0, this.#requests - used)};t=${seconds}`,
    };
    if (!allowed) headers['Retry-After'] = String(seconds);
    return { allowed, headers };
  }
}

/** @param requests allowed per minute; 0 for no limit, which is undefined */
export const rateLimit = (requests: number): RequestLimit | undefined =>
  requests === 0 ? undefined : new RateLimit(requests);
