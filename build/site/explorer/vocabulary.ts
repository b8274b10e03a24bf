/** What the words of a search mean besides names: years, ordinals, categories, outcomes, rankings, honors. */
import { categoryNamed } from '../../../api/contract/category-names.ts';
import { maxSearchWords } from '../../../api/contract/limits.ts';
import { maxTextLength } from '../../../api/contract/parameters.ts';
import { tokens } from '../../../api/contract/text.ts';
import { nameOnRecord, nameOnRecordNear } from './other-names.ts';
import { recordsAsked } from './record-kinds.ts';

/** `names` are the words that are left, `decade` is its first year, `ordinal` the number of a ceremony. */
export interface Meaning {
  names: readonly string[];
  category?: string;
  year?: number;
  decade?: number;
  ordinal?: number;
  isLatest?: true;
  outcome?: 'won' | 'nominated';
  isOfAwards?: true;
  pages?: readonly Page[];
  /** A list of the page of records that answers: its title and its address. */
  records?: readonly [title: string, href: string];
  /** A sentence, if words ask for what the record does not hold. */
  notHeld?: string;
}

/** A list that takes years. */
export type Page = readonly [label: string, path: string, filters?: Readonly<Record<string, string>>];

/** Letters with dots, as in "E.T." and "D.W. Griffith". */
const dottedInitials = /(?<![\p{L}\p{N}])\p{L}(?:\.\p{L})+(?![\p{L}\p{N}])/gu;

/** The words of a search, folded; "E.T." is one word, "8½" are those of "8 1/2". */
export const wordsOf = (typed: string): string[] =>
  tokens(typed.replace(dottedInitials, (initials) => initials.replaceAll('.', '')).replaceAll('½', ' 1/2'));

/** Why words are too many to search for, as a sentence; undefined if they are not. */
export function lengthFault(typed: string): string | undefined {
  if ([...typed].length > maxTextLength)
    return `A search takes up to ${maxTextLength} characters. Leave some words out.`;
  // The API takes "E.T." for two words.
  const different = Math.max(new Set(wordsOf(typed)).size, new Set(tokens(typed)).size);
  if (different <= maxSearchWords) return undefined;
  return `A search takes up to ${maxSearchWords} different words, and this one has ${different}. Leave some out.`;
}

const questionWords: ReadonlySet<string> = new Set(
  (
    'who whos whom whose what whats which when where why how many much times did does do was were is are has have had get got first ' +
    'been often hold holds show me list record number year years wrote sang composed played starred best not by with ever any there ' +
    'the a an and that of in on to for from at all film films movie movies person people one'
  ).split(' '),
);

/** The words less those of a question, and those between words that name or mean something. */
export const withoutQuestionWords = (names: readonly string[]): readonly string[] =>
  names.filter((word) => !questionWords.has(word));

/** Other names that begin longer searches, or that stand for several records → the names on record. */
const aliases: Readonly<Record<string, string>> = {
  lotr: 'lord of the rings',
  gwtw: 'gone with the wind',
  t2: 'terminator 2',
  se7en: 'seven',
  'coen brothers': 'joel coen|ethan coen',
  'cohen brothers': 'joel coen|ethan coen',
  'studio ghibli': 'hayao miyazaki',
  disney: 'walt disney',
  mgm: 'metro goldwyn mayer',
  'warner brothers': 'warner bros',
  // Films are named after these people.
  chaplin: 'charles chaplin',
  'charlie chaplin': 'charles chaplin',
  hitchcock: 'alfred hitchcock',
  'indiana jones': 'indiana jones|raiders of the lost ark',
  'james bond':
    'skyfall|goldfinger|thunderball|diamonds are forever|live and let die|the spy who loved me|moonraker|for your eyes only|spectre|no time to die',
};

/** The names on record of words that begin with another name, each as words; the words for any others. */
export function withoutAlias(words: readonly string[]): readonly (readonly string[])[] {
  const text = words.join(' ');
  const known = nameOnRecord(text);
  if (known !== undefined) return [tokens(known)];
  const alias = Object.keys(aliases).find((own) => text === own || text.startsWith(`${own} `));
  if (alias === undefined) return [words];
  return aliases[alias]!.split('|').map((name) => tokens(name + text.slice(alias.length)));
}

/** The name on record, as words, of words that are another name with typing mistakes; none for others. */
export const nearAlias = (words: readonly string[]): string[] =>
  tokens(nameOnRecordNear(words.join(' ')) ?? '');

const ordinals = (
  'first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth ' +
  'fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth'
).split(' ');
const tens = 'twenty thirty forty fifty sixty seventy eighty ninety'.split(' ');

/** The number of "first", "fiftieth", "ninety eighth" and "nineties". */
function numberNamed(text: string): number {
  const [ten = '', one = ten] = text.replace(/ieth|ies/, 'y').split(' ');
  return (tens.includes(ten) ? 20 + 10 * tens.indexOf(ten) : 0) + ordinals.indexOf(one) + 1;
}

const award = '(academy awards?|oscars?|awards?|ceremony)';
type Mean = (matched: string) => Partial<Meaning>;
const honors = (own: string, label: string, filters = {}): readonly [string, Mean] => [
  `(${own})( memorial| humanitarian| and \\w+)?( awards?| oscars?)?`,
  () => ({ pages: [[label, '/honors', filters]] }),
];

/** What the record does not hold, and what of it comes nearest. */
const notHeld: readonly (readonly [words: string, sentence: string])[] = [
  [
    'box office|budgets?|gross|grossing',
    'The record has no box office and no budgets. It has what a film was nominated for, and what it won.',
  ],
  [
    'ratings|viewers(hip)?|hosts?|hosted|hosting|presenters?|presented',
    'The record does not say who hosted or presented a ceremony, or who watched it. It has the nominations, winners and honors of each.',
  ],
  [
    'dress(es)?|gowns?|red carpet|speech(es)?',
    'The record has no speeches and no pictures of the night. It has the nominations, winners and honors of each ceremony.',
  ],
  [
    'pixar|a24|netflix|studios?',
    'The record does not say which studio made or released a film. It has companies where they were nominated themselves.',
  ],
  [
    'votes?|odds|predictions?|snubs?|snubbed',
    'The record has no votes, odds or predictions. It has who was nominated, and who won.',
  ],
  [
    'longest|shortest',
    'The record can compare running times only where they were added from another source. It has films with their nominations.',
  ],
  [
    'wom[ae]n|female|males?|black|asian|latin[oa]s?|gay|lgbtq?',
    'The record does not say the sex, the origin or the colour of anyone. It has names, roles and categories; actresses have their own.',
  ],
  [
    'golden globes?|(emmy|bafta|grammy|razzie|tony|cesar)s?|egot|cannes|venice|berlinale|palme d or',
    'The record has the Academy Awards only, with their nominations, winners and honors.',
  ],
];

/** Patterns of whole words, and what they mean. In this order: each reads what the ones before it leave. */
const readings: readonly (readonly [pattern: string, mean: Mean])[] = [
  honors('(irving )?(g )?thalberg', 'Irving G. Thalberg Memorial Award', { category: 'thalberg' }),
  honors('(jean )?hersholt|humanitarian', 'Jean Hersholt Humanitarian Award', { category: 'hersholt' }),
  honors('special achievement', 'Special achievement awards', { category: 'special achievement' }),
  honors('(gordon )?(e )?sawyer(?= award)', 'Gordon E. Sawyer Award', { category: 'sawyer' }),
  honors('scientific|technical|sci tech', 'Scientific and technical awards', { class: 'SciTech' }),
  honors('honorary|lifetime achievement', 'Honorary awards', { category: 'honorary' }),
  honors('honou?rs|governors(?= award)', 'All honors'),
  [`last ${award}|last winners?|latest|newest|most recent|(this|last) years?`, () => ({ isLatest: true })],
  ['\\d{1,3}(st|nd|rd|th)|ceremony \\d{1,3}', (text) => ({ ordinal: Number(/\d+/.exec(text)) })],
  // "First oscar" is that of a person.
  [
    `((${tens.join('|')}) )?(${[...ordinals, ...tens].join('|').replace(/y\b/g, 'ieth')})(?= (academy|oscars|awards|ceremony|oscar ${award}))`,
    (text) => ({ ordinal: numberNamed(text) }),
  ],
  [`(the )?${award}( ceremony)?`, () => ({ isOfAwards: true })],
  ['winners?|won|wins?|winning', () => ({ outcome: 'won' })],
  ['nominees?|nominat(ed|ions?)|losers?', () => ({ outcome: 'nominated' })],
  ['19[2-9]\\d|20[0-4]\\d', (text) => ({ year: Number(text) })],
  ['(19[2-9]|20[0-4])0s', (text) => ({ decade: Number.parseInt(text, 10) })],
  ['[03-9]0s', (text) => ({ decade: Number.parseInt(text, 10) + (text === '00s' ? 2000 : 1900) })],
  [tens.join('|').replaceAll('y', 'ies'), (text) => ({ decade: 1900 + numberNamed(text) })],
  ['acting', () => ({ category: 'Actor in a Leading Role' })],
  ...notHeld.map(([words, sentence]): readonly [string, Mean] => [words, () => ({ notHeld: sentence })]),
];

const withoutWin =
  /\b(never won|without (a win|an oscar|winning)|(no|zero) (wins|oscars)|most losses|biggest losers?)\b/;
const ofRanking =
  /\bmost\b(?! recent).*\b(nominat|oscar|award|win|won)|\b(nominat|won).*\bmost\b|\btop (film|movie|people|act|direct)|\brankings?\b|\bbiggest winner|\b[1-6]?\d (oscars|wins|awards|nominations)\b/;
/** Words of a ranking that name nothing. */
const rankingWords =
  /^(most|top|rankings?|biggest|never|without|no|zero|loss(es)?|time|oscars?|awarded|but|[1-6]?\d|act(or|ress)(e?s)?|directors?)$/;

/** The rankings that a text asks for, best first. */
function rankingsIn(text: string, category: string | undefined): readonly Page[] {
  if (withoutWin.test(text))
    return [['Most nominated without a win', '/rankings/top-nominees', { sort: 'unrewarded' }]];
  if (!ofRanking.test(text)) return [];
  const isByWins = !text.includes('nominat') && /\b(oscar|award|win|won)/.test(text);
  const page = (noun: string, filters = {}, more = ''): Page => [
    (isByWins ? `${noun} with the most wins` : `Most nominated ${noun.toLowerCase()}`) + more,
    noun === 'Films' ? '/rankings/top-movies' : '/rankings/top-nominees',
    { ...filters, ...(isByWins && { sort: 'wins' }) },
  ];
  const ofCategory = category ? [page('People', { category }, `: ${category}`)] : [];
  if (/\bact(or|ress|ing\b)/.test(text))
    return [page('Actors and actresses', { category_group: 'Acting' }), ...ofCategory];
  if (category === 'Directing') return [page('Directors', { category_group: 'Direction' })];
  if (category) return ofCategory;
  if (/\b(films?|movies?|rankings?)\b/.test(text)) return [page('Films')];
  return isByWins && !/\b(who|people|person)\b/.test(text)
    ? [page('Films'), page('People')]
    : [page('People')];
}

/** What words mean. @param words folded, as wordsOf() returns them */
export function understand(words: readonly string[]): Meaning {
  const records = recordsAsked(words);
  if (records !== undefined) return { names: [], records };
  const [category, named = ''] = categoryIn(words);
  const rankings = rankingsIn(words.join(' '), category);
  const meaning = { ...(category && { category }), ...(rankings.length > 0 && { pages: rankings }) };
  // "|" stands for words that have a meaning: those beside them make no phrase.
  let rest = ` ${words.join(' ')} `.replace(` ${named} `, ' | ');
  for (const [pattern, mean] of readings)
    rest = rest.replace(new RegExp(`(?<= )(${pattern})(?= )`, 'g'), (matched) => {
      // Of two phrases of a kind, the first counts.
      Object.assign(meaning, { ...mean(matched), ...meaning });
      return '|';
    });
  const isName = (word: string) => word !== '|' && !(rankings.length > 0 && rankingWords.test(word));
  const names = rest.trim().split(' ').filter(isName);
  // A number that is the only name is that of a ceremony.
  if (/^1?\d{1,2}$/.test(names.join()) && !/year|ordinal/.test(Object.keys(meaning).join()))
    return { ...meaning, ordinal: Number(names[0]), names: [] };
  return { ...meaning, names: names.join() === 'best' ? [] : names };
}

/** The longest name of a category among words, the first of equals. No name has more than 20 words. */
function categoryIn(words: readonly string[]): [category?: string, named?: string] {
  for (let length = Math.min(words.length, 20); length > 0; length -= 1)
    for (let at = 0; at + length <= words.length; at += 1) {
      const named = words.slice(at, at + length).join(' ');
      const category = categoryNamed(named);
      if (category !== undefined) return [category, named];
    }
  return [];
}
