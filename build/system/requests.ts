/** Requests to the services of others: account settings from the environment, and answers that are worth a retry. */
import { TransientError } from './retry-policy.ts';
import { UserError } from './user-error.ts';

/**
 * A token from an environment variable.
 * @param advice how to get one
 * @throws UserError naming the variable if it is missing, or does not fit into a header
 */
export function tokenFrom(environment: NodeJS.ProcessEnv, name: string, advice: string): string {
  const token = environment[name]?.trim();
  if (!token) throw new UserError(`${name} is not set; ${advice}`);
  // The error of fetch() for an invalid header would not name the variable.
  if (!/^[\x21-\x7e]+$/.test(token))
    throw new UserError(`${name} is not a token: it contains blanks or control characters`);
  return token;
}

/**
 * The address of a service, which an environment variable may replace.
 * @throws UserError naming the variable if the address is not https, or http on this machine
 */
export function serviceAddress(environment: NodeJS.ProcessEnv, name: string, usual: string): string {
  const given = environment[name];
  if (!given) return usual;
  const url = URL.canParse(given) ? new URL(given) : undefined;
  const isLoopback = url && /^(127\.0\.0\.1|localhost|\[::1\])$/.test(url.hostname);
  // Every request carries the token.
  if (url?.protocol !== 'https:' && !(url?.protocol === 'http:' && isLoopback))
    throw new UserError(`${name} is "${given}"; it must be an https address`);
  return given;
}

/**
 * Sends a request and reads the whole answer, which may be a refusal.
 * @throws TransientError if the connection fails or a retry may succeed; the reason of the signal if it is aborted
 */
export async function requestText(
  address: string,
  init: RequestInit,
): Promise<{ response: Response; content: string }> {
  const { response, content } = await fetchText(address, init);
  const { status, headers } = response;
  if (!isTemporary(status)) return { response, content };
  throw new TransientError(`answer ${status}`, status === 429 ? retryTime(headers, Date.now()) : undefined);
}

async function fetchText(
  address: string,
  init: RequestInit,
): Promise<{ response: Response; content: string }> {
  try {
    const headers = { 'user-agent': 'film-awards', ...init.headers };
    const response = await fetch(address, { ...init, headers });
    return { response, content: await response.text() };
  } catch (error) {
    init.signal?.throwIfAborted();
    // fetch() itself says only "fetch failed"; its cause names the reason.
    const { message, cause } = error as Error;
    throw new TransientError((cause instanceof Error && cause.message) || message, undefined, {
      cause: error,
    });
  }
}

/** Whether a retry of a request with this answer may succeed. */
export const isTemporary = (status: number): boolean =>
  status === 408 || status === 425 || status === 429 || status >= 500;

/**
 * The time of the next request that the server asks for, in milliseconds since 1970: from Retry-After (seconds or a date), or
 * from X-RateLimit-Reset (seconds since 1970).
 */
export function retryTime(headers: Headers, now: number): number | undefined {
  const after = headers.get('retry-after') ?? '';
  if (/^[0-9]+$/.test(after)) return now + Number(after) * 1000;
  const reset = headers.get('x-ratelimit-reset') ?? '';
  const times = [Date.parse(after), /^[0-9]{9,11}$/.test(reset) ? Number(reset) * 1000 : Number.NaN];
  const time = times.find(Number.isFinite);
  // The clock of this machine may be wrong by hours: times are those of the clock of the server.
  const served = Date.parse(headers.get('date') ?? '');
  return time === undefined || Number.isNaN(served) ? time : now + time - served;
}
