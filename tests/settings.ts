/** How many random cases run: AWARDS_TEST_EFFORT multiplies them. */

/** `npm run check` sets 0.5. */
const effort = Number(process.env.AWARDS_TEST_EFFORT ?? '0.1');

/** Number of random cases: AWARDS_TEST_EFFORT times the number written in the test. */
export function runs(byDefault: number): number {
  return Math.ceil(byDefault * effort);
}

/** Whether this run is `npm run check`, or tries even more. */
export const isFullCheck = effort >= 0.5;

/** Whether to try every one of thousands of cases: from an effort of ten. */
export const exhaustive = effort >= 10;
