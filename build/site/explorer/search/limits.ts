/** Searches that ask for more than the record holds. */
import { tokens } from '../../../../api/contract/text.ts';
import { isTitle } from './find.ts';
import { withoutQuestionWords } from './meaning.ts';
import type { Searchable } from './searchable.ts';

/** What readers ask for and the record does not hold. */
const limits: readonly (readonly [sentence: string, phrases: readonly string[]])[] = [
  [
    'The record does not hold the gender or the origin of people. Only the acting categories tell actors and actresses apart.',
    [
      'female',
      'woman director',
      'women directors',
      'first woman',
      'first women',
      'how many women',
      'gender',
      'first black',
      'black actor',
      'black actress',
      'black director',
      'black winner',
      'asian actor',
      'asian actress',
      'asian director',
      'nationality',
      'ethnicity',
    ],
  ],
  ['The record does not hold what was said at the ceremonies.', ['speech', 'speeches', 'thanked', 'quotes']],
  [
    'The record does not hold who hosted or presented the ceremonies, or what was worn.',
    [
      'host',
      'hosts',
      'hosted',
      'presenter',
      'presenters',
      'red carpet',
      'dress',
      'dresses',
      'gown',
      'performances',
    ],
  ],
  [
    'The record does not hold budgets, box office, ratings or the number of viewers.',
    ['box office', 'budget', 'gross', 'ratings', 'viewers', 'viewership', 'rotten tomatoes'],
  ],
  [
    'The record does not hold which studio made or showed a film.',
    ['pixar', 'a24', 'netflix', 'marvel', 'dreamworks'],
  ],
  [
    'The record holds no votes and no predictions: only who was nominated and who won.',
    [
      'votes',
      'vote count',
      'predictions',
      'prediction',
      'odds',
      'favorite to win',
      'snub',
      'snubs',
      'snubbed',
    ],
  ],
  [
    'The record holds few dates of birth, so it has no ranking by age. Where a birthday is on record, the page of the person shows it.',
    ['youngest', 'oldest', 'age of winners'],
  ],
];

/** What words ask for and the record does not hold. */
interface Limit {
  sentence: string;
  /** The words without those that ask for it; empty where only words such as "the" and "who" are left. */
  rest: string;
}

/** What words ask for and the record does not hold; undefined for other words, and for a title such as "The King's Speech". */
export function limitIn(searchable: Searchable, typed: string): Limit | undefined {
  const limit = limitOf(tokens(typed));
  if (limit === undefined || limit.rest === '') return limit;
  if (isTitle(searchable, typed, false)) return undefined;
  return withoutQuestionWords(limit.rest.split(' ')).length > 0 ? limit : { ...limit, rest: '' };
}

function limitOf(words: readonly string[]): Limit | undefined {
  const text = ` ${words.join(' ')} `;
  for (const [sentence, phrases] of limits) {
    const phrase = phrases.find((own) => text.includes(` ${own} `));
    if (phrase !== undefined) return { sentence, rest: text.replace(` ${phrase} `, ' ').trim() };
  }
  return undefined;
}
