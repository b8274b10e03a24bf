/** How long the random tests run: half of what is written by default, longer by a flag. */

/** Number of random cases: AWARDS_TEST_EFFORT (0.5 by default) times what is written. */
export function runs(byDefault: number): number {
  return Math.ceil(byDefault * Number(process.env.AWARDS_TEST_EFFORT ?? '0.5'));
}

/** Whether to try every case there is, where there are only so many: from an effort of ten. */
export const exhaustive = runs(1) >= 10;
