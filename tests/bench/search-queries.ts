/** What people type into a search box, drawn from a record: whole names and titles, single words, beginnings, common words. */
import { tokens } from '../../api/contract/text.ts';
import type { PlainRecord } from '../oracle/record.ts';
import type { Choices } from './random.ts';

const commonWords = [
  'film',
  'music',
  'best',
  'the',
  'song',
  'actor',
  'original',
  'writing',
  'love',
  'picture',
  'feature',
  'short',
];

export type Draw = (choices: Choices) => string;

/** Functions that draw one query each, by what they draw. A mix has as many of each. */
export function searchQueries(record: PlainRecord): ReadonlyMap<string, Draw> {
  const { nominations } = record;
  const nomination = (choices: Choices) => choices.pick(nominations);
  const wordOf = (choices: Choices, text: string): string | undefined => {
    const words = tokens(text).filter((word) => word.length > 2);
    return words.length === 0 ? undefined : choices.pick(words);
  };
  const word: Draw = (choices) => {
    const { nominee, movie } = nomination(choices);
    return wordOf(choices, choices.chance(0.5) ? nominee : movie) ?? 'music';
  };
  const combined: Draw = (choices) => {
    const { nominee, movie, category } = nomination(choices);
    const surname = tokens(nominee).at(-1) ?? nominee;
    return choices.pick([
      () => `${wordOf(choices, category) ?? 'music'} ${nominee}`,
      () => `${surname} ${movie}`,
      () => `${surname} ${wordOf(choices, movie) ?? 'the'}`,
      () => `${wordOf(choices, category) ?? 'music'} ${movie}`,
    ])();
  };
  return new Map<string, Draw>([
    ['full names', (choices) => nomination(choices).nominee],
    ['titles', titleOf(nominations.map(({ movie }) => movie))],
    ['single words', word],
    ['prefixes of 2 to 4 letters', (choices) => word(choices).slice(0, choices.between(2, 4))],
    ['common words', (choices) => choices.pick(commonWords)],
    ['name, title and category words', combined],
  ]);
}

/** Titles that can be searched for: not one of a single character, nor of none. */
function titleOf(titles: readonly string[]): Draw {
  const searchable = titles.filter((title) => title.length > 1 && tokens(title).length > 0);
  return (choices) => choices.pick(searchable);
}

/** Draws one query of the mix. */
export function mixedQueries(record: PlainRecord): Draw {
  const draws = [...searchQueries(record).values()];
  return (choices) => choices.pick(draws)(choices);
}
