/**
 * Lists of the nasty record, computed by hand from the specification, to check the oracle itself. Every expected value
 * comes from nasty-record.ts and decisions.md, never from the oracle.
 */
import { expect, test } from 'vitest';
import { document, huge, ids, listing } from './questions.ts';

const encode = encodeURIComponent;

test('pages are cut and counted', () => {
  expect(ids('/api/nominations?page=2&limit=3')).toEqual([4, 5, 6]);
  expect(ids('/api/nominations?page=13&limit=3')).toEqual([65538, huge]);
  expect(ids('/api/nominations?page=14&limit=3')).toEqual([]);
  const page = (address: string) => listing(address).pagination;
  const of38 = { total: 38, limit: 3, totalPages: 13, hasPrevPage: true };
  expect(page('/api/nominations?page=2&limit=3')).toEqual({ ...of38, page: 2, hasNextPage: true });
  expect(page('/api/nominations?page=13&limit=3')).toEqual({ ...of38, page: 13, hasNextPage: false });
  expect(JSON.stringify(page('/api/nominations?limit=101&nominee=qqq'))).toBe(
    '{"total":0,"page":1,"limit":100,"totalPages":0,"hasNextPage":false,"hasPrevPage":false}',
  );
  const movies = { total: 32, page: 1, limit: 25, totalPages: 2, hasNextPage: true };
  expect(page('/api/movies')).toMatchObject(movies);
  expect(ids('/api/movies').at(-1)).toBe(46);
  expect(ids('/api/movies?page=2')).toEqual([47, 48, 8191, 8192, 16384, 65536, huge]);
});

test('the year of a film is added last, and null without a nomination', () => {
  expect(listing('/api/movies?ids=38,39,45,65536&fields=film_year&include=film_year').data).toEqual([
    { film_year: 1928 },
    { film_year: 1929 },
    { film_year: null },
    { film_year: 2024 },
  ]);
  expect(Object.keys(document('/api/movies/1?include=film_year,counts')).slice(-3)).toEqual([
    'nominations',
    'counts',
    'film_year',
  ]);
});

test('records show every field in the order of the interface', () => {
  expect(JSON.stringify(listing('/api/nominations?ids=7').data[0])).toBe(
    '{"id":7,"ceremony_id":3,"ceremony_year":1930,"category_id":3,"category":"Music (Original Song)","movie_id":39,' +
      '"movie":"The","nominee_id":7,"nominee":"M","song_id":25,"song_title":"Song of %","is_song":true,"winner":false}',
  );
  expect(JSON.stringify(listing('/api/movies?ids=2').data[0])).toBe(
    '{"id":2,"title":"007","tagline":null,"overview":null,"release_date":"1962-10-05","runtime":0,' +
      '"genres":["Action","War"],"origin_country":[],"moviedb_id":7,"filmindex_id":"tt7","poster_path":null,' +
      '"backdrop_path":null}',
  );
  expect(JSON.stringify(listing('/api/nominees?ids=1').data[0])).toBe(
    '{"id":1,"name":"Ann O\'Brien","biography":null,"birthday":"1900-02-28","deathday":"1980-02-29",' +
      '"place_of_birth":null,"known_for_department":"Acting","homepage":null,"moviedb_person_id":0,' +
      '"filmindex_id":"nm0000001","profile_path":null}',
  );
  expect(JSON.stringify(document('/api/ceremonies/1'))).toBe(
    '{"id":1,"ceremony_year":1929,"date":"1929-05-16","show_title":"1st \\"Gala\\"","venue":null,' +
      '"overview":"A dinner.","movies_eligible":null,"wikiurl":null,"moment_1_caption":null,' +
      '"moment_2_caption":null,"moment_3_caption":null,"moment_1_img_url":null,"moment_2_img_url":null,' +
      '"moment_3_img_url":null}',
  );
});

test.each<[string, unknown[]]>([
  ["o'b", [1, 5, 28, 16388]],
  ['O\u2019BRIEN', [2, 6, 16389]],
  ['obrien', [3, 33, 16386, 16387]],
  ['JOSE', [11, 12, 13, 31, 32, 65538]],
  ['lukasz', []],
  ['\u0142UKASZ za\u0301l', [26, 16385, 65535]],
  ['\uff41\uff4e', [27, 65536]],
])('nominations by part of a nominee: %s', (part, expected) => {
  expect(ids(`/api/nominations?nominee=${encode(part)}`)).toEqual(expected);
});

test.each<[string, unknown[]]>([
  ['%', [10]],
  ['_', [10, 8192]],
  ['1917', [1, 2, 3, 28]],
  ['am\u00c9lie', [8, 9]],
  ['amelie', [8, 9]],
  ['\\', [12, 13]],
  ['"', [12, 13]],
  ["it's", [12, 13]],
  ['its', [24]],
  ['the', [5, 6, 7, 34]],
  ['The The', [5, 6, 34]],
  ['strasse', []],
  ['STRA\u00dfE', [27]],
  ['ISTANBUL', [26]],
  ['\u0131S\u0131', [26]],
  ['isi', []],
  ['film', []],
  ['\ufb01', [30]],
  ['\tTAB\u0001\u001f\u007f\u2028', [16385]],
  ['\u{1F3AC}', [31, 33]],
  ['  ', [16389]],
  ['x'.repeat(200), [16388]],
  // A capital sigma at the end of a word is lower-cased to its final form, of a title and of a parameter alike.
  ['\u0395\u03a5\u03a3', [huge]],
  ['\u03a5\u03a3\u03a3', []],
])('nominations by part of a film title: %j', (part, expected) => {
  expect(ids(`/api/nominations?movie=${encode(part)}`)).toEqual(expected);
});

test('a parameter that folds to nothing is part of every text', () => {
  expect(listing('/api/nominations?movie=%CC%81').pagination).toMatchObject({ total: 38 });
  expect(ids('/api/nominees?known_for_department=%CC%81')).not.toContain(4);
});

test('a list without matches is empty', () => {
  expect(JSON.stringify(listing('/api/ceremonies?ids=5'))).toBe('{"data":[],"count":0}');
});

test.each<[string, unknown[]]>([
  ['nominations?winner=true&is_song=true', [5, 6, huge]],
  ['nominations?ids=3%2C1,1+,+999,007', [1, 3, 7]],
  ['nominations?ids=9007199254740993,9007199254740991', [huge]],
  ['nominations?ceremony_ids=2,3&category_ids=3', [5, 6, 7]],
  ['nominations?movie_ids=38&nominee_ids=2,8192', [6, 34]],
  ['nominations?year=1930&yearStart=1930&yearEnd=2000', [4, 5, 6, 7, 8, 9]],
  ['nominations?year=1930&yearStart=1931', []],
  ['nominations?category=ACTOR&winner=false&yearEnd=1930', [2, 4]],
  // The window of the 2nd ceremony was 1927/28, that of the 1st is not known; a film has the year of its first ceremony.
  ['nominations?filmYear=1928', [1, 2, 3, 4, 5, 6, 28, 34]],
  ['nominations?filmYearStart=1929&filmYearEnd=2000', [7, 8, 9]],
  ['movies?filmYear=1928', [1, 24, 38]],
  ['movies?filmYearEnd=2023&filmYearStart=1929', [27, 28, 39]],
  ['movies?filmYear=2025', []],
  ['ceremonies', [huge, 97, 3, 2, 1, 16384]],
  ['ceremonies?page=5&limit=1', [huge, 97, 3, 2, 1, 16384]],
  ['ceremonies?yearEnd=1930&ids=1,2,3,97', [3, 2, 1]],
  ['movies?genre=wAr', [1, 2, 45]],
  ['movies?genre=comedie', [25, 26]],
  ['movies?genre=COM%C3%89DIE&title=%25', [25]],
  ['movies?genre=com', []],
  ['movies?genre=dil', [32]],
  ['movies?genre=__PROTO__', [33]],
  ['movies?genre=%25', [31]],
  ['movies?moviedb_id=0', [1]],
  ['movies?moviedb_id=-0', [1]],
  ['movies?moviedb_id=007', [2, 26]],
  ['movies?moviedb_id=9007199254740991', [25]],
  ['movies?filmindex_id=tt7', [2]],
  ['movies?filmindex_id=TT7', []],
  ['movies?filmindex_id=tt0211915&limit=1', [27]],
  ['movies?year=1929', [1]],
  ['movies?yearEnd=1930', [1, 24, 27, 28, 38, 39]],
  ['movies?yearEnd=1930&yearStart=1930&title=e', [27, 28, 38, 39]],
  ['movies?title=+padded', [48]],
  ['nominees?known_for_department=ACTING', [1, 2, 5, 77]],
  ['nominees?known_for_department=ing', [1, 2, 3, 5, 77]],
  ['nominees?known_for_department=ECRITURE', [25, 26]],
  ['nominees?known_for_department=_', [8191]],
  ['nominees?known_for_department=%25', [16384]],
  ['nominees?moviedb_person_id=0', [1]],
  ['nominees?filmindex_id=co5', [5]],
  ['nominees?name=ann', [1, 2, 3]],
  ['nominees?year=2025', [1, 2, 3, 4, 6, 7, 25, 26, 8191, 8192, 16384, 65536, huge]],
  ['nominees?year=1930', [1, 2, 4, 5, 7]],
  ['categories', [1, 2, 3, 25, 26, 8191, 8192, 65536, huge]],
  ['categories?category_group=acting&page=9', [1, 2, 8191]],
  ['categories?category_group=craft', [8192, 65536]],
  ['categories?category_group=craft_', [65536]],
  ['categories?category_name=actor', [1, 8191]],
  ['categories?category_name=scenario', [26]],
  ['categories?year=1930', [1, 3, 25]],
  ['movies?filmindex_ids=tt7,+tt0211915,tt7,nm1', [2, 27, 28]],
  ['movies?sort=release_date&limit=5', [2, 27, 28, 1, 24]],
  ['movies?sort=-release_date&limit=5', [1, 27, 28, 2, 24]],
  ['movies?sort=-runtime&limit=6', [27, 28, 1, 26, 25, 2]],
  ['movies?sort=title&genre=music', [39, 38]],
  ['movies?sort=-title&genre=war', [45, 1, 2]],
  ['nominations?sort=year&is_song=true&limit=2', [5, 6]],
  ['nominees?sort=birthday&ids=1,2,3', [1, 2, 3]],
  ['songs', [1, 25, 26, 8192, huge]],
  ['songs?year=1929', [1]],
  ['songs?yearStart=2000', [26, 8192, huge]],
  ['songs?yearEnd=9999', [1, 26, 8192, huge]],
  ['songs?artist=BJ%C3%96RK', [8192, huge]],
  ['songs?title=the', [1, huge]],
  ['songs?title=%25', [25]],
])('the list %s', (address, expected) => {
  expect(ids(`/api/${address}`)).toEqual(expected);
});
