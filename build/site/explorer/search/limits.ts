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

/**
 * A sentence for words that ask for something else than the record holds, undefined for all others.
 * @param words folded, as tokens() returns them
 */
export function limitOf(words: readonly string[]): string | undefined {
  const text = ` ${words.join(' ')} `;
  return limits.find(([, phrases]) => phrases.some((phrase) => text.includes(` ${phrase} `)))?.[0];
}
