/** Exponential back-off: the delay doubles with every failed attempt, and half of it is random. */
export interface Backoff {
  minMs: number;
  maxMs: number;
  random?: () => number;
}

/** Milliseconds to wait after a failed attempt. @param attempt number of failed attempts, from 1 */
export function backoffMs(attempt: number, { minMs, maxMs, random = Math.random }: Backoff): number {
  const delay = Math.min(maxMs, minMs * 2 ** (attempt - 1));
  return delay / 2 + (random() * delay) / 2;
}
