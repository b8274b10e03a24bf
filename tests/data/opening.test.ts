/** Opening a database: settings, migration, refusals. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Connection, openDatabase, schemaVersion } from '../../data/open.ts';
import { fillWithTinyRecord } from '../snapshot/tiny-record.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'awards-opening-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

describe('opening a database', () => {
  it('makes commits durable and enforces references, on every connection', () => {
    const file = join(folder, 'durable.db');
    for (let connections = 0; connections < 3; connections += 1) {
      const connection = openDatabase(file);
      expect(connection.pragma('synchronous', { simple: true })).toBe(2);
      expect(connection.pragma('journal_mode', { simple: true })).toBe('wal');
      expect(connection.pragma('foreign_keys', { simple: true })).toBe(1);
      expect(connection.pragma('user_version', { simple: true })).toBe(schemaVersion);
      connection.close();
    }
  });

  it('refuses the database of another program without changing it', () => {
    const file = join(folder, 'bookmarks.sqlite');
    const other = new Database(file);
    other.exec('CREATE TABLE bookmarks (url TEXT); PRAGMA user_version = 1');
    other.close();
    const before = readFileSync(file);
    expect(() => openDatabase(file)).toThrow(/is the database of another program/);
    expect(readFileSync(file).equals(before)).toBe(true);
  });

  it('refuses a file that is not a database', () => {
    const file = join(folder, 'notes.db');
    writeFileSync(file, 'These are notes, and no database at all, whatever the name says. '.repeat(20));
    expect(() => openDatabase(file)).toThrow(/cannot open the database .*not a database/);
  });
});

describe('a database of version 1', () => {
  /** A database of version 1 with records and a build. */
  function makeOld(name: string, more = ''): string {
    const file = join(folder, name);
    const old = openDatabase(file);
    fillWithTinyRecord(old);
    for (const table of ['receipts', 'rebuilds', 'api_keys', 'lineage']) old.exec(`DROP TABLE ${table}`);
    old.exec(`INSERT INTO builds VALUES ('/dist', 7, 's', 'f'); ${more}; PRAGMA user_version = 1`);
    old.close();
    return file;
  }

  /** All rows of all tables of version 1. */
  function contentOf(connection: Connection) {
    const names = connection
      .prepare<[], string>("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name")
      .pluck()
      .all()
      .filter((name) => !['api_keys', 'rebuilds', 'receipts', 'lineage'].includes(name));
    return names.map((name) => [name, connection.prepare(`SELECT * FROM ${name}`).raw().all()]);
  }

  it('is migrated without loss', () => {
    const file = makeOld('old.db');
    const old = new Database(file, { readonly: true });
    const before = contentOf(old);
    old.close();
    const connection = openDatabase(file);
    expect(connection.pragma('user_version', { simple: true })).toBe(schemaVersion);
    expect(contentOf(connection)).toEqual(before);
    expect(before.find(([name]) => name === 'changes')![1]).toHaveLength(19);
    const fresh = openDatabase(':memory:');
    const schemaOf = (database: Connection) =>
      database.prepare('SELECT type, name, sql FROM sqlite_schema ORDER BY name').all();
    expect(schemaOf(connection)).toEqual(schemaOf(fresh));
    connection.close();
    fresh.close();
  });

  it('stays unchanged if the migration fails', () => {
    const file = makeOld('clash.db', 'CREATE TABLE receipts (mine TEXT)');
    expect(() => openDatabase(file)).toThrow(/cannot open the database .*receipts already exists/);
    const old = new Database(file, { readonly: true });
    expect(old.pragma('user_version', { simple: true })).toBe(1);
    expect(old.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'api_keys'").get()).toBeUndefined();
    old.close();
  });
});
