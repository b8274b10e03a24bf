/** Backups: consistent while others write, checked, and never half there. */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { backUp } from '../../data/backup.ts';
import { unfinishedName } from '../../build/system/files.ts';
import { insertRecord } from '../../data/record/edits.ts';
import { type Connection, openDatabase } from '../../data/database/open.ts';
import { countRecords } from '../../data/record/records.ts';
import { writeTransaction } from '../../data/database/transaction.ts';
import { interceptCalls } from '../durability/intercepted-calls.ts';
import { fillWithTinyRecord } from '../snapshot/tiny-record.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

let folder: string;
let db: string;
let file: string;
let connection: Connection;
beforeEach(() => {
  folder = temporaryFolder();
  db = join(folder, 'awards.db');
  file = join(folder, 'backup.db');
  connection = openDatabase(db);
  fillWithTinyRecord(connection);
});
afterEach(() => {
  connection.close();
});

const addMovie = (title: string) =>
  writeTransaction(connection, () => insertRecord(connection, 'movies', { title }));
const sha256 = (path: string) => createHash('sha256').update(readFileSync(path)).digest('hex');

it('is one file with every commit', async () => {
  addMovie('Only in the log');
  expect(await backUp(db, file)).toBe(statSync(file).size);
  expect(readdirSync(folder).filter((name) => !name.startsWith('awards.db'))).toEqual(['backup.db']);
  const backup = new Database(file, { readonly: true });
  expect(backup.pragma('journal_mode', { simple: true })).toBe('delete');
  expect(countRecords(backup)).toEqual(countRecords(connection));
  backup.close();
});

it('has the state at its start, whatever others write meanwhile, and comes to its end', async () => {
  // Enough for several steps.
  const overview = 'x'.repeat(100_000);
  writeTransaction(connection, () => {
    for (let i = 0; i < 200; i += 1) insertRecord(connection, 'movies', { title: `${i}`, overview });
  });
  const before = countRecords(connection);
  let steps = 0;
  await backUp(db, file, {
    onProgress() {
      steps += 1;
      addMovie('Meanwhile');
    },
  });
  expect(steps).toBeGreaterThan(3);
  const backup = new Database(file, { readonly: true });
  expect(countRecords(backup)).toEqual(before);
  backup.close();
});

it('replaces a file only with force', async () => {
  writeFileSync(file, 'mine');
  await expect(backUp(db, file)).rejects.toThrow(/exists already.*--force/);
  expect(readFileSync(file, 'utf8')).toBe('mine');
  await backUp(db, file, { force: true });
  expect(statSync(file).size).toBeGreaterThan(4096);
});

it.runIf(process.platform === 'linux')(
  'refuses a folder, and names the file that cannot be written',
  async () => {
    await expect(backUp(db, dirname(file), { force: true })).rejects.toThrow(
      `cannot write the backup ${dirname(file)}`,
    );
    await expect(backUp(db, '/proc/backup.db')).rejects.toThrow('cannot write the backup /proc/backup.db');
  },
);

it('is the earlier or the later file between all file operations', async () => {
  await backUp(db, file);
  const bytes = [sha256(file)];
  addMovie('Later');
  const states = new Set<string>();
  const interception = interceptCalls(folder, (call, proceed) => {
    if (/backup\.db/.test(call.subject)) states.add(sha256(file));
    return proceed();
  });
  await backUp(db, file, { force: true });
  interception.end();
  bytes.push(sha256(file));
  expect(bytes).toEqual(expect.arrayContaining([...states]));
});

it('takes no notice of what a killed process with the same number left behind', async () => {
  const left = unfinishedName(file);
  writeFileSync(left, 'half a backup');
  await backUp(db, file);
  expect(readFileSync(left, 'utf8')).toBe('half a backup');
});

it('never replaces the database or its log', async () => {
  for (const suffix of ['', '-wal', '-shm', '-journal'])
    await expect(backUp(db, db + suffix, { force: true })).rejects.toThrow(/belongs to the database itself/);
  addMovie('Still sound');
  expect(connection.pragma('integrity_check', { simple: true })).toBe('ok');
});

it('is refused for an inconsistent database, and leaves nothing behind', async () => {
  connection.pragma('foreign_keys = OFF');
  connection.exec('DELETE FROM movies WHERE id = 1');
  await expect(backUp(db, file)).rejects.toThrow(/refers to a record of movies that is not there/);
  expect(readdirSync(folder).filter((name) => !name.startsWith('awards.db'))).toEqual([]);
});

it('is refused without a database, or without a folder for it', async () => {
  await expect(backUp(join(folder, 'none.db'), file)).rejects.toThrow(/there is no database/);
  await expect(backUp(db, join(folder, 'none/backup.db'))).rejects.toThrow(/there is no folder/);
});
