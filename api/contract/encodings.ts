/** How shards encode columns of numbers. */

/** Ascending ids as runs of consecutive ids: first, count, first, count, … */
export type Runs = readonly number[];
/** Ascending ids as differences: the first id, then each id minus the one before. */
export type Differences = readonly number[];
/** A run-length encoded column: value, count, value, count, … */
export type Repeats = readonly number[];

/** Ascending ids as runs. */
export function toRuns(ascending: readonly number[]): number[] {
  const runs: number[] = [];
  for (const [i, id] of ascending.entries()) {
    if (i > 0 && id === ascending[i - 1]! + 1) runs[runs.length - 1]! += 1;
    else runs.push(id, 1);
  }
  return runs;
}

/** A column as repeats. */
export function toRepeats(values: readonly number[]): number[] {
  const repeats: number[] = [];
  for (const [i, value] of values.entries()) {
    if (i > 0 && value === values[i - 1]) repeats[repeats.length - 1]! += 1;
    else repeats.push(value, 1);
  }
  return repeats;
}

/** The value of each run of a column, in order. */
export const valuesOf = (repeats: Repeats): number[] => repeats.filter((_, i) => i % 2 === 0);

/** Ascending numbers as differences. */
export function toDifferences(ascending: readonly number[]): number[] {
  return ascending.map((value, i) => value - (i === 0 ? 0 : ascending[i - 1]!));
}

/** The inverse of toDifferences. */
export function fromDifferences(differences: Differences): number[] {
  let value = 0;
  return differences.map((difference) => {
    value += difference;
    return value;
  });
}
