/**
 * The promise: the sqlite3 shell of the system, which may be years older than the SQLite of this program, finds the database
 * sound, its dump can be loaded again, and a change made with it counts. Skipped without the shell.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import Database from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { recordBuild } from '../../data/database/builds.ts';
import { revision } from '../../data/database/changes.ts';
import { insertRecord } from '../../data/record/edits.ts';
import { createKey, revokeKey } from '../../data/record/keys.ts';
import { type Connection, openDatabase, schemaVersion } from '../../data/database/open.ts';
import { addReceipt } from '../../data/record/receipts.ts';
import { fillWithNastyRecord } from '../oracle/nasty-record.ts';
import { writeDatabase } from '../snapshot/databases.ts';
import { fillWithTinyRecord } from '../snapshot/tiny-record.ts';
import { build, verify } from '../support/build.ts';
import { useWorkspace } from '../support/temporary-folder.ts';

const { stdout: version, status } = spawnSync('sqlite3', ['--version'], { encoding: 'utf8' });
const shell = status === 0 ? `sqlite3 ${version.split(' ')[0]}` : 'sqlite3, which is not installed here';

const at = useWorkspace();
writeDatabase(at('awards.db'), (connection) => {
  fillWithNastyRecord(connection);
  fillOtherTables(connection);
});

/** Rows with and without a value in each column that may be NULL. */
function fillOtherTables(connection: Connection): void {
  insertRecord(connection, 'movies', { id: 700, title: 'Without anything else' });
  insertRecord(connection, 'songs', { id: 700, original_title: 'Without anything else' });
  connection.exec(`
    INSERT INTO given VALUES ('movies', 1, 'import', NULL, NULL, '{"title":"é"}', 1);
    UPDATE nominations SET entry = 1, character = 'É', note = 'N', historical_category = 'C' WHERE id % 2 = 0;
    INSERT INTO honors (ceremony_id, class, category) SELECT min(id), 'Special', 'C' FROM ceremonies;
    INSERT INTO honors (ceremony_id, class, category, movie_id, recipients, nominee_ids, citation)
      SELECT min(id), 'SciTech', 'C', 1, 'É', '[1]', 'To "É".' FROM ceremonies;
  `);
  const at = new Date('2026-01-02T03:04:05.678Z');
  createKey(connection, 'editor', at);
  createKey(connection, 'former', at);
  revokeKey(connection, 'former', at);
  const write = {
    at,
    key: 'editor',
    resource: 'movies',
    recordId: 1,
    after: { title: 'é "\\" \u0001' },
  } as const;
  addReceipt(connection, { ...write, action: 'create', before: null });
  addReceipt(connection, { ...write, action: 'update', before: { title: null } });
  const files = [{ path: 'manifest.json', action: 'written', cause: 'it "names" all' }] as const;
  recordBuild(
    connection,
    '/dist',
    { revision: revision(connection), snapshot: 's', fingerprint: 'f' },
    files,
  );
  connection.exec("UPDATE movies SET tagline = 'Not built' WHERE id = 1");
  addReceipt(connection, { ...write, action: 'update', before: {} });
  addReceipt(connection, { ...write, key: 'import', action: 'delete', before: { id: 1 }, after: null });
}

const run = (file: string, input: string): string => {
  const { stdout, stderr } = spawnSync('sqlite3', [file], { input, encoding: 'utf8', maxBuffer: 1e9 });
  expect(stderr).toBe('');
  return stdout;
};

function contentOf(file: string) {
  const connection = new Database(file, { readonly: true });
  const names = connection
    .prepare<[], string>("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name")
    .pluck()
    .all();
  const rows = names.map((name) => [name, connection.prepare(`SELECT * FROM ${name}`).all()]);
  connection.close();
  return rows;
}

describe.skipIf(status !== 0)(shell, () => {
  it('finds no fault', () => {
    expect(run(at('awards.db'), 'PRAGMA integrity_check; PRAGMA foreign_key_check;')).toBe('ok\n');
  });

  it('dumps what it can load, and what this program can load', () => {
    const dump = run(at('awards.db'), '.dump');
    // A dump has no user_version.
    const script = `${dump}PRAGMA user_version = ${schemaVersion};`;
    expect(run(at('by-shell.db'), script)).toBe('');
    const loaded = new Database(at('by-program.db'));
    loaded.exec(script);
    loaded.close();
    for (const name of ['by-shell.db', 'by-program.db']) {
      expect(contentOf(at(name)), name).toEqual(contentOf(at('awards.db')));
      openDatabase(at(name), { check: true }).close();
    }
  });
});

async function buildAndVerify(connection: Connection): Promise<string> {
  const { scope } = await build(connection, at('changed'));
  expect((await verify(connection, at('changed'))).differences).toEqual([]);
  return scope;
}

/** In turn. The tool does not turn on foreign keys or recursive triggers, as the program does. */
const statements = [
  "UPDATE movies SET title = 'Renamed in the shell' WHERE id = 1",
  "INSERT OR REPLACE INTO nominees (id, name) VALUES (4, 'Replaced')",
  'UPDATE OR REPLACE nominations SET id = 2 WHERE id = 6',
  'REPLACE INTO ceremonies (id, ceremony_year) VALUES (1, 1999)',
  'DELETE FROM nominations WHERE id = 3; DELETE FROM songs',
  "INSERT INTO songs (id, original_title) VALUES (7, 'New') ON CONFLICT (id) DO UPDATE SET original_title = 'Old'",
  'BEGIN; DELETE FROM nominations; ROLLBACK; UPDATE movies SET runtime = 9',
  "ATTACH ':memory:' AS aside; CREATE TABLE aside.m AS SELECT * FROM movies; UPDATE movies SET tagline = 'x'",
];

describe.skipIf(status !== 0)(`a change made with ${shell} counts`, () => {
  let connection: Connection;
  beforeAll(async () => {
    writeDatabase(at('shell.db'), fillWithTinyRecord);
    connection = openDatabase(at('shell.db'));
    expect(await buildAndVerify(connection)).toBe('everything');
  });
  afterAll(() => connection.close());

  it.each(statements)('%s', async (statement) => {
    execFileSync('sqlite3', [at('shell.db'), statement]);
    expect(await buildAndVerify(connection)).toBe('changes');
  });
});
