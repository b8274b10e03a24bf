/**
 * The promise: an import or an enrichment may be killed at any call. What it wrote is whole, with receipts and provenance, and the
 * next run ends in the record of an undisturbed one. A kill leaves the files as they are at a call, so that they are copied there.
 */
import { copyFileSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { type Connection, openDatabase } from '../../data/database/open.ts';
import { enrichFromTmdb } from '../../data/enrich/tmdb.ts';
import { enrichFromWikidata } from '../../data/enrich/wikidata.ts';
import { interceptCalls } from '../support/intercepted-calls.ts';
import { runs } from '../support/settings.ts';
import { seeded } from '../records/seed.ts';
import { useWorkspace } from '../support/temporary-folder.ts';
import { TmdbServer, token } from './enriching.ts';
import { importText, recordOf } from '../records/record-text.ts';
import { addUnknown, resultsOf } from './wikidata-text.ts';

const at = useWorkspace();
const ids = Array.from({ length: 60 }, (_, i) => i + 1);
const server = new TmdbServer();
for (const id of ids)
  server.add('movie', `tt${id}`, id, {
    runtime: 60 + id,
    tagline: `Tagline ${id}`,
    overview: 'x'.repeat(2000),
  });
mkdirSync(at(''), { recursive: true });
const results = at('films.json');
writeFileSync(
  results,
  resultsOf(ids.map((id) => ({ imdb: `tt${id}`, item: `Q${id}`, duration: `${60 + id}`, tmdb: `${id}` }))),
);
const record = (count: number) =>
  recordOf(
    ...ids
      .slice(0, count)
      .map((id) => ({ Film: `F ${id}`, FilmId: `tt${id}`, Winner: id % 2 ? 'True' : '' })),
  );
const withFilms = (connection: Connection) =>
  addUnknown(
    connection,
    ids.map((id) => `tt${id}`),
  );

/** The record without times. Expects that it is whole: each value of a source has its provenance and its receipt. */
function contentOf(folder: string) {
  const connection = openDatabase(join(folder, 'awards.db'));
  const all = (sql: string) => connection.prepare(sql).raw().all();
  expect(connection.pragma('integrity_check', { simple: true })).toBe('ok');
  const unaccounted = `SELECT id FROM movies WHERE (runtime IS NOT NULL) <> EXISTS
    (SELECT 1 FROM given WHERE record_id = movies.id AND fields ->> '$.runtime' = movies.runtime) OR (runtime IS NOT NULL) <>
    EXISTS (SELECT 1 FROM receipts WHERE record_id = movies.id AND after ->> 'runtime' = movies.runtime)`;
  expect(all(unaccounted)).toEqual([]);
  const content = [
    ...['movies', 'nominees', 'nominations'].map((table) => all(`SELECT * FROM ${table} ORDER BY id`)),
    all('SELECT resource, record_id, source, source_id, fields FROM given ORDER BY 1, 2, 3'),
    all('SELECT resource, record_id, key_name, before, after FROM receipts ORDER BY 1, 2'),
  ];
  connection.close();
  return content;
}

it.each<
  [string, (connection: Connection) => unknown, (connection: Connection, folder: string) => Promise<unknown>]
>([
  [
    'import',
    (connection) => importText(connection, record(40)),
    (connection) => importText(connection, record(60), { force: true }),
  ],
  ['enrich wikidata', withFilms, (connection) => enrichFromWikidata(connection, { files: [results] })],
  [
    'enrich tmdb',
    withFilms,
    (connection, folder) =>
      enrichFromTmdb(connection, {
        token,
        api: server.api,
        cache: join(folder, 'cache.db'),
        now: () => new Date(),
        intervalMs: 0,
      }),
  ],
])('%s', async (name, prepare, work) => {
  await server.start();
  onTestFinished(() => server.stop());
  const original = at(name);
  mkdirSync(original);
  const run = async (folder: string, task: (connection: Connection, folder: string) => unknown) => {
    const connection = openDatabase(join(folder, 'awards.db'));
    await task(connection, folder);
    connection.close();
  };
  await run(original, prepare);
  const copy = (from: string, to: string) => {
    mkdirSync(to);
    for (const file of ['awards.db', 'awards.db-wal', 'cache.db', 'cache.db-wal'])
      if (existsSync(join(from, file))) copyFileSync(join(from, file), join(to, file));
    return to;
  };
  /** Runs the work in a copy, and copies its files again just before some of its calls. */
  const runIn = async (folder: string, killedAt: (call: number) => boolean) => {
    const killed: string[] = [];
    const interception = interceptCalls(folder, (call, proceed) => {
      if (killedAt(call.number)) killed.push(copy(folder, `${folder} killed at ${call.number}`));
      return proceed();
    });
    await run(folder, work).finally(() => interception.end());
    return { calls: interception.calls, killed, content: contentOf(folder) };
  };
  const whole = await runIn(copy(original, at(`${name} whole`)), () => false);
  const choices = seeded(`killed: ${name}`);
  const chosen = new Set(Array.from({ length: runs(6) }, () => choices.between(1, whole.calls)));
  const { killed } = await runIn(copy(original, at(`${name} again`)), (call) => chosen.has(call));
  expect(killed.length).toBeGreaterThan(0);
  for (const folder of killed) {
    contentOf(folder);
    await run(folder, work);
    expect(contentOf(folder), folder).toEqual(whole.content);
  }
});
