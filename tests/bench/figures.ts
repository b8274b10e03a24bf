/** Medians and percentiles, and how figures are written. */

/** The value at a share of the ascending values, by nearest rank; the median of an even number is the mean of the middle two. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = Float64Array.from(values).sort();
  if (share === 0.5 && sorted.length % 2 === 0 && sorted.length > 0)
    return (sorted[sorted.length / 2 - 1]! + sorted[sorted.length / 2]!) / 2;
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? Number.NaN;
}

export const median = (values: readonly number[]): number => percentile(values, 0.5);

export const fastest = (values: readonly number[]): number => Math.min(...values);

/** Three significant digits, thousands parted by commas. */
export function figure(value: number): string {
  if (Number.isNaN(value)) return '–';
  if (value >= 100) return Math.round(value).toLocaleString('en-US');
  return value.toFixed(value >= 10 ? 1 : value >= 1 ? 2 : 3);
}

/** A number of things, thousands parted by commas. */
export const count = (things: number): string => things.toLocaleString('en-US');

export const milliseconds = (value: number): string => `${figure(value)} ms`;
export const seconds = (value: number): string => `${figure(value / 1000)} s`;
export const kilobytes = (bytes: number): string => `${(bytes / 1024).toFixed(2)} KB`;

/** The median, and the value at a share of them. */
export const latencies = (taken: readonly number[], share: number): string =>
  `${figure(median(taken))} / ${milliseconds(percentile(taken, share))}`;

/** Runs a piece of work and tells how long it took, in milliseconds. */
export async function timed<T>(work: () => T | Promise<T>): Promise<{ value: T; elapsed: number }> {
  const began = performance.now();
  const value = await work();
  return { value, elapsed: performance.now() - began };
}
