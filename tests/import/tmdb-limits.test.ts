/** TMDB's pace is kept, its limits are waited out, and a run that ends early loses nothing. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { RetryLaterError } from '../../build/system/requests.ts';
import { useTmdb } from './asking-tmdb.ts';
import { addUnknown } from './wikidata-text.ts';

const { connection, known, everything, state, enrich, addCasablanca } = useTmdb();

describe('a limit of TMDB', () => {
  it('is waited out, however many requests it refuses, and no record is lost', async () => {
    const films = Array.from({ length: 60 }, (_, i) => `tt${i + 1}`);
    addUnknown(connection(), films);
    for (const [i, id] of films.entries()) state.server.film(id, i + 1, { runtime: 90 });
    state.server.fault = (_path, count) =>
      count % 3 > 0 && count < 300 ? { status: 429, headers: { 'retry-after': '0' } } : undefined;
    const { resources, skipped } = await enrich({ retry: { minPauseMs: 1, maxPauseMs: 2, attempts: 1000 } });
    expect(resources.movies).toMatchObject({ wanted: 60, found: 60, changed: 60 });
    expect(skipped).toEqual([]);
  });

  it('ends the run when the time limit is used up; the next run continues', async () => {
    addCasablanca();
    state.server.fault = (path) =>
      path.startsWith('person') ? { status: 429, headers: { 'retry-after': '3600' } } : undefined;
    await expect(enrich({ retry: { timeLimitMs: 60_000 } })).rejects.toThrow(
      /^asking TMDB for person\/4110: the time limit of 1 minutes is used up; run it again to resume$/,
    );
    expect(known('movies')).toMatchObject({ runtime: 102 });
    state.server.fault = () => undefined;
    const requests = state.server.requests.length;
    await enrich();
    expect(state.server.requests.slice(requests)).toEqual(['person/4110']);
    expect(known('nominees')).toMatchObject({ birthday: '1899-12-25' });
  });

  it('of 40 requests a second is kept', async () => {
    const films = Array.from({ length: 10 }, (_, i) => `tt${i + 1}`);
    addUnknown(connection(), films);
    const began = performance.now();
    await enrich({ intervalMs: 25 });
    expect(state.server.requests).toHaveLength(10);
    expect(performance.now() - began).toBeGreaterThanOrEqual(8 * 25);
  });
});

describe('a failure of TMDB', () => {
  it('that passes is retried', async () => {
    addCasablanca();
    state.server.fault = (_path, count) => (count % 2 === 1 ? { status: 500 + (count % 5) } : undefined);
    expect((await enrich({ retry: { minPauseMs: 1, maxPauseMs: 2, attempts: 50 } })).skipped).toEqual([]);
    expect(known('movies')).toMatchObject({ runtime: 102 });
  });

  it('that stays ends the run, and keeps what was filled before', async () => {
    addCasablanca();
    state.server.fault = (path) => (path.startsWith('person') ? { status: 503 } : undefined);
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
  expect(state.server.requests.length).toBeLessThanOrEqual(2);
  const report = await enrich();
  const written = [readFileSync(state.cache).toString('latin1'), JSON.stringify([report, everything()])];
  for (const text of [failure.stack!, ...written]) expect(text).not.toMatch(/wrong-token|secret-token/);
});
