/** The table that the bench prints: a row per comparison. */
import { figure, inUnit, median, percentile, type Unit, withUnit } from './figures.ts';
import type { Workplace } from './workplace.ts';

export interface Row {
  /** The thing measured. */
  what: string;
  ours: string;
  /** The thing it is compared with, measured in the same run. */
  rival: string;
  figure: string;
  /** Our figure divided by the rival's. */
  ratio: number;
  /** Empty where the row is only for information. */
  goal: string;
  /** Whether the goal is met; undefined without one. */
  met?: boolean | undefined;
}

/** A headline between rows. */
export interface Section {
  section: string;
}

/** The rows of one part of the bench. */
export interface Part {
  title: string;
  /** Left out of a quick run. */
  slow?: boolean;
  rows(workplace: Workplace, quick: boolean): Promise<Row[]>;
}

/** Many measurements: their median and one of their high percentiles. */
export interface Spread {
  median: number;
  tail: number;
}

export const spread = (values: readonly number[], share: number): Spread => ({
  median: median(values),
  tail: percentile(values, share),
});

export const p95 = (values: readonly number[]): Spread => spread(values, 0.95);

/** One figure or a spread; durations in milliseconds, sizes in bytes. */
export type Measure = number | Spread;

/** A limit for ours, in the unit of the row, or for the ratio. */
export type Goal = { max: Measure } | { maxRatio: number } | { minRatio: number };

/**
 * A function that makes rows of comparisons with one rival in one unit.
 * @param by which figure of a spread counts for the ratio, and for a goal of one figure
 */
export function comparedWith(rival: string, unit: Unit, by: keyof Spread = 'median') {
  const one = (measure: Measure) => inUnit(typeof measure === 'number' ? measure : measure[by], unit);
  return (what: string, ours: Measure, theirs: Measure, goal?: Goal): Row => {
    const ratio = one(ours) / one(theirs);
    const measured = { what, ours: textOf(ours, unit), rival, figure: textOf(theirs, unit), ratio };
    if (goal === undefined) return { ...measured, goal: '' };
    if ('maxRatio' in goal) return { ...measured, goal: `≤ ${goal.maxRatio} ×`, met: ratio <= goal.maxRatio };
    if ('minRatio' in goal) return { ...measured, goal: `≥ ${goal.minRatio} ×`, met: ratio >= goal.minRatio };
    const { max } = goal;
    if (typeof max === 'number')
      return { ...measured, goal: withUnit(`≤ ${max}`, unit), met: one(ours) <= max };
    const { median, tail } = typeof ours === 'number' ? { median: ours, tail: ours } : ours;
    const met = inUnit(median, unit) <= max.median && inUnit(tail, unit) <= max.tail;
    return { ...measured, goal: withUnit(`≤ ${max.median} / ${max.tail}`, unit), met };
  };
}

function textOf(measure: Measure, unit: Unit): string {
  const values = typeof measure === 'number' ? [measure] : [measure.median, measure.tail];
  return withUnit(values.map((value) => figure(inUnit(value, unit))).join(' / '), unit);
}

const headings = ['what', 'ours', 'compared with', 'its figure', 'ratio', 'goal', 'ok'];
/** Columns of figures are aligned to the right. */
const rightAligned = new Set([1, 3, 4]);

/** The rows as aligned plain text. */
export function tableText(entries: readonly (Row | Section)[]): string {
  const cells = entries.map((entry) => ('section' in entry ? undefined : cellsOf(entry)));
  const widths = headings.map((heading, column) =>
    Math.max(heading.length, ...cells.map((texts) => texts?.[column]?.length ?? 0)),
  );
  const pad = (cell: string, column: number) =>
    rightAligned.has(column) ? cell.padStart(widths[column]!) : cell.padEnd(widths[column]!);
  const line = (texts: readonly string[]) => texts.map(pad).join('  ').trimEnd();
  const width = widths.reduce((sum, column) => sum + column + 2, -2);
  const body = entries.map((entry, i) =>
    'section' in entry ? `\n${`── ${entry.section} `.padEnd(width, '─')}` : line(cells[i]!),
  );
  return [line(headings), '─'.repeat(width), ...body].join('\n');
}

function cellsOf({ what, ours, rival, figure: theirs, ratio, goal, met }: Row): string[] {
  return [what, ours, rival, theirs, ratioText(ratio), goal, met === undefined ? '' : met ? 'yes' : 'NO'];
}

function ratioText(ratio: number): string {
  if (!Number.isFinite(ratio)) return '–';
  return `${ratio >= 10 ? ratio.toFixed(1) : ratio >= 0.1 ? ratio.toFixed(2) : ratio.toFixed(4)} ×`;
}
