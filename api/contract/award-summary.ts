/** What a film or nominee has won, as one English sentence. */
import type { OfficialCounts } from './resources.ts';

/**
 * All sentences there are. A consumer that wants another language translates these templates, and fills them
 * from `official_counts`: `{entries}`, `{wins}` and so on are its numbers.
 */
export const summaryTemplates = {
  none: 'No nominations',
  lostOne: '{entries} nomination, no win',
  lostAll: '{entries} nominations, no win',
  wonOne: 'Won {wins} of {entries} nomination',
  won: 'Won {wins} of {entries} nominations',
} as const;

/** The sentences where no entry is official, and some won: nothing follows them. */
export const unofficialWinTemplates = {
  one: 'Won {unofficial_wins} award without an official nomination',
  many: 'Won {unofficial_wins} awards without an official nomination',
} as const;

/** What follows another sentence where there are entries that are not official. */
export const unofficialTemplates = {
  lost: ' ({unofficial} not official)',
  won: ' ({unofficial} not official, of which {unofficial_wins} won)',
} as const;

function templateFor({ entries, wins }: OfficialCounts): string {
  if (entries === 0) return summaryTemplates.none;
  if (wins === 0) return entries === 1 ? summaryTemplates.lostOne : summaryTemplates.lostAll;
  return entries === 1 ? summaryTemplates.wonOne : summaryTemplates.won;
}

type UnofficialCounts = Pick<OfficialCounts, 'unofficial' | 'unofficial_wins'>;

function unofficialTemplateFor({ unofficial, unofficial_wins }: UnofficialCounts): string {
  if (unofficial === 0) return '';
  return unofficial_wins === 0 ? unofficialTemplates.lost : unofficialTemplates.won;
}

const filled = <C extends UnofficialCounts>(template: string, counts: C): string =>
  template.replaceAll(/\{(\w+)\}/g, (_, name: string & keyof C) => `${counts[name]}`);

/**
 * The number of entries that are not official, to append to a number: " (1 not official)". Empty if all are
 * official.
 */
export const unofficialText = (counts: UnofficialCounts): string =>
  filled(unofficialTemplateFor(counts), counts);

/** The sentence for the counts of a record: "Won 2 of 5 nominations (1 not official)". */
export function summaryOf(counts: OfficialCounts): string {
  if (counts.entries > 0 || counts.unofficial_wins === 0)
    return filled(templateFor(counts), counts) + unofficialText(counts);
  return filled(
    counts.unofficial_wins === 1 ? unofficialWinTemplates.one : unofficialWinTemplates.many,
    counts,
  );
}

const patternOf = (templates: Readonly<Record<string, string>>): string =>
  Object.values(templates)
    .join('|')
    .replaceAll(/[()]/g, '\\$&')
    .replaceAll(/\{\w+\}/g, '[0-9]+');

/** A regular expression for all sentences. */
export const summaryPattern = `^((${patternOf(summaryTemplates)})(${patternOf(unofficialTemplates)})?|${patternOf(unofficialWinTemplates)})$`;
