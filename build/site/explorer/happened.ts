/** What happened, in one sentence: the beginning of a page, before its lists. */
import type { Honor } from '../../../api/contract/resources.ts';
import { count, titleCased, together } from '../shared/format.ts';
import { isCompetitive } from './honors.tsx';
import { bestPicture, type DetailedNomination, entriesOf, groupBy, type YearTotals } from './record.ts';

/** More are a number: "Directing, Film Editing and 8 more". */
const maxNamed = 3;

function some(items: Iterable<string>): string {
  const all = [...new Set(items)];
  if (all.length <= maxNamed + 1) return together(all);
  return together([...all.slice(0, maxNamed), `${all.length - maxNamed} more`]);
}

/** "Won Best Picture, Directing, Film Editing and 8 more." @param nominations in the order of the page */
export function filmSentence(nominations: readonly DetailedNomination[]): string | undefined {
  const entries = entriesOf(nominations);
  const won = entries.filter(({ winner }) => winner);
  const namesOf = (own: typeof entries) => own.map(({ first }) => first.category);
  if (won.length > 0) return `Won ${some(namesOf(won))}.`;
  return entries.length > 1 ? `Nominated for ${some(namesOf(entries))}, without a win.` : undefined;
}

/** "Won for Kramer vs. Kramer, Sophie's Choice and The Iron Lady." */
export function personSentence(nominations: readonly DetailedNomination[]): string | undefined {
  const won = nominations.filter(({ winner }) => winner);
  if (won.length > 0) return `Won for ${some(won.map(({ movie }) => movie))}.`;
  const entries = entriesOf(nominations).length;
  return entries > 1 ? `Nominated ${entries} times without a win.` : undefined;
}

/** "Received the Honorary Award." Competitive ones are won: "Won Sound Recording." */
export function honorsSentence(honors: readonly Honor[]): string | undefined {
  const won = honors.filter(({ winner }) => winner);
  const sentence = (verb: string, own: readonly Honor[]) =>
    own.length > 0 ? `${verb} ${some(own.map(({ category }) => awardText(category)))}.` : '';
  const [competitive, others] = [won.filter(isCompetitive), won.filter((honor) => !isCompetitive(honor))];
  return `${sentence('Won', competitive)} ${sentence('Received', others)}`.trim() || undefined;
}

/** "the Honorary Award", "Sound Recording". */
const awardText = (category: string): string =>
  /award/i.test(category) ? `the ${titleCased(category)}` : titleCased(category);

/** "Titanic won 11 awards, Best Picture among them." */
export function ceremonySentence(nominations: readonly DetailedNomination[]): string | undefined {
  const won = entriesOf(nominations).filter(({ winner }) => winner);
  const films = groupBy(won, ({ first }) => first.movie_id)
    .map(([, entries]) => entries)
    .sort((a, b) => b.length - a.length);
  const [most, second] = films;
  if (!most || most.length < 2) return undefined;
  const isBest = (entries: typeof won) => entries.some(({ first }) => first.category === bestPicture);
  const best = films.find(isBest)?.[0]?.first.movie;
  const name = most[0]!.first.movie;
  const awards = count(most.length, 'award');
  if (second?.length === most.length) {
    const leaders = films.filter((own) => own.length === most.length).map((own) => own[0]!.first.movie);
    const each = `${some(leaders)} won ${awards} each.`;
    return best === undefined ? each : `${each} Best Picture went to ${best}.`;
  }
  if (best === name) return `${name} won ${awards}, Best Picture among them.`;
  const most1 = `${name} won ${awards}, the most.`;
  return best === undefined ? most1 : `${most1} Best Picture went to ${best}.`;
}

/** What columns of years show: how even or high they are, and the longest pause between two of them. */
export function yearsSentence(totals: readonly YearTotals[]): string {
  const gaps = totals.slice(1).map(({ year }, at) => [totals[at]!.year, year] as const);
  const [from = 0, to = 0] = gaps.sort((a, b) => b[1] - b[0] - (a[1] - a[0]))[0] ?? [];
  const wait = to - from > minGap ? ` The longest wait was ${to - from} years, from ${from} to ${to}.` : '';
  return `${heightsSentence(totals)}${wait}`;
}

/** "Each ceremony since 1937 had 5 nominations", "1943 had the most: 182 nominations." */
function heightsSentence(totals: readonly YearTotals[]): string {
  const numbers = totals.map(({ nominations }) => nominations);
  const highest = Math.max(...numbers);
  if (highest === 1) return `Nominated in ${count(totals.length, 'year')}, never twice in a year.`;
  const latest = numbers.at(-1)!;
  const before = numbers.findLastIndex((own) => own !== latest);
  if (numbers.length - before > minRun)
    return `Every ceremony since ${totals[before + 1]!.year} had ${count(latest, 'nomination')}.`;
  const peaks = totals.filter(({ nominations }) => nominations === highest).map(({ year }) => year);
  const nominations = count(highest, 'nomination');
  if (peaks.length === 1) return `${peaks[0]} had the most: ${nominations}.`;
  const years =
    peaks.length > maxNamed ? `${peaks.length} of ${totals.length} years` : together(peaks.map(String));
  return `${years} had the most: ${nominations} each.`;
}

/** Years without a nomination that are worth a word. */
const minGap = 4;
/** Years with equal numbers, up to the latest, that are worth a word. */
const minRun = 10;
