/** A backup is consistent and checked. Restoring takes only a sound backup, over a database that no program uses, in one step. */
import { createHash } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  copyFileSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { beforeEach, describe, expect, it } from 'vitest';
import { resourceNames } from '../../api/contract/names.ts';
import { unfinishedName } from '../../data/system/files.ts';
import { backUp, restore } from '../../data/backup.ts';
import { lineage, readBuild, recordBuild } from '../../data/database/changes.ts';
import { type Connection, openDatabase } from '../../data/database/open.ts';
import { highestId, insertRecord, nextId } from '../../data/record/edits.ts';
import { countRecords } from '../../data/record/records.ts';
import { interceptCalls } from '../support/intercepted-calls.ts';
import { inDatabase } from '../records/databases.ts';
import { fillWithTinyRecord } from '../records/tiny-record.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

let folder: string;
const at = (name: string) => join(folder, name);
const db = () => at('data/awards.db');
const backup = () => at('backup.db');
beforeEach(async () => {
  folder = temporaryFolder();
  inDatabase(db(), (connection) => {
    fillWithTinyRecord(connection);
    recordBuild(connection, '/dist', { revision: 1, snapshot: 's', fingerprint: 'f' });
  });
  backUp(db(), backup());
});

const addMovie = (connection: Connection, title = 'Another') => {
  const id = nextId(connection, 'movies');
  insertRecord(connection, 'movies', { id, title });
  return id;
};
const moviesIn = (file: string) => inDatabase(file, (connection) => countRecords(connection).movies);
const dataFiles = () => readdirSync(at('data')).sort();
const bookmarks = () => {
  new Database(at('bookmarks.db')).exec('CREATE TABLE bookmarks (url TEXT)').close();
  return at('bookmarks.db');
};

describe('a backup', () => {
  it('is one file with what was committed, while others write', () => {
    const [committing, writing] = [openDatabase(db()), openDatabase(db())];
    addMovie(committing);
    writing.exec("BEGIN IMMEDIATE; UPDATE movies SET title = 'Half'");
    expect(backUp(db(), backup(), { force: true })).toBe(statSync(backup()).size);
    expect(readdirSync(folder).sort()).toEqual(['backup.db', 'data']);
    const copy = new Database(backup(), { readonly: true });
    expect(copy.pragma('journal_mode', { simple: true })).toBe('delete');
    expect(copy.prepare("SELECT count(*), sum(title = 'Half') FROM movies").raw().get()).toEqual([4, 0]);
    copy.close();
    committing.close();
    writing.close();
  });

  it('holds no page that was freed: it is as small as its record', () => {
    const overview = 'x'.repeat(1_000_000);
    inDatabase(db(), (connection) => connection.prepare('UPDATE movies SET overview = ?').run(overview));
    const before = backUp(db(), at('before.db'));
    inDatabase(db(), (connection) => connection.exec('UPDATE movies SET overview = NULL'));
    expect(before - backUp(db(), at('after.db'))).toBeGreaterThan(2_900_000);
  });

  it('is the earlier or the later file between all file operations', async () => {
    const sha256 = () => createHash('sha256').update(readFileSync(backup())).digest('hex');
    inDatabase(db(), addMovie);
    const states = new Set([sha256()]);
    const interception = interceptCalls(folder, (call, proceed) => {
      if (call.subject.includes('backup.db')) states.add(sha256());
      return proceed();
    });
    backUp(db(), backup(), { force: true });
    interception.end();
    states.add(sha256());
    expect([states.size, moviesIn(backup())]).toEqual([2, 4]);
  });

  it.each<[string, () => string, object, RegExp]>([
    ['a file that exists', backup, {}, /backup\.db exists already; .*--force$/],
    ['a folder', () => at('data'), { force: true }, /^cannot write the backup \S+data: /],
    ['a missing folder', () => at('none/backup.db'), {}, /there is no folder .*none for the backup$/],
    ['the database', db, { force: true }, /belongs to the database itself/],
    ['its log', () => `${db()}-wal`, { force: true }, /belongs to the database itself/],
  ])('does not go to %s', async (_, file, options, message) => {
    const before = readFileSync(db());
    expect(() => backUp(db(), file(), options)).toThrow(message);
    expect([dataFiles(), readFileSync(db()).equals(before)]).toEqual([['awards.db'], true]);
  });

  it.skipIf(process.platform !== 'linux')('leaves no file open', () => {
    const links = readdirSync('/proc/self/fd').map((own) => `/proc/self/fd/${own}`);
    const open = links.filter((link) => existsSync(link)).map((link) => readlinkSync(link));
    expect(open.filter((path) => path.startsWith(folder))).toEqual([]);
  });

  it('is refused for a missing or an inconsistent database, and leaves nothing behind', async () => {
    expect(() => backUp(at('none.db'), at('new.db'))).toThrow(/there is no database/);
    inDatabase(db(), (connection) => {
      connection.pragma('foreign_keys = OFF');
      connection.exec('DELETE FROM movies WHERE id = 1');
    });
    expect(() => backUp(db(), at('new.db'))).toThrow(/refers to a record of movies that is not there/);
    expect(readdirSync(folder).sort()).toEqual(['backup.db', 'data']);
  });
});

describe('a restored database', () => {
  it.skipIf(process.getuid?.() !== 0)('by root leaves the database to its user, with its mode', () => {
    chownSync(db(), 4242, 4243);
    chmodSync(db(), 0o640);
    restore(backup(), db());
    const { uid, gid, mode } = statSync(db());
    expect([uid, gid, mode & 0o777]).toEqual([4242, 4243, 0o640]);
  });

  it('has the record of the backup, in the place of a missing or an existing database, which is kept', () => {
    const counts = inDatabase(db(), countRecords);
    inDatabase(db(), addMovie);
    const { replaced } = restore(backup(), db());
    expect(dataFiles()).toEqual(['awards.db', replaced!.slice(at('data/').length)]);
    expect([inDatabase(db(), countRecords), moviesIn(replaced!)]).toEqual([counts, counts.movies + 1]);
    rmSync(at('data'), { recursive: true });
    expect(restore(backup(), db())).toMatchObject({ replaced: undefined, counts });
    expect([dataFiles(), inDatabase(db(), countRecords)]).toEqual([['awards.db'], counts]);
  });

  it('begins a lineage of its own, no folder counts as built from it, and it stays behind a link', () => {
    symlinkSync(db(), at('link.db'));
    const lineages = [inDatabase(db(), lineage), restore(backup(), at('link.db')).lineage];
    expect(inDatabase(db(), lineage)).toBe(lineages[1]);
    lineages.push(restore(backup(), db()).lineage);
    expect(new Set(lineages).size).toBe(3);
    expect(inDatabase(db(), (connection) => readBuild(connection, '/dist'))).toBeUndefined();
    expect(lstatSync(at('link.db')).isSymbolicLink()).toBe(true);
  });

  it('gives no id again, in any table: not after a second restore, nor with a wrong clock', () => {
    const tables = [...resourceNames, 'receipts', 'rebuilds'];
    const highest = () =>
      inDatabase(db(), (connection) => tables.map((table) => highestId(connection, table)));
    const before = highest();
    const given = new Set<number>();
    for (const time of ['2026-11-22T10:00:00Z', '2026-11-22T11:00:00Z']) {
      rmSync(at('data'), { recursive: true });
      restore(backup(), db(), new Date(time));
      for (const [index, id] of highest().entries())
        expect(id, tables[index]).toBeGreaterThanOrEqual(before[index]! + 1_000_000);
      const ids = inDatabase(db(), (connection) => Array.from({ length: 20 }, () => addMovie(connection)));
      for (const id of ids) given.add(id);
    }
    expect(given.size).toBe(40);
    restore(backup(), db(), new Date(0));
    expect(inDatabase(db(), addMovie)).toBe(1_000_004);
  });
});

it.each<[string, (connection: Connection) => unknown]>([
  ['a reader', (connection) => connection.exec('BEGIN; SELECT * FROM movies')],
  ['a writer', (connection) => connection.exec("BEGIN; UPDATE movies SET title = 'Half'")],
])('a database in use by %s is not replaced', (_, work) => {
  const connection = openDatabase(db());
  work(connection);
  expect(() => restore(backup(), db())).toThrow(/is in use by another program.*stop it/);
  if (connection.inTransaction) connection.exec('ROLLBACK');
  addMovie(connection);
  connection.close();
  expect([dataFiles(), moviesIn(db())]).toEqual([['awards.db'], 4]);
});

it('a copy of a database with its log becomes a backup, which can be restored with the latest writes', async () => {
  const connection = openDatabase(db());
  addMovie(connection);
  for (const suffix of ['', '-wal']) copyFileSync(db() + suffix, at(`copy.db${suffix}`));
  connection.close();
  backUp(at('copy.db'), backup(), { force: true });
  rmSync(db());
  restore(backup(), db());
  expect(moviesIn(db())).toBe(4);
  // What a restore puts aside can be restored, too.
  const { replaced } = restore(backup(), db());
  restore(replaced!, db());
  expect(moviesIn(db())).toBe(4);
});

describe('is not restored, and the database stays:', () => {
  const cut = (part: number) => () => {
    writeFileSync(backup(), readFileSync(backup()).subarray(0, statSync(backup()).size * part));
    return backup();
  };
  it.each<[string, () => string, RegExp]>([
    ['a missing backup', () => at('none.db'), /there is no backup at/],
    ['the database itself', db, /is the database itself/],
    ['another database', bookmarks, /is the database of another program; .*nothing was restored$/],
    ['half a backup', cut(0.5), /backup\.db.*nothing was restored$/],
    [
      'a damaged backup',
      () => {
        writeFileSync(backup(), readFileSync(backup()).fill(7, 4096 * 3, 4096 * 6));
        return backup();
      },
      /backup\.db is damaged.*nothing was restored$/,
    ],
    [
      'a backup with another schema',
      () => {
        const other = new Database(backup());
        other.pragma('user_version = 99');
        other.close();
        return backup();
      },
      /backup\.db has schema 92, and .*, or a newer one; nothing was restored$/,
    ],
    [
      'a database in use',
      () => {
        copyFileSync(backup(), at('live.db'));
        writeFileSync(at('live.db-wal'), '');
        return at('live.db');
      },
      /^\S+live\.db is a database with its log, not a backup; "awards backup FILE --db \S+live\.db" makes/,
    ],
    [
      'a bare copy of a database, whose latest writes are in its log',
      () => {
        const connection = openDatabase(db());
        addMovie(connection);
        copyFileSync(db(), at('bare.db'));
        connection.exec('DELETE FROM movies WHERE id > 3');
        connection.close();
        return at('bare.db');
      },
      /^\S+ is a bare copy .* may be in the missing \S+bare\.db-wal; copy that file, too, .* makes a backup of it$/,
    ],
  ])('%s', (_, make, message) => {
    const [file, before] = [make(), inDatabase(db(), lineage)];
    expect(() => restore(file, db())).toThrow(message);
    expect([inDatabase(db(), lineage), dataFiles()]).toEqual([before, ['awards.db']]);
  });

  it('anything in the place of another program', () => {
    expect(() => restore(backup(), bookmarks())).toThrow(/is the database of another program/);
  });
});

describe('a restore in one step', () => {
  /** As a killed program leaves the database: with a log that has commits. */
  function leaveLog(): void {
    const connection = openDatabase(db());
    addMovie(connection);
    for (const suffix of ['', '-wal']) copyFileSync(db() + suffix, at(`left${suffix}`));
    connection.close();
    for (const suffix of ['', '-wal']) copyFileSync(at(`left${suffix}`), db() + suffix);
  }

  /** The films in the place of the database, with its log, as another program would find it; undefined without one. */
  function moviesNow(): number | undefined {
    if (!existsSync(db())) return undefined;
    mkdirSync(at('copy'), { recursive: true });
    for (const name of dataFiles())
      if (/^awards\.db(-.*)?$/.test(name)) copyFileSync(at(`data/${name}`), at(`copy/${name}`));
    const count = moviesIn(at('copy/awards.db'));
    rmSync(at('copy'), { recursive: true });
    return count;
  }

  it('has the old database or the new one between all file operations', () => {
    leaveLog();
    // A killed process with the same number left it.
    writeFileSync(unfinishedName(db()), 'half a database');
    const seen = new Set<number | undefined>();
    const interception = interceptCalls(at('data'), (_, proceed) => {
      seen.add(moviesNow());
      return proceed();
    });
    restore(backup(), db());
    interception.end();
    seen.add(moviesNow());
    expect([...seen]).toEqual([4, 3]);
  });

  it('replaces and keeps a damaged database', () => {
    const bytes = readFileSync(db()).fill(7);
    writeFileSync(db(), bytes);
    const { replaced } = restore(backup(), db());
    expect([readFileSync(replaced!).equals(bytes), moviesIn(db())]).toEqual([true, 3]);
  });
});
