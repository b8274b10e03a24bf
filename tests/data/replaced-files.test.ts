/** The promise: no commit is reported as done if the file that it went to is no longer the database, or its log is not. */
import { rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { insertRecord, recordExists } from '../../data/edits.ts';
import { DatabaseReplaced } from '../../data/file-identity.ts';
import { type Connection, openDatabase } from '../../data/open.ts';
import { writeTransaction } from '../../data/transaction.ts';
import { damages } from '../durability/damages.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

let root: string;
let db: string;
let connection: Connection;
beforeEach(() => {
  root = temporaryFolder();
  db = join(root, 'data', 'awards.db');
  connection = openDatabase(db);
});
afterEach(() => {
  connection.close();
});

const add = (title: string) => insertRecord(connection, 'movies', { title });
const write = (title: string) => writeTransaction(connection, () => add(title));

it.each(Object.entries(damages))('%s: nothing more is written', (_, { damage, path, how }) => {
  write('Before');
  damage(db);
  for (const title of ['After', 'Again']) {
    expect(() => write(title)).toThrow(DatabaseReplaced);
    expect(() => write(title)).toThrow(`${path(db)} was ${how}`);
  }
  expect(connection.inTransaction).toBe(false);
  expect(recordExists(connection, 'movies', 2)).toBe(false);
});

it.each(Object.entries(damages))('%s during the transaction: it is rolled back', (_, { damage }) => {
  const writing = () =>
    writeTransaction(connection, () => {
      add('Within');
      damage(db);
    });
  expect(writing).toThrow(DatabaseReplaced);
  expect(recordExists(connection, 'movies', 1)).toBe(false);
});

it.each(Object.entries(damages))('%s during the commit: it is not acknowledged', (_, { damage }) => {
  const exec = connection.exec.bind(connection);
  connection.exec = (sql: string) => {
    exec(sql);
    if (sql === 'COMMIT') damage(db);
    return connection;
  };
  expect(() => write('Within')).toThrow(DatabaseReplaced);
});

it('the same files under a link, by another path, and after a checkpoint: writing goes on', () => {
  const link = join(root, 'link.db');
  symlinkSync(db, link);
  const linked = openDatabase(link);
  writeTransaction(linked, () => insertRecord(linked, 'movies', { title: 'Linked' }));
  linked.pragma('wal_checkpoint(TRUNCATE)');
  write('After the checkpoint');
  linked.exec('VACUUM');
  openDatabase(db).close();
  write('After a vacuum and another connection');
  linked.close();
  write('Last');
  expect(recordExists(connection, 'movies', 4)).toBe(true);
});

it('a link that leads elsewhere now: nothing more is written', () => {
  const [link, other] = [join(root, 'link.db'), join(root, 'other.db')];
  symlinkSync(db, link);
  openDatabase(other).close();
  const linked = openDatabase(link);
  rmSync(link);
  symlinkSync(other, link);
  expect(() =>
    writeTransaction(linked, () => insertRecord(linked, 'movies', { title: 'Elsewhere' })),
  ).toThrow(`${link} was replaced`);
  linked.close();
});
