/**
 * Searches, rankings and record pages, computed by hand from the specification, to check the oracle itself. Every expected value
 * comes from nasty-record.ts and decisions.md, never from the oracle.
 */
import { expect, test } from 'vitest';
import { document, huge, ids, listing, sortedIds } from './questions.ts';

const encode = encodeURIComponent;

const allObriens = [1, 2, 3, 5, 6, 28, 29, 30, 33, 16386, 16387, 16388, 16389];

test.each<[string, unknown[]]>([
  ['obrien', allObriens],
  ["O'Brien", allObriens],
  ['o`b\u02bcri\u2019EN', allObriens],
  ["it's wonder", [12, 13, 24, 25]],
  ['m actor', [4]],
  ['me', [8, 29]],
  ['191', [1, 2, 3, 28]],
  ['1 91', []],
  ['constructor', [24, 8191, 8192, 16384]],
  ['proto', [8192]],
  ['jos', [11, 12, 13, 31, 32, 65538]],
  ['jos 100', [11, 31]],
  ['\uac15\ub0a8', [65538]],
  ['\u304b\u304c', [65538]],
  ['8\u00bd', [65537]],
  ['\uff11\uff12', [65537]],
  ['a-z', []],
  ['\u00e1/100', []],
  // "a" is a word of both acting categories, of the three wonderful lives, and the whole of one title.
  ['-\u00c1', [1, 2, 3, 4, 12, 13, 24, 25, 28, 8191, 16386, 16387, 16388, 16389, 65536]],
  ['\u00c1 pict', [65536]],
  ['-z', [65535]],
])('search finds the words: %s', (q, expected) => {
  expect(sortedIds(`/api/search?q=${encode(q)}&limit=100`)).toEqual(expected);
});

test('search is ordered by relevance, then id, filtered and paged', () => {
  // Three times "the" in one film title beats once; among equals the id decides.
  expect(ids('/api/search?q=The+the')).toEqual([5, 6, 34, 7]);
  expect(ids('/api/search?q=the&page=2&limit=3')).toEqual([7]);
  expect(sortedIds('/api/search?q=obrien&year=1930')).toEqual([5, 6]);
  expect(sortedIds('/api/search?q=obrien&winner=true')).toEqual([1, 3, 5, 6, 28]);
  expect(listing('/api/search?q=%20O%27Brien+&limit=2').query).toBe(" O'Brien ");
  expect(Object.keys(listing('/api/search?limit=2&q=the'))).toEqual(['query', 'data', 'pagination']);
  expect(Object.keys(listing('/api/search?q=obrien&year=1900'))).toEqual(['query', 'data', 'pagination']);
  expect(Object.keys(listing('/api/search?limit=2&q=zzzz'))).toEqual([
    ...['query', 'data', 'pagination', 'suggestions'],
  ]);
});

test.each<[string, string[]]>([
  // A letter too much, too few, another one, two swapped; the accent and the case do not matter.
  ['wonnderful', ['wonderful']],
  ['CONSTRUCTR', ['constructor']],
  ['ameile', ['amelie']],
  ['joos\u00e9', ['jose']],
  // Two edits from six letters, one from four, none below; two swapped letters are two edits.
  ['wondrfu', ['wonderful']],
  ['wnoderfu', []],
  ['jsoe', []],
  ['obrn', []],
  ['mx', []],
  // The first letter stands.
  ['onderful', []],
  // Joined and split words.
  ['wonder fullife', []],
  ['wonder ful life', ['wonderful life']],
  ['wonderfullife', ['wonderful life']],
  ['anno brien', []],
  ['wolfman', ['wolf man']],
  // Each word alone finds something, together they do not.
  ['wolf mann', ['wolf man']],
  ['zzzz qqqq', []],
])('a search for %s that finds nothing suggests %j', (q, suggestions) => {
  const answer = listing(`/api/search?q=${encode(q)}`) as { data: unknown[]; suggestions?: string[] };
  expect(answer.data).toEqual([]);
  expect(answer.suggestions).toEqual(suggestions);
});

test('fuzzy=true answers with the first suggestion where the words find nothing, and says so', () => {
  const corrected = listing('/api/search?q=wonnderful&fuzzy=true');
  expect(Object.keys(corrected)).toEqual(['query', 'corrected', 'data', 'pagination']);
  expect(corrected).toMatchObject({ query: 'wonnderful', corrected: 'wonderful' });
  expect(corrected.data).toEqual(listing('/api/search?q=wonderful').data);
  // The words decide, not the filters.
  expect(listing('/api/search?q=wonderful&fuzzy=true&year=1900')).not.toHaveProperty('corrected');
  expect(listing('/api/search?q=wonnderful&fuzzy=true&year=1900')).toMatchObject({
    corrected: 'wonderful',
    data: [],
  });
  expect(listing('/api/search?q=zzzz&fuzzy=true')).toMatchObject({ data: [], suggestions: [] });
  expect(listing('/api/search?q=zzzz&fuzzy=true')).not.toHaveProperty('corrected');
  expect(listing('/api/search?q=wonnderful&fuzzy=false')).toEqual(listing('/api/search?q=wonnderful'));
});

test('a query of nine words has no suggestions', () => {
  const eight = 'its a wonderful life its a wonderful liife';
  expect(listing(`/api/search?q=${encode(eight)}`)).toMatchObject({
    suggestions: ['its a wonderful life its a wonderful life'],
  });
  expect(listing(`/api/search?q=${encode(`${eight} a`)}`)).toMatchObject({ suggestions: [] });
});

test('films are ranked by distinct categories', () => {
  expect(JSON.stringify(listing('/api/stats/top-movies?limit=1'))).toBe(
    '{"data":[{"movie_id":1,"movie":"1917","total_nominations":2,"total_wins":2}],"count":1}',
  );
  expect(ids('/api/stats/top-movies?limit=9')).toEqual([1, 44, 27, 29, 38, 40, huge, 2, 24]);
  expect(ids('/api/stats/top-movies?limit=9&sort=wins')).toEqual([1, 27, 29, 38, 40, huge, 44, 2, 24]);
  expect(listing('/api/stats/top-movies').count).toBe(25);
  expect(listing('/api/stats/top-movies?limit=1000').count).toBe(31);
  expect(ids('/api/stats/top-movies?genre=WAR')).toEqual([1, 2]);
  expect(ids('/api/stats/top-movies?genre=crime')).toEqual([44, 24]);
  expect(ids('/api/stats/top-movies?year=1929')).toEqual([1]);
  expect(listing('/api/stats/top-movies?yearStart=2025&genre=war').data[0]).toMatchObject({
    total_nominations: 1,
    total_wins: 1,
  });
  expect(ids('/api/stats/top-movies?yearStart=2025&sort=wins&limit=3')).toEqual([1, 29, 40]);
});

test('people are ranked by nominations, companies and countries are not', () => {
  const all = listing('/api/stats/top-nominees').data.map(Object.values);
  expect(all).toEqual([
    [7, 'M', 5, 0],
    [1, "Ann O'Brien", 4, 3],
    [3, 'An\u00f1 OBrien', 4, 1],
    [26, 'Jose\u0301', 4, 1],
    [2, 'Ann O\u2019Brien', 3, 1],
    [8191, 'constructor', 3, 1],
    [8192, 'toString', 3, 0],
    [65536, '\u0141ukasz \u017bal', 3, 0],
    [25, 'Jos\u00e9 100%_"x"', 2, 0],
    [16384, '\uff21\uff4e\uff4e', 2, 0],
    [huge, 'Last One', 1, 1],
  ]);
  expect(Object.keys(listing('/api/stats/top-nominees').data[0]!)).toEqual([
    ...['nominee_id', 'nominee', 'total_nominations', 'total_wins'],
  ]);
  expect(ids('/api/stats/top-nominees?sort=wins')).toEqual([
    ...[1, 3, 26, 2, 8191, huge, 7, 8192, 65536, 25, 16384],
  ]);
  expect(ids('/api/stats/top-nominees?known_for_department=ACT')).toEqual([1, 2]);
  expect(ids('/api/stats/top-nominees?category=actor')).toEqual([1, 8191, 2, 7, 8192, 16384, 65536]);
  // No category has "best" in such a name: the two that are known as "actor".
  expect(ids('/api/stats/top-nominees?category=best+actor')).toEqual([1, 8191, 2, 7, 8192, 16384, 65536]);
  expect(ids('/api/stats/top-nominees?category=vfx')).toEqual([]);
  expect(ids('/api/stats/top-nominees?category_group=acting&year=1929')).toEqual([1, 3, 2]);
});

test('nominations are counted in groups, a joint entry once, and a nomination in each genre of its film', () => {
  const groups = (address: string) => listing(`/api/stats/counts?by=${address}`).data.map(Object.values);
  expect(groups('year')).toEqual([
    [1929, '1929', 2, 2, 3, 1, 3],
    [1930, '1930', 5, 2, 6, 5, 5],
    [2025, '2025', 28, 4, 29, 27, 13],
  ]);
  expect(groups('decade&year=1930&winner=true')).toEqual([[1930, '1930s', 2, 2, 3, 2, 3]]);
  // "War", "war" and "WAR" are one genre; a film without genres is in the last group.
  expect(groups('genre&winner=true')).toEqual([
    ['comedy', 'Comedy', 1, 1, 1, 1, 1],
    ['music', 'Music', 1, 1, 2, 1, 2],
    ['tostring', 'toString', 1, 1, 1, 1, 1],
    ['war', 'War', 3, 3, 3, 1, 2],
    [null, null, 2, 2, 2, 2, 2],
  ]);
  expect(groups('category_group&ids=11,12,28')).toEqual([
    ['acting', 'Acting', 1, 1, 1, 1, 1],
    ['ecriture', 'E\u0301criture', 2, 1, 2, 2, 2],
  ]);
  expect(groups('country&nominee=zzz')).toEqual([]);
  expect(JSON.stringify(listing('/api/stats/counts?by=department&ids=10'))).toBe(
    '{"data":[{"key":null,"label":null,"entries":1,"wins":0,"nominations":1,"movies":1,"nominees":1}],' +
      '"by":"department","count":1}',
  );
});

test('record pages embed what belongs to them', () => {
  const song = document('/api/nominations/7?page=0&x');
  expect(Object.keys(song)).toEqual([
    ...['id', 'ceremony_id', 'ceremony_year', 'category_id', 'category', 'movie_id', 'movie', 'nominee_id'],
    ...['nominee', 'song_id', 'song_title', 'is_song', 'winner', 'ceremony', 'song'],
  ]);
  expect(song).toMatchObject({
    category: { id: 3, category_group: 'Music' },
    movie: { id: 39, genres: ['Music'] },
    nominee: { id: 7, name: 'M' },
    ceremony: { id: 3, date: '1930-11-05' },
    song: { id: 25, artist_names: null },
    song_title: 'Song of %',
  });
  expect(document('/api/nominations/1')).not.toHaveProperty('song');
  expect(document('/api/nominations/1').song_title).toBeNull();
  const embedded = (address: string) =>
    (document(address).nominations as { id: number }[]).map((nomination) => nomination.id);
  expect(embedded('/api/movies/38')).toEqual([5, 6, 34]);
  expect(embedded('/api/nominees/26')).toEqual([12, 13, 32, 65538]);
  expect(embedded('/api/categories/3')).toEqual([5, 6, 7, 34, huge]);
  expect(embedded(`/api/songs/${huge}`)).toEqual([huge]);
  for (const lonely of ['movies/45', 'nominees/77', 'categories/8192', 'songs/26'])
    expect(embedded(`/api/${lonely}`)).toEqual([]);
  expect(Object.keys(document('/api/categories/1'))).toEqual([
    ...['id', 'category_name', 'category_group', 'definition', 'era', 'history', 'nominations'],
  ]);
  expect(document(`/api/ceremonies/${huge}`)).not.toHaveProperty('nominations');
});
