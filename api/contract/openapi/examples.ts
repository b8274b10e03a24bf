/** The example requests and answers of the OpenAPI document. */
import type { ProblemCode } from '../problems.ts';
import { addressPattern } from '../routes.ts';
import answers from './example-answers.json' with { type: 'json' };
import { type JsonObject, referencesTo } from './schemas.ts';

export interface ExampleRequest {
  summary: string;
  method: 'GET' | 'POST' | 'PATCH';
  target: string;
  body?: object | string;
  /** In addition to the key and the content type. */
  headers?: Readonly<Record<string, string>>;
  withoutKey?: true;
}

const get = (summary: string, target: string): ExampleRequest => ({ summary, method: 'GET', target });
const withBody =
  (method: 'POST' | 'PATCH') =>
  (summary: string, target: string, body: object): ExampleRequest => ({ summary, method, target, body });
const post = withBody('POST');
const patch = withBody('PATCH');

const reading = {
  nominationsWon: get(
    'Nominations that Meryl Streep won',
    '/api/nominations?nominee=streep&winner=true&limit=2',
  ),
  nominationPage: get('A nomination with the records it refers to', '/api/nominations/7'),
  ceremoniesByIds: get('Two ceremonies by their ids', '/api/ceremonies?ids=97,98'),
  ceremonyPage: get('A ceremony', '/api/ceremonies/98'),
  moviesByTitle: get('Films by a part of the title', '/api/movies?title=moonlight'),
  moviePage: get('A film with its nominations', '/api/movies/356'),
  nomineesByName: get('People by a part of the name', '/api/nominees?name=meryl'),
  nomineePage: get('A person with all nominations', '/api/nominees/9'),
  categoriesByName: get('Categories by a part of the name', '/api/categories?category_name=directing'),
  categoryPage: get('A category without nominations', '/api/categories/7'),
  searchResult: get('Godfather and Coppola, each in any field', '/api/search?q=godfather+coppola&limit=2'),
  topMoviesByWins: get('Films with the most wins', '/api/stats/top-movies?sort=wins&limit=3'),
  topNomineesActing: get(
    'People with the most acting nominations since 1980',
    '/api/stats/top-nominees?category_group=acting&yearStart=1980&limit=3',
  ),
  wrongParameters: get('Two wrong parameters', '/api/nominations?catagory=actor&page=0'),
  noSuchFilm: get('An unknown id', '/api/movies/999999'),
  nothingThere: get('An unknown address', '/api/films'),
} as const satisfies Record<string, ExampleRequest>;

const writing = {
  newSong: post('A song', '/api/songs', {
    original_title: 'Naatu Naatu',
    artist_names: 'Rahul Sipligunj and Kaala Bhairava',
  }),
  newMovie: post('A film', '/api/movies', {
    title: 'RRR',
    release_date: '2022-03-25',
    genres: ['Action', 'Drama'],
    origin_country: ['IN'],
  }),
  newNominee: post('A person', '/api/nominees', { name: 'M.M. Keeravaani', known_for_department: 'Sound' }),
  newCeremony: post('A ceremony', '/api/ceremonies', { ceremony_year: 2027 }),
  newNomination: post('A nomination of a song', '/api/nominations', {
    id: 20000,
    ceremony_id: 95,
    category_id: 23,
    movie_id: 503,
    nominee_id: 798,
    song_id: 1,
  }),
  songChange: patch('A missing year', '/api/songs/1', { streaming_year: 2022 }),
  movieChange: patch('A corrected running time', '/api/movies/503', { runtime: 182 }),
  nomineeChange: patch('A date of birth', '/api/nominees/798', { birthday: '1961-07-04' }),
  ceremonyChange: patch('A venue', '/api/ceremonies/99', { venue: 'Dolby Theatre, Hollywood' }),
  nominationChange: patch('A win', '/api/nominations/20000', { winner: true }),
  keyMissing: { ...post('No key', '/api/songs', { original_title: 'Naatu Naatu' }), withoutKey: true },
  notJson: {
    summary: 'A trailing comma',
    method: 'PATCH',
    target: '/api/songs/1',
    body: '{"streaming_year": 2022,}',
  },
  wrongFields: patch('Three wrong fields', '/api/movies/503', {
    titel: 'RRR',
    runtime: '182',
    release_date: '2022-02-30',
  }),
  nominationExists: post('An existing id', '/api/nominations', {
    id: 20000,
    ceremony_id: 95,
    category_id: 23,
    movie_id: 503,
    nominee_id: 798,
  }),
  changedMeanwhile: {
    ...patch('An outdated ETag', '/api/movies/503', { runtime: 187 }),
    headers: { 'If-Match': '"00000000000000000000"' },
  },
  wrongType: {
    ...patch('A content type that is not JSON', '/api/movies/503', { runtime: 182 }),
    headers: { 'Content-Type': 'text/plain' },
  },
  songsByTitle: get('Songs by a part of the title', '/api/songs?title=naatu'),
  songPage: get('A song with its nominations', '/api/songs/1'),
  receipts: get('The receipts before number 3', '/receipts?before=3'),
  receipt: get('The receipt of one write', '/receipts/4'),
} as const satisfies Record<string, ExampleRequest>;

/** Name → request. A service with the sample answers them in this order: later requests read what earlier ones wrote. */
export const exampleRequests: Readonly<Record<string, ExampleRequest>> = { ...reading, ...writing };

/** Replaces the time of receipts in the examples. */
export const exampleTime = '2026-03-16T09:30:00.000Z';

interface Example {
  name: string;
  method: string;
  /** Address pattern; undefined for an unknown address. */
  address: string | undefined;
  status: number;
  /** The problem of an error answer. */
  code: string | undefined;
}

const answerOf = (name: string) => (answers as Record<string, { status: number; body: JsonObject }>)[name];

const examples: readonly Example[] = Object.entries(exampleRequests).flatMap(
  ([name, { method, target }]): Example[] => {
    const answer = answerOf(name);
    if (answer === undefined) return [];
    const { status, body } = answer;
    const code = status < 400 ? undefined : String(body.type).split(':').at(-1);
    return [{ name, method, address: addressPattern(target.split('?', 1)[0]!), status, code }];
  },
);

const bodyName = (name: string): string => `${name}Body`;
const hasBody = ({ name, status }: Example) => status < 300 && exampleRequests[name]?.body !== undefined;
const succeedsAt = (method: string, address: string) => (example: Example) =>
  example.method === method && example.address === address && example.status < 300;

/** References to the examples of successful answers to a method at an address. */
export const examplesOfAnswers = (method: string, address: string): JsonObject =>
  referencesTo(
    'examples',
    examples.filter(succeedsAt(method, address)).map(({ name }) => name),
  );

/** References to the examples of a problem at any address. */
export const examplesOfProblem = (code: ProblemCode): JsonObject =>
  referencesTo(
    'examples',
    examples.filter((example) => example.code === code).map(({ name }) => name),
  );

/** References to the examples of bodies that a method takes at an address. */
export const examplesOfBodies = (method: string, address: string): JsonObject =>
  referencesTo(
    'examples',
    examples
      .filter(succeedsAt(method, address))
      .filter(hasBody)
      .map(({ name }) => bodyName(name)),
  );

/** Name → example. */
export function exampleComponents(): JsonObject {
  const all = examples.flatMap((example): [string, JsonObject][] => {
    const { summary, method, target, body } = exampleRequests[example.name]!;
    const answer: [string, JsonObject] = [
      example.name,
      { summary: `${summary}: ${method} ${target}`, value: answerOf(example.name)!.body },
    ];
    if (!hasBody(example)) return [answer];
    return [answer, [bodyName(example.name), { summary, value: body as JsonObject }]];
  });
  return Object.fromEntries(all);
}
