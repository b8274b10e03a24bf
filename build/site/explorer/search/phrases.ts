/** The phrases and words that a search takes for a meaning. meaning.ts applies them, and knows years, decades and ordinals. */

/** Category → the phrases that mean it. meaning.ts adds plurals, "best", "movie" for "film", and "music" or "writing" before those of its group. */
export const categoryPhrases: Readonly<Record<string, readonly string[]>> = {
  'Best Picture': [
    'best picture',
    'best film',
    'best motion picture',
    'best motion picture of the year',
    'outstanding picture',
    'outstanding motion picture',
    'outstanding production',
    'unique and artistic picture',
  ],
  'Actor in a Leading Role': ['leading actor', 'lead actor', 'actor in a leading role', 'actor'],
  'Actress in a Leading Role': ['leading actress', 'lead actress', 'actress in a leading role', 'actress'],
  'Actor in a Supporting Role': ['supporting actor', 'actor in a supporting role'],
  'Actress in a Supporting Role': ['supporting actress', 'actress in a supporting role'],
  'Assistant Director': ['assistant director'],
  'Dance Direction': ['dance direction'],
  Directing: [
    'direction',
    'directing',
    'director',
    'directed',
    'directing comedy picture',
    'directing dramatic picture',
  ],
  'Writing (Adapted Screenplay)': [
    'adapted screenplay',
    'screenplay adaptation',
    'writing adaptation',
    'screenplay adapted',
    'screenplay adapted from other material',
    'screenplay based on material from another medium',
    'screenplay based on material previously produced or published',
  ],
  'Writing (Original Screenplay)': [
    'original screenplay',
    'screenplay original',
    'screenplay written directly for the screen',
    'story and screenplay',
    'story and screenplay written directly for the screen',
    'screenplay',
    'writer',
    'writing',
  ],
  'Writing (Original Story)': [
    'best story',
    'motion picture story',
    'original motion picture story',
    'original story',
  ],
  'Writing (Title Writing)': ['title writing'],
  Cinematography: [
    'cinematography',
    'cinematographer',
    'director of photography',
    'best photography',
    'camera',
    'cinematography black and white',
    'cinematography color',
  ],
  'Film Editing': ['film editing', 'editing', 'film editor', 'editor'],
  'Production Design': [
    'production design',
    'production designer',
    'art direction',
    'art director',
    'art direction black and white',
    'art direction color',
    'set decoration',
    'set decorator',
    'set design',
    'set designer',
  ],
  'Costume Design': [
    'costume design',
    'costume',
    'costume designer',
    'costume design black and white',
    'costume design color',
  ],
  'Makeup and Hairstyling': [
    'makeup and hairstyling',
    'make up and hairstyling',
    'makeup',
    'best make up',
    'makeup artist',
    'make up artist',
    'hairstyling',
    'hair and makeup',
    'hair and make up',
  ],
  Sound: ['sound', 'sound mixing', 'mixing', 'sound mixer', 'sound recording'],
  'Sound Editing': ['sound editing', 'sound editor', 'sound effects', 'sound effects editing'],
  'Visual Effects': [
    'visual effects',
    'special effects',
    'special visual effects',
    'engineering effects',
    'vfx',
  ],
  'Music (Original Score)': [
    'original score',
    'score',
    'film music',
    'best music',
    'music score',
    'original music',
    'original music score',
    'dramatic score',
    'original dramatic score',
    'music score of a dramatic picture',
    'music score of a dramatic or comedy picture',
    'music score substantially original',
    'original score for a motion picture not a musical',
    'composer',
    'soundtrack',
    'original soundtrack',
  ],
  'Music (Original Song)': ['original song', 'song', 'song original for the picture'],
  'Music (Original Song Score or Adaptation Score)': [
    'original song score',
    'adaptation score',
    'original song score or adaptation score',
    'scoring',
    'scoring of a musical picture',
    'scoring of music adaptation or treatment',
    'scoring adaptation and original song score',
    'scoring original song score and adaptation or scoring adaptation',
    'score of a musical picture original or adaptation',
    'original song score and its adaptation or adaptation score',
    'original musical or comedy score',
  ],
  'International Feature Film': [
    'foreign language film',
    'foreign film',
    'best foreign',
    'foreign picture',
    'international feature film',
    'international feature',
    'international film',
    'foreign language',
    'honorary foreign language film award',
  ],
  'Animated Feature Film': ['animated feature film', 'animated feature', 'animated film', 'animation'],
  'Documentary Feature Film': [
    'documentary feature film',
    'documentary feature',
    'documentary',
    'documentaries',
    'best doc',
  ],
  'Documentary Short Film': [
    'documentary short film',
    'documentary short',
    'documentary short subject',
    'short documentary',
  ],
  'Animated Short Film': [
    'animated short film',
    'animated short',
    'short animation',
    'short subject cartoon',
    'short subject animated',
    'short film animated',
    'cartoon',
  ],
  'Live Action Short Film': [
    'live action short film',
    'live action short',
    'short film',
    'short subject',
    'short subject one reel',
    'short subject two reel',
    'short subject color',
    'short subject comedy',
    'short subject novelty',
    'short subject live action',
    'short film live action',
    'short film dramatic live action',
    'best short',
  ],
  Casting: ['casting'],
};

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
