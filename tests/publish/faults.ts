/** What goes wrong on the way, by a seed: the same seed, the same troubles in the same order; and at some time they end. */
import { Choices } from '../bench/random.ts';

const troubles = [
  'too many',
  'too many, reset',
  'broken',
  'gateway',
  /** The connection ends before an answer. */
  'drop',
  /** … within the request. */
  'half',
  /** … after the request was carried out. */
  'lost',
  /** … within the answer. */
  'cut',
  /** No answer, ever. */
  'silence',
] as const;
export type TransientError = (typeof troubles)[number];

export interface Faults {
  /** Whether there are any. */
  readonly any: boolean;
  /** What happens to the next request. */
  next(path: string): TransientError | undefined;
}

export const noFaults: Faults = { any: false, next: () => undefined };

/** @param share of the requests that go wrong @param count how many of them in all */
export function randomFaults(seed: number, share: number, count: number): Faults {
  const choices = new Choices(seed);
  let left = count;
  return {
    any: true,
    next() {
      if (left === 0 || !choices.chance(share)) return undefined;
      left -= 1;
      return choices.pick(troubles);
    },
  };
}

/** The same trouble for the first requests to some paths. */
export function fixedFaults(trouble: TransientError, paths: RegExp, count: number): Faults {
  let left = count;
  return {
    any: true,
    next(path) {
      if (left === 0 || !paths.test(path)) return undefined;
      left -= 1;
      return trouble;
    },
  };
}
