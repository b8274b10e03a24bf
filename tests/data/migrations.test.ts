/**
 * The promise: a database of every earlier version of the schema is migrated without loss, and builds. The fixtures were written
 * by the program of that version: import, build, keys, writes, a deleted record, and a write that no build holds.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { nextId } from '../../data/edits.ts';
import { type Connection, openDatabase, schemaVersion } from '../../data/open.ts';
import { readReceipt } from '../../data/receipts.ts';
import { build, verify } from '../support/build.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const fixtures = join(import.meta.dirname, 'fixtures');
const versions = readdirSync(fixtures).map((name) => Number(/^schema-(\d+)\.sql$/.exec(name)![1]));

const folder = temporaryFolder();

/** Loads a fixture into a database file. */
function load(version: number, name = `${version}.db`): string {
  const file = join(folder, name);
  const connection = new Database(file);
  connection.exec(readFileSync(join(fixtures, `schema-${version}.sql`), 'utf8'));
  connection.close();
  return file;
}

const namesOf = (connection: Connection, type: string) =>
  connection
    .prepare<[string], string>('SELECT name FROM sqlite_schema WHERE type = ? ORDER BY name')
    .pluck()
    .all(type);

/** The rows of each table, of its first columns: later versions add columns at the end. */
function rowsOf(connection: Connection, columns: Readonly<Record<string, string[]>>) {
  return Object.entries(columns).map(([table, names]) => [
    table,
    connection.prepare(`SELECT ${names.join(', ')} FROM ${table}`).all(),
  ]);
}

const columnsOf = (connection: Connection, table: string) =>
  (connection.pragma(`table_xinfo(${table})`) as { name: string; type: string; notnull: number }[]).map(
    ({ name, type, notnull }) => ({ name, type, notnull }),
  );

interface OldReceipt {
  id: number;
  at: string;
  before: string | null;
  after: string;
  snapshot: string | null;
  files: string | null;
}

/** The receipts of an earlier version, read as that version did. */
const oldReceipts = (connection: Connection): OldReceipt[] =>
  connection
    .prepare<[], OldReceipt>(
      'SELECT receipts.id, at, before, after, snapshot, files FROM receipts LEFT JOIN rebuilds ON rebuilds.id = rebuild_id',
    )
    .all();

it('there is a fixture of each released version', () => {
  expect(versions).toEqual(expect.arrayContaining([1, 2, 3, 4, 6]));
});

describe.each(versions)('a database of version %i', (version) => {
  /** Tables that a migration rewrites are compared on their own. */
  const rewritten = ['receipts', 'rebuilds'];

  it('is migrated without loss, and gives no id again', () => {
    const file = load(version, `${version}-content.db`);
    const old = new Database(file, { readonly: true });
    const tables = namesOf(old, 'table').filter((table) => !rewritten.includes(table));
    const columns = Object.fromEntries(
      tables.map((table) => [table, columnsOf(old, table).map(({ name }) => name)]),
    );
    const before = rowsOf(old, columns);
    expect(before.find(([table]) => table === 'nominations')![1]!.length).toBeGreaterThan(7);
    old.close();
    const connection = openDatabase(file);
    expect(connection.pragma('user_version', { simple: true })).toBe(schemaVersion);
    const after = rowsOf(connection, columns);
    for (const [index, [table, rows]] of before.entries())
      expect(after[index]![1], String(table)).toEqual(expect.arrayContaining(rows as unknown[]));
    expect(connection.pragma('integrity_check', { simple: true })).toBe('ok');
    expect(connection.pragma('foreign_key_check')).toEqual([]);
    // The fixture has four films, and a fifth was deleted.
    expect(nextId(connection, 'movies')).toBe(6);
    connection.close();
  });

  it('has the schema of a new database afterwards', () => {
    const migrated = openDatabase(load(version, `${version}-schema.db`));
    const fresh = openDatabase(':memory:');
    for (const type of ['table', 'index', 'trigger'])
      expect(namesOf(migrated, type)).toEqual(namesOf(fresh, type));
    for (const table of namesOf(fresh, 'table'))
      expect(columnsOf(migrated, table), table).toEqual(columnsOf(fresh, table));
    migrated.close();
    fresh.close();
  });

  it('builds', async () => {
    const connection = openDatabase(load(version));
    const out = join(folder, `${version}-dist`);
    await build(connection, out);
    expect((await verify(connection, out)).differences).toEqual([]);
    connection.close();
  });
});

it.each([2, 3, 6])('a database of version %i keeps its receipts', (version) => {
  const file = load(version, `${version}-receipts.db`);
  const old = new Database(file, { readonly: true });
  const receipts = oldReceipts(old);
  old.close();
  const connection = openDatabase(file);
  expect(receipts.map(({ snapshot }) => snapshot === null)).toContain(true);
  for (const { before, after, files, ...receipt } of receipts)
    expect(readReceipt(connection, receipt.id)).toMatchObject({
      ...receipt,
      before: JSON.parse(before ?? 'null'),
      after: JSON.parse(after),
      files: JSON.parse(files ?? 'null'),
    });
  expect(readReceipt(connection, receipts.length + 1)).toBeUndefined();
  connection.close();
});
