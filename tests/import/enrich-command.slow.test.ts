/** The promise: "awards enrich …" prints summaries, and one line for every failure, and runs beside a service. */
import { spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeEach, expect, inject, it, onTestFinished } from 'vitest';
import { openDatabase } from '../../data/database/open.ts';
import { addressOf, awards, outcomeOf, startAwards } from '../support/processes.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { TmdbServer, token } from './enriching.ts';
import { addUnknown, resultsOf } from './wikidata-text.ts';

const server = await new TmdbServer().start();
afterAll(() => server.stop());
let folder: string;
const at = (name: string) => join(folder, name);
const db = () => at('awards.db');
beforeEach(() => {
  folder = temporaryFolder();
  const connection = openDatabase(db());
  addUnknown(connection, ['tt1', 'tt2'], ['nm1']);
  connection.close();
});

const enrich = (words: readonly string[], more: Record<string, string> = {}) =>
  awards(['enrich', ...words], { AWARDS_DB: db(), TMDB_API_URL: server.api, ...more });
const results = (id: number) =>
  resultsOf([{ imdb: `tt${id}`, item: `Q${id}`, duration: `${89 + id}`, tmdb: `${id}` }]);

it('wikidata: files and standard input, with a summary for people and one for machines', async () => {
  writeFileSync(at('one.json'), results(1));
  const child = spawn(process.execPath, [
    inject('cli'),
    'enrich',
    'wikidata',
    at('one.json'),
    '-',
    '--db',
    db(),
  ]);
  child.stdin.end(gzipSync(results(2)));
  expect(await outcomeOf(child)).toMatchObject({
    ...{ code: 0, stderr: '' },
    stdout:
      'movies: 2 of 2 found in Wikidata, 2 changed; filled: runtime 2, moviedb_id 2\n' +
      'nominees: 0 of 1 found in Wikidata, 0 changed\n',
  });
  const again = await enrich([
    'wikidata',
    at('one.json'),
    '--json',
    '--dry-run',
    '--refresh',
    '--limit',
    '1',
  ]);
  expect(JSON.parse(again.stdout)).toMatchObject({
    ...{ source: 'wikidata', dryRun: true, isLimited: false, contradicted: [], skipped: [] },
    resources: { movies: { wanted: 2, found: 1, changed: 0 }, nominees: { wanted: 1, found: 0 } },
  });
});

it('tmdb: with the token of the environment and a cache beside the database', async () => {
  server.add('movie', 'tt1', 11, { runtime: 100 });
  const { code, stdout, stderr } = await enrich(['tmdb'], { TMDB_TOKEN: token });
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toContain('movies: 1 of 2 found in TMDB, 1 changed; filled: runtime 1, moviedb_id 1\n');
  expect(stdout).toContain('This product uses the TMDB API but is not endorsed or certified by TMDB.');
  expect(existsSync(at('tmdb-cache.db'))).toBe(true);
  const requests = server.requests.length;
  await enrich(['tmdb', '--cache', at('tmdb-cache.db')], { TMDB_TOKEN: token });
  expect(server.requests).toHaveLength(requests);
});

it('queries: files with the ids that lack something, in parts', async () => {
  const { stdout } = await enrich(['queries', at('queries'), '--size', '1']);
  expect(stdout).toContain('3 queries for 2 films and 1 people');
  expect(readdirSync(at('queries')).sort()).toEqual(['films-001.rq', 'films-002.rq', 'people-001.rq']);
  expect(readFileSync(at('queries/films-002.rq'), 'utf8')).toContain('VALUES ?imdb { "tt2" }');
});

const plain = { TMDB_TOKEN: token, TMDB_API_URL: 'http://example.org' };
it.each<[string, string[], RegExp, Record<string, string>?]>([
  [
    'a missing database',
    ['wikidata', 'x', '--db', '/nowhere/x.db'],
    /^there is no database at \/nowhere\/x\.db/,
  ],
  ['a file of another format', ['wikidata', 'package.json'], /^package\.json has no SPARQL JSON results/],
  ['no token', ['tmdb'], /^TMDB_TOKEN is not set; it is the "API Read Access Token"/],
  ['a token with blanks', ['tmdb'], /^TMDB_TOKEN is not a token/, { TMDB_TOKEN: 'a b' }],
  ['a refused token', ['tmdb'], /^TMDB does not accept the token/, { TMDB_TOKEN: 'wrong-1' }],
  [
    'an address without https',
    ['tmdb'],
    /^TMDB_API_URL is "http:\/\/example\.org"; it must be an https/,
    plain,
  ],
])('%s: exit code 1 and one line that says why', async (_name, words, message, more) => {
  const { code, stdout, stderr } = await enrich(words, more);
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  expect(stderr).toMatch(message);
  expect(stderr.trim()).not.toMatch(/\n|wrong-1/);
});

it('beside a service: no editor is refused or overwritten, and the next snapshot shows both', async () => {
  const films = Array.from({ length: 1500 }, (_, i) => `tt${i + 3}`);
  const connection = openDatabase(db());
  addUnknown(connection, films);
  connection.close();
  const rows = films.map((imdb, i) => ({ imdb, item: `Q${i + 1}`, duration: '90', tmdb: String(i + 1) }));
  writeFileSync(at('films.json'), resultsOf(rows, 0));
  const key = 'a key of an editor, long enough';
  const environment = { AWARDS_DB: db(), AWARDS_DIST: at('dist') };
  await awards(['build', '--no-downloads'], environment);
  const service = startAwards(['serve', '--port', '0'], {
    ...{ ...environment, AWARDS_API_KEY: key, AWARDS_RATE_LIMIT: '0', AWARDS_WRITE_RATE_LIMIT: '0' },
  });
  onTestFinished(() => void service.kill('SIGKILL'));
  const address = await addressOf(service);
  const patch = (id: number, body: object) =>
    fetch(`${address}/api/movies/${id}`, {
      ...{ method: 'PATCH', body: JSON.stringify(body) },
      headers: { 'x-api-key': key, 'content-type': 'application/json' },
    });
  const runtimeOf = async (id: number) =>
    ((await (await fetch(`${address}/api/movies/${id}`)).json()) as { runtime: number | null }).runtime;
  let isRunning = true;
  const enriching = enrich(['wikidata', at('films.json')]).finally(() => {
    isRunning = false;
  });
  const edited: number[] = [];
  for (let id = films.length; isRunning; id -= 7) {
    expect((await patch(id, { runtime: 7 })).status).toBe(200);
    edited.push(id);
    expect(await runtimeOf(id)).toBe(7);
  }
  expect(await enriching).toMatchObject({ code: 0, stderr: '' });
  expect(edited.length).toBeGreaterThan(5);
  // A write makes a snapshot of everything.
  await patch(3, { tagline: 'T' });
  for (const id of edited.slice(0, 50)) expect(await runtimeOf(id)).toBe(7);
  expect(await runtimeOf(3)).toBe(90);
  service.kill('SIGTERM');
  expect(await outcomeOf(service)).toMatchObject({ code: 0 });
  expect(await awards(['verify'], environment)).toMatchObject({ code: 0 });
});
