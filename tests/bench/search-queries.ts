/** What people type into a search box, drawn from a record. */
import { tokens } from '../../api/contract/text.ts';
import type { PlainRecord } from '../oracle/record.ts';
import type { Choices } from './random.ts';

const commonWords = 'film music best the song actor original writing love picture feature short'.split(' ');

type Draw = (choices: Choices) => string;

/** Kind of query → a function that draws one. */
export function searchQueries({ nominations }: PlainRecord): ReadonlyMap<string, Draw> {
  // A text without a word, or of one character, cannot be searched for.
  const searchable = (texts: readonly string[]) =>
    texts.filter((text) => text.length > 1 && tokens(text).length > 0);
  const names = searchable(nominations.map(({ nominee }) => nominee));
  const titles = searchable(nominations.map(({ movie }) => movie));
  const wordOf = (choices: Choices, text: string, otherwise: string): string => {
    const words = tokens(text).filter((word) => word.length > 2);
    return words.length === 0 ? otherwise : choices.pick(words);
  };
  const word: Draw = (choices) => {
    const { nominee, movie } = choices.pick(nominations);
    return wordOf(choices, choices.chance(0.5) ? nominee : movie, 'music');
  };
  const combined: Draw = (choices) => {
    const { nominee, movie, category } = choices.pick(nominations);
    const surname = tokens(nominee).at(-1) ?? nominee;
    return choices.pick([
      () => `${wordOf(choices, category, 'music')} ${nominee}`,
      () => `${surname} ${movie}`,
      () => `${surname} ${wordOf(choices, movie, 'the')}`,
      () => `${wordOf(choices, category, 'music')} ${movie}`,
    ])();
  };
  return new Map<string, Draw>([
    ['full names', (choices) => choices.pick(names)],
    ['titles', (choices) => choices.pick(titles)],
    ['single words', word],
    ['prefixes of 2 to 4 letters', (choices) => word(choices).slice(0, choices.between(2, 4))],
    ['common words', (choices) => choices.pick(commonWords)],
    ['name, title and category words', combined],
  ]);
}

/** Draws one query of a mix with as many of each kind. */
export function mixedQueries(record: PlainRecord): Draw {
  const draws = [...searchQueries(record).values()];
  return (choices) => choices.pick(draws)(choices);
}
