/** Open-loop load: work begins by the clock, whether or not what began before is done, so a queue shows as the wait it is. */
import { setTimeout as pause } from 'node:timers/promises';
import type { Choices } from './random.ts';

/** Moments in milliseconds, one at random in each period. */
export function moments(choices: Choices, perSecond: number, seconds: number): number[] {
  const period = 1000 / perSecond;
  return Array.from({ length: Math.round(perSecond * seconds) }, (_, i) => (i + choices.fraction()) * period);
}

/** Begins a piece of work at each of the ascending moments. @returns how long after its moment each was done, in milliseconds */
export async function bySchedule(
  at: readonly number[],
  begin: (i: number) => Promise<void>,
): Promise<number[]> {
  const start = performance.now();
  const done: Promise<number>[] = [];
  for (const [i, moment] of at.entries()) {
    const ahead = start + moment - performance.now();
    if (ahead > 0) await pause(ahead);
    done.push(begin(i).then(() => performance.now() - start - moment));
  }
  return Promise.all(done);
}
