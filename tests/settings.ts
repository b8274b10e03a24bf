/** How much is tried: `npm test` is made for every few minutes, `npm run check` tries all, and a flag as much as wanted. */

/** Half of what `npm run check` tries, unless the environment says otherwise. */
const effort = Number(process.env.AWARDS_TEST_EFFORT ?? '0.25');

/** Number of random cases: AWARDS_TEST_EFFORT times what is written. */
export function runs(byDefault: number): number {
  return Math.ceil(byDefault * effort);
}

/** Whether to try every case there is, where there are only so many: from an effort of ten. */
export const exhaustive = effort >= 10;

/** Tests that take longest, each of many processes or pages; left out below the effort of `npm run check`. */
export const leftOut: readonly string[] =
  effort >= 0.5
    ? []
    : [
        'tests/docs/docs.test.ts',
        'tests/durability/full-disk.test.ts',
        'tests/durability/two-services.test.ts',
        'tests/publish/failures.test.ts',
        'tests/publish/processes.test.ts',
        'tests/publish/workflow.test.ts',
        'tests/site/editing.test.ts',
        'tests/site/explorer-looks.test.ts',
        'tests/site/offline.test.ts',
      ];
