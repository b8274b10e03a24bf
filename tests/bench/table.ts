/** The one table the bench prints: a row per comparison. */

export interface Row {
  /** What is measured. */
  what: string;
  ours: string;
  /** What it is compared with, measured in the same run. */
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

const headings = ['what', 'ours', 'compared with', 'its figure', 'ratio', 'goal', 'ok'];
/** Columns of figures are aligned to the right. */
const toTheRight = new Set([1, 3, 4]);

/** The rows as aligned plain text. */
export function tableText(entries: readonly (Row | Section)[]): string {
  const cells = entries.map((entry) => ('section' in entry ? undefined : cellsOf(entry)));
  const widths = headings.map((heading, column) =>
    Math.max(heading.length, ...cells.map((row) => row?.[column]?.length ?? 0)),
  );
  const line = (row: readonly string[]) =>
    row
      .map((cell, column) =>
        toTheRight.has(column) ? cell.padStart(widths[column]!) : cell.padEnd(widths[column]!),
      )
      .join('  ')
      .trimEnd();
  const rule = '─'.repeat(widths.reduce((sum, width) => sum + width + 2, -2));
  const body = entries.map((entry, i) =>
    'section' in entry
      ? `\n── ${entry.section} ${'─'.repeat(Math.max(0, rule.length - entry.section.length - 4))}`
      : line(cells[i]!),
  );
  return [line(headings), rule, ...body].join('\n');
}

function cellsOf({ what, ours, rival, figure, ratio, goal, met }: Row): string[] {
  return [what, ours, rival, figure, ratioText(ratio), goal, met === undefined ? '' : met ? 'yes' : 'NO'];
}

function ratioText(ratio: number): string {
  if (!Number.isFinite(ratio)) return '–';
  return `${ratio >= 10 ? ratio.toFixed(1) : ratio >= 0.1 ? ratio.toFixed(2) : ratio.toFixed(4)} ×`;
}
