/** A database that somebody else is writing to, or that is broken, is refused in one line by whatever needs it. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { verify } from '../../build/snapshot/verify.ts';
import { recordBuild } from '../../data/builds.ts';
import { generateRecord } from '../../data/generate/generate.ts';
import { type Connection, openDatabase } from '../../data/open.ts';
import { UserError } from '../../data/user-error.ts';
import { fillWithSample } from '../../data/sample/sample.ts';
import { writeTransaction } from '../../data/transaction.ts';

let folder: string;
let file: string;
let writer: Connection;
let connection: Connection;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'awards-locked-'));
  file = join(folder, 'a.db');
  writer = openDatabase(file);
  connection = openDatabase(file);
  connection.pragma('busy_timeout = 0');
});
afterEach(() => {
  writer.close();
  connection.close();
  rmSync(folder, { recursive: true });
});

it.each<[string, () => unknown]>([
  ['the sample', () => fillWithSample(connection)],
  ['generate', () => generateRecord(connection, { scale: 0.01, seed: 1 })],
  [
    'the end of a build',
    () => recordBuild(connection, '/out', { revision: 1, snapshot: 's', fingerprint: 'f' }),
  ],
])('%s is refused while another program writes', (_, work) => {
  writer.exec('BEGIN IMMEDIATE');
  expect(work).toThrow(new UserError(`the database ${file} is in use by another writer; try again`));
  writer.exec('ROLLBACK');
  expect(work).not.toThrow();
});

it('what fails halfway is undone, and what it threw comes through', () => {
  const work = () => {
    connection.exec("INSERT INTO movies (title) VALUES ('Anora')");
    throw new RangeError('halfway');
  };
  expect(() => writeTransaction(connection, work)).toThrow(new RangeError('halfway'));
  expect(connection.prepare('SELECT count(*) FROM movies').pluck().get()).toBe(0);
});

it('verify refuses a reference to a record that is not there', async () => {
  fillWithSample(connection);
  connection.pragma('foreign_keys = OFF');
  connection.exec('DELETE FROM songs; DELETE FROM movies WHERE id = 1');
  await expect(verify(connection, folder)).rejects.toThrow(
    /^the database is inconsistent: nominations [0-9]+ refers to a record of movies that is not there$/,
  );
});
