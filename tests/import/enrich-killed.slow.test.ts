/**
 * The promise: "awards enrich" may be killed at any moment. What it wrote is whole, with its receipt and provenance, and the next
 * run ends in the record of an undisturbed one.
 */
import { copyFileSync, existsSync, rmSync, writeFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import Database from 'better-sqlite3';
import { afterAll, expect, test } from 'vitest';
import { openDatabase } from '../../data/database/open.ts';
import { runs } from '../support/settings.ts';
import { writeDatabase } from '../snapshot/databases.ts';
import { useMemoryFolder } from '../support/temporary-folder.ts';
import { awards, outcomeOf, startAwards } from '../support/processes.ts';
import { seeded } from '../support/seed.ts';
import { TmdbServer, token } from './tmdb-server.ts';
import { addUnknown, resultsOf } from './wikidata-text.ts';

const at = useMemoryFolder();
const films = Array.from({ length: 1500 }, (_, i) => `tt${i + 1}`);
/** TMDB is asked for 20 of them a second. */
const tmdbFilms = 70;
const server = await new TmdbServer().start();
afterAll(() => server.stop());
writeDatabase(at('original.db'), (connection) => addUnknown(connection, films));
const rows = films.map((imdb, i) => ({
  imdb,
  item: `Q${i + 1}`,
  duration: String(60 + i),
  tmdb: String(i + 1),
}));
writeFileSync(at('films.json'), resultsOf(rows, 0));
for (const [i, id] of films.slice(0, tmdbFilms).entries())
  server.film(id, i + 1, { runtime: 60 + i, tagline: `Tagline ${i}`, overview: 'x'.repeat(2000) });

interface Outcome {
  movies: unknown[];
  provenance: unknown[];
  receipts: unknown[];
}

/** The record without times, and whether it is whole. */
function outcomeIn(db: string): Outcome {
  const connection = openDatabase(db);
  const all = (sql: string) => connection.prepare(sql).raw().all();
  expect(connection.pragma('integrity_check', { simple: true })).toBe('ok');
  const outcome = {
    movies: all('SELECT * FROM movies ORDER BY id'),
    provenance: all('SELECT record_id, fields, source, source_id FROM given ORDER BY 1, 3'),
    receipts: all('SELECT record_id, key_name, before, after FROM receipts ORDER BY record_id'),
  };
  const unaccounted = `SELECT id FROM movies WHERE (runtime IS NOT NULL) <> EXISTS
    (SELECT 1 FROM given WHERE record_id = movies.id AND json_type(fields, '$.runtime') IS NOT NULL) OR (runtime IS NOT NULL) <>
    EXISTS (SELECT 1 FROM receipts WHERE record_id = movies.id AND after ->> 'runtime' = movies.runtime)`;
  expect(all(unaccounted)).toEqual([]);
  connection.close();
  return outcome;
}

const sources: [string, string[]][] = [
  ['wikidata', ['enrich', 'wikidata', at('films.json')]],
  ['tmdb', ['enrich', 'tmdb', '--limit', String(tmdbFilms)]],
];

test.each(sources)(
  '%s',
  async (name, command) => {
    const choices = seeded(`killed ${name}`);
    const environment = { TMDB_TOKEN: token, TMDB_API_URL: server.api };
    const fresh = (db: string) => {
      for (const suffix of ['-wal', '-shm']) rmSync(db + suffix, { force: true });
      rmSync(at('tmdb-cache.db'), { force: true });
      copyFileSync(at('original.db'), db);
    };
    const db = at(`${name}.db`);
    fresh(db);
    expect(await awards([...command, '--db', db], environment)).toMatchObject({ code: 0, stderr: '' });
    const whole = outcomeIn(db);
    expect(whole.receipts.length).toBe(name === 'tmdb' ? tmdbFilms : films.length);

    for (let round = 0; round < runs(4); round += 1) {
      fresh(db);
      for (let kills = choices.between(1, 2); kills > 0; kills -= 1) {
        const written = outcomeIn(db).receipts.length;
        const [receipts, requests] = [
          choices.between(written, whole.receipts.length - 1),
          choices.between(1, 99),
        ];
        const start = server.requests.length;
        const isReached =
          name === 'tmdb'
            ? () => server.requests.length - start >= requests
            : () => valuesOf(db, 'receipts', 'id').length >= receipts;
        const child = startAwards([...command, '--db', db], environment);
        const ended = outcomeOf(child);
        while (!isReached() && child.exitCode === null) await pause(1);
        child.kill('SIGKILL');
        await ended;
        expect(outcomeIn(db).receipts.length).toBeLessThanOrEqual(whole.receipts.length);
      }
      const asked = server.requests.length;
      const stored = new Set(valuesOf(at('tmdb-cache.db'), 'answers', 'path'));
      expect(await awards([...command, '--db', db], environment)).toMatchObject({ code: 0, stderr: '' });
      expect(outcomeIn(db)).toEqual(whole);
      expect(server.requests).toEqual(expect.arrayContaining([...stored]));
      // The answers that were stored before are not asked for again.
      expect(server.requests.slice(asked).filter((path) => stored.has(path))).toEqual([]);
    }
  },
  600_000,
);

/** The values of a column; none without the file or the table: the process may be killed before it makes them. */
function valuesOf(file: string, table: string, column: string): unknown[] {
  if (!existsSync(file)) return [];
  // A connection that may write would tidy up after the kill when it is closed.
  const connection = new Database(file, { readonly: true });
  try {
    const isThere = connection.prepare('SELECT 1 FROM sqlite_schema WHERE name = ?').get(table) !== undefined;
    return isThere ? connection.prepare(`SELECT ${column} FROM ${table}`).pluck().all() : [];
  } finally {
    connection.close();
  }
}
