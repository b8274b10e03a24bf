/** Backups: consistent while others write, checked, hashed, and never half there. */
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { backUp } from '../../data/backup.ts';
import { unfinishedName } from '../../build/system/files.ts';
import { insertRecord } from '../../data/edits.ts';
import { type Connection, openDatabase, schemaVersion } from '../../data/open.ts';
import { countRecords } from '../../data/records.ts';
import { writeTransaction } from '../../data/transaction.ts';
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
const checksum = () =>
  existsSync(`${file}.sha256`) ? readFileSync(`${file}.sha256`, 'utf8').slice(0, 64) : 'none';
const sha256 = (path: string) => createHash('sha256').update(readFileSync(path)).digest('hex');

it('is one file with every commit, beside its SHA-256 as sha256sum writes it', async () => {
  addMovie('Only in the log');
  const report = await backUp(db, file);
  expect(report).toEqual({
    file,
    bytes: readFileSync(file).length,
    sha256: sha256(file),
    schema: schemaVersion,
  });
  expect(readFileSync(`${file}.sha256`, 'utf8')).toBe(`${report.sha256}  backup.db\n`);
  expect(
    readdirSync(folder)
      .filter((name) => !name.startsWith('awards.db'))
      .sort(),
  ).toEqual(['backup.db', 'backup.db.sha256']);
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

it('replaces a file only with force, and then with its checksum', async () => {
  writeFileSync(file, 'mine');
  await expect(backUp(db, file)).rejects.toThrow(/exists already.*--force/);
  expect(readFileSync(file, 'utf8')).toBe('mine');
  writeFileSync(`${file}.sha256`, 'of an earlier backup');
  await backUp(db, file, { force: true });
  expect(readFileSync(`${file}.sha256`, 'utf8')).toContain(sha256(file));
});

it.runIf(process.platform === 'linux')(
  'refuses a folder, and names the file that cannot be written',
  async () => {
    const folder = dirname(file);
    writeFileSync(`${folder}.sha256`, 'of another file');
    await expect(backUp(db, folder, { force: true })).rejects.toThrow(`${folder} is a folder`);
    expect(existsSync(`${folder}.sha256`)).toBe(true);
    rmSync(`${folder}.sha256`);
    const unwritable = '/proc/backup.db';
    await expect(backUp(db, unwritable)).rejects.toThrow(`cannot write the backup ${unwritable}`);
  },
);

it('is the earlier or the later file between all file operations, never beside the checksum of the other', async () => {
  const bytes = new Set([(await backUp(db, file)).sha256]);
  addMovie('Later');
  const states = new Set<string>();
  const interception = interceptCalls(folder, (call, proceed) => {
    if (/backup\.db/.test(call.subject)) states.add(`${sha256(file)} ${checksum()}`);
    return proceed();
  });
  bytes.add((await backUp(db, file, { force: true })).sha256);
  interception.end();
  const [earlier, later] = bytes;
  const allowed = [`${earlier} ${earlier}`, `${earlier} none`, `${later} none`, `${later} ${later}`];
  expect(allowed).toEqual(expect.arrayContaining([...states]));
  expect(states.size).toBeGreaterThan(2);
});

it.skipIf(process.platform === 'win32')('never replaces what is not a regular file', async () => {
  const socket = createServer().listen(file);
  await once(socket, 'listening');
  await expect(backUp(db, file, { force: true })).rejects.toThrow(`${file} is not a regular file`);
  expect(statSync(file).isSocket()).toBe(true);
  socket.close();
});

it('is made once where two are made at a time under one name', async () => {
  const outcomes = await Promise.allSettled([backUp(db, file), backUp(db, file)]);
  const made = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value.sha256] : []));
  const failures = outcomes.flatMap((outcome) =>
    outcome.status === 'rejected' ? [String(outcome.reason)] : [],
  );
  expect(failures).toEqual([expect.stringContaining(`${file} exists already`)]);
  expect([sha256(file), checksum()]).toEqual([...made, ...made]);
});

/** Makes a backup, and does something right before its checksum is written. */
async function backUpDisturbed(disturb: () => void): Promise<void> {
  const interception = interceptCalls(folder, (call, proceed) => {
    if (call.name === 'renameSync' && call.parameters[1] === `${file}.sha256`) disturb();
    return proceed();
  });
  await expect(backUp(db, file, { force: true })).rejects.toThrow(/was replaced or removed meanwhile/);
  interception.end();
}

it('fails where another one replaces it, beside the checksum of the file that stays', async () => {
  const other = join(folder, 'other.db');
  const { sha256: staying } = await backUp(db, other);
  addMovie('Replaced');
  await backUpDisturbed(() => existsSync(other) && renameSync(other, file));
  expect([sha256(file), checksum()]).toEqual([staying, staying]);
});

it('leaves no checksum where the file is removed meanwhile', async () => {
  await backUpDisturbed(() => rmSync(file, { force: true }));
  expect(existsSync(`${file}.sha256`)).toBe(false);
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
  expect(existsSync(`${db}.sha256`)).toBe(false);
  addMovie('Still sound');
  expect(connection.pragma('integrity_check', { simple: true })).toBe('ok');
});

it('leaves an older schema as it is', async () => {
  const old = join(folder, 'old.db');
  const source = new Database(old);
  source.exec(readFileSync(join(import.meta.dirname, 'fixtures/schema-1.sql'), 'utf8'));
  source.close();
  expect(await backUp(old, file)).toMatchObject({ schema: 1 });
  for (const path of [old, file]) {
    const each = new Database(path, { readonly: true });
    expect(each.pragma('user_version', { simple: true })).toBe(1);
    each.close();
  }
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
