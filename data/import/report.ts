/** What an import did, as data for programs and as a few lines for people. */
import { type ResourceName, resourceNames } from '../../api/contract/names.ts';
import type { LeftOut } from './nominations.ts';
import type { Tally } from './record-merge.ts';

export interface ImportReport {
  /** Of the records the source names. */
  resources: Record<ResourceName, Tally>;
  /** Rows of the source that became no nomination, by reason; always in the same order. */
  leftOut: LeftOut[];
  /** Nominations an earlier import brought that this source no longer has; they stay. Ascending ids. */
  missing: number[];
}

/** The report for a person to read: lines without a line break at the end. */
export function renderReport(report: ImportReport): string {
  const lines = resourceNames.map((resource) => `${resource}: ${tallied(report.resources[resource])}`);
  for (const { reason, rows } of report.leftOut) lines.push(`left out: ${counted(rows, 'row')} (${reason})`);
  if (report.missing.length > 0)
    lines.push(`kept although the source no longer has them: ${missing(report.missing)}`);
  return lines.join('\n');
}

function tallied({ added, changed, unchanged }: Tally): string {
  return `${added.toLocaleString('en')} added, ${changed.toLocaleString('en')} changed, ${unchanged.toLocaleString('en')} unchanged`;
}

function missing(ids: readonly number[]): string {
  const shown = ids.slice(0, 5).join(', ');
  const rest = ids.length > 5 ? `, … ${(ids.length - 5).toLocaleString('en')} more` : '';
  return `${counted(ids.length, 'nomination')} (id ${shown}${rest})`;
}

const counted = (number: number, what: string) =>
  `${number.toLocaleString('en')} ${what}${number === 1 ? '' : 's'}`;
