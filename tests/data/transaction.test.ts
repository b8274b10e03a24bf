/** Transactions are whole or undone, and report the first error. */
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { recordBuild } from '../../data/database/builds.ts';
import { generateRecord } from '../../data/generate/generate.ts';
import { type Connection, openDatabase } from '../../data/database/open.ts';
import { fillWithSample } from '../../data/sample/sample.ts';
import { DatabaseBusy, readTransaction, writeTransaction } from '../../data/database/transaction.ts';
import { UserError } from '../../build/system/messages.ts';
import { importText, recordOf } from '../import/record-text.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

let folder: string;
let file: string;
let other: Connection;
let connection: Connection;
beforeEach(() => {
  folder = temporaryFolder();
  file = join(folder, 'a.db');
  other = openDatabase(file, { timeoutMs: 0 });
  connection = openDatabase(file, { timeoutMs: 0 });
});
afterEach(() => {
  vi.restoreAllMocks();
  other.close();
  connection.close();
});

const addMovie = (database: Connection) => database.exec("INSERT INTO movies (title) VALUES ('Anora')");
const countMovies = (database: Connection) =>
  database.prepare<[], number>('SELECT count(*) FROM movies').pluck().get()!;
const failHalfway = () => {
  addMovie(connection);
  throw new RangeError('halfway');
};

/** Lets every ROLLBACK of the connection fail until the answer is called. */
function breakRollback(): () => void {
  const exec = connection.exec.bind(connection);
  const spy = vi.spyOn(connection, 'exec').mockImplementation((sql) => {
    if (sql === 'ROLLBACK') throw new Error('the disk is gone');
    return exec(sql);
  });
  return () => spy.mockRestore();
}

describe('while another program writes', () => {
  it.each<[string, () => unknown]>([
    ['a transaction', () => writeTransaction(connection, () => {})],
    ['the sample', () => fillWithSample(connection)],
    ['an import', () => importText(connection, recordOf({}))],
    ['generate', () => generateRecord(connection, { scale: 0.01, seed: 1 })],
    [
      'the end of a build',
      () => recordBuild(connection, '/out', { revision: 1, snapshot: 's', fingerprint: 'f' }),
    ],
  ])('%s is refused with one line, and works afterwards', async (_, work) => {
    const done = async () => work();
    other.exec('BEGIN IMMEDIATE');
    await expect(done()).rejects.toThrow(
      new DatabaseBusy(`the database ${file} is in use by another writer; try again`),
    );
    await expect(done()).rejects.toThrow(UserError);
    other.exec('ROLLBACK');
    await done();
  });

  it('a transaction waits no longer than the timeout', () => {
    const waiting = openDatabase(file, { timeoutMs: 100 });
    expect(waiting.pragma('busy_timeout', { simple: true })).toBe(100);
    other.exec('BEGIN IMMEDIATE');
    expect(() => writeTransaction(waiting, () => {})).toThrow(DatabaseBusy);
    waiting.close();
  });

  it('a read transaction sees one state of the database', async () => {
    await readTransaction(connection, async () => {
      expect(countMovies(connection)).toBe(0);
      addMovie(other);
      await pause(1);
      expect(countMovies(connection)).toBe(0);
    });
    expect(countMovies(connection)).toBe(1);
  });
});

describe.each([
  ['writeTransaction', async (work: () => void) => writeTransaction(connection, work)],
  ['readTransaction', (work: () => void) => readTransaction(connection, async () => work())],
])('%s', (_, run) => {
  it('undoes work that fails halfway, and throws its error', async () => {
    await expect(run(failHalfway)).rejects.toThrow(new RangeError('halfway'));
    expect(countMovies(connection)).toBe(0);
    expect(connection.inTransaction).toBe(false);
  });

  it('throws the first error if the rollback fails, and rolls back before the next transaction', async () => {
    const mend = breakRollback();
    await expect(run(failHalfway)).rejects.toThrow(new RangeError('halfway'));
    expect(connection.inTransaction).toBe(true);
    await expect(run(() => {})).rejects.toThrow('the disk is gone');
    mend();
    await run(() => expect(countMovies(connection)).toBe(0));
  });

  it('retries a failed rollback in the background, so that others can write', async () => {
    const mend = breakRollback();
    await expect(run(failHalfway)).rejects.toThrow(RangeError);
    expect(() => writeTransaction(other, () => {})).toThrow(/./);
    mend();
    await vi.waitFor(() => expect(connection.inTransaction).toBe(false));
    expect(() => writeTransaction(other, () => addMovie(other))).not.toThrow();
  });

  it('is not ended by the retry of an earlier rollback', async () => {
    const mend = breakRollback();
    await expect(run(failHalfway)).rejects.toThrow(RangeError);
    mend();
    await readTransaction(connection, async () => {
      await pause(200);
      expect(connection.inTransaction).toBe(true);
    });
  });

  it('cannot be nested, and the outer transaction survives the attempt', async () => {
    await run(() => {
      addMovie(connection);
      expect(() => writeTransaction(connection, () => {})).toThrow(/transaction within a transaction/);
    });
    expect(countMovies(connection)).toBe(1);
  });
});
