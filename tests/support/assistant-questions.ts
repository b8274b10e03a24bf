/**
 * Questions that a person asks an assistant, the calls of /mcp that the assistant makes, and what the last answer must have. The answers
 * are known from the awards, not from this program. Arguments are as models send them.
 */
type Call = readonly [tool: string, given: Readonly<Record<string, unknown>>];

export interface Question {
  question: string;
  /** The second call uses what the first one answered. */
  calls: readonly [Call] | readonly [Call, (answer: string) => Call];
  answer: readonly (string | RegExp)[];
  /** Whether the sample cannot answer it. */
  needsAll?: true;
}

const won = { winner: true };

/** The id in the text of a fault, such as "Titanic (1997, id 3669)". */
const named = (text: string) => ({ id: /\bid (\d+)\)/.exec(text)?.[1] });
const best = (title: string, year: number, nominations: number, wins: number): string =>
  `"title":"${title}","film_years":"${year}","nominations":${nominations},"wins":${wins},`;

export const questions: readonly Question[] = [
  {
    question: 'Who won best actress in 1998?',
    calls: [['search', { query: 'who won best actress in 1998' }]],
    answer: ['Won by Helen Hunt'],
  },
  {
    question: 'What did Titanic win?',
    calls: [['film_awards', { title: 'Titanic (1997)' }]],
    answer: ['"film_year":1997', '"movie":"Titanic"'],
  },
  {
    question: 'Which film is tt0120338?',
    calls: [['film_awards', { title: ' TT0120338 ' }]],
    answer: [/\/movies\/\d+-titanic"/],
  },
  {
    question: 'What is at this address of IMDb?',
    calls: [['film_awards', { imdb_id: 'https://www.imdb.com/title/tt0120338/' }]],
    answer: [/\/movies\/\d+-titanic"/],
  },
  {
    question: 'What did The Godfather win?',
    calls: [['film_awards', { title: 'godfather' }]],
    answer: ['"title":"The Godfather"', '"title":"The Godfather Part II"'],
  },
  {
    question: 'What did Kramer vs Kramer win?',
    calls: [['film_awards', { title: 'Kramer vs Kramer' }]],
    answer: ['"title":"Kramer vs. Kramer"'],
  },
  {
    question: 'What did Parasite of 2019 win?',
    calls: [['film_awards', { title: 'Parasite', year: 2019 }]],
    answer: ['"film_year":2019', '"nominee":"Bong Joon Ho"'],
  },
  {
    question: 'What did Meryl Streep win?',
    calls: [['person_awards', { name: 'meryl streep', ...won }]],
    answer: ['The Iron Lady'],
  },
  {
    question: 'Who is Meryl Streep?',
    calls: [
      ['search', { query: 'meryl streep' }],
      (text) => ['fetch', { id: /"id":"(nominees\/\d+)"/.exec(text)![1] }],
    ],
    answer: [
      /nominees\/\d+-meryl-streep"/,
      /Actress in a Leading Role: Meryl Streep as .*, The Iron Lady \(won\)/,
    ],
  },
  {
    question: 'Who won best picture in 2020?',
    calls: [['ceremony', { year: 2020, category: 'best picture', winner: 'yes' }]],
    answer: ['"movie":"Parasite"'],
  },
  {
    question: 'Who was best actor at the first ceremony?',
    calls: [['ceremony', { number: '1st', category: 'best actor', ...won }]],
    answer: ['Emil Jannings'],
  },
  {
    question: 'Who won for the Joker?',
    calls: [['nominations', { character: 'joker', ...won }]],
    answer: ['Heath Ledger'],
  },
  {
    question: 'Who played a queen and won?',
    calls: [['nominations', { character: 'queen', ...won }]],
    answer: ['Olivia Colman'],
  },
  {
    question: 'Which director won most?',
    calls: [['ranking', { ranking: 'top-nominees', category: 'best director', sort: '-wins', limit: 1 }]],
    answer: [/"data":\[\{"place":1,"id":\d+,"title":"John Ford",[^{]*"wins":4,[^{]*\]/],
  },
  {
    question: 'Who won most for acting?',
    calls: [['ranking', { ranking: 'top-nominees', category: 'acting', sort: 'wins', limit: 1 }]],
    answer: [/"data":\[\{"place":1,"id":\d+,"title":"Katharine Hepburn",[^{]*"wins":4,/],
  },
  {
    question: 'Which film won most?',
    calls: [['ranking', { ranking: 'top-movies', sort: 'wins', limit: 5 }]],
    answer: ['"wins":'],
  },
  {
    question: 'How many best pictures in the 1930s?',
    calls: [['count', { by: 'decade', category: 'picture', ...won }]],
    answer: ['"label":"1930s"'],
  },
  {
    question: 'Who directed Parasite to a win?',
    calls: [['nominations', { movie: 'parasite', category: 'directing' }]],
    answer: ['Bong Joon Ho'],
  },
  {
    question: 'Who won as supporting actor in the 1990s?',
    calls: [['nominations', { category: 'supporting actor', yearStart: 1990, yearEnd: '1999', ...won }]],
    answer: ['Robin Williams'],
  },
  { question: 'When was the 70th ceremony?', calls: [['ceremony', { number: 70 }]], answer: ['1998-03-23'] },
  {
    question: 'Which films are like "titanik"?',
    calls: [['search', { query: 'titanik' }]],
    answer: ['"title":"Titanic"'],
  },
  {
    question: 'Who was the youngest winner?',
    calls: [['search', { query: 'Who was the youngest best actor?' }]],
    answer: ['it cannot tell anyone’s age'],
    needsAll: true,
  },
  ...(
    [
      {
        question: 'Which films won eleven?',
        calls: [['search', { query: 'Which films won 11 Oscars?' }]],
        answer: [
          'Ben-Hur (1959): 12 nominations, 11 wins; ',
          'Titanic (1997): 14 nominations, 11 wins; ',
          'The Lord of the Rings: The Return of the King (2003): 11 nominations, 11 wins; 4. ',
        ],
      },
      {
        question: 'Which films have most nominations?',
        calls: [['ranking', { ranking: 'top-movies', limit: 4 }]],
        answer: [
          best('Sinners', 2025, 16, 4),
          best('Titanic', 1997, 14, 11),
          best('All about Eve', 1950, 14, 6),
          best('La La Land', 2016, 14, 6),
        ],
      },
      {
        question: 'Which films have most nominations and no win?',
        calls: [['ranking', { ranking: 'top-movies', sort: 'unrewarded', limit: 2 }]],
        answer: [best('The Turning Point', 1977, 11, 0), best('The Color Purple', 1985, 11, 0)],
      },
      {
        question: 'Which films won the big five?',
        calls: [['search', { query: 'which films won the big five' }]],
        answer: ['It Happened One Night', "One Flew over the Cuckoo's Nest", 'The Silence of the Lambs'],
      },
      {
        question: 'How many has Meryl Streep?',
        calls: [['person_awards', { name: 'Streep' }]],
        answer: ['Won 3 of 21 nominations'],
      },
      {
        question: 'How many has Walt Disney?',
        calls: [['person_awards', { name: 'Disney' }]],
        answer: ['Won 22 of 59 nominations'],
      },
      {
        question: 'How many has John Williams?',
        calls: [['person_awards', { name: 'john williams', limit: 500 }]],
        answer: ['Won 5 of 54 nominations'],
      },
      {
        question: 'How many has Edith Head?',
        calls: [['person_awards', { name: 'EDITH HEAD', category: '', year: 0 }]],
        answer: ['Won 8 of 35 nominations'],
      },
      {
        question: 'Did Alfred Hitchcock ever win?',
        calls: [['person_awards', { name: 'Hitchcock' }]],
        answer: ['5 nominations, no win', 'IRVING G. THALBERG MEMORIAL AWARD'],
      },
      {
        question: "Did Peter O'Toole ever win?",
        calls: [['person_awards', { name: 'Peter O’Toole' }]],
        answer: ['8 nominations, no win', 'HONORARY AWARD'],
      },
      {
        question: 'What did The Return of the King win?',
        calls: [
          ['film_awards', { title: 'LOTR return of the king' }],
          (text) => ['film_awards', named(text)],
        ],
        answer: ['Won 11 of 11 nominations', '"film_year":2003'],
      },
      {
        question: 'What did Parasite win?',
        calls: [['film_awards', { title: 'Parasite', year: 2020 }]],
        answer: ['Won 4 of 6 nominations', '"movie":"Parasite"'],
      },
      {
        question: 'What did La La Land win?',
        calls: [['fetch', { id: 'tt3783958' }]],
        answer: ['Won 6 of 14 nominations'],
      },
      {
        question: 'What did Batman win?',
        calls: [['film_awards', { title: 'Batman' }]],
        answer: ['"film_year":1989', 'Won 1 of 1 nomination', '"title":"The Batman","year":2022'],
      },
      {
        question: 'What did Little Women of 1933 win?',
        calls: [['film_awards', { title: 'Little Women', filmYear: '1933' }]],
        answer: ['"film_year":1933', 'Won 1 of 3 nominations'],
      },
      {
        question: 'Who was best director in 1994?',
        calls: [['nominations', { category: 'Best Director', year: '1994', winner: 'True' }]],
        answer: [/"data":\[\{[^{]*"movie":"Schindler's List",[^{]*"nominee":"Steven Spielberg",[^{]*\]/],
      },
      {
        question: 'Who tied as best actress in 1969?',
        calls: [['ceremony', { year: 1969, category: 'best actress', winner: 1 }]],
        answer: ['"nominee":"Katharine Hepburn"', '"nominee":"Barbra Streisand"'],
      },
      {
        question: 'What was the first best picture?',
        calls: [['ceremony', { number: 1, category: 'best picture', ...won }]],
        answer: ['"movie":"Wings"', '"movie":"Sunrise"'],
      },
      {
        question: 'Which foreign film won in 2007?',
        calls: [['nominations', { category: 'best foreign language film', year: 2007, ...won }]],
        answer: ['"movie":"The Lives of Others"'],
      },
      {
        question: 'Which song of Titanic won?',
        calls: [['nominations', { is_song: 'true', movie: 'titanic', ...won }]],
        answer: ['"song_title":"My Heart Will Go On"'],
      },
      {
        question: 'Who has the Thalberg award?',
        calls: [
          ['search', { query: 'Irving Thalberg award winners' }],
          (text) => ['fetch', { id: /"id":"(honors\?[^"]*)"/.exec(text)![1] }],
        ],
        answer: ['1938 Irving G. Thalberg Memorial Award: Darryl F. Zanuck', 'Alfred Hitchcock'],
      },
      {
        question: 'Who got an honorary award in 1972?',
        calls: [['ceremony', { year: 1972 }]],
        answer: ['"category":"HONORARY AWARD","recipients":"Charles Chaplin"'],
      },
      {
        question: 'How many films were up for best picture in 2010?',
        calls: [['count', { by: 'year', category: 'best picture', year: 2010 }]],
        answer: ['"entries":10,"wins":1,'],
      },
      {
        question: 'How many people are nominated for acting a year?',
        calls: [['count', { by: 'year', category: 'Acting', year: 2020 }]],
        answer: ['"entries":20,"wins":4,'],
      },
      {
        question: 'What was the actor Steve McQueen nominated for?',
        calls: [
          ['person_awards', { name: 'Steve McQueen' }],
          (text) => [
            'person_awards',
            { id: /"id":(\d+),"title":"Steve McQueen","department":"Acting"/.exec(text)![1] },
          ],
        ],
        answer: ['"movie":"The Sand Pebbles"'],
      },
      {
        question: 'What did Leonardo DiCaprio win?',
        calls: [
          ['person_awards', { name: 'Leonardo Di Caprio' }],
          (text) => ['person_awards', { ...named(text), ...won }],
        ],
        answer: [/"nominations":\[\{[^{]*"movie":"The Revenant",[^{]*\]/],
      },
      {
        question: 'What did Steven Spielberg win as director?',
        calls: [
          ['nominations', { nominee: 'Steven Speilberg', ...won }],
          (text) => ['person_awards', { ...named(text), category: 'directors', ...won }],
        ],
        answer: ['"movie":"Schindler\'s List"', '"movie":"Saving Private Ryan"'],
      },
    ] satisfies Question[]
  ).map((own) => ({ ...own, needsAll: true as const })),
];

/** @returns the last answer, as text */
export async function lastAnswer(
  { calls: [first, second] }: Question,
  call: (...own: Call) => Promise<string>,
): Promise<string> {
  const answer = await call(...first);
  return second ? call(...second(answer)) : answer;
}
