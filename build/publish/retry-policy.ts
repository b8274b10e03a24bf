/**
 * Tries again what may work the next time, but neither at once nor for ever: the pause doubles from try to try, a random part
 * of it keeps many publishers from coming back together, and all of it ends at a time limit.
 */
import type { Clock } from './clock.ts';
import { RetryLaterError, TransientError } from './failure.ts';

export interface Pace {
  /** Tries of one request; those that the host itself put off are not counted. Default 8. */
  attempts: number;
  /** Milliseconds before the second try, doubled with every further one up to `maxPauseMs`; half of it is random. */
  minPauseMs: number;
  maxPauseMs: number;
  /** Milliseconds for one try. */
  requestLimit: number;
  /** Milliseconds for everything. Default 3 hours: Netlify takes 500 requests a minute, and a first publish has 32,000. */
  timeLimit: number;
}

export const defaultPace: Pace = {
  attempts: 8,
  minPauseMs: 500,
  maxPauseMs: 60_000,
  requestLimit: 120_000,
  timeLimit: 3 * 60 * 60_000,
};

export class RetryPolicy {
  readonly #pace: Pace;
  readonly #clock: Clock;
  readonly #signal: AbortSignal;
  readonly #random: () => number;
  readonly #end: number;
  /** The host asked for silence until then: it counts requests of all kinds together, so all of them wait. */
  #notBefore = 0;

  /** @param signal ends everything, with its own reason */
  constructor(pace: Pace, clock: Clock, signal: AbortSignal, random: () => number = Math.random) {
    this.#pace = pace;
    this.#clock = clock;
    this.#signal = signal;
    this.#random = random;
    this.#end = clock.now() + pace.timeLimit;
  }

  /**
   * Does some work until it succeeds.
   * @param what for people, such as "uploading manifest.json"
   * @param work gets a signal that is aborted when its time is up, and must end then
   * @throws whatever the work throws but TransientError; RetryLaterError when tries or time are used up
   */
  async until<T>(what: string, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    for (let counted = 1; ; counted += 1) {
      await this.pause(this.#notBefore - this.#clock.now(), what);
      try {
        return await this.#limited(work);
      } catch (error) {
        if (!(error instanceof TransientError)) throw error;
        const { notBefore = 0, message } = error;
        // The host knows when it will listen again: until then there is no use in counting.
        if (notBefore > this.#clock.now()) counted -= 1;
        if (counted >= this.#pace.attempts)
          throw new RetryLaterError(`${what} failed ${counted} times: ${message}`, { cause: error });
        this.#notBefore = Math.max(this.#notBefore, notBefore);
        await this.pause(Math.max(notBefore - this.#clock.now(), 0) + this.#backoff(counted), what, error);
      }
    }
  }

  /**
   * Asks again and again until there is an answer, at first often and then ever more rarely, at most 3 seconds apart.
   * @param ask undefined: not yet
   */
  async poll<T>(what: string, ask: () => Promise<T | undefined>): Promise<T> {
    for (let wait = 50; ; wait = Math.min(wait * 1.5, 3000)) {
      const answer = await ask();
      if (answer !== undefined) return answer;
      await this.pause(wait, what);
    }
  }

  /** Waits. @throws RetryLaterError at once if the time limit would pass meanwhile */
  async pause(milliseconds: number, what: string, cause?: Error): Promise<void> {
    this.#signal.throwIfAborted();
    if (milliseconds > 0 && this.#clock.now() + milliseconds > this.#end)
      throw new RetryLaterError(
        `${what}: the time limit of ${Math.round(this.#pace.timeLimit / 60_000)} minutes is used up${cause ? ` (last: ${cause.message})` : ''}`,
        { cause },
      );
    if (milliseconds > 0) await this.#clock.sleep(milliseconds, this.#signal);
  }

  async #limited<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const limit = new AbortController();
    const end = () => limit.abort(this.#signal.reason);
    this.#signal.addEventListener('abort', end, { once: true });
    const { requestLimit } = this.#pace;
    const timer = setTimeout(
      () => limit.abort(new TransientError(`no answer within ${requestLimit / 1000} seconds`)),
      requestLimit,
    );
    try {
      return await work(limit.signal);
    } catch (error) {
      limit.signal.throwIfAborted();
      throw error;
    } finally {
      clearTimeout(timer);
      this.#signal.removeEventListener('abort', end);
    }
  }

  #backoff(attempt: number): number {
    const { minPauseMs, maxPauseMs } = this.#pace;
    const pause = Math.min(maxPauseMs, minPauseMs * 2 ** Math.max(0, attempt - 1));
    return pause / 2 + (this.#random() * pause) / 2;
  }
}
