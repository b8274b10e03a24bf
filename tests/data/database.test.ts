/** Opening a database, and transactions: whole or undone, with the first error. */
import { copyFileSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Writer } from '../../api/write/writer.ts';
import { UserError } from '../../data/system/messages.ts';
import { recordBuild } from '../../data/database/changes.ts';
import { migrations } from '../../data/database/migrations.ts';
import { type Connection, openDatabase } from '../../data/database/open.ts';
import { DatabaseMoved, saveDeletedLog } from '../../data/database/place.ts';
import { DatabaseBusy, readTransaction, writeTransaction } from '../../data/database/transaction.ts';
import { importText, recordOf } from '../records/record-text.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

let file: string;
let other: Connection;
let connection: Connection;
beforeEach(() => {
  file = join(temporaryFolder(), 'awards.db');
  [other, connection] = [openDatabase(file, { timeoutMs: 0 }), openDatabase(file, { timeoutMs: 0 })];
});
afterEach(() => {
  vi.restoreAllMocks();
  other.close();
  connection.close();
});

it('every connection makes commits durable, and enforces references', () => {
  for (const each of [other, connection]) {
    const settings = ['synchronous', 'journal_mode', 'foreign_keys', 'recursive_triggers'];
    expect(settings.map((name) => each.pragma(name, { simple: true }))).toEqual([...[2, 'wal', 1, 1]]);
  }
});

describe('a database is refused, and stays as it is:', () => {
  /** @param difference of the number of the schema */
  const withSchema = (difference: number) => (path: string) => {
    const database = openDatabase(path);
    database.pragma(
      `user_version = ${(database.pragma('user_version', { simple: true }) as number) + difference}`,
    );
    database.close();
  };
  it.each<[string, (path: string) => void, RegExp]>([
    [
      'one from before the first release',
      withSchema(-migrations.length),
      /^\S+ has a schema from before the first release; move the file away, and import the record again$/,
    ],
    [
      'one of a newer schema',
      withSchema(1),
      /^\S+ has schema \d+, and .* knows schemas up to \d+; use the version that wrote it, or a newer one$/,
    ],
    [
      'that of another program',
      (path) => new Database(path).exec('CREATE TABLE bookmarks (url TEXT); PRAGMA user_version = 1').close(),
      /^\S+ is the database of another program; choose another file$/,
    ],
    [
      'a file that is none',
      (path) => writeFileSync(path, 'These are notes, whatever the name says. '.repeat(30)),
      /^cannot open the database \S+: file is not a database$/,
    ],
  ])('%s', (_name, make, message) => {
    const path = join(temporaryFolder(), 'other.db');
    make(path);
    const before = readFileSync(path);
    expect(() => openDatabase(path)).toThrow(message);
    expect(readFileSync(path).equals(before)).toBe(true);
  });
});

const addMovie = (database: Connection) => database.exec("INSERT INTO movies (title) VALUES ('Anora')");
const countMovies = (database: Connection) => database.prepare('SELECT count(*) FROM movies').pluck().get();

describe('while another program writes', () => {
  it.each<[string, () => unknown]>([
    ['a transaction', () => writeTransaction(connection, () => {})],
    ['an import', () => importText(connection, recordOf({}))],
    [
      'the end of a build',
      () => recordBuild(connection, '/out', { revision: 1, snapshot: 's', fingerprint: 'f' }),
    ],
  ])('%s is refused with one line, and works afterwards', async (_, work) => {
    const done = async () => work();
    other.exec('BEGIN IMMEDIATE');
    const refusal = await done().catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(UserError);
    expect(refusal).toEqual(new DatabaseBusy(`the database ${file} is in use by another writer; try again`));
    other.exec('ROLLBACK');
    await done();
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

describe('while a file of the database is', () => {
  const away = (suffix: string) => `${file}.away${suffix}`;
  const moves: [string, suffixes: string[], take: (path: string, to: string) => void][] = [
    ['moved', ['', '-wal', '-shm'], renameSync],
    ['moved: the database alone', [''], renameSync],
    ['moved: its log', ['-wal'], renameSync],
    ['moved: the index of its log', ['-shm'], renameSync],
    [
      'replaced by a copy',
      [''],
      (path, to) => {
        renameSync(path, to);
        copyFileSync(to, path);
      },
    ],
  ];
  const takeAway = (suffixes: string[], take: (path: string, to: string) => void) => {
    for (const suffix of suffixes) take(file + suffix, away(suffix));
  };
  const putBack = (suffixes: string[]) => {
    for (const suffix of suffixes) renameSync(away(suffix), file + suffix);
  };
  const write = () => writeTransaction(connection, () => addMovie(connection));

  it.each(moves)('%s, a transaction writes nothing; it works when the file is back', (_, suffixes, take) => {
    takeAway(suffixes, take);
    expect(write).toThrow(DatabaseMoved);
    expect(write).toThrow(
      `${file}${suffixes[0]} was moved, deleted or replaced while it is in use: put it back, or start this program again; nothing was changed`,
    );
    expect([countMovies(connection), connection.inTransaction]).toEqual([0, false]);
    putBack(suffixes);
    write();
    expect(countMovies(other)).toBe(1);
  });

  it.each(moves)('%s during the work, nothing is committed', (_, suffixes, take) => {
    const work = () => {
      addMovie(connection);
      takeAway(suffixes, take);
    };
    expect(() => writeTransaction(connection, work)).toThrow(/; nothing was changed$/);
    expect(countMovies(connection)).toBe(0);
    putBack(suffixes);
  });

  it.each(moves)('%s during the commit, the transaction is not called done', (_, suffixes, take) => {
    const exec = connection.exec.bind(connection);
    vi.spyOn(connection, 'exec').mockImplementation((sql) => {
      if (sql === 'COMMIT') takeAway(suffixes, take);
      return exec(sql);
    });
    expect(write).toThrow(/; then read the record to see whether it was changed$/);
    expect(connection.inTransaction).toBe(false);
    putBack(suffixes);
    expect(countMovies(other)).toBe(1);
  });

  it.each(moves)(
    '%s after the commit of a write, the write is answered as unknown',
    async (_, suffixes, take) => {
      const build = async () => {
        takeAway(suffixes, take);
        return '0123456789abcdef';
      };
      const writer = new Writer(connection, build, () => {});
      const order = {
        resource: 'movies',
        id: undefined,
        body: { title: 'Anora' },
        ifMatch: undefined,
      } as const;
      expect(await writer.write({ ...order, key: 'editor' })).toEqual({
        problem: 'writing-unavailable',
        detail: expect.stringMatching(/^awards\.db\S* was moved, .+; then read the record to see whether/),
      });
      expect(await writer.write({ ...order, key: 'editor' })).toMatchObject({
        problem: 'writing-unavailable',
        detail: expect.stringMatching(/^awards\.db\S* was moved, .+; nothing was changed$/),
      });
      putBack(suffixes);
      expect(countMovies(other)).toBe(1);
      await writer.close();
    },
  );

  it('deleted: its log, what was committed is copied into the database', () => {
    write();
    saveDeletedLog(connection);
    // Other connections would write the log into the database when they close.
    const inFile = () => {
      const copy = join(temporaryFolder(), 'copy.db');
      copyFileSync(file, copy);
      const opened = new Database(copy);
      const tables = opened.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'movies'").all();
      const count = tables.length > 0 ? countMovies(opened) : 0;
      opened.close();
      return count;
    };
    expect(inFile()).toBe(0);
    rmSync(`${file}-wal`);
    saveDeletedLog(connection);
    expect(inFile()).toBe(1);
  });
});

describe.each([
  ['a write transaction', async (work: () => void) => writeTransaction(connection, work)],
  ['a read transaction', (work: () => void) => readTransaction(connection, async () => work())],
])('%s', (_, run) => {
  const failHalfway = () => {
    addMovie(connection);
    throw new RangeError('halfway');
  };
  /** Lets every ROLLBACK of the connection fail. @returns the end of it */
  function breakRollback(): () => void {
    const exec = connection.exec.bind(connection);
    const spy = vi.spyOn(connection, 'exec').mockImplementation((sql) => {
      if (sql === 'ROLLBACK') throw new Error('the disk is gone');
      return exec(sql);
    });
    return () => spy.mockRestore();
  }

  it('undoes work that fails halfway, and throws its error', async () => {
    await expect(run(failHalfway)).rejects.toThrow(new RangeError('halfway'));
    expect([countMovies(connection), connection.inTransaction]).toEqual([0, false]);
  });

  it('throws the first error if the rollback fails, and rolls back before the next transaction', async () => {
    const mend = breakRollback();
    await expect(run(failHalfway)).rejects.toThrow(new RangeError('halfway'));
    expect(connection.inTransaction).toBe(true);
    await expect(run(() => {})).rejects.toThrow('the disk is gone');
    mend();
    await run(() => expect(countMovies(connection)).toBe(0));
    // The retry of the rollback must not end a later transaction.
    await readTransaction(connection, async () => {
      await pause(200);
      expect(connection.inTransaction).toBe(true);
    });
  });

  it('retries a failed rollback in the background, so that others can write', async () => {
    const mend = breakRollback();
    await expect(run(failHalfway)).rejects.toThrow(RangeError);
    expect(() => writeTransaction(other, () => {})).toThrow(DatabaseBusy);
    mend();
    await vi.waitFor(() => expect(connection.inTransaction).toBe(false), 20_000);
    expect(() => writeTransaction(other, () => addMovie(other))).not.toThrow();
  });

  it('cannot be nested, and the outer transaction survives the attempt', async () => {
    await run(() => {
      addMovie(connection);
      expect(() => writeTransaction(connection, () => {})).toThrow(/transaction within a transaction/);
    });
    expect(countMovies(connection)).toBe(1);
  });
});
