/** Films and people are filled from TMDB at its pace; every answer is asked for once, and an interruption loses none. */
import { readFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { enrichmentSources } from '../../api/contract/enrichment.ts';
import { renderEnrichReport } from '../../data/enrich/report.ts';
import { enrichFromTmdb, type TmdbOptions } from '../../data/enrich/tmdb.ts';
import { RetryLaterError } from '../../data/retry-policy.ts';
import { useEnrichment } from './enriching.ts';
import { TmdbServer, token } from './tmdb-server.ts';
import { addUnknown } from './wikidata-text.ts';

const { at, connection, file, known, provenance, everything } = useEnrichment();
let server: TmdbServer;
let cache: string;
let now: Date;
beforeEach(async () => {
  server = await new TmdbServer().start();
  cache = `${file('')}.db`;
  now = new Date('2026-03-01T12:00:00.000Z');
});
afterEach(async () => {
  await server.stop();
  expect(server.offences).toEqual([]);
});

const enrich = (options: Partial<TmdbOptions> = {}) =>
  enrichFromTmdb(connection(), {
    ...{ token, api: server.api, cache, now: () => now, intervalMs: 0 },
    retry: { minPauseMs: 1, maxPauseMs: 5, attempts: 4 },
    ...options,
  });
const daysLater = (days: number) => new Date(now.getTime() + days * 24 * 60 * 60_000);

const filmDetails = {
  genres: [
    { id: 878, name: 'Science Fiction' },
    { id: 18, name: 'Drama' },
    { id: 10770, name: 'TV Movie' },
  ],
  runtime: 102,
  origin_country: ['US'],
  production_countries: [{ iso_3166_1: 'GB', name: 'United Kingdom' }],
  tagline: 'They had a date with fate!',
  overview: ' In Casablanca …\r\n\r\nMore. ',
  release_date: '1943-01-15',
  poster_path: '/poster.jpg',
  backdrop_path: '/backdrop.jpg',
  homepage: 'https://example.org',
};
const personDetails = {
  biography: 'An actor.',
  birthday: '1899-12-25',
  deathday: '1957-01-14',
  place_of_birth: 'New York City, New York, USA',
  known_for_department: 'Acting',
  homepage: 'https://example.org/bogart',
  profile_path: '/profile.jpg',
};
const addCasablanca = () => {
  addUnknown(connection(), ['tt1'], ['nm1']);
  server.film('tt1', 289, filmDetails);
  server.person('nm1', 4110, personDetails);
};

it('fills a film and a person, with their sources', async () => {
  addCasablanca();
  const report = await enrich();
  expect(known('movies')).toEqual({
    tagline: 'They had a date with fate!',
    overview: 'In Casablanca …\r\n\r\nMore.',
    release_date: '1943-01-15',
    runtime: 102,
    genres: ['Drama', 'Science Fiction'],
    origin_country: ['US'],
    moviedb_id: 289,
    poster_path: 'https://image.tmdb.org/t/p/w500/poster.jpg',
    backdrop_path: 'https://image.tmdb.org/t/p/w500/backdrop.jpg',
  });
  expect(known('nominees')).toEqual({
    ...personDetails,
    moviedb_person_id: 4110,
    profile_path: 'https://image.tmdb.org/t/p/w500/profile.jpg',
  });
  expect(provenance()).toHaveLength(17);
  expect(provenance()[0]).toBe('movies 1 backdrop_path: tmdb movie/289');
  expect(report.resources).toMatchObject({
    movies: { wanted: 1, found: 1, changed: 1 },
    nominees: { wanted: 1, found: 1, changed: 1 },
  });
  expect(renderEnrichReport(report)).toContain(enrichmentSources.tmdb.notice);
});

it('a second run asks nothing and changes nothing', async () => {
  addCasablanca();
  await enrich();
  const before = everything();
  connection().exec("UPDATE movies SET tagline = NULL; DELETE FROM provenance WHERE field = 'tagline'");
  connection().exec("UPDATE movies SET tagline = 'They had a date with fate!'");
  const requests = server.requests.length;
  await enrich();
  expect(server.requests).toHaveLength(requests);
  expect(everything().slice(0, 2)).toEqual(before.slice(0, 2));
});

it.each<[string, object, Record<string, unknown>]>([
  ['empty texts', { tagline: '', overview: ' ', release_date: '', poster_path: null }, {}],
  ['a runtime of 0', { runtime: 0 }, {}],
  [
    'no country of origin',
    { origin_country: [], production_countries: [{ iso_3166_1: 'FR' }] },
    { origin_country: ['FR'] },
  ],
  ['values of other types', { runtime: '102', genres: 'Drama', overview: 7, poster_path: {} }, {}],
  ['nulls in lists', { genres: [null, { name: null }, {}], production_countries: [null] }, {}],
])('%s', async (_name, details, values) => {
  addUnknown(connection(), ['tt1']);
  server.film('tt1', 5, details);
  const { skipped } = await enrich();
  expect(known('movies')).toEqual({ moviedb_id: 5, ...values });
  expect(skipped).toEqual([]);
});

describe('a record that TMDB does not have', () => {
  it('is named, and not asked for again until the answers expire', async () => {
    addUnknown(connection(), ['tt1', 'tt2', 'tt3'], ['nm1', 'nm2']);
    server.film('tt1', 7);
    server.details.delete('movie/7');
    server.finds.set('tt2', { movie_results: [], tv_results: [{ id: 9 }] });
    server.finds.set('tt3', { movie_results: 'x' });
    server.finds.set('nm1', { movie_results: [{ id: 3 }] });
    const { resources } = await enrich();
    expect(resources).toMatchObject({
      movies: { wanted: 3, found: 0, notFound: ['tt1', 'tt2', 'tt3'] },
      nominees: { wanted: 2, found: 0, notFound: ['nm1', 'nm2'] },
    });
    const requests = server.requests.length;
    await enrich();
    expect(server.requests).toHaveLength(requests);
    now = daysLater(181);
    await enrich();
    expect(server.requests).toHaveLength(2 * requests);
  });

  it('but something else under its id, is skipped and named', async () => {
    addUnknown(connection(), ['tt1']);
    server.film('tt1', 7, { imdb_id: 'tt\u001b2', overview: 'Of another film' });
    const { skipped } = await enrich();
    expect(skipped).toEqual([{ what: 'movies 1 (tt1)', reason: 'movie/7 at TMDB is about "tt\\u001b2"' }]);
    expect(known('movies')).toEqual({});
  });
});

describe('a bad answer is skipped, counted and named, and the rest is filled:', () => {
  it.each<[string, string, RegExp]>([
    ['no JSON', '<html>', /is no JSON object$/],
    ['another JSON value', '"x"', /is no JSON object$/],
    ['an empty answer', '', /is no JSON object$/],
  ])('%s', async (_name, body, reason) => {
    addCasablanca();
    server.fault = (path) => (path === 'movie/289' ? { status: 200, body } : undefined);
    const { skipped } = await enrich();
    expect(skipped).toEqual([{ what: 'movies 1 (tt1)', reason: expect.stringMatching(reason) }]);
    expect(known('nominees')).toMatchObject({ birthday: '1899-12-25' });
    // It is not in the cache.
    server.fault = () => undefined;
    await enrich();
    expect(known('movies')).toMatchObject({ runtime: 102 });
  });

  it('a refusal of one request', async () => {
    addCasablanca();
    server.fault = (path) => (path === 'movie/289' ? { status: 422, body: '{}' } : undefined);
    expect((await enrich()).skipped).toEqual([{ what: 'movies 1 (tt1)', reason: 'TMDB answered 422' }]);
  });

  it('an overview of 10 MB, and a name with control characters', async () => {
    addUnknown(connection(), ['tt1'], ['nm1']);
    server.film('tt1', 1, { overview: 'x'.repeat(10 * 1024 * 1024), runtime: 90 });
    server.person('nm1', 2, { place_of_birth: 'Rome\u0007', biography: '<script>alert(1)</script>' });
    const { skipped } = await enrich();
    expect(skipped.map(({ what, reason }) => `${what}: ${reason}`)).toEqual([
      'movies 1 (tt1) overview: has 10,241 KB, more than the 64 KB of a write',
      'nominees 1 (nm1) place_of_birth: has control characters',
    ]);
    expect(known('movies')).toEqual({ moviedb_id: 1, runtime: 90 });
    expect(known('nominees')).toMatchObject({ biography: '<script>alert(1)</script>' });
  });
});

describe('a limit of TMDB', () => {
  it('is waited out, however many requests it refuses, and no record is lost', async () => {
    const films = Array.from({ length: 60 }, (_, i) => `tt${i + 1}`);
    addUnknown(connection(), films);
    for (const [i, id] of films.entries()) server.film(id, i + 1, { runtime: 90 });
    server.fault = (_path, count) =>
      count % 3 > 0 && count < 300 ? { status: 429, headers: { 'retry-after': '0' } } : undefined;
    const { resources, skipped } = await enrich({ retry: { minPauseMs: 1, maxPauseMs: 2, attempts: 1000 } });
    expect(resources.movies).toMatchObject({ wanted: 60, found: 60, changed: 60 });
    expect(skipped).toEqual([]);
  });

  it('ends the run when the time limit is used up; the next run continues', async () => {
    addCasablanca();
    server.fault = (path) =>
      path.startsWith('person') ? { status: 429, headers: { 'retry-after': '3600' } } : undefined;
    await expect(enrich({ retry: { timeLimitMs: 60_000 } })).rejects.toThrow(
      /^asking TMDB for person\/4110: the time limit of 1 minutes is used up .*; run it again to resume$/,
    );
    expect(known('movies')).toMatchObject({ runtime: 102 });
    server.fault = () => undefined;
    const requests = server.requests.length;
    await enrich();
    expect(server.requests.slice(requests)).toEqual(['person/4110']);
    expect(known('nominees')).toMatchObject({ birthday: '1899-12-25' });
  });

  it('of 40 requests a second is kept', async () => {
    const films = Array.from({ length: 10 }, (_, i) => `tt${i + 1}`);
    addUnknown(connection(), films);
    let time = 0;
    const clock = {
      now: () => time,
      async sleep(milliseconds: number) {
        const end = time + milliseconds;
        await new Promise(setImmediate);
        time = Math.max(time, end);
      },
    };
    await enrich({ intervalMs: 25, retry: { clock } });
    expect(server.requests).toHaveLength(10);
    expect(time).toBe(9 * 25);
  });
});

describe('a failure of TMDB', () => {
  it('that passes is retried', async () => {
    addCasablanca();
    server.fault = (_path, count) => (count % 2 === 1 ? { status: 500 + (count % 5) } : undefined);
    expect((await enrich({ retry: { minPauseMs: 1, maxPauseMs: 2, attempts: 50 } })).skipped).toEqual([]);
    expect(known('movies')).toMatchObject({ runtime: 102 });
  });

  it('that stays ends the run, and keeps what was filled before', async () => {
    addCasablanca();
    server.fault = (path) => (path.startsWith('person') ? { status: 503 } : undefined);
    const failure = await enrich().catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(RetryLaterError);
    expect(known('movies')).toMatchObject({ runtime: 102 });
  });

  it('to be reached ends the run', async () => {
    addCasablanca();
    await expect(enrich({ api: 'http://127.0.0.1:1' })).rejects.toThrow(
      /failed 4 times: .*run it again to resume/,
    );
  });
});

it('a refused token ends the run at once, and is in no message and no file', async () => {
  addCasablanca();
  const failure = (await enrich({ token: 'wrong-token' }).catch((error: unknown) => error)) as Error;
  expect(failure.message).toMatch(/^TMDB does not accept the token in TMDB_TOKEN \(401\); /);
  expect(server.requests.length).toBeLessThanOrEqual(2);
  const report = await enrich();
  const written = [readFileSync(cache).toString('latin1'), JSON.stringify([report, everything()])];
  for (const text of [failure.stack!, ...written]) expect(text).not.toMatch(/wrong-token|secret-token/);
});

describe('--refresh', () => {
  beforeEach(async () => {
    addCasablanca();
    await enrich();
    connection().exec("UPDATE movies SET overview = 'By an editor'");
    server.film('tt1', 289, { ...filmDetails, runtime: 103, overview: 'New' });
  });

  it('asks again, renews what is unchanged since, and keeps what an editor wrote', async () => {
    now = daysLater(2);
    const { resources } = await enrich({ refresh: true });
    expect(known('movies')).toMatchObject({ runtime: 103, overview: 'By an editor' });
    expect(resources.movies.renewed).toEqual({ runtime: 1 });
    const times = connection().prepare('SELECT DISTINCT retrieved_at FROM provenance WHERE NOT edited');
    expect(times.pluck().all()).toEqual([now.toISOString()]);
  });

  it('takes the answers of the same day, so that an interrupted refresh continues', async () => {
    const requests = server.requests.length;
    await enrich({ refresh: true });
    expect(server.requests).toHaveLength(requests);
  });
});

it('the limit counts records to ask for; those with known answers do not count', async () => {
  const films = Array.from({ length: 5 }, (_, i) => `tt${i + 1}`);
  addUnknown(connection(), films);
  for (const [i, id] of films.entries()) server.film(id, i + 1, { runtime: 90 });
  const asked: number[][] = [];
  for (let left = true; left; ) {
    const before = server.requests.length;
    const { isLimited, resources } = await enrich({ limit: 2 });
    left = isLimited;
    asked.push([server.requests.length - before, resources.movies.changed]);
  }
  expect(asked).toEqual([
    [4, 2],
    [4, 2],
    [2, 1],
  ]);
  expect(films.map((_, i) => known('movies', i + 1).runtime)).toEqual([90, 90, 90, 90, 90]);
});

it('a dry run asks and changes nothing; the run after it asks nothing', async () => {
  addCasablanca();
  const before = everything();
  const { resources } = await enrich({ dryRun: true });
  expect(resources.movies.changed).toBe(1);
  expect(everything()).toEqual(before);
  const requests = server.requests.length;
  await enrich();
  expect(server.requests).toHaveLength(requests);
});

it('answers older than six months are removed from the cache', async () => {
  addCasablanca();
  await enrich();
  now = daysLater(enrichmentSources.tmdb.maxAgeDays + 1);
  connection().exec('UPDATE movies SET filmindex_id = NULL; UPDATE nominees SET filmindex_id = NULL');
  await enrich();
  expect(readFileSync(cache).toString('latin1')).not.toContain('date with fate');
});

it('a cache that is no database of answers is refused', async () => {
  addCasablanca();
  const other = file('not a database, but long enough to be looked at'.repeat(100));
  await expect(enrich({ cache: other })).rejects.toThrow(
    /^cannot use .* for the answers of TMDB: .*--cache$/,
  );
  await expect(enrich({ cache: at('no/folder/x.db') })).rejects.toThrow(/--cache$/);
});
