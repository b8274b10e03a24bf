/** What a film or nominee has won, as one English sentence. */
import type { EntryCounts } from './resources.ts';

/**
 * All sentences there are. A consumer that wants another language translates these templates, and fills them
 * from `counts`: `{entries}` and `{wins}` are its numbers.
 */
export const summaryTemplates = {
  none: 'No nominations',
  lostOne: '{entries} nomination, no win',
  lostAll: '{entries} nominations, no win',
  wonOne: 'Won {wins} of {entries} nomination',
  won: 'Won {wins} of {entries} nominations',
} as const;

function templateFor({ entries, wins }: SummedCounts): string {
  if (entries === 0) return summaryTemplates.none;
  if (wins === 0) return entries === 1 ? summaryTemplates.lostOne : summaryTemplates.lostAll;
  return entries === 1 ? summaryTemplates.wonOne : summaryTemplates.won;
}

type SummedCounts = Pick<EntryCounts, 'entries' | 'wins'>;

/** The sentence for the counts of a record, such as "Won 11 of 14 nominations". */
export const summaryOf = (counts: SummedCounts): string =>
  templateFor(counts).replaceAll(/\{(entries|wins)\}/g, (_, name: keyof SummedCounts) => `${counts[name]}`);

/** A regular expression for all sentences. */
export const summaryPattern = `^(${Object.values(summaryTemplates)
  .join('|')
  .replaceAll(/\{\w+\}/g, '[0-9]+')})$`;
