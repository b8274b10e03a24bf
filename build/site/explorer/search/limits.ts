/** Searches that ask for more than the record holds. */
import { tokens } from '../../../../api/contract/text.ts';
import { isTitle, understandIn } from './find.ts';
import { withoutQuestionWords } from './meaning.ts';
import type { Searchable } from './searchable.ts';
import { wordsOf } from './words.ts';

/** What readers ask for and the record does not hold: a sentence, and the folded words that ask for it. */
const limits: readonly (readonly [sentence: string, asking: string])[] = [
  [
    'The record does not hold the gender or the origin of people. Only the acting categories tell actors and actresses apart.',
    // "Director" and "actor" stay: they are categories.
    'female|gender|nationality|ethnicity|(first|how many) (wom[ae]n|black|asian)|(wom[ae]n|black|asian)(?= (actor|actress|director|winner|nominee)(s|es)? )|(?<= (director|winner|nominee)s? )wom[ae]n',
  ],
  ['The record does not hold what was said at the ceremonies.', 'speech(es)?|thanked|quotes'],
  [
    'The record does not hold who hosted or presented the ceremonies, or what was worn.',
    'host(s|ed)?|presenters?|red carpet|dress(es)?|gown|performances',
  ],
  [
    'The record does not hold budgets, box office, ratings or the number of viewers.',
    'box office|budget|gross|ratings|viewers(hip)?|rotten tomatoes',
  ],
  [
    'The record does not hold which studio made or showed a film.',
    'pixar|a24|netflix|marvel|dreamworks|miramax',
  ],
  [
    'The record holds no votes and no predictions: only who was nominated and who won.',
    'votes|vote count|predictions?|odds|favorite to win|snub(s|bed)?',
  ],
  [
    'The record holds few dates of birth, so it has no ranking by age. Where a birthday is on record, the page of the person shows it.',
    'youngest|oldest|age of winners',
  ],
  [
    'The record has no ranking by length. Where the running time of a film is on record, its page shows it.',
    'longest|shortest|running times?',
  ],
  [
    'The record has the Academy Awards only.',
    'golden globes?|(emmy|bafta|grammy|razzie)s?|egot|tony awards?|palme dor|cannes|critics choice',
  ],
];
const patterns = limits.map(([sentence, asking]) => [sentence, new RegExp(` (${asking})(?= )`)] as const);

/** What words ask for and the record does not hold. */
interface Limit {
  sentence: string;
  /** The words without those that ask for it; empty where only words such as "the" and "who" are left. */
  rest: string;
}

/** What words ask for and the record does not hold; undefined for other words, and for a title such as "The King's Speech". */
export function limitIn(searchable: Searchable, typed: string): Limit | undefined {
  const text = ` ${tokens(typed).join(' ')} `;
  for (const [sentence, pattern] of patterns) {
    const asking = pattern.exec(text)?.[0];
    if (asking === undefined) continue;
    const { names } = understandIn(searchable, wordsOf(typed));
    // "First" is a number here, so "first woman to win" is no title with "woman" and "to".
    const isOfTitle =
      tokens(asking).every((word) => names.includes(word)) && names.length > tokens(asking).length;
    if (isOfTitle && isTitle(searchable, names.join(' '), false)) return undefined;
    const rest = text.replace(pattern, '').trim();
    return { sentence, rest: withoutQuestionWords(tokens(rest)).length > 0 ? rest : '' };
  }
  return undefined;
}
