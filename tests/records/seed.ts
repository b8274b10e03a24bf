/** One seed for all random tests of a run. The summary of the run prints it, and TEST_SEED replays it. */
import { Choices } from './random.ts';

/** vitest.config.ts sets TEST_SEED for its workers; a script of its own draws one. */
export const runSeed = Number(process.env.TEST_SEED ?? Math.floor(Math.random() * 2 ** 31));

/** Random choices of one test, the same for the same run seed, independent of other tests. */
export function seeded(name: string): Choices {
  let hash = runSeed >>> 0;
  for (const character of name) hash = Math.imul(hash ^ character.codePointAt(0)!, 0x01000193) >>> 0;
  return new Choices(hash);
}
