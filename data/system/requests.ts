/**
 * Requests to the services of others: repeated after temporary failures, and not before the time that a
 * service names.
 */
import { setMaxListeners } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import pRetry from 'p-retry';
import { UserError } from './messages.ts';

/** A request failed, and the next attempt may succeed. */
export class TransientError extends Error {
  /** Milliseconds since 1970: the server wants no request before this time. Such a failure is not counted. */
  notBefore = 0;
}

/** The requests failed for a temporary reason: a later run may succeed. */
export class RetryLaterError extends UserError {}

const defaults = {
  /** Attempts of one request. */
  attempts: 8,
  /** Bounds of the pause between two attempts, which doubles each time. */
  minPauseMs: 500,
  maxPauseMs: 60_000,
  /** For one attempt. */
  requestTimeoutMs: 120_000,
  /** For all requests: Netlify accepts 500 a minute, and a first publish sends 32,000 files. */
  timeLimitMs: 3 * 60 * 60_000,
  /** Ends all pauses and requests. */
  signal: new AbortController().signal,
};
export type RequestOptions = Partial<typeof defaults>;

/**
 * The requests of one run to one service, which counts them together: all wait until the time that an answer
 * names.
 */
export class Requests {
  readonly #options: typeof defaults;
  readonly #end: number;
  #notBefore = 0;

  constructor(options: RequestOptions = {}) {
    this.#options = { ...defaults, ...options };
    this.#end = Date.now() + this.#options.timeLimitMs;
    // Every waiting request listens to it.
    setMaxListeners(0, this.#options.signal);
  }

  /**
   * Calls `work` until it succeeds.
   * @param what for messages, such as "uploading manifest.json"
   * @param work must end when its signal is aborted
   * @throws RetryLaterError when the attempts or the time are used up; every error of `work` but
   *   TransientError
   */
  async run<T>(what: string, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const { attempts, minPauseMs: minTimeout, maxPauseMs: maxTimeout, signal } = this.#options;
    let failures = 0;
    const isPutOff = (error: Error) => error instanceof TransientError && error.notBefore > Date.now();
    try {
      return await pRetry(() => this.#attempt(what, work), {
        retries: attempts - 1,
        minTimeout,
        maxTimeout,
        randomize: true,
        signal,
        onFailedAttempt: ({ error, retriesConsumed }) => {
          failures = retriesConsumed + 1;
          if (isPutOff(error)) this.#notBefore = (error as TransientError).notBefore;
        },
        shouldRetry: ({ error }) => error instanceof TransientError,
        shouldConsumeRetry: ({ error }) => !isPutOff(error),
      });
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof TransientError)) throw error;
      const times = `${what} failed ${failures} times: ${error.message}`;
      throw new RetryLaterError(`${times}; run it again to resume`, { cause: error });
    }
  }

  /**
   * Asks at growing intervals until there is an answer.
   * @returns undefined after `timeoutMs`
   * @throws RetryLaterError
   */
  async poll<T>(
    what: string,
    ask: () => T | undefined | Promise<T | undefined>,
    { maxPauseMs = 3000, timeoutMs = Number.POSITIVE_INFINITY } = {},
  ): Promise<T | undefined> {
    const end = Date.now() + timeoutMs;
    for (let pause = 50; ; pause = Math.min(2 * pause, maxPauseMs)) {
      const answer = await ask();
      if (answer !== undefined || Date.now() >= end) return answer;
      await this.waitUntil(Date.now() + pause, what);
    }
  }

  /**
   * @throws RetryLaterError at once if the time limit ends before; the reason of the signal if it is aborted
   */
  async waitUntil(time: number, what: string): Promise<void> {
    const { signal, timeLimitMs } = this.#options;
    signal.throwIfAborted();
    const limit = `the time limit of ${Math.round(timeLimitMs / 60_000)} minutes is used up`;
    if (Math.max(time, Date.now()) > this.#end)
      throw new RetryLaterError(`${what}: ${limit}; run it again to resume`);
    if (time > Date.now()) await sleep(time - Date.now(), undefined, { signal });
  }

  async #attempt<T>(what: string, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    await this.waitUntil(this.#notBefore, what);
    const { signal, requestTimeoutMs } = this.#options;
    const timeout = AbortSignal.timeout(requestTimeoutMs);
    try {
      return await work(AbortSignal.any([signal, timeout]));
    } catch (error) {
      if (timeout.aborted) throw new TransientError(`no answer within ${requestTimeoutMs / 1000} seconds`);
      throw error;
    }
  }
}

/** As requestBytes(), of text. */
export async function requestText(address: string, init: RequestInit) {
  const { bytes, ...answer } = await requestBytes(address, init);
  return { ...answer, content: new TextDecoder().decode(bytes) };
}

/**
 * Sends a request once and reads the whole answer, which may be a refusal.
 * @throws TransientError if the connection fails or a retry may succeed
 */
export async function requestBytes(address: string, init: RequestInit) {
  const headers = { 'user-agent': 'film-awards', ...init.headers };
  const failed = ({ message, cause }: Error): never => {
    // fetch() itself says only "fetch failed"; its cause names the reason.
    throw new TransientError((cause instanceof Error && cause.message) || message);
  };
  const response = await fetch(address, { ...init, headers }).catch(failed);
  const bytes = Buffer.from(await response.arrayBuffer().catch(failed));
  const { status, ok, statusText } = response;
  if (status < 500 && ![408, 425, 429].includes(status)) return { status, ok, statusText, bytes };
  const refusal = new TransientError(`answer ${status}`);
  if (status === 429) refusal.notBefore = retryTime(response.headers, Date.now()) ?? 0;
  throw refusal;
}

/** When a server wants the next request, in milliseconds since 1970, by Retry-After or X-RateLimit-Reset. */
export function retryTime(headers: Headers, now: number): number | undefined {
  const after = headers.get('retry-after') ?? '';
  if (/^[0-9]+$/.test(after)) return now + Number(after) * 1000;
  const time = Date.parse(after) || Number(headers.get('x-ratelimit-reset') ?? '') * 1000;
  // The clock of this machine may be wrong by hours: times are those of the clock of the server.
  return time > 0 ? time + now - (Date.parse(headers.get('date') ?? '') || now) : undefined;
}
