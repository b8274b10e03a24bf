/** How long the random tests run: as written by default, longer by a flag. */

/** Number of random cases: AWARDS_TEST_EFFORT times the default. */
export function runs(byDefault: number): number {
  return Math.ceil(byDefault * Number(process.env.AWARDS_TEST_EFFORT ?? '1'));
}

/** Whether to try every case there is, where there are only so many: from ten times the default. */
export const exhaustive = runs(1) >= 10;
