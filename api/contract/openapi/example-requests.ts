/**
 * The requests that the document shows with their answers, in the order in which they are asked of a service over the
 * sample: what the earlier ones write, the later ones find.
 */

export interface ExampleRequest {
  /** What it shows, in a few words. */
  summary: string;
  method: 'GET' | 'POST' | 'PATCH';
  target: string;
  /** Of a write. */
  body?: object | string;
  /** Besides the key and the type of a body. */
  headers?: Readonly<Record<string, string>>;
  withoutKey?: true;
}

const get = (summary: string, target: string): ExampleRequest => ({ summary, method: 'GET', target });
const post = (summary: string, target: string, body: object): ExampleRequest => ({
  summary,
  method: 'POST',
  target,
  body,
});
const patch = (summary: string, target: string, body: object): ExampleRequest => ({
  summary,
  method: 'PATCH',
  target,
  body,
});

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
  categoryPage: get('A category that has no nominations here', '/api/categories/7'),
  searchResult: get('The Godfather and Coppola, in any field', '/api/search?q=godfather+coppola&limit=2'),
  topMoviesByWins: get('Films with most wins', '/api/stats/top-movies?sort=wins&limit=3'),
  topNomineesActing: get(
    'Who has most acting nominations since 1980',
    '/api/stats/top-nominees?category_group=acting&yearStart=1980&limit=3',
  ),
  wrongParameters: get('Two wrong parameters', '/api/nominations?catagory=actor&page=0'),
  noSuchFilm: get('An id that no record has', '/api/movies/999999'),
  nothingThere: get('An address that leads nowhere', '/api/films'),
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
  songChange: patch('A year that was missing', '/api/songs/1', { streaming_year: 2022 }),
  movieChange: patch('A corrected running time', '/api/movies/503', { runtime: 182 }),
  nomineeChange: patch('A date of birth', '/api/nominees/798', { birthday: '1961-07-04' }),
  ceremonyChange: patch('A venue', '/api/ceremonies/99', { venue: 'Dolby Theatre, Hollywood' }),
  nominationChange: patch('It won', '/api/nominations/20000', { winner: true }),
  keyMissing: { ...post('No key', '/api/songs', { original_title: 'Naatu Naatu' }), withoutKey: true },
  notJson: {
    summary: 'A comma too many',
    method: 'PATCH',
    target: '/api/songs/1',
    body: '{"streaming_year": 2022,}',
  },
  wrongFields: patch('Three wrong fields', '/api/movies/503', {
    titel: 'RRR',
    runtime: '182',
    release_date: '2022-02-30',
  }),
  nominationExists: post('An id that is taken', '/api/nominations', {
    id: 20000,
    ceremony_id: 95,
    category_id: 23,
    movie_id: 503,
    nominee_id: 798,
  }),
  changedMeanwhile: {
    ...patch('Somebody else was faster', '/api/movies/503', { runtime: 187 }),
    headers: { 'If-Match': '"00000000000000000000"' },
  },
  wrongType: {
    ...patch('A body that is no JSON', '/api/movies/503', { runtime: 182 }),
    headers: { 'Content-Type': 'text/plain' },
  },
  songsByTitle: get('Songs by a part of the title', '/api/songs?title=naatu'),
  songPage: get('A song with its nominations', '/api/songs/1'),
  receipts: get('The receipts before the third', '/receipts?before=3'),
  receipt: get('What one write did', '/receipts/4'),
} as const satisfies Record<string, ExampleRequest>;

export const exampleRequests: Readonly<Record<string, ExampleRequest>> = { ...reading, ...writing };

/** The moment that stands in place of when a receipt was really written. */
export const exampleMoment = '2026-03-16T09:30:00.000Z';
