/** Requests per client and minute, with the RateLimit fields of draft-ietf-httpapi-ratelimit-headers. */
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';

const windowSeconds = 60;

export interface Verdict {
  allowed: boolean;
  /** For the response, whether allowed or not. */
  headers: Readonly<Record<string, string>>;
}

/** Counts one request of a client. */
export type RateLimit = (client: string) => Promise<Verdict>;

/** @param requests allowed per minute; 0 for no limit, which is undefined */
export function rateLimit(requests: number): RateLimit | undefined {
  if (requests === 0) return undefined;
  const limiter = new RateLimiterMemory({ points: requests, duration: windowSeconds });
  const policy = `"default";q=${requests};w=${windowSeconds}`;
  return async (client) => {
    // The limiter rejects with the same state that it resolves with, or with an error.
    const state: unknown = await limiter.consume(client).catch((reason: unknown) => reason);
    if (!(state instanceof RateLimiterRes)) throw state;
    const allowed = state.consumedPoints <= requests;
    const seconds = Math.max(1, Math.ceil(state.msBeforeNext / 1000));
    const headers: Record<string, string> = {
      'RateLimit-Policy': policy,
      RateLimit: `"default";r=${Math.max(0, state.remainingPoints)};t=${seconds}`,
    };
    if (!allowed) headers['Retry-After'] = String(seconds);
    return { allowed, headers };
  };
}
