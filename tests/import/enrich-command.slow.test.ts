/** The promise: "awards enrich …" prints a summary, and one line for every failure. */
import { spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeEach, expect, inject, it } from 'vitest';
import { openDatabase } from '../../data/database/open.ts';
import { awards, outcomeOf } from '../support/processes.ts';
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
  const words = ['enrich', 'wikidata', at('one.json'), '-', '--db', db()];
  const child = spawn(process.execPath, [inject('cli'), ...words]);
  child.stdin.end(gzipSync(results(2)));
  expect(await outcomeOf(child)).toMatchObject({
    ...{ code: 0, stderr: '' },
    stdout:
      'movies: 2 of 2 found in Wikidata, 2 changed; filled: runtime 2, moviedb_id 2\n' +
      'nominees: 0 of 1 found in Wikidata, 0 changed\n',
  });
  const options = ['--json', '--dry-run', '--refresh', '--limit', '1'];
  const again = await enrich(['wikidata', at('one.json'), ...options]);
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

it.each<[string, string[], RegExp, Record<string, string>?]>([
  [
    'a missing database',
    ['wikidata', 'x', '--db', '/no/x.db'],
    /^awards: there is no database at \/no\/x\.db/,
  ],
  ['another file', ['wikidata', 'package.json'], /^awards: package\.json has no SPARQL JSON results/],
  ['no token', ['tmdb'], /^awards: TMDB_TOKEN is not set; it is the "API Read Access Token"/],
  ['a refused token', ['tmdb'], /^awards: TMDB does not accept the token/, { TMDB_TOKEN: 'wrong-1' }],
])('%s: exit code 1 and one line that says why', async (_name, words, message, more) => {
  const { code, stdout, stderr } = await enrich(words, more);
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  expect(stderr).toMatch(message);
  expect(stderr.trim()).not.toMatch(/\n|wrong-1/);
});
