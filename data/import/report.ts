/** The report of an import, as data and as text. */
import type { MergeReport } from './merge.ts';
import { counted, number } from '../../build/system/numbers.ts';

/** A row of the source that became no nomination, and why. */
export interface LeftOut {
  line: number;
  /** What it is about, for people. */
  row: string;
  reason: string;
}

export interface ImportReport extends MergeReport {
  leftOut: LeftOut[];
}

/** Retired records, and rows left out, that a short report names. */
const maxNamed = 10;

/** The report as lines of text, without a line break at the end. @param dryRun name all records that would be removed */
export function renderReport(
  { resources, leftOut, retired, needsForce, kept }: ImportReport,
  { dryRun = false }: { dryRun?: boolean | undefined } = {},
): string {
  const lines = Object.entries(resources).map(
    ([resource, { added, changed, unchanged }]) =>
      `${resource}: ${number(added)} added, ${number(changed)} changed, ${number(unchanged)} unchanged`,
  );
  for (const { line, row, reason } of leftOut.slice(0, maxNamed))
    lines.push(`left out: line ${line}, ${row} (${reason})`);
  if (leftOut.length > maxNamed) lines.push(`left out: ${number(leftOut.length - maxNamed)} more`);
  if (leftOut.length > 0) lines.push(`left out in all: ${counted(leftOut.length, 'row')}`);
  const named = retired.slice(0, dryRun ? retired.length : maxNamed);
  for (const { resource, id, name } of named) lines.push(`removed: ${resource} ${id} (${name})`);
  if (retired.length > named.length) lines.push(`removed: ${number(retired.length - named.length)} more`);
  if (retired.length > 0)
    lines.push(
      `removed in all: ${counted(retired.length, 'record')} that the source no longer has; receipts keep them`,
    );
  const ids = kept.slice(0, 5).join(', ') + (kept.length > 5 ? `, … ${number(kept.length - 5)} more` : '');
  if (kept.length > 0)
    lines.push(
      `no longer in the source, but kept because an editor changed them: ${counted(kept.length, 'nomination')} (id ${ids})`,
    );
  if (dryRun && needsForce)
    lines.push('so many records would be removed that the import is refused without --force');
  if (dryRun) lines.push('a dry run: nothing was changed');
  return lines.join('\n');
}
