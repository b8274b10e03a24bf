/** Backoff with jitter, and retries of requests with a limited number of attempts and one time limit for everything. */
import { setMaxListeners } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import { UserError } from './user-error.ts';

/** A request failed, and the next attempt may succeed. */
export class TransientError extends Error {
  override readonly name = 'TransientError';
  /** Milliseconds since 1970: the server asked for no request before this time. Such a failure is not counted. */
  readonly notBefore: number | undefined;

  constructor(message: string, notBefore?: number, options?: ErrorOptions) {
    super(message, options);
    this.notBefore = notBefore;
  }
}

/** The requests failed for a temporary reason: a later run may succeed. */
export class RetryLaterError extends UserError {}

export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
  /** @throws when the signal is aborted */
  sleep(milliseconds: number, signal?: AbortSignal): Promise<void>;
}

/** Node ends longer timers at once. */
const maxTimerMs = 2 ** 31 - 1;

export const systemClock: Clock = {
  now: Date.now,
  sleep: (milliseconds, signal) =>
    wait(Math.min(Math.max(0, milliseconds), maxTimerMs), undefined, { signal }),
};

export interface RetryOptions {
  /** Attempts of one request, without those that the server put off itself. Default 8. */
  attempts: number;
  /** Bounds of the backoff between two attempts. Default 500 and 60,000. */
  minPauseMs: number;
  maxPauseMs: number;
  /** For one attempt. Default 120,000. */
  requestTimeoutMs: number;
  /** For all requests. Default 3 hours: Netlify accepts 500 requests a minute, and a first publish sends 32,000 files. */
  timeLimitMs: number;
  clock: Clock;
  /** Ends all waits and requests. */
  signal: AbortSignal;
  random: () => number;
}

/** Without jitter. */
export const exact = (): number => 1;

const defaults: RetryOptions = {
  attempts: 8,
  minPauseMs: 500,
  maxPauseMs: 60_000,
  requestTimeoutMs: 120_000,
  timeLimitMs: 3 * 60 * 60_000,
  clock: systemClock,
  signal: new AbortController().signal,
  random: Math.random,
};

/** Exponential back-off: the delay doubles with every failed attempt, and half of it is random. */
interface Backoff {
  minMs: number;
  maxMs: number;
  random?: () => number;
}

/** Milliseconds to wait after a failed attempt. @param attempt number of failed attempts, from 1 */
export function backoffMs(attempt: number, { minMs, maxMs, random = Math.random }: Backoff): number {
  const delay = Math.min(maxMs, minMs * 2 ** (attempt - 1));
  return delay / 2 + (random() * delay) / 2;
}

/** The loop is our own: p-retry takes no clock, and cannot wait until a time that the server names. */
export class RetryPolicy {
  readonly clock: Clock;
  readonly #options: RetryOptions;
  readonly #end: number;
  /** No request of any kind before this time: the server counts all requests together. */
  #notBefore = 0;

  constructor(options: Partial<RetryOptions> = {}) {
    this.#options = { ...defaults, ...options };
    // Every waiting request listens to it.
    setMaxListeners(0, this.#options.signal);
    this.clock = this.#options.clock;
    this.#end = this.clock.now() + this.#options.timeLimitMs;
  }

  /**
   * Calls `work` until it succeeds.
   * @param what for messages, such as "uploading manifest.json"
   * @param work must end when its signal is aborted
   * @throws RetryLaterError when the attempts or the time are used up; every error of `work` but TransientError
   */
  async run<T>(what: string, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const { attempts, minPauseMs: minMs, maxPauseMs: maxMs, random } = this.#options;
    let last: TransientError | undefined;
    for (let failures = 0; ; ) {
      const backoff = last ? backoffMs(Math.max(1, failures), { minMs, maxMs, random }) : 0;
      await this.sleep(Math.max(0, this.#notBefore - this.clock.now()) + backoff, what, last);
      try {
        return await this.#attempt(work);
      } catch (error) {
        if (!(error instanceof TransientError)) throw error;
        const { notBefore = 0, message } = error;
        if (notBefore <= this.clock.now()) failures += 1;
        if (failures >= attempts)
          throw new RetryLaterError(`${what} failed ${failures} times: ${message}; run it again to resume`, {
            cause: error,
          });
        this.#notBefore = Math.max(this.#notBefore, notBefore);
        last = error;
      }
    }
  }

  /**
   * Calls `ask` at growing intervals, at most `maxPauseMs` long, until it returns a value.
   * @returns undefined after `timeoutMs`
   */
  async poll<T>(
    what: string,
    ask: () => T | undefined | Promise<T | undefined>,
    { maxPauseMs = 3000, timeoutMs = Number.POSITIVE_INFINITY } = {},
  ): Promise<T | undefined> {
    const since = this.clock.now();
    for (let attempt = 1; ; attempt += 1) {
      const answer = await ask();
      if (answer !== undefined) return answer;
      if (this.clock.now() - since >= timeoutMs) return undefined;
      await this.sleep(backoffMs(attempt, { minMs: 50, maxMs: maxPauseMs, random: exact }), what);
    }
  }

  /** @throws RetryLaterError at once if the time limit ends before the sleep does */
  async sleep(milliseconds: number, what: string, cause?: Error): Promise<void> {
    const { signal, timeLimitMs } = this.#options;
    signal.throwIfAborted();
    if (milliseconds <= 0) return;
    if (this.clock.now() + milliseconds > this.#end)
      throw new RetryLaterError(
        `${what}: the time limit of ${Math.round(timeLimitMs / 60_000)} minutes is used up${cause ? ` (last: ${cause.message})` : ''}; run it again to resume`,
        { cause },
      );
    await this.clock.sleep(milliseconds, signal);
  }

  async #attempt<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const { signal, requestTimeoutMs } = this.#options;
    const timeout = AbortSignal.timeout(requestTimeoutMs);
    try {
      return await work(AbortSignal.any([signal, timeout]));
    } catch (error) {
      signal.throwIfAborted();
      if (timeout.aborted) throw new TransientError(`no answer within ${requestTimeoutMs / 1000} seconds`);
      throw error;
    }
  }
}
