/** Exponential backoff between attempts. */

export interface Backoff {
  /** The wait after the first failed attempt; each further failure doubles it. */
  minMs: number;
  maxMs: number;
  /** Returns 0 to 1. With it, up to half of the wait is left out at random, so that clients do not return together. */
  random?: (() => number) | undefined;
}

/** Milliseconds to wait after the failed attempt with this number, counted from 1. */
export function backoffMs(attempt: number, { minMs, maxMs, random = () => 1 }: Backoff): number {
  const wait = Math.min(maxMs, minMs * 2 ** Math.max(0, attempt - 1));
  return (wait / 2) * (1 + random());
}
