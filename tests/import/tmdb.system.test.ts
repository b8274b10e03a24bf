/** Films and people are filled from TMDB: each answer is asked for once, limits are waited out, and values expire. */
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { enrichmentSources } from '../../api/contract/enrichment.ts';
import { layerNames } from '../../api/contract/layers.ts';
import { buildFolder } from '../../build/build.ts';
import { RetryLaterError } from '../../data/system/requests.ts';
import { type Connection, openDatabase } from '../../data/database/open.ts';
import { renderEnrichReport } from '../../data/enrich/report.ts';
import { enrichFromTmdb, type TmdbOptions } from '../../data/enrich/tmdb.ts';
import { changeRecord, readRecord } from '../../data/record/edits.ts';
import { listReceipts } from '../../data/record/receipts.ts';
import type { RecordFields } from '../../data/record/validation.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { everything, known, provenanceOf, TmdbServer, token } from './enriching.ts';
import { addUnknown } from './wikidata-text.ts';

const film = {
  genres: [
    { id: 878, name: 'Science Fiction' },
    { id: 18, name: 'Drama' },
    { id: 1, name: 'TV Movie' },
  ],
  ...{ runtime: 102, origin_country: ['US'], production_countries: [{ iso_3166_1: 'GB' }] },
  ...{ tagline: 'They had a date with fate!', overview: ' In Casablanca …\r\n\r\nMore. ' },
  ...{ release_date: '1943-01-15', poster_path: '/poster.jpg', backdrop_path: '/backdrop.jpg' },
};
const person = {
  ...{ biography: 'An actor.', birthday: '1899-12-25', deathday: '1957-01-14' },
  ...{ place_of_birth: 'New York City, New York, USA', known_for_department: 'Acting' },
  ...{ homepage: 'https://example.org/bogart', profile_path: '/profile.jpg' },
};

let connection: Connection;
let server: TmdbServer;
let folder: string;
let now: Date;
const retry = { minPauseMs: 1, maxPauseMs: 2, attempts: 4 };
const enrich = (options: Partial<TmdbOptions> = {}) =>
  enrichFromTmdb(connection, {
    ...{ token, api: server.api, cache: join(folder, 'cache.db'), now: () => now, intervalMs: 0, retry },
    ...options,
  });
const later = (days: number) => {
  now = new Date(now.getTime() + days * 24 * 60 * 60_000);
};
const { maxAgeDays, notice } = enrichmentSources.tmdb;
/** The number of requests of some work. */
async function requestsOf(work: () => Promise<unknown>): Promise<number> {
  const before = server.requests.length;
  await work();
  return server.requests.length - before;
}

beforeEach(async () => {
  connection = openDatabase(':memory:');
  addUnknown(connection, ['tt1'], ['nm1']);
  server = await new TmdbServer().start();
  server.add('movie', 'tt1', 289, film);
  server.add('person', 'nm1', 4110, person);
  folder = temporaryFolder();
  now = new Date();
});
afterEach(async () => {
  await server.stop();
  expect(server.offences).toEqual([]);
});

it('a film and a person are filled, with their sources; a dry run asks, changes nothing, and nothing is asked again', async () => {
  const before = everything(connection);
  const dry = await enrich({ dryRun: true });
  expect(everything(connection)).toEqual(before);
  let report = dry;
  expect(await requestsOf(async () => (report = await enrich()))).toBe(0);
  expect({ ...dry, dryRun: false }).toEqual(report);
  expect(known(connection, 'movies')).toEqual({
    ...{ tagline: film.tagline, overview: 'In Casablanca …\r\n\r\nMore.', release_date: '1943-01-15' },
    ...{ runtime: 102, genres: ['Drama', 'Science Fiction'], origin_country: ['US'], moviedb_id: 289 },
    poster_path: 'https://image.tmdb.org/t/p/w500/poster.jpg',
    backdrop_path: 'https://image.tmdb.org/t/p/w500/backdrop.jpg',
  });
  expect(known(connection, 'nominees')).toEqual({
    ...{ ...person, moviedb_person_id: 4110 },
    profile_path: 'https://image.tmdb.org/t/p/w500/profile.jpg',
  });
  expect(provenanceOf(connection)).toHaveLength(17);
  expect(provenanceOf(connection)[0]).toBe('movies 1 backdrop_path: tmdb movie/289');
  const counts = { wanted: 1, found: 1, changed: 1 };
  expect(report.resources).toMatchObject({ movies: counts, nominees: counts });
  expect(renderEnrichReport(report)).toContain(notice);
});

it.each<[string, object, Record<string, unknown>]>([
  ['empty texts', { tagline: '', overview: ' ', release_date: '', poster_path: null, runtime: 0 }, {}],
  [
    'no country of origin',
    { origin_country: [], production_countries: [{ iso_3166_1: 'FR' }] },
    { origin_country: ['FR'] },
  ],
  ['values of other types', { runtime: '102', genres: [null, {}], overview: 7, poster_path: {} }, {}],
])('%s say nothing', async (_name, details, values) => {
  server.add('movie', 'tt1', 5, details);
  expect((await enrich()).skipped).toEqual([]);
  expect(known(connection, 'movies')).toEqual({ moviedb_id: 5, ...values });
});

it('a record that TMDB does not have is named, and not asked for again until the answers expire', async () => {
  connection.exec('DELETE FROM movies; DELETE FROM nominees');
  addUnknown(connection, ['tt1', 'tt2', 'tt3'], ['nm1', 'nm2']);
  server.details.delete('movie/289');
  server.finds.set('tt2', { movie_results: [], tv_results: [{ id: 9 }] });
  server.finds.set('tt3', { movie_results: 'x' });
  server.finds.set('nm1', { movie_results: [{ id: 3 }] });
  const requests = await requestsOf(async () => {
    expect((await enrich()).resources).toMatchObject({
      movies: { wanted: 3, found: 0, notFound: ['tt1', 'tt2', 'tt3'] },
      nominees: { wanted: 2, found: 0, notFound: ['nm1', 'nm2'] },
    });
  });
  expect(await requestsOf(enrich)).toBe(0);
  later(maxAgeDays + 1);
  expect(await requestsOf(enrich)).toBe(requests);
});

it.each<[string, { status: number; body: string }, RegExp]>([
  ['no JSON', { status: 200, body: '<html>' }, /^the answer of TMDB is no JSON object$/],
  ['a refusal of one request', { status: 422, body: '{}' }, /^TMDB answered 422$/],
])(
  'an answer with %s is skipped and named, not stored, and the rest is filled',
  async (_name, fault, reason) => {
    server.fault = (path) => (path === 'movie/289' ? fault : undefined);
    const skipped = [{ what: 'movies 1 (tt1)', reason: expect.stringMatching(reason) }];
    expect((await enrich()).skipped).toEqual(skipped);
    expect(known(connection, 'nominees')).toMatchObject({ birthday: '1899-12-25' });
    server.fault = () => undefined;
    await enrich();
    expect(known(connection, 'movies')).toMatchObject({ runtime: 102 });
  },
);

it('an answer about another film is skipped and named', async () => {
  server.add('movie', 'tt1', 7, { imdb_id: 'tt\u001b2', overview: 'Of another film' });
  const reason = 'movie/7 at TMDB is about "tt\\u001b2"';
  expect((await enrich()).skipped).toEqual([{ what: 'movies 1 (tt1)', reason }]);
  expect(known(connection, 'movies')).toEqual({});
});

it('--refresh renews and removes what TMDB gave, keeps what an editor wrote, and asks once a day', async () => {
  await enrich();
  connection.exec("UPDATE movies SET overview = 'By an editor'");
  const { tagline: _, ...rest } = { ...film, runtime: 103, overview: 'New' };
  server.add('movie', 'tt1', 289, rest);
  expect(await requestsOf(() => enrich({ refresh: true }))).toBe(0);
  later(2);
  const dry = await enrich({ refresh: true, dryRun: true });
  const { movies } = (await enrich({ refresh: true })).resources;
  expect([movies.renewed, movies.removed]).toEqual([{ runtime: 1 }, { tagline: 1 }]);
  expect(dry.resources.movies).toEqual(movies);
  expect(known(connection, 'movies')).toMatchObject({ runtime: 103, overview: 'By an editor' });
  expect(known(connection, 'movies')).not.toHaveProperty('tagline');
  const times = connection.prepare("SELECT retrieved_at FROM given WHERE resource = 'movies'");
  expect(times.pluck().all()).toEqual([now.toISOString()]);
  server.add('movie', 'tt1', 289, film);
  later(2);
  await enrich({ refresh: true });
  expect(known(connection, 'movies')).toMatchObject({ tagline: film.tagline, overview: 'By an editor' });
});

it('an expired value leaves the record, all receipts, those of editors too, the cache, and every file of a build and of the database', async () => {
  connection = openDatabase(join(folder, 'awards.db'));
  addUnknown(connection, ['tt1'], ['nm1']);
  const out = join(folder, 'dist');
  const edit = (fields: RecordFields) => {
    const before = readRecord(connection, 'movies', 1) as unknown as RecordFields;
    changeRecord(connection, { resource: 'movies', id: 1, before, fields, key: 'ann', at: now });
  };
  /** Where a text of TMDB is: in receipts, and in files. */
  const places = (text: string) => [
    JSON.stringify(listReceipts(connection, { limit: 100 })).includes(text),
    ...readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => {
      const file = join(folder, name);
      return statSync(file).isFile() && readFileSync(file).toString('latin1').includes(text);
    }),
  ];
  const enrichAndBuild = async () => {
    const { resources } = await enrich();
    await buildFolder(connection, out, { layers: layerNames, includeRestricted: true, retentionMs: 0, now });
    return resources.movies.removed;
  };
  await enrich();
  edit({ tagline: 'By an editor' });
  // Nothing can be asked any more.
  connection.exec('UPDATE movies SET filmindex_id = NULL; UPDATE nominees SET filmindex_id = NULL');
  later(maxAgeDays - 1);
  expect(await enrichAndBuild()).toEqual({});
  expect(places('In Casablanca').length).toBeGreaterThan(4);
  expect(places('date with fate')[0]).toBe(true);
  later(2);
  const dry = await enrich({ dryRun: true });
  const removed = await enrichAndBuild();
  expect(removed).toMatchObject({ overview: 1 });
  expect([dry.resources.movies.removed, known(connection, 'movies')]).toEqual([
    removed,
    { tagline: 'By an editor' },
  ]);
  expect(known(connection, 'nominees')).toEqual({});
  for (const text of ['In Casablanca', 'date with fate']) expect(places(text), text).toEqual([false]);
  expect(places('By an editor')[0]).toBe(true);
});

it('a build alone removes expired values as well', async () => {
  await enrich();
  later(maxAgeDays + 1);
  await buildFolder(connection, join(folder, 'dist'), { layers: [], now });
  expect([known(connection, 'movies'), known(connection, 'nominees')]).toEqual([{}, {}]);
});

it('requests keep the pace of TMDB', async () => {
  const intervalMs = 60_000;
  // The pace follows this clock, the network the real one.
  vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] });
  const sent: number[] = [];
  const { fetch } = globalThis;
  vi.stubGlobal('fetch', (...asked: Parameters<typeof fetch>) => {
    sent.push(Date.now());
    return fetch(...asked);
  });
  try {
    let isDone = false;
    const running = enrich({ intervalMs }).finally(() => {
      isDone = true;
    });
    while (!isDone) {
      await vi.advanceTimersByTimeAsync(intervalMs / 10);
      await new Promise(setImmediate);
    }
    await running;
  } finally {
    vi.unstubAllGlobals();
    vi.useRealTimers();
  }
  const pauses = sent.slice(1).map((time, i) => time - sent[i]!);
  expect(pauses).toHaveLength(3);
  expect(Math.min(...pauses)).toBeGreaterThanOrEqual(intervalMs);
});

it('the limit counts records to change; the next run asks nothing again', async () => {
  const films = Array.from({ length: 4 }, (_, i) => `tt${i + 2}`);
  addUnknown(connection, films);
  for (const [i, id] of films.entries()) server.add('movie', id, i + 2, { runtime: 90 });
  const runs: [requests: number, changed: number][] = [];
  for (let isLimited = true; isLimited; ) {
    let changed = 0;
    const requests = await requestsOf(async () => {
      const report = await enrich({ limit: 2 });
      isLimited = report.isLimited;
      changed = report.resources.movies.changed + report.resources.nominees.changed;
    });
    runs.push([requests, changed]);
  }
  expect(runs).toEqual([
    [12, 2],
    [0, 2],
    [0, 2],
  ]);
});

it('a limit of TMDB is waited out, however many requests it refuses, and so is a failure that passes', async () => {
  const films = Array.from({ length: 20 }, (_, i) => `tt${i + 2}`);
  addUnknown(connection, films);
  for (const [i, id] of films.entries()) server.add('movie', id, i + 2, { runtime: 90 });
  const limit = { status: 429, headers: { 'retry-after': '0' } };
  server.fault = (_path, count) => [undefined, limit, { status: 500 + (count % 5) }][count % 3];
  const { resources, skipped } = await enrich({ retry: { ...retry, attempts: 1000 } });
  expect(resources.movies).toMatchObject({ wanted: 21, found: 21, changed: 21 });
  expect(skipped).toEqual([]);
});

describe('a failure that stays ends the run, what was filled stays, and the next run continues:', () => {
  it.each<[string, object, Partial<TmdbOptions>, RegExp]>([
    [
      'a limit',
      { status: 429, headers: { 'retry-after': '3600' } },
      { retry: { timeLimitMs: 60_000 } },
      /^asking TMDB for person\/4110: the time limit of 1 minutes is used up; run it again to resume$/,
    ],
    ['an error', { status: 503 }, {}, /failed 4 times: .*run it again to resume/],
  ])('%s', async (_name, fault, options, message) => {
    server.fault = (path) => (path.startsWith('person') ? (fault as { status: number }) : undefined);
    const failure = await enrich(options).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(RetryLaterError);
    expect((failure as Error).message).toMatch(message);
    expect(known(connection, 'movies')).toMatchObject({ runtime: 102 });
    server.fault = () => undefined;
    expect(await requestsOf(enrich)).toBe(1);
    expect(known(connection, 'nominees')).toMatchObject({ birthday: '1899-12-25' });
  });
});

it('a refused token ends the run at once, and is in no message and no file', async () => {
  const failure = (await enrich({ token: 'wrong-token' }).catch((error: unknown) => error)) as Error;
  expect(failure.message).toMatch(/^TMDB does not accept the token in TMDB_TOKEN \(401\); /);
  expect(server.requests.length).toBeLessThanOrEqual(2);
  const written = [JSON.stringify([await enrich(), everything(connection)])];
  for (const name of readdirSync(folder)) written.push(readFileSync(join(folder, name)).toString('latin1'));
  for (const text of [failure.stack!, ...written]) expect(text).not.toMatch(/wrong-token|secret-token/);
});

it('a cache that is no database of answers is refused, and stays as it is', async () => {
  const [text, record] = [join(folder, 'notes.txt'), join(folder, 'record.db')];
  writeFileSync(text, 'not a database, but long enough to be looked at'.repeat(100));
  openDatabase(record).close();
  const before = readFileSync(record);
  await expect(enrich({ cache: text })).rejects.toThrow(/^cannot use .* for the answers of TMDB: .*--cache$/);
  await expect(enrich({ cache: record })).rejects.toThrow(/ it is another database; .*--cache$/);
  expect(readFileSync(record).equals(before)).toBe(true);
});
