/** The report of an import, as data and as text. */
import { type ResourceName, resourceNames } from '../../api/contract/names.ts';
import type { Tally } from './record-merge.ts';

/** Rows of the source that became no nomination, and why. */
export interface LeftOut {
  reason: string;
  rows: number;
}

export interface ImportReport {
  /** Counts of the records that the source names. */
  resources: Record<ResourceName, Tally>;
  leftOut: LeftOut[];
  /** Ids of nominations that an earlier import added and the source no longer has, ascending. They stay. */
  missing: number[];
}

/** The report as lines of text, without a line break at the end. */
export function renderReport({ resources, leftOut, missing }: ImportReport): string {
  const lines = resourceNames.map((resource) => {
    const { added, changed, unchanged } = resources[resource];
    return `${resource}: ${shown(added)} added, ${shown(changed)} changed, ${shown(unchanged)} unchanged`;
  });
  for (const { reason, rows } of leftOut) lines.push(`left out: ${counted(rows, 'row')} (${reason})`);
  const ids =
    missing.slice(0, 5).join(', ') + (missing.length > 5 ? `, … ${shown(missing.length - 5)} more` : '');
  if (missing.length > 0)
    lines.push(
      `kept although the source no longer has them: ${counted(missing.length, 'nomination')} (id ${ids})`,
    );
  return lines.join('\n');
}

const shown = (number: number) => number.toLocaleString('en');
const counted = (number: number, what: string) => `${shown(number)} ${what}${number === 1 ? '' : 's'}`;
