/** Opening a database: settings and refusals. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { openDatabase, schemaVersion } from '../../data/database/open.ts';
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

it.each([schemaVersion - 1, schemaVersion + 1])(
  'refuses a database with schema %i without changing it',
  (version) => {
    const file = join(folder, `schema-${version}.db`);
    const other = openDatabase(file);
    other.pragma(`user_version = ${version}`);
    other.close();
    const before = readFileSync(file);
    expect(() => openDatabase(file)).toThrow(
      `${file} has schema ${version}, and this version of the program has schema ${schemaVersion}; move the file away, and import the record again`,
    );
    expect(readFileSync(file).equals(before)).toBe(true);
  },
);
