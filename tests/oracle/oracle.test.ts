/**
 * Answers about the nasty record, computed by hand from the specification, to check the oracle itself. Every expected value comes
 * from nasty-record.ts and decisions.md, never from the oracle.
 */
import { expect, it } from 'vitest';
import { answer } from '../records/oracle/questions.ts';

const huge = Number.MAX_SAFE_INTEGER;

interface Document {
  data: Record<string, unknown>[];
  [member: string]: unknown;
}

/** The document of an answer that must be 200. */
function document(address: string): Document {
  const { status, body } = answer(`/api/${address}`);
  expect(status, address).toBe(200);
  return body as Document;
}

/** The ids of a list or a ranking. */
const ids = (address: string) =>
  document(address).data.map((row) => (row.id ?? row.movie_id ?? row.nominee_id) as number);

it.each<[address: string, ids: number[]]>([
  // Pages.
  ['nominations?page=2&limit=3', [4, 5, 6]],
  ['nominations?page=13&limit=3', [65538, huge]],
  // Parts of texts: folded, and every character stands for itself.
  ["nominations?nominee=o'b", [1, 5, 28, 16388]],
  ['nominations?nominee=O\u2019BRIEN', [2, 6, 16389]],
  ['nominations?nominee=JOSE', [11, 12, 13, 31, 32, 65538]],
  ['nominations?nominee=\u0142UKASZ za\u0301l', [26, 16385, 65535]],
  ['nominations?movie=%25', [10]],
  ['nominations?movie=amelie', [8, 9]],
  ['nominations?movie=\\', [12, 13]],
  ['nominations?movie=strasse', []],
  ['nominations?movie=STRA\u00dfE', [27]],
  // A capital sigma at the end of a word is lower-cased to its final form, of a title and of a parameter alike.
  ['nominations?movie=\u0395\u03a5\u03a3', [huge]],
  ['nominations?movie=\u03a5\u03a3\u03a3', []],
  // Query strings are parsed as forms.
  ['nominations?%6Dovie=%74h%65%20the', [5, 6, 34]],
  [`nominations?limit=${'9'.repeat(400)}&year=1929`, [1, 2, 3]],
  [`nominations?ids=${'1,'.repeat(999)}1`, [1]],
  ['nominations?ids=3%2C1,1+,+999,007', [1, 3, 7]],
  ['nominations?ids=9007199254740993,9007199254740991', [huge]],
  // Filters combine; the window of the 2nd ceremony was 1927/28, a film has the year of its first ceremony.
  ['nominations?ceremony_ids=2,3&category_ids=3', [5, 6, 7]],
  ['nominations?official=false', [3, 12, 13, huge]],
  ['nominations?year=1930&yearStart=1930&yearEnd=2000', [4, 5, 6, 7, 8, 9]],
  ['nominations?filmYear=1928', [1, 2, 3, 4, 5, 6, 28, 33, 34]],
  ['movies?filmYear=1928', [1, 24, 37, 38]],
  // 1927/28 is of both years, and of a range with one of them. Film 37 has a competitive honor only.
  ['movies?filmYear=1927', [24, 37, 38]],
  ['movies?filmYearEnd=1927', [24, 37, 38]],
  ['movies?filmYearStart=1928&filmYearEnd=1928', [1, 24, 37, 38]],
  ['movies?sort=-film_year&limit=3', [2, 25, 26]],
  ['ceremonies', [huge, 97, 3, 2, 1, 16384]],
  ['ceremonies?page=5&limit=1&yearEnd=1930&ids=1,2,3,97', [3, 2, 1]],
  ['movies?genre=wAr', [1, 2, 45]],
  ['movies?moviedb_id=007', [2, 26]],
  ['movies?filmindex_ids=tt7,+tt0211915,tt7,nm1', [2, 27, 28]],
  ['movies?yearEnd=1930&yearStart=1930&title=e', [27, 28, 38, 39]],
  ['nominees?year=1930', [1, 2, 4, 5, 7]],
  ['categories?category_group=acting&page=9', [1, 2, 8191]],
  ['categories?year=1930', [1, 3, 25]],
  ['songs?yearStart=2000', [26, 8192, huge]],
  ['honors?class=Special&category=award', [1, 255, 8192]],
  ['honors?winner=false', [255, 8194]],
  ['honors?class=Competitive&movie_ids=1,37', [8193, 8194]],
  // Null is last both ways, ties by id.
  ['movies?sort=release_date&limit=5', [2, 27, 28, 1, 24]],
  ['movies?sort=-release_date&limit=5', [1, 27, 28, 2, 24]],
  ['movies?sort=-title&genre=war', [45, 1, 2]],
  ['movies?sort=-entries&limit=3', [1, 29, 38]],
  ['search?q=obrien&winner=true&sort=id', [1, 3, 5, 6, 28]],
  // Three times "the" in one film title beats once; among equals the id decides.
  ['search?q=The+the', [5, 6, 34, 7]],
  ['stats/top-movies?limit=9', [1, 44, 27, 29, 38, 40, huge, 2, 24]],
  ['stats/top-movies?limit=9&sort=wins', [1, 27, 29, 38, 40, huge, 44, 2, 24]],
  ['stats/top-nominees?sort=wins', [1, 3, 26, 2, 8191, huge, 7, 8192, 65536, 25, 16384]],
  // No category has "best" in such a name: the two that are known as "actor".
  ['stats/top-nominees?category=best+actor', [1, 8191, 2, 7, 8192, 16384, 65536]],
  ['stats/top-nominees?category_group=acting&year=1929', [1, 3, 2]],
])('%s', (address, expected) => {
  expect(ids(address)).toEqual(expected);
});

const obriens = [1, 2, 3, 5, 6, 28, 29, 30, 33, 16386, 16387, 16388, 16389];

it.each<[q: string, ids: number[]]>([
  ["O'Brien", obriens],
  ['o`b\u02bcri\u2019EN', obriens],
  ["it's wonder", [12, 13, 24, 25]],
  ['me', [8, 29]],
  ['constructor', [24, 8191, 8192, 16384]],
  ['\uac15\ub0a8', [65538]],
  ['8\u00bd', [65537]],
  // "a" is a word of both acting categories, of the three wonderful lives, and the whole of one title.
  ['-\u00c1', [1, 2, 3, 4, 12, 13, 24, 25, 28, 8191, 16386, 16387, 16388, 16389, 65536]],
])('a search for %j', (q, expected) => {
  const found = ids(`search?q=${encodeURIComponent(q)}&limit=100`);
  expect(found.toSorted((one, other) => one - other)).toEqual(expected);
});

it.each<[q: string, suggestions: string[]]>([
  // A letter too much, too few, another one, two swapped; the accent and the case do not matter.
  ['wonnderful', ['wonderful']],
  ['joos\u00e9', ['jose']],
  // Two edits from six letters, one from four, none below; two swapped letters are two edits.
  ['wnoderfu', []],
  ['jsoe', []],
  // The first letter stands.
  ['onderful', []],
  ['wonder ful life', ['wonderful life']],
  ['wonderfullife', ['wonderful life']],
  // Each word alone finds something, together they do not.
  ['wolf mann', ['wolf man']],
  ['its a wonderful life its a wonderful liife', ['its a wonderful life its a wonderful life']],
  ['its a wonderful life its a wonderful liife a', []],
])('a search for %j finds nothing and suggests %j', (q, suggestions) => {
  expect(document(`search?q=${encodeURIComponent(q)}`)).toMatchObject({ data: [], suggestions });
});

it('fuzzy=true answers with the first suggestion where the words find nothing, with any filters', () => {
  const corrected = document('search?q=wonnderful&fuzzy=true');
  expect(Object.keys(corrected)).toEqual(['query', 'corrected', 'data', 'pagination']);
  expect(corrected).toMatchObject({ corrected: 'wonderful', data: document('search?q=wonderful').data });
  const none = document('search?q=wonnderful&fuzzy=true&year=1900');
  expect(none).toMatchObject({ corrected: 'wonderful', data: [] });
  const found = Object.keys(document('search?q=wonderful&fuzzy=true&year=1900'));
  expect(found).toEqual(['query', 'data', 'pagination']);
  expect(document('search?q=zzzz&fuzzy=true')).toMatchObject({ query: 'zzzz', suggestions: [] });
});

it.each<[address: string, faulty: string]>([
  ['nominations?limit=0&page=1000001', 'limit page'],
  ['nominations?winner=True&is_song=1&winner=true', 'winner is_song'],
  ['nominations?ids=1,,2&movie_ids=0&ceremony_ids=a&nominee_ids=', 'ids movie_ids ceremony_ids nominee_ids'],
  ['nominations?constructor=1&__proto__=2&title=x&movie', 'constructor __proto__ title movie'],
  ['nominations?movie=%FF&nominee=%C3%28&category=%ED%A0%80', 'movie nominee category'],
  ['nominations?yearEnd=1999&&yearStart=2000&limit=1', 'yearStart'],
  ['nominations?year=0&yearStart=10000&yearEnd=1e3', 'year yearStart yearEnd'],
  ['nominations?page=+1&limit=1.5', 'page limit'],
  ['ceremonies?page=0&limit=x', 'page limit'],
  ['movies?include=details', 'include'],
  ['movies?fields=nominations', 'fields'],
  ['movies?format=csv&page=1&limit=2', 'page limit'],
  ['movies/1?fields=x&page=0', 'fields'],
  ['stats/top-movies?page=1&sort=Wins', 'page sort'],
  ['stats/counts?winner=1', 'winner by'],
  ['search?page=0', 'page q'],
  ['search?q=+a+', 'q'],
  ['search?q=%F0%9F%8E%AC', 'q'],
  [`nominations?ids=${'1,'.repeat(1000)}1`, 'ids'],
  [`search?q=${'%F0%9F%8E%AC'.repeat(498)}abc`, 'q'],
])('the faults of %s', (address, names) => {
  const faultyParameters = names.split(' ');
  expect(answer(`/api/${address}`)).toEqual({ status: 400, body: null, faultyParameters });
});

it('500 characters are not too many, in characters and not in UTF-16 units', () => {
  expect(answer(`/api/search?q=${'%F0%9F%8E%AC'.repeat(498)}ab`).status).toBe(200);
});

const missing = `/api /api/ /api/movies/ /api/movies/1/ /api/movies/1/nominations /api/movie /api/Movies
  /api/movies/01 /api/movies/+1 /api/movies/-1 /api/movies/1.0 /api/movies/1e0 /api/movies/%31 /api/movies/0
  /api/movies/3 /api/movies/9007199254740990 /api/nominations/9007199254740992 /api/nominations/9007199254740993
  /api/search/ /api/stats /api/stats/1 /api/constructor/1 /api/movies/{id}`;

it.each(missing.split(/\s+/))('no such page: %s', (path) => {
  expect(answer(`${path}?page=0`)).toEqual({ status: 404, body: null });
});

/** The groups of counts, without names: key, label, entries, wins, nominations, movies, nominees. */
const groups = (query: string) => document(`stats/counts?${query}`).data.map(Object.values);

it('nominations are counted in groups: a joint entry once, a nomination in each genre of its film', () => {
  expect(groups('by=year')).toEqual([
    [1929, '1929', 2, 2, 3, 1, 3],
    [1930, '1930', 5, 2, 6, 5, 5],
    [2025, '2025', 28, 4, 29, 27, 13],
  ]);
  expect(groups('by=decade&year=1930&winner=true')).toEqual([[1930, '1930s', 2, 2, 3, 2, 3]]);
  // "War", "war" and "WAR" are one genre; a film without genres is in the last group.
  expect(groups('by=genre&winner=true')).toEqual([
    ['comedy', 'Comedy', 1, 1, 1, 1, 1],
    ['music', 'Music', 1, 1, 2, 1, 2],
    ['tostring', 'toString', 1, 1, 1, 1, 1],
    ['war', 'War', 3, 3, 3, 1, 2],
    [null, null, 2, 2, 2, 2, 2],
  ]);
  expect(groups('by=category_group&ids=11,12,28')[1]).toEqual(['ecriture', 'E\u0301criture', 2, 1, 2, 2, 2]);
});

it('documents have these members in this order, and these values', () => {
  const text = (address: string) => JSON.stringify(document(address));
  expect(text('ceremonies?ids=5')).toBe('{"data":[],"count":0}');
  expect(text('stats/counts?by=department&ids=10')).toBe(
    '{"data":[{"key":null,"label":null,"entries":1,"wins":0,"nominations":1,"movies":1,"nominees":1}],' +
      '"by":"department","count":1}',
  );
  expect(text('stats/top-movies?limit=1')).toBe(
    '{"data":[{"movie_id":1,"movie":"1917","total_nominations":2,"total_wins":2}],"count":1}',
  );
  expect(text('stats/top-nominees?limit=1&known_for_department=act')).toBe(
    '{"data":[{"nominee_id":1,"nominee":"Ann O\'Brien","total_nominations":4,"total_wins":3}],"count":1}',
  );
  expect(text('nominations?ids=7&limit=101&include=details')).toBe(
    '{"data":[{"id":7,"ceremony_id":3,"ceremony_year":1930,"category_id":3,"category":"Music (Original Song)",' +
      '"movie_id":39,"movie":"The","nominee_id":7,"nominee":"M","song_id":25,"song_title":"Song of %",' +
      '"is_song":true,"winner":false,"details":{"entry":null,"character":null,"note":null,"official":true,' +
      '"historical_category":null,"credited_as":null}}],"pagination":{"total":1,"page":1,"limit":100,' +
      '"totalPages":1,"hasNextPage":false,"hasPrevPage":false}}',
  );
  expect(document('nominations?page=12&limit=3').pagination).toEqual({
    ...{ total: 38, page: 12, limit: 3, totalPages: 13, hasNextPage: true, hasPrevPage: true },
  });
  expect(answer('/api/movies?ids=2&format=csv&include=counts&fields=counts,genres,title').body).toBe(
    'title,genres,counts.entries,counts.wins,counts.nominations\r\n007,"[""Action"",""War""]",1,0,1\r\n',
  );
  expect(answer('/api/movies?ids=5&format=csv&fields=title').body).toBe('title\r\n');
  expect(answer('/api/movies?ids=5&format=csv&fields=title&bom=false').body).toBe('title\r\n');
  expect(answer('/api/movies?ids=5&format=csv&fields=title&bom=true').body).toBe('\ufefftitle\r\n');
});

it('record pages embed what belongs to them, and add what include names', () => {
  const song = document('nominations/7?page=0&x');
  expect(Object.keys(song).slice(3)).toEqual([
    ...['category_id', 'category', 'movie_id', 'movie', 'nominee_id', 'nominee', 'song_id', 'song_title'],
    ...['is_song', 'winner', 'ceremony', 'song'],
  ]);
  expect(song).toMatchObject({
    category: { id: 3, category_group: 'Music' },
    movie: { id: 39, genres: ['Music'] },
    nominee: { id: 7, name: 'M' },
    ceremony: { id: 3, date: '1930-11-05' },
    song: { id: 25, artist_names: null },
  });
  expect(document('nominations/1')).not.toHaveProperty('song');
  expect(document('movies/38?fields=nominations').nominations).toMatchObject([
    { id: 5 },
    { id: 6 },
    { id: 34 },
  ]);
  expect(document('songs/26').nominations).toEqual([]);
  const film = document('movies/65536?include=film_year,counts');
  expect(Object.entries(film).slice(-3)).toEqual([
    ['counts', { entries: 1, wins: 0, nominations: 1 }],
    ['film_year', 2024],
    ['film_years', '2024'],
  ]);
  expect(document('ceremonies/2')).not.toHaveProperty('film_years');
  expect(document('ceremonies/2?include=film_years').film_years).toBe('1927/28');
  expect(document('movies/37?include=film_year&fields=film_years')).toEqual({ film_years: '1927/28' });
  const ofHonors = (address: string) =>
    (document(`${address}?include=honors&fields=honors`).honors as { id: number }[]).map(({ id }) => id);
  expect(ofHonors('ceremonies/97')).toEqual([255, 256, 8194]);
  expect(ofHonors('movies/1')).toEqual([8194]);
  expect(ofHonors('nominees/1')).toEqual([1, 8194]);
  // Named twice by one honor, which stands once.
  expect(ofHonors('nominees/7')).toEqual([8192]);
  expect(ofHonors('movies/2')).toEqual([]);
  expect(document('movies?ids=37&include=honors').data[0]!.honors).toEqual([document('honors/8193')]);
});
