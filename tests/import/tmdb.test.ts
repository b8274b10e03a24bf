/** Films and people are filled from TMDB; every answer is asked for once. */
import { readFileSync } from 'node:fs';
import { beforeEach, describe, expect, it } from 'vitest';
import { enrichmentSources } from '../../api/contract/enrichment.ts';
import { changeRecord, readRecord } from '../../data/record/edits.ts';
import { renderEnrichReport } from '../../data/enrich/report.ts';
import { listReceipts } from '../../data/record/receipts.ts';
import type { RecordFields } from '../../data/record/validation.ts';
import { openDatabase } from '../../data/database/open.ts';
import { filmDetails, personDetails, useTmdb } from './asking-tmdb.ts';
import { addUnknown } from './wikidata-text.ts';

const { at, connection, file, known, provenance, everything, state, enrich, daysLater, addCasablanca } =
  useTmdb();

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
  connection().exec(
    "UPDATE movies SET tagline = NULL; UPDATE given SET fields = json_remove(fields, '$.tagline')",
  );
  connection().exec("UPDATE movies SET tagline = 'They had a date with fate!'");
  const requests = state.server.requests.length;
  await enrich();
  expect(state.server.requests).toHaveLength(requests);
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
  state.server.film('tt1', 5, details);
  const { skipped } = await enrich();
  expect(known('movies')).toEqual({ moviedb_id: 5, ...values });
  expect(skipped).toEqual([]);
});

describe('a record that TMDB does not have', () => {
  it('is named, and not asked for again until the answers expire', async () => {
    addUnknown(connection(), ['tt1', 'tt2', 'tt3'], ['nm1', 'nm2']);
    state.server.film('tt1', 7);
    state.server.details.delete('movie/7');
    state.server.finds.set('tt2', { movie_results: [], tv_results: [{ id: 9 }] });
    state.server.finds.set('tt3', { movie_results: 'x' });
    state.server.finds.set('nm1', { movie_results: [{ id: 3 }] });
    const { resources } = await enrich();
    expect(resources).toMatchObject({
      movies: { wanted: 3, found: 0, notFound: ['tt1', 'tt2', 'tt3'] },
      nominees: { wanted: 2, found: 0, notFound: ['nm1', 'nm2'] },
    });
    const requests = state.server.requests.length;
    await enrich();
    expect(state.server.requests).toHaveLength(requests);
    state.now = daysLater(181);
    await enrich();
    expect(state.server.requests).toHaveLength(2 * requests);
  });

  it('but something else under its id, is skipped and named', async () => {
    addUnknown(connection(), ['tt1']);
    state.server.film('tt1', 7, { imdb_id: 'tt\u001b2', overview: 'Of another film' });
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
    state.server.fault = (path) => (path === 'movie/289' ? { status: 200, body } : undefined);
    const { skipped } = await enrich();
    expect(skipped).toEqual([{ what: 'movies 1 (tt1)', reason: expect.stringMatching(reason) }]);
    expect(known('nominees')).toMatchObject({ birthday: '1899-12-25' });
    // It is not in the cache.
    state.server.fault = () => undefined;
    await enrich();
    expect(known('movies')).toMatchObject({ runtime: 102 });
  });

  it('a refusal of one request', async () => {
    addCasablanca();
    state.server.fault = (path) => (path === 'movie/289' ? { status: 422, body: '{}' } : undefined);
    expect((await enrich()).skipped).toEqual([{ what: 'movies 1 (tt1)', reason: 'TMDB answered 422' }]);
  });
});

describe('--refresh', () => {
  beforeEach(async () => {
    addCasablanca();
    await enrich();
    connection().exec("UPDATE movies SET overview = 'By an editor'");
    state.server.film('tt1', 289, { ...filmDetails, runtime: 103, overview: 'New' });
  });

  it('asks again, renews what is unchanged since, and keeps what an editor wrote', async () => {
    state.now = daysLater(2);
    const { resources } = await enrich({ refresh: true });
    expect(known('movies')).toMatchObject({ runtime: 103, overview: 'By an editor' });
    expect(resources.movies.renewed).toEqual({ runtime: 1 });
    const times = connection().prepare('SELECT DISTINCT retrieved_at FROM given');
    expect(times.pluck().all()).toEqual([state.now.toISOString()]);
  });

  it('removes what TMDB does not give any more, and keeps what an editor wrote', async () => {
    const { tagline: _, ...rest } = filmDetails;
    state.server.film('tt1', 289, rest);
    state.now = daysLater(2);
    const dry = await enrich({ refresh: true, dryRun: true });
    const { resources } = await enrich({ refresh: true });
    expect(resources.movies.removed).toEqual({ tagline: 1 });
    expect(dry.resources.movies.removed).toEqual({ tagline: 1 });
    expect(known('movies')).not.toHaveProperty('tagline');
    expect(known('movies')).toMatchObject({ overview: 'By an editor', poster_path: expect.any(String) });
    // TMDB may give it again.
    state.server.film('tt1', 289, filmDetails);
    state.now = daysLater(2);
    await enrich({ refresh: true });
    expect(known('movies')).toMatchObject({ tagline: filmDetails.tagline });
  });

  it('takes the answers of the same day, so that an interrupted refresh continues', async () => {
    const requests = state.server.requests.length;
    await enrich({ refresh: true });
    expect(state.server.requests).toHaveLength(requests);
  });
});

it('the limit counts records to change; the next run asks nothing again', async () => {
  const films = Array.from({ length: 5 }, (_, i) => `tt${i + 1}`);
  addUnknown(connection(), films);
  for (const [i, id] of films.entries()) state.server.film(id, i + 1, { runtime: 90 });
  const asked: number[][] = [];
  for (let left = true; left; ) {
    const before = state.server.requests.length;
    const { isLimited, resources } = await enrich({ limit: 2 });
    left = isLimited;
    asked.push([state.server.requests.length - before, resources.movies.changed]);
  }
  expect(asked).toEqual([
    [10, 2],
    [0, 2],
    [0, 1],
  ]);
  expect(films.map((_, i) => known('movies', i + 1).runtime)).toEqual([90, 90, 90, 90, 90]);
});

it('a value that may not be kept any longer leaves the record and all receipts, those of editors too', async () => {
  addCasablanca();
  await enrich();
  const edit = (fields: RecordFields) => {
    const before = readRecord(connection(), 'movies', 1) as unknown as RecordFields;
    changeRecord(connection(), { resource: 'movies', id: 1, before, fields, key: 'ann', at: state.now });
  };
  edit({ tagline: 'By an editor' });
  // Nothing can be asked any more.
  connection().exec('UPDATE movies SET filmindex_id = NULL; UPDATE nominees SET filmindex_id = NULL');
  const secrets = ['They had a date with fate!', 'In Casablanca'];
  const receipts = () => JSON.stringify(listReceipts(connection(), { limit: 100 }));
  state.now = daysLater(enrichmentSources.tmdb.maxAgeDays - 1);
  await enrich();
  for (const secret of secrets) expect(receipts()).toContain(secret);
  state.now = daysLater(2);
  const dry = await enrich({ dryRun: true });
  const { resources } = await enrich();
  expect(dry.resources.movies.removed).toEqual(resources.movies.removed);
  expect(resources.movies.removed).toMatchObject({ overview: 1 });
  expect(known('movies')).toEqual({ tagline: 'By an editor' });
  expect(known('nominees')).toEqual({});
  for (const secret of secrets) expect(receipts()).not.toContain(secret);
  expect(receipts()).toContain('By an editor');
});

it('a dry run asks and changes nothing; the run after it asks nothing', async () => {
  addCasablanca();
  const before = everything();
  const { resources } = await enrich({ dryRun: true });
  expect(resources.movies.changed).toBe(1);
  expect(everything()).toEqual(before);
  const requests = state.server.requests.length;
  await enrich();
  expect(state.server.requests).toHaveLength(requests);
});

it('answers older than six months are removed from the cache', async () => {
  addCasablanca();
  await enrich();
  state.now = daysLater(enrichmentSources.tmdb.maxAgeDays + 1);
  connection().exec('UPDATE movies SET filmindex_id = NULL; UPDATE nominees SET filmindex_id = NULL');
  await enrich();
  expect(readFileSync(state.cache).toString('latin1')).not.toContain('date with fate');
});

it('a cache that is no database of answers is refused', async () => {
  addCasablanca();
  const other = file('not a database, but long enough to be looked at'.repeat(100));
  await expect(enrich({ cache: other })).rejects.toThrow(
    /^cannot use .* for the answers of TMDB: .*--cache$/,
  );
  await expect(enrich({ cache: at('no/folder/x.db') })).rejects.toThrow(/--cache$/);
  const record = at('record.db');
  openDatabase(record).close();
  const before = readFileSync(record);
  await expect(enrich({ cache: record })).rejects.toThrow(/ it is another database; .*--cache$/);
  expect(readFileSync(record).equals(before)).toBe(true);
});
