/** How many random cases run: the number written in the test, times AWARDS_TEST_EFFORT (default 1). */
const effort = Number(process.env.AWARDS_TEST_EFFORT ?? '1');

/** Number of random cases. */
export const runs = (byDefault: number): number => Math.ceil(byDefault * effort);
