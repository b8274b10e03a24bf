/** The lists of the page of records: what each is called, and the words that ask for it. */

export interface RecordKindWords {
  title: string;
  /** What the list counts, where the title does not say it. */
  basis?: string;
  /** Why the list can be empty. */
  unknown?: string;
  /** The address of the API with the same list. */
  api?: string;
  /** Matches the words of a search less fillers; absent where another page answers. */
  asked?: RegExp;
}

const withoutWin = '(?=.*\\b(without|no|zero|never)( \\w+)? ?(win|wins|won|winning)\\b)';

const ofAges = {
  basis: 'Age at the ceremony, of people whose date of birth is on record.',
  unknown: 'The record has no dates of birth, so it cannot tell anyone’s age. Its source does not give them.',
};

export const recordKinds = {
  'most-wins': {
    title: 'Films with the most wins',
    api: '/api/stats/top-movies?sort=wins&official=true',
  },
  'without-best-picture': {
    title: 'Most wins without Best Picture',
    asked:
      /^most (wins? |won )?(films? |movies? )?(without|but no|but not|not) (a |winning )?best picture( wins?)?$/,
  },
  'big-five': {
    title: 'Films that won the Big Five: picture, direction, both leading roles and screenplay',
    asked: /^(films? |movies? )?(won |winn\w+ )?big five( winners?| films?| movies?)?$/,
  },
  'films-without-win': {
    title: 'Films with the most nominations and no win',
    asked: new RegExp(`^(?=.*\\b(films?|movies?)\\b)(?=.*\\bmost\\b)(?=.*\\bnominat)${withoutWin}.*$`),
  },
  'people-most-wins': {
    title: 'People with the most wins',
    api: '/api/stats/top-nominees?sort=wins&official=true',
  },
  'people-without-win': { title: 'People with the most nominations and no win' },
  losses: {
    title: 'Most losses before the first win',
    asked: /^(most )?(losses|nominations) before( \w+)? (win|winning|wins)$|^longest wait( first)?( win)?$/,
  },
  'longest-gap': {
    title: 'Longest time between two wins',
    asked: /^(longest|biggest|largest) (gap|time|wait|years?) between( \w+)? wins?$/,
  },
  'most-categories': {
    title: 'Nominated in the most categories',
    asked: /^((people |person )?nominat\w+ (in )?)?most (different )?categories( nominat\w+)?$/,
  },
  'two-roles': {
    title: 'Two acting nominations in one year',
    asked:
      /^(two|2|double) acting nominat\w+( in)?( (one|same|single))?( year)?$|^nominat\w+ twice in (one|same) year$/,
  },
  ties: { title: 'Ties', asked: /^(there )?(ties?|tied)( winners?| results?| votes?)?$/ },
  refusals: {
    title: 'Refused awards',
    asked: /^(actors? |people |person |winners? )?(refus\w+|declin\w+|reject\w+|turned down)( win\w*| it)?$/,
  },
  'write-ins': { title: 'Write-in candidates', asked: /^write ins?( \w+)?$/ },
  firsts: {
    title: 'First winners of each category',
    asked:
      /^first (ever )?(winners?|wins?)( in)?( (each|every|all))?( category| categories)?$|^first (ever )?best .+$/,
  },
  'animated-best-picture': {
    title: 'Animated films nominated for Best Picture',
    basis:
      'Films that were nominated as Animated Feature Film too, a category since 2002, and those with the genre Animation, where genres are on record.',
    unknown: 'No film on record was nominated both as Best Picture and as Animated Feature Film.',
    asked:
      /^(animat\w+|cartoons?) (features? |films? |movies? )?(nominat\w+ |win\w* |won )?best picture( \w+)?$|^best picture animat\w+( \w+)*$/,
  },
  'international-best-picture': {
    title: 'International films nominated for Best Picture',
    basis:
      'Films that were nominated as International Feature Film too, and those from other countries than the English-speaking ones, where countries are on record.',
    unknown: 'No film on record was nominated both as Best Picture and as International Feature Film.',
    asked:
      /^(international|foreign|non english|subtitled) (language )?(films? |movies? |features? )?(nominat\w+ |win\w* |won )?best picture( \w+)?$|^best picture (international|foreign)( \w+)*$/,
  },
  posthumous: {
    title: 'Posthumous nominations',
    basis:
      'People who died before the ceremony, where the date is on record, and awards whose note says that they were posthumous.',
    unknown: 'The record has no dates of death, and no note that says “posthumous”.',
    asked: /^(\w+ )?posthumous(ly)?( \w+)?$|^(\w+ )?(nominat\w+|won|winners?|wins?) after death$/,
  },
  'youngest-winners': { title: 'Youngest winners', ...ofAges, asked: /^youngest(?!.*\bnomin).*$/ },
  'youngest-nominees': { title: 'Youngest nominees', ...ofAges, asked: /^youngest.*$/ },
  'oldest-winners': { title: 'Oldest winners', ...ofAges, asked: /^oldest(?!.*\bnomin).*$/ },
  'oldest-nominees': { title: 'Oldest nominees', ...ofAges, asked: /^oldest.*$/ },
} as const satisfies Record<string, RecordKindWords>;

export type RecordKind = keyof typeof recordKinds;

/** The address of a list on the page of records. */
export const recordKindHref = (kind: RecordKind): string => `/records#${kind}`;

/** Words of a question that say nothing about which list is meant. */
const fillers: ReadonlySet<string> = new Set(
  (
    'the a an of at for to by on from who which what whose has have had were was is are did do ever list show me that with and ' +
    'oscar oscars academy award awards history record'
  ).split(' '),
);

/** What the list is called in a search and in a contents line: without the explanation after a colon. */
export const shortTitle = (kind: RecordKind): string => recordKinds[kind].title.split(':')[0]!;

/** The page that words ask for, if they ask for one of the lists or for all: its title and its address. */
export function recordsAsked(words: readonly string[]): readonly [title: string, href: string] | undefined {
  const text = words.filter((word) => !fillers.has(word)).join(' ');
  if (text === 'records') return ['All records', '/records'];
  const kinds = Object.entries(recordKinds) as [RecordKind, RecordKindWords][];
  const [kind] = kinds.find(([, { asked }]) => asked?.test(text)) ?? [];
  return kind && [shortTitle(kind), recordKindHref(kind)];
}
