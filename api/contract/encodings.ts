/** How shards encode ids. */

/** Ascending ids as runs of consecutive ids: first, count, first, count, … */
export type Runs = readonly number[];

/** Ascending ids as runs. */
export function toRuns(ascending: readonly number[]): number[] {
  const runs: number[] = [];
  for (const [i, id] of ascending.entries()) {
    if (i > 0 && id === ascending[i - 1]! + 1) runs[runs.length - 1]! += 1;
    else runs.push(id, 1);
  }
  return runs;
}
