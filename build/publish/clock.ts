/** Time as publishing sees it, so that a test can let hours pass. */
import { setTimeout as pause } from 'node:timers/promises';

export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
  /** Resolves after so many milliseconds. @throws what the signal was aborted with, as soon as it is */
  sleep(milliseconds: number, signal?: AbortSignal): Promise<void>;
}

/** Longer time-outs end at once in Node. */
const maxSleepMs = 2 ** 31 - 1;

export const systemClock: Clock = {
  now: () => Date.now(),
  async sleep(milliseconds, signal) {
    try {
      await pause(Math.min(Math.max(0, milliseconds), maxSleepMs), undefined, signal && { signal });
    } catch (error) {
      signal?.throwIfAborted();
      throw error;
    }
  },
};
