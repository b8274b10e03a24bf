/** The promise: "awards enrich …" from the command line: summaries, --json, exit codes, and one line for every failure. */
import { spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeEach, describe, expect, inject, it } from 'vitest';
import { inDatabase, writeDatabase } from '../snapshot/databases.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { awards, outcomeOf } from '../support/processes.ts';
import { TmdbServer, token } from './tmdb-server.ts';
import { addUnknown, resultsOf } from './wikidata-text.ts';

let folder: string;
const server = await new TmdbServer().start();
afterAll(() => server.stop());
const at = (name: string) => join(folder, name);
const db = () => at('awards.db');
beforeEach(() => {
  folder = temporaryFolder();
  writeDatabase(db(), (connection) => addUnknown(connection, ['tt1', 'tt2'], ['nm1']));
});

const enrich = (words: readonly string[], more: Record<string, string> = {}) =>
  awards(['enrich', ...words, '--db', db()], { TMDB_API_URL: server.api, ...more });

/** The fields of the films, as the database has them. */
const films = (): unknown[] =>
  inDatabase(db(), (connection) =>
    connection.prepare('SELECT runtime, moviedb_id FROM movies ORDER BY id').raw().all(),
  );

const rows = [
  { imdb: 'tt1', item: 'Q1', duration: '90', tmdb: '7' },
  { imdb: 'tt2', item: 'Q2', duration: '91' },
];

it('wikidata: several files, with a summary for people and one for machines', async () => {
  const files = rows.map((row, i) => {
    writeFileSync(at(`part-${i}.json`), resultsOf([row]));
    return at(`part-${i}.json`);
  });
  const { code, stdout, stderr } = await enrich(['wikidata', ...files]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toBe(
    'movies: 2 of 2 found in Wikidata, 2 changed; filled: runtime 2, moviedb_id 1\n' +
      'nominees: 0 of 1 found in Wikidata, 0 changed\n',
  );
  expect(films()).toEqual([
    [90, 7],
    [91, null],
  ]);
  const again = await enrich(['wikidata', ...files, '--json', '--dry-run', '--refresh', '--limit', '1']);
  expect(JSON.parse(again.stdout)).toMatchObject({
    ...{ source: 'wikidata', dryRun: true, isLimited: false, contradicted: [], skipped: [] },
    resources: { movies: { wanted: 2, found: 2, changed: 0 }, nominees: { wanted: 1, found: 0 } },
  });
});

it.each<[string, (text: string) => string | Buffer]>([
  ['plain', (text) => text],
  ['gzip', (text) => gzipSync(text)],
])('wikidata: results through standard input, %s', async (_name, encode) => {
  const child = spawn(process.execPath, [inject('cli'), 'enrich', 'wikidata', '-', '--db', db()]);
  child.stdin.end(encode(resultsOf(rows)));
  expect(await outcomeOf(child)).toMatchObject({ code: 0, stderr: '' });
  expect(films()[0]).toEqual([90, 7]);
});

it('tmdb: with the token of the environment and a cache beside the database', async () => {
  server.film('tt1', 11, { runtime: 100 });
  const { code, stdout, stderr } = await enrich(['tmdb'], { TMDB_TOKEN: token });
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toContain('movies: 1 of 2 found in TMDB, 1 changed; filled: runtime 1, moviedb_id 1\n');
  expect(stdout).toContain('This product uses the TMDB API but is not endorsed or certified by TMDB.');
  expect(films()[0]).toEqual([100, 11]);
  expect(existsSync(at('tmdb-cache.db'))).toBe(true);
  const requests = server.requests.length;
  await enrich(['tmdb', '--cache', at('tmdb-cache.db')], { TMDB_TOKEN: token });
  expect(server.requests).toHaveLength(requests);
});

it('queries: files with the ids that lack something, in parts', async () => {
  const { code, stdout } = await enrich(['queries', at('queries'), '--size', '1']);
  expect(code).toBe(0);
  expect(stdout).toContain('3 queries for 2 films and 1 people');
  expect(readdirSync(at('queries')).sort()).toEqual(['films-001.rq', 'films-002.rq', 'people-001.rq']);
  expect(readFileSync(at('queries/films-002.rq'), 'utf8')).toContain('VALUES ?imdb { "tt2" }');
});

describe('exit code 1 and one line that says why:', () => {
  // These tests share a database, and change nothing.
  const shared = join(temporaryFolder(), 'awards.db');
  writeDatabase(shared, (connection) => addUnknown(connection, ['tt1']));

  it.concurrent.each<[string, string[], RegExp, Record<string, string>?]>([
    [
      'a missing database',
      ['wikidata', 'x', '--db', '/nowhere/x.db'],
      /there is no database at \/nowhere\/x\.db/,
    ],
    ['a missing file', ['wikidata', 'none.json'], /cannot read none\.json: there is no such file/],
    ['a file of another format', ['wikidata', 'package.json'], /package\.json has no SPARQL JSON results/],
    ['no token', ['tmdb'], /TMDB_TOKEN is not set; it is the "API Read Access Token"/],
    ['a token with blanks', ['tmdb'], /TMDB_TOKEN is not a token/, { TMDB_TOKEN: 'a b' }],
    [
      'a refused token',
      ['tmdb'],
      /TMDB does not accept the token in TMDB_TOKEN \(401\)/,
      { TMDB_TOKEN: 'wrong-1' },
    ],
    [
      'an address without https',
      ['tmdb'],
      /TMDB_API_URL is "http:\/\/example\.org"; it must be an https address/,
      { TMDB_TOKEN: token, TMDB_API_URL: 'http://example.org' },
    ],
  ])('%s', async (_name, words, message, more) => {
    const usual = { AWARDS_DB: shared, TMDB_API_URL: server.api };
    const { code, stdout, stderr } = await awards(['enrich', ...words], { ...usual, ...more });
    expect(stderr).toMatch(message);
    expect(stderr.trim().split('\n')).toHaveLength(1);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).not.toContain('wrong-1');
  });
});
