/** The phrases and words that a search takes for a meaning. meaning.ts applies them, and knows years, decades and ordinals. */

/** Phrases that mean winning, or being nominated. */
export const outcomePhrases = {
  won: ['winner', 'winners', 'won', 'wins', 'win', 'winning'],
  nominated: ['nominee', 'nominees', 'nominated', 'nomination', 'nominations', 'loser', 'losers'],
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

/** Phrases for the latest ceremony of the record. "Last" alone is a word of titles. */
export const latestPhrases = ['ceremony', 'oscars', 'academy awards', 'awards', 'winner', 'winners']
  .map((own) => `last ${own}`)
  .concat('latest', 'newest', 'most recent', 'this year', 'this years', 'last year', 'last years');

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
    'who whos whom whose what whats which when where why how many much times did does do was were is are has have had get got first ' +
    'been often hold holds show me list record number year years wrote sang composed played starred ' +
    'the a an and that of in on to for from at by with ever all any there film films movie movies person people one'
  ).split(' '),
);

/** Words of a question that say no more than the ranking beside them. No word of them alone does: "Time" is a film. */
export const everPhrases = ['of all time', 'of all times'];

const most = {
  wins: [
    'most oscars',
    'most academy awards',
    'most awards',
    'most wins',
    'most oscar wins',
    'most academy award wins',
  ],
  nominations: ['most nominations', 'most oscar nominations', 'most academy award nominations'],
};

/** Phrases before a kind of film or person, such as "film" and "director". */
const mostNominated = ['most nominated', 'most oscar nominated', 'most academy award nominated', 'top'];
const mostAwarded = ['most awarded', 'most oscar winning', 'most academy award winning', 'most winning'];
const before = (phrases: readonly string[], ...who: readonly string[]): string[] =>
  phrases.flatMap((phrase) => who.map((own) => `${phrase} ${own}`));

/** Phrases of a question, such as "who has the most oscars". */
const askingMost = (what: keyof typeof most, ...asking: readonly string[]): string[] =>
  asking.flatMap((own) => most[what].flatMap((many) => [`${own} ${many}`, `${own} the ${many}`]));

/** Phrases of a ranking, such as "director with the most oscars". */
const withMost = (what: keyof typeof most, ...who: readonly string[]): string[] =>
  askingMost(what, ...who.map((own) => `${own} with`));

const performers = ['actor', 'actors', 'actress', 'actresses'];
const directors = ['director', 'directors'];
const filmNames = ['film', 'films', 'movie', 'movies'];
const peopleNames = ['person', 'people'];

/** Word for a decade → its first year. */
export const decadeWords: ReadonlyMap<string, number> = new Map(
  ['thirties', 'forties', 'fifties', 'sixties', 'seventies', 'eighties', 'nineties'].map((word, i) => [
    word,
    1930 + 10 * i,
  ]),
);

/** Phrases that lead to pages. */
export const pagePhrases: Readonly<Record<string, readonly string[]>> = {
  'without-win': [
    'nominated but never won',
    'never won',
    'without a win',
    'without an oscar',
    'without winning',
    'no wins',
    'zero wins',
    'no oscars',
    'most losses',
    'biggest loser',
    'biggest losers',
  ],
  'top-movies': [
    ...before(mostNominated, ...filmNames),
    ...filmNames
      .flatMap((own) => ['', ' was', ' were', ' has been', ' have been'].map((asking) => own + asking))
      .flatMap((own) => [`${own} nominated most`, `${own} nominated the most`]),
    ...withMost('nominations', ...filmNames),
  ],
  'top-nominees': [
    'most nominated',
    'nominated most',
    'nominated the most',
    ...before(mostNominated, ...peopleNames),
    ...most.nominations,
  ],
  'top-performers': [...before(mostNominated, ...performers), ...withMost('nominations', ...performers)],
  'performers-by-wins': [...before(mostAwarded, ...performers), ...withMost('wins', ...performers)],
  'top-directors': [...before(mostNominated, ...directors), ...withMost('nominations', ...directors)],
  'directors-by-wins': [...before(mostAwarded, ...directors), ...withMost('wins', ...directors)],
  'movies-by-wins': [
    'biggest winner',
    'biggest winners',
    ...before(mostAwarded, ...filmNames),
    ...withMost('wins', ...filmNames),
  ],
  'nominees-by-wins': [
    ...before(mostAwarded, ...peopleNames),
    ...withMost('wins', ...peopleNames),
    ...askingMost('wins', 'who has', 'who won', 'who has won'),
    ...most.wins.flatMap((many) => [`${many} by a person`, `${many} by one person`]),
  ],
  'most-wins': [...most.wins, 'most awarded', 'won most', 'won the most'],
  'most-nominations': ['ranking', 'rankings'],
};

/** Words for what a number counts, as in "11 oscars" → the page that ranks by it. */
export const countedWords: ReadonlyMap<string, string> = new Map([
  ...['oscars', 'wins', 'awards'].map((word) => [word, 'most-wins'] as const),
  ['nominations', 'most-nominations'],
]);

/** Kind of honors → the phrases that mean it. */
export const honorPhrases = {
  honorary: [
    'honorary award',
    'honorary awards',
    'honorary oscar',
    'honorary oscars',
    'honorary',
    'lifetime achievement',
  ],
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
    'technical achievement award',
    'technical achievement awards',
    'scientific and engineering award',
    'scientific and engineering awards',
    'sci tech',
    'sci tech award',
    'sci tech awards',
  ],
  special: ['special award', 'special awards'],
  achievement: ['special achievement award', 'special achievement awards'],
  sawyer: ['gordon e sawyer award', 'gordon sawyer award', 'sawyer award'],
  commendation: [
    'medal of commendation',
    'medals of commendation',
    'award of commendation',
    'bonner medal',
    'john a bonner medal',
    'john a bonner medal of commendation',
  ],
  foreign: ['special foreign language film award', 'special foreign language film awards'],
  all: ['honors', 'honours', 'governors award', 'governors awards'],
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
  mgm: 'metro goldwyn mayer',
  'warner brothers': 'warner bros',
  se7en: 'seven',
  'charlie chaplin': 'charles chaplin',
  'the boss': 'bruce springsteen',
  jlaw: 'jennifer lawrence',
  sw: 'star wars',
  tlj: 'star wars the last jedi',
  gwtw: 'gone with the wind',
  eeaao: 'everything everywhere all at once',
  t2: 'terminator 2',
  potc: 'pirates of the caribbean',
};
