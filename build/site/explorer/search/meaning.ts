/** What words of a search mean besides names: a category, a year, an outcome, the awards themselves. */

/** Category → the phrases that mean it. */
const categoryPhrases: Readonly<Record<string, readonly string[]>> = {
  'Best Picture': ['best picture', 'best film', 'best movie', 'outstanding picture'],
  'Actor in a Leading Role': [
    'best actor',
    'leading actor',
    'lead actor',
    'actor in a leading role',
    'actor',
  ],
  'Actress in a Leading Role': [
    'best actress',
    'leading actress',
    'lead actress',
    'actress in a leading role',
    'actress',
  ],
  'Actor in a Supporting Role': ['best supporting actor', 'supporting actor', 'actor in a supporting role'],
  'Actress in a Supporting Role': [
    'best supporting actress',
    'supporting actress',
    'actress in a supporting role',
  ],
  Directing: ['best director', 'best direction', 'directing', 'director', 'directors', 'directed'],
  'Writing (Adapted Screenplay)': ['best adapted screenplay', 'adapted screenplay', 'screenplay adaptation'],
  'Writing (Original Screenplay)': [
    'best original screenplay',
    'original screenplay',
    'best screenplay',
    'screenplay',
    'writer',
    'writing',
  ],
  Cinematography: ['best cinematography', 'cinematography', 'cinematographer', 'best photography', 'camera'],
  'Film Editing': ['best film editing', 'best editing', 'film editing', 'editing', 'film editor', 'editor'],
  'Production Design': [
    'best production design',
    'production design',
    'best art direction',
    'art direction',
    'set decoration',
  ],
  'Costume Design': [
    'best costume design',
    'costume design',
    'best costumes',
    'costumes',
    'costume designer',
  ],
  'Makeup and Hairstyling': ['best makeup', 'makeup and hairstyling', 'makeup', 'hairstyling'],
  Sound: ['best sound', 'sound mixing', 'best sound mixing', 'sound recording'],
  'Sound Editing': ['best sound editing', 'sound editing', 'sound effects', 'sound effects editing'],
  'Visual Effects': ['best visual effects', 'visual effects', 'special effects', 'vfx'],
  'Music (Original Score)': [
    'best original score',
    'original score',
    'best score',
    'score',
    'film music',
    'composer',
  ],
  'Music (Original Song)': ['best original song', 'original song', 'best song', 'song', 'songs'],
  'International Feature Film': [
    'best foreign language film',
    'foreign language film',
    'foreign film',
    'best foreign film',
    'best international feature film',
    'best international film',
    'international feature film',
    'international film',
    'foreign language',
  ],
  'Animated Feature Film': [
    'best animated feature film',
    'best animated feature',
    'animated feature film',
    'animated feature',
    'best animated film',
    'animated film',
    'animation',
  ],
  'Documentary Feature Film': [
    'best documentary feature',
    'documentary feature film',
    'documentary feature',
    'best documentary',
    'documentary',
    'documentaries',
  ],
  'Documentary Short Film': [
    'best documentary short',
    'documentary short film',
    'documentary short',
    'short documentary',
  ],
  'Animated Short Film': ['best animated short', 'animated short film', 'animated short', 'cartoon'],
  'Live Action Short Film': [
    'best live action short',
    'live action short film',
    'live action short',
    'short film',
  ],
  Casting: ['best casting', 'casting'],
};

/** Phrases that mean winning, or being nominated. */
const outcomePhrases = {
  won: ['winner', 'winners', 'won', 'wins', 'win', 'winning'],
  nominated: ['nominee', 'nominees', 'nominated', 'nomination', 'nominations'],
} as const;

/** Phrases for the awards as such; with a year or a number they mean a ceremony. */
const ceremonyPhrases = [
  'the academy awards',
  'the oscars',
  'academy awards',
  'academy award',
  'oscars',
  'oscar',
  'awards ceremony',
  'ceremony',
  'awards',
  'award',
];

/** Phrases for the latest ceremony of the record. */
const latestPhrases = ['latest', 'last', 'most recent', 'newest']
  .flatMap((word) =>
    ['ceremony', 'oscars', 'academy awards', 'awards'].flatMap((own) => [
      `the ${word} ${own}`,
      `${word} ${own}`,
    ]),
  )
  .concat('this year', 'this years', 'last year', 'last years');

const ones = 'first second third fourth fifth sixth seventh eighth ninth'.split(' ');
const teens =
  'tenth eleventh twelfth thirteenth fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth'.split(
    ' ',
  );
const tens = 'twenty thirty forty fifty sixty seventy eighty ninety'.split(' ');
/** Words such as "first", "fiftieth" and "ninety eighth" → their numbers. */
const ordinals: ReadonlyMap<string, number> = new Map([
  ...[...ones, ...teens].map((word, i) => [word, i + 1] as const),
  ...tens.flatMap((word, i) => [
    [word.replace(/y$/, 'ieth'), 20 + 10 * i] as const,
    ...ones.map((one, j) => [`${word} ${one}`, 21 + 10 * i + j] as const),
  ]),
  ['hundredth', 100],
]);

/** Words of a question, and words between those that name or mean something. */
const questionWords: ReadonlySet<string> = new Set(
  (
    'who whos whom whose what whats which when where how many much times did does do was were is are has have had get got ' +
    'the a an and of in on to for from at by film films movie movies'
  ).split(' '),
);

/** Phrases that lead to pages. */
const pagePhrases: Readonly<Record<string, readonly string[]>> = {
  'without-win': [
    'most nominated without winning',
    'most nominations without winning',
    'most nominations without a win',
    'most nominated without a win',
    'nominated but never won',
    'never won',
    'without a win',
    'most losses',
  ],
  'top-movies': [
    'most nominated film',
    'most nominated films',
    'most nominated movie',
    'most nominated movies',
  ],
  'top-nominees': ['most nominated person', 'most nominated people', 'most nominated', 'most nominations'],
  'movies-by-wins': [
    'most awarded film',
    'most awarded films',
    'most awarded movie',
    'most awarded movies',
    'film with the most wins',
    'films with the most wins',
    'film with most wins',
    'films with most wins',
  ],
  'nominees-by-wins': [
    'most awarded person',
    'most awarded people',
    'person with the most wins',
    'people with the most wins',
    'person with most wins',
    'people with most wins',
  ],
  'most-wins': ['most oscars', 'most wins', 'most awards', 'most awarded'],
};

/** Kind of honors → the phrases that mean it. */
const honorPhrases = {
  honorary: ['honorary award', 'honorary awards', 'honorary oscar', 'honorary oscars', 'honorary'],
  thalberg: [
    'irving g thalberg memorial award',
    'irving thalberg',
    'thalberg memorial award',
    'thalberg award',
    'thalberg',
  ],
  hersholt: [
    'jean hersholt humanitarian award',
    'jean hersholt',
    'hersholt',
    'humanitarian award',
    'humanitarian awards',
    'humanitarian',
  ],
  scientific: [
    'scientific and technical awards',
    'scientific and technical award',
    'scientific awards',
    'scientific award',
    'technical awards',
    'technical award',
  ],
  all: ['honors', 'honours'],
} as const;

/** Other names of films and people → words of the name on record. */
const aliases: Readonly<Record<string, string>> = {
  lotr: 'lord of the rings',
  'coen brothers': 'joel coen',
  'cohen brothers': 'joel coen',
  'the coens': 'joel coen',
  ghibli: 'hayao miyazaki',
  'studio ghibli': 'hayao miyazaki',
  disney: 'walt disney',
  'the boss': 'bruce springsteen',
  jlaw: 'jennifer lawrence',
  sw: 'star wars',
  tlj: 'star wars the last jedi',
  gwtw: 'gone with the wind',
  eeaao: 'everything everywhere all at once',
};

/** A part of the typed words with a meaning. */
export interface Meaning {
  /** The words that have it. */
  words: readonly string[];
}

export interface Understood {
  /** Words that are left: of a name. */
  names: readonly string[];
  category?: Meaning & { name: string };
  year?: Meaning & { year: number };
  /** Number of a ceremony. */
  ordinal?: Meaning & { number: number };
  /** The latest ceremony of the record. */
  latest?: Meaning;
  /** First year of a decade. */
  decade?: Meaning & { year: number };
  outcome?: Meaning & { won: boolean };
  ceremony?: Meaning;
  honors?: Meaning & { kind: keyof typeof honorPhrases };
  page?: Meaning & { page: string };
}

interface Phrase {
  words: readonly string[];
  mean: (understood: Understood, words: readonly string[]) => void;
}

const phrasesOf = (texts: readonly string[], mean: Phrase['mean']): Phrase[] =>
  texts.map((text) => ({ words: text.split(' '), mean }));

/** Longer phrases first. */
const phrases: readonly Phrase[] = [
  ...Object.entries(categoryPhrases).flatMap(([name, texts]) =>
    phrasesOf(texts, (understood, words) => {
      understood.category ??= { name, words };
    }),
  ),
  ...Object.entries(pagePhrases).flatMap(([page, texts]) =>
    phrasesOf(texts, (understood, words) => {
      understood.page ??= { page, words };
    }),
  ),
  ...Object.entries(outcomePhrases).flatMap(([name, texts]) =>
    phrasesOf(texts, (understood, words) => {
      understood.outcome ??= { won: name === 'won', words };
    }),
  ),
  ...Object.entries(honorPhrases).flatMap(([kind, texts]) =>
    phrasesOf(texts, (understood, words) => {
      understood.honors ??= { kind: kind as keyof typeof honorPhrases, words };
    }),
  ),
  ...phrasesOf(latestPhrases, (understood, words) => {
    understood.latest ??= { words };
  }),
  ...phrasesOf(ceremonyPhrases, (understood, words) => {
    understood.ceremony ??= { words };
  }),
].sort((a, b) => b.words.length - a.words.length);

/** The typed words with the names on record in place of other names. */
export function withoutAliases(words: readonly string[]): readonly string[] {
  const text = words.join(' ');
  for (const [alias, name] of Object.entries(aliases))
    if (text === alias || text.startsWith(`${alias} `))
      return [...name.split(' '), ...words.slice(alias.split(' ').length)];
  return words;
}

const withoutQuestionWords = (words: readonly string[]): string[] =>
  words.filter((word) => !questionWords.has(word));

/** Whether words mean something that can be found without a name. */
const isFindable = ({ outcome: _, names: __, ...meanings }: Understood): boolean =>
  Object.keys(meanings).length > 0;

/**
 * Finds what the words of a question mean. Words such as "who" and "in" are no names beside other names, and beside words with
 * a meaning.
 * @param words folded, as tokens() returns them
 */
export function understandQuestion(words: readonly string[]): Understood {
  const understood = understand(words);
  const names = withoutQuestionWords(understood.names);
  if (names.length === 0 && !isFindable(understood)) return understood;
  return { ...understood, names: withoutBest(names) };
}

/** Finds what the words mean. @param words folded, as tokens() returns them */
export function understand(words: readonly string[]): Understood {
  const understood: Understood = { names: [] };
  const names: string[] = [];
  for (let at = 0; at < words.length; ) {
    const numbered = understood.ordinal === undefined ? ordinalAt(words, at) : undefined;
    if (numbered) {
      understood.ordinal = numbered;
      at += numbered.words.length;
      continue;
    }
    const phrase = phrases.find((own) => own.words.every((word, i) => words[at + i] === word));
    if (phrase) {
      const own = words.slice(at, at + phrase.words.length);
      phrase.mean(understood, own);
      at += own.length;
      continue;
    }
    const word = words[at]!;
    const year = /^(19[2-9]|20[0-4])\d$/.test(word) ? Number(word) : undefined;
    const decade = /^(19[2-9]0|20[0-4]0)s$/.exec(word)?.[1];
    if (year !== undefined && understood.year === undefined) understood.year = { year, words: [word] };
    else if (decade !== undefined && understood.decade === undefined)
      understood.decade = { year: Number(decade), words: [word] };
    else names.push(word);
    at += 1;
  }
  return { ...understood, names: withoutBest(names) };
}

const ceremonyWords: ReadonlySet<string | undefined> = new Set([
  'academy',
  'oscar',
  'oscars',
  'awards',
  'ceremony',
]);

/** The number of a ceremony, such as "50th", "ceremony 50" and the first word of "fiftieth academy awards". */
function ordinalAt(words: readonly string[], at: number): Understood['ordinal'] {
  const digits = /^(\d{1,3})(st|nd|rd|th)$/.exec(words[at]!)?.[1];
  if (digits !== undefined) return { number: Number(digits), words: [words[at]!] };
  const after = words[at + 1] ?? '';
  if (words[at] === 'ceremony' && /^\d{1,3}$/.test(after))
    return { number: Number(after), words: [words[at]!, after] };
  for (const length of [2, 1]) {
    const own = words.slice(at, at + length);
    const number = ordinals.get(own.join(' '));
    if (number !== undefined && ceremonyWords.has(words[at + length])) return { number, words: own };
  }
  return undefined;
}

/** "best" alone is no name. */
const withoutBest = (names: readonly string[]): readonly string[] =>
  names.length === 1 && names[0] === 'best' ? [] : names;
