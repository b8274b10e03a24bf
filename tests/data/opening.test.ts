/** Opening a database: settings, migration, refusals. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { openDatabase, schemaVersion } from '../../data/open.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const folder = temporaryFolder();

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

it('a database stays unchanged if its migration fails', () => {
  const file = join(folder, 'clash.db');
  const old = openDatabase(file);
  for (const table of ['receipts', 'rebuilds', 'api_keys', 'lineage']) old.exec(`DROP TABLE ${table}`);
  old.exec('CREATE TABLE receipts (mine TEXT); PRAGMA user_version = 1');
  old.close();
  expect(() => openDatabase(file)).toThrow(/cannot open the database .*receipts already exists/);
  const after = new Database(file, { readonly: true });
  expect(after.pragma('user_version', { simple: true })).toBe(1);
  expect(after.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'api_keys'").get()).toBeUndefined();
  after.close();
});
