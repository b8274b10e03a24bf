/**
 * Missing pages, faults and parsing, computed by hand from the specification, to check the oracle itself. Every expected
 * value comes from nasty-record.ts and decisions.md, never from the oracle.
 */
import { expect, test } from 'vitest';
import { answer, ids } from './questions.ts';

const missing = `/api /api/ /api/movies/ /api/movies/1/ /api/movies/1/nominations /api/movie /api/Movies
  /api/movies/01 /api/movies/+1 /api/movies/-1 /api/movies/1.0 /api/movies/1e0 /api/movies/%31 /api/movies/0
  /api/movies/3 /api/movies/9007199254740990 /api/nominations/9007199254740992 /api/nominations/9007199254740993
  /api/search/ /api/stats /api/stats/1 /api/constructor/1`;

test.each(missing.split(/\s+/))('no such page: %s', (path) => {
  expect(answer(`${path}?page=0`)).toEqual({ status: 404, body: null });
});

test.each([
  ['nominations?page=0', 'page'],
  ['nominations?limit=0&page=1000001', 'limit page'],
  ['nominations?winner=True&is_song=1&winner=true', 'winner is_song'],
  [
    'nominations?ids=1,,2&movie_ids=0&ceremony_ids=a&category_ids=-1&nominee_ids=',
    'ids movie_ids ceremony_ids category_ids nominee_ids',
  ],
  ['nominations?constructor=1&__proto__=2', 'constructor __proto__'],
  ['nominations?title=x&movie', 'title movie'],
  ['nominations?movie=%FF&nominee=%C3%28&category=%ED%A0%80', 'movie nominee category'],
  ['nominations?movie=100%', 'movie'],
  ['nominations?yearStart=2000&yearEnd=1999', 'yearStart'],
  ['nominations?yearEnd=1999&&yearStart=2000&limit=1', 'yearStart'],
  ['nominations?yearStart=2000&yearEnd=1999&page=x', 'page yearStart'],
  ['nominations?yearStart=2000&yearEnd=x', 'yearEnd'],
  ['nominations?year=0&yearStart=10000&yearEnd=1e3', 'year yearStart yearEnd'],
  ['nominations?page=%2B1&limit=1.5', 'page limit'],
  ['nominations?page=+1', 'page'],
  ['ceremonies?page=0&limit=x', 'page limit'],
  ['movies?moviedb_id=9007199254740992', 'moviedb_id'],
  ['movies?moviedb_id=-1', 'moviedb_id'],
  ['stats/top-movies?page=1', 'page'],
  ['stats/top-movies?sort=Wins', 'sort'],
  ['stats/top-nominees?genre=War&sort=', 'genre sort'],
  ['stats/counts', 'by'],
  ['stats/counts?winner=1', 'winner by'],
  ['stats/counts?by=yaer&page=1', 'by page'],
  ['stats/counts?by=year&by=genre', 'by'],
  ['stats/counts?by=', 'by'],
  ['search', 'q'],
  ['search?page=0', 'page q'],
  ['search?q=&page=0', 'q page'],
  ['search?q=+a+', 'q'],
  ['search?q=!!', 'q'],
  ['search?q=%F0%9F%8E%AC', 'q'],
  ['search?q=%F0%9F%8E%AC%F0%9F%8E%AC', 'q'],
  ['search?q=%EA%B0%95', 'q'],
  ['search?q=ab&q=ab', 'q'],
  ['search?q=ab&ids=1', 'ids'],
  [`nominations?ids=${'1,'.repeat(1000)}1`, 'ids'],
  [`nominations?movie=${'x'.repeat(501)}`, 'movie'],
  [`search?q=${'%F0%9F%8E%AC'.repeat(498)}abc`, 'q'],
])('faulty: %s', (address, names) => {
  const faultyParameters = names.split(' ');
  expect(answer(`/api/${address}`)).toEqual({ status: 400, body: null, faultyParameters });
});

test.each([
  ['?&&movie=the+THE&', [5, 6, 34]],
  ['?%6Dovie=%74h%65%20the', [5, 6, 34]],
  ['?movie=%2B', []],
  ['?yearStart=1930&yearEnd=1930&page=1&limit=02', [4, 5]],
  [`?limit=${'9'.repeat(400)}&year=1929`, [1, 2, 3]],
  [`?ids=${'1,'.repeat(999)}1`, [1]],
])('query strings are parsed as forms: %s', (queryString, expected) => {
  expect(ids(`/api/nominations${queryString}`)).toEqual(expected);
});

test('a search of 500 characters is not too long', () => {
  expect(answer(`/api/search?q=${'%F0%9F%8E%AC'.repeat(498)}ab`).faultyParameters).toBeUndefined();
});
