/** What people type into a search box, drawn from a record. */
import { tokens } from '../../api/contract/text.ts';
import type { PlainRecord } from '../oracle/record.ts';
import type { Choices } from '../support/random.ts';

const commonWords = 'film music best the song actor original writing love picture feature short'.split(' ');

type Draw = (choices: Choices) => string;

/** A function that draws one query of a mix with as many of each kind. */
export function mixedQueries({ nominations }: PlainRecord): Draw {
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
  const draws: Draw[] = [
    (choices) => choices.pick(names),
    (choices) => choices.pick(titles),
    word,
    // A prefix.
    (choices) => word(choices).slice(0, choices.between(2, 4)),
    (choices) => choices.pick(commonWords),
    combined,
  ];
  return (choices) => choices.pick(draws)(choices);
}
