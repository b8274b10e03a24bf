/**
 * Counts requests per client and minute, with the RateLimit fields of draft-ietf-httpapi-ratelimit-headers.
 */
import { LRUCache } from 'lru-cache';
import { countedClients } from '../contract/limits.ts';

const windowSeconds = 60;

/** What is limited. The fields name it, and a response can have those of several limits. */
type Policy = 'reads' | 'pages' | 'searches' | 'writes' | 'keys';

/** A limit of requests per client. */
export type RequestLimit = NonNullable<ReturnType<typeof rateLimit>>;

/**
 * Counts the clients that sent requests last, in bounded memory. A window begins with the first request of a
 * client. rate-limiter-flexible is no replacement: its counters in memory are unbounded and follow the system
 * clock.
 * @param requests allowed per minute; 0 for no limit, which is undefined
 */
export function rateLimit(policy: Policy, requests: number) {
  if (requests === 0) return undefined;
  // The end is on the monotonic clock: after a jump of the system clock, a client would wait for longer than
  // the window.
  const windows = new LRUCache<string, { used: number; end: number }>({ max: countedClients });
  // Sums of fractions are rounded: a minute could have 60.000000000007 seconds left, which is 61 as a whole
  // number.
  const clock = () => Math.floor(performance.now());
  const open = (client: string) => {
    const window = windows.get(client);
    return window && window.end > clock() ? window : undefined;
  };
  /** The header fields of a response. */
  const fields = (used: number, end: number, isRefused: boolean): Record<string, string> => {
    const seconds = Math.max(1, Math.ceil((end - clock()) / 1000));
    return {
      'RateLimit-Policy': `"${policy}";q=${requests};w=${windowSeconds}`,
      RateLimit: `"${policy}";r=${Math.max(0, requests - used)};t=${seconds}`,
      ...(isRefused && { 'Retry-After': String(seconds) }),
    };
  };
  return {
    /**
     * The header fields of the refusal of a client that has too few requests left; counts nothing.
     * @param charged requests that the refused one would count as; a client with a new window can always send
     *   one
     */
    refusal(client: string, charged = 1) {
      const window = open(client);
      const isRefused = window && window.used + Math.min(charged, requests) > requests;
      return isRefused ? fields(window.used, window.end, true) : undefined;
    },
    /**
     * Counts a request.
     * @param charged requests that it counts as
     * @returns the header fields of its response
     */
    count(client: string, charged = 1) {
      const window = open(client) ?? { used: 0, end: clock() + windowSeconds * 1000 };
      window.used += charged;
      windows.set(client, window);
      return fields(window.used, window.end, false);
    },
  };
}
