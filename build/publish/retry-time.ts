/** Which answers are worth another try, and when. */
import type { IncomingHttpHeaders } from 'node:http';

/** Too early, too much, too slow, or the host's own trouble; all other errors stay errors however often one asks. */
export const temporaryStatus = (status: number): boolean =>
  status === 408 || status === 425 || status === 429 || status >= 500;

/**
 * When the host wants to be asked again, in milliseconds since 1970: Retry-After (seconds or a date), else X-RateLimit-Reset
 * (seconds since 1970); undefined if it does not say.
 */
export function retryTime(headers: IncomingHttpHeaders, now: number): number | undefined {
  const after = headers['retry-after'];
  if (after !== undefined) {
    const time = /^[0-9]+$/.test(after) ? now + Number(after) * 1000 : Date.parse(after);
    if (Number.isFinite(time)) return time;
  }
  const reset = headers['x-ratelimit-reset'];
  return typeof reset === 'string' && /^[0-9]{9,11}$/.test(reset) ? Number(reset) * 1000 : undefined;
}
