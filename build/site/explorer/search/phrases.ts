/** The phrases and words that a search takes for a meaning. meaning.ts applies them. */

/** Category → the phrases that mean it. Those with "film" also stand for the same with "movie". */
export const categoryPhrases: Readonly<Record<string, readonly string[]>> = {
  'Best Picture': ['best picture', 'best pictures', 'best film', 'best films', 'outstanding picture'],
  'Actor in a Leading Role': [
    'best actor',
    'leading actor',
    'lead actor',
    'actor in a leading role',
    'best actors',
    'actor',
  ],
  'Actress in a Leading Role': [
    'best actress',
    'leading actress',
    'lead actress',
    'actress in a leading role',
    'best actresses',
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
export const outcomePhrases = {
  won: ['winner', 'winners', 'won', 'wins', 'win', 'winning'],
  nominated: ['nominee', 'nominees', 'nominated', 'nomination', 'nominations'],
} as const;

/** Phrases for the awards as such; with a year or a number they mean a ceremony. */
export const ceremonyPhrases = [
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
export const latestPhrases = ['latest', 'last', 'most recent', 'newest']
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
export const ordinals: ReadonlyMap<string, number> = new Map([
  ...[...ones, ...teens].map((word, i) => [word, i + 1] as const),
  ...tens.flatMap((word, i) => [
    [word.replace(/y$/, 'ieth'), 20 + 10 * i] as const,
    ...ones.map((one, j) => [`${word} ${one}`, 21 + 10 * i + j] as const),
  ]),
  ['hundredth', 100],
]);

/** Words of a question, and words between those that name or mean something. */
export const questionWords: ReadonlySet<string> = new Set(
  (
    'who whos whom whose what whats which when where how many much times did does do was were is are has have had get got first ' +
    'the a an and of in on to for from at by with ever all any there film films movie movies'
  ).split(' '),
);

const most = {
  wins: ['most oscars', 'most academy awards', 'most awards', 'most wins'],
  nominations: ['most nominations', 'most oscar nominations'],
};

/** "director with the most oscars" and the like. */
const withMost = (what: keyof typeof most, ...who: readonly string[]): string[] =>
  who.flatMap((own) => most[what].flatMap((many) => [`${own} with ${many}`, `${own} with the ${many}`]));

const performers = ['actor', 'actors', 'actress', 'actresses'];
const filmNames = ['film', 'films', 'movie', 'movies'];
const peopleNames = ['person', 'people'];

export const decadeWords: ReadonlyMap<string, number> = new Map([
  ...['thirties', 'forties', 'fifties', 'sixties', 'seventies', 'eighties', 'nineties'].map(
    (word, i) => [word, 1930 + 10 * i] as const,
  ),
]);

/** Phrases that lead to pages. */
export const pagePhrases: Readonly<Record<string, readonly string[]>> = {
  'without-win': [
    'most nominated without winning',
    'most nominated without a win',
    'nominated but never won',
    'never won',
    'without a win',
    'most losses',
    ...most.nominations.flatMap((many) =>
      ['without winning', 'without a win', 'without an oscar'].map((none) => `${many} ${none}`),
    ),
  ],
  'top-movies': [
    'most nominated film',
    'most nominated films',
    'most nominated movie',
    'most nominated movies',
    ...withMost('nominations', ...filmNames),
  ],
  'top-nominees': [
    'most nominated person',
    'most nominated people',
    'most nominated',
    ...most.nominations,
    ...withMost('nominations', ...peopleNames),
  ],
  'top-performers': [
    ...performers.map((own) => `most nominated ${own}`),
    ...withMost('nominations', ...performers),
  ],
  'performers-by-wins': withMost('wins', ...performers),
  'top-directors': [
    'most nominated director',
    'most nominated directors',
    ...withMost('nominations', 'director', 'directors'),
  ],
  'directors-by-wins': withMost('wins', 'director', 'directors'),
  'movies-by-wins': [
    'most awarded film',
    'most awarded films',
    'most awarded movie',
    'most awarded movies',
    ...withMost('wins', ...filmNames),
  ],
  'nominees-by-wins': ['most awarded person', 'most awarded people', ...withMost('wins', ...peopleNames)],
  'most-wins': [...most.wins, 'most awarded'],
};

/** Words for what a number counts, as in "11 oscars" → the page that ranks by it. */
export const countedWords: ReadonlyMap<string, string> = new Map([
  ...['oscars', 'wins', 'awards'].map((word) => [word, 'most-wins'] as const),
  ['nominations', 'most-nominations'],
]);

/** Kind of honors → the phrases that mean it. */
export const honorPhrases = {
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
export const aliases: Readonly<Record<string, string>> = {
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
