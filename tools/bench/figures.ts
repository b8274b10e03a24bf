/** Statistics of measurements, how figures are written, and the table of comparisons that the bench prints. */

/** The value at a share (0 to 1) by nearest rank; at 0.5 of an even number of values, the mean of the middle two. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = Float64Array.from(values).sort();
  if (share === 0.5 && sorted.length % 2 === 0 && sorted.length > 0)
    return (sorted[sorted.length / 2 - 1]! + sorted[sorted.length / 2]!) / 2;
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? Number.NaN;
}

export const median = (values: readonly number[]): number => percentile(values, 0.5);

/** Durations are measured in milliseconds and sizes in bytes; this is the size of each displayed unit in those. */
const unitSizes = { ms: 1, s: 1000, MB: 1024 * 1024, '/s': 1 };
export type Unit = keyof typeof unitSizes;

/** Whole numbers in full, others with three significant digits; commas between thousands. */
export function figure(value: number): string {
  if (Number.isNaN(value)) return '–';
  if (value >= 100 || Number.isInteger(value)) return Math.round(value).toLocaleString('en-US');
  if (value >= 10) return value.toFixed(1);
  return value.toFixed(value >= 1 ? 2 : 3);
}

/** Does some work. @returns its duration in milliseconds */
export async function timed(work: () => unknown): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

/** One figure, or the median of many and one of their high percentiles. */
export type Measure = number | { median: number; tail: number };

export const spread = (values: readonly number[], share: number): Measure => ({
  median: median(values),
  tail: percentile(values, share),
});

export interface Row {
  /** The thing measured. */
  what: string;
  ours: string;
  /** The thing it is compared with, measured in the same run. */
  rival: string;
  figure: string;
  /** Our figure divided by the rival's. */
  ratio: number;
  /** How many times worse ours is: more of a time or a size, fewer a second. */
  loss: number;
}

/** A function that makes rows of comparisons with one rival in one unit. */
export function comparedWith(rival: string, unit: Unit) {
  const partsOf = (measure: Measure): number[] =>
    (typeof measure === 'number' ? [measure] : [measure.median, measure.tail]).map(
      (value) => value / unitSizes[unit],
    );
  const text = (measure: Measure) =>
    partsOf(measure).map(figure).join(' / ') + (unit === '/s' ? unit : ` ${unit}`);
  return (what: string, ours: Measure, theirs: Measure): Row => {
    const ratio = partsOf(ours)[0]! / partsOf(theirs)[0]!;
    const loss = unit === '/s' ? 1 / ratio : ratio;
    return { what, ours: text(ours), rival, figure: text(theirs), ratio, loss };
  };
}

const headings = ['what', 'ours', 'compared with', 'its figure', 'ratio'];
/** Columns of figures are aligned to the right. */
const rightAligned = new Set([1, 3, 4]);

/** Titles and the rows under them as aligned plain text. */
export function tableText(sections: readonly { title: string; rows: readonly Row[] }[]): string {
  const cellsOf = ({ what, ours, rival, figure: theirs, ratio }: Row): string[] => [
    ...[what, ours, rival, theirs],
    Number.isFinite(ratio) ? `${ratio.toFixed(ratio >= 10 ? 1 : 2)} ×` : '–',
  ];
  const all = sections.flatMap(({ rows }) => rows.map(cellsOf));
  const widths = headings.map((heading, column) =>
    Math.max(heading.length, ...all.map((cells) => cells[column]!.length)),
  );
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, at) => (rightAligned.has(at) ? cell.padStart(widths[at]!) : cell.padEnd(widths[at]!)))
      .join('  ')
      .trimEnd();
  const width = widths.reduce((sum, column) => sum + column + 2, -2);
  const body = sections.flatMap(({ title, rows }) => [
    `\n${`── ${title} `.padEnd(width, '─')}`,
    ...rows.map((row) => line(cellsOf(row))),
  ]);
  return [line(headings), '─'.repeat(width), ...body].join('\n');
}
