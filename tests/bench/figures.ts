/** Statistics of measurements, and how figures are written. */

/** The value at a share (0 to 1) by nearest rank; at 0.5 of an even number of values, the mean of the middle two. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = Float64Array.from(values).sort();
  if (share === 0.5 && sorted.length % 2 === 0 && sorted.length > 0)
    return (sorted[sorted.length / 2 - 1]! + sorted[sorted.length / 2]!) / 2;
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? Number.NaN;
}

export const median = (values: readonly number[]): number => percentile(values, 0.5);

export const fastest = (values: readonly number[]): number => Math.min(...values);

/** Durations are measured in milliseconds and sizes in bytes; this is the size of each displayed unit in those. */
const unitSizes = { ms: 1, s: 1000, KB: 1024, MB: 1024 * 1024, '/s': 1, '': 1 };
export type Unit = keyof typeof unitSizes;

export const inUnit = (value: number, unit: Unit): number => value / unitSizes[unit];

export const withUnit = (text: string, unit: Unit): string =>
  unit === '' || unit === '/s' ? text + unit : `${text} ${unit}`;

/** Whole numbers in full, others with three significant digits; commas between thousands. */
export function figure(value: number): string {
  if (Number.isNaN(value)) return '–';
  if (value >= 100 || Number.isInteger(value)) return Math.round(value).toLocaleString('en-US');
  return value.toFixed(value >= 10 ? 1 : value >= 1 ? 2 : 3);
}

/** Does some work. @returns its value and its duration in milliseconds */
export async function timed<T>(work: () => T | Promise<T>): Promise<{ value: T; elapsed: number }> {
  const start = performance.now();
  const value = await work();
  return { value, elapsed: performance.now() - start };
}
