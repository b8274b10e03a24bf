/** Restoring: only a sound backup, only over a database that is not in use, in one step, and no id is given a second time. */
import {
  copyFileSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { beforeEach, describe, expect, it } from 'vitest';
import { type ResourceName, resourceNames } from '../../api/contract/names.ts';
import { backUp, restore } from '../../data/backup.ts';
import { readBuild, recordBuild } from '../../data/database/builds.ts';
import { lineage, revision } from '../../data/database/changes.ts';
import { unfinishedName } from '../../build/system/files.ts';
import { highestId, insertRecord, nextId } from '../../data/record/edits.ts';
import { type Connection, openDatabase } from '../../data/database/open.ts';
import { addReceipt } from '../../data/record/receipts.ts';
import { countRecords } from '../../data/record/records.ts';
import { writeTransaction } from '../../data/database/transaction.ts';
import { interceptCalls } from '../durability/intercepted-calls.ts';
import { inDatabase } from '../snapshot/databases.ts';
import { fillWithTinyRecord } from '../snapshot/tiny-record.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

let folder: string;
const at = (name: string) => join(folder, name);
const db = () => at('data/awards.db');
const backup = () => at('backup.db');
beforeEach(async () => {
  folder = temporaryFolder();
  inDatabase(db(), (connection) => {
    fillWithTinyRecord(connection);
    recordBuild(connection, '/dist', { revision: revision(connection), snapshot: 's', fingerprint: 'f' });
  });
  await backUp(db(), backup());
});

const lineageOf = (file: string) => inDatabase(file, lineage);
const addMovie = (connection: Connection, title: string) => {
  const id = nextId(connection, 'movies');
  insertRecord(connection, 'movies', { id, title });
  return id;
};
const dataFiles = () => readdirSync(at('data')).sort();

describe('a restored database', () => {
  it('has the record of the backup, in the place of a missing or an existing database', () => {
    const counts = inDatabase(db(), countRecords);
    inDatabase(db(), (connection) => addMovie(connection, 'After the backup'));
    const { replaced } = restore(backup(), db());
    expect(inDatabase(db(), countRecords)).toEqual(counts);
    expect(dataFiles()).toEqual(['awards.db', replaced!.slice(at('data/').length)]);
    expect(inDatabase(replaced!, countRecords)).toMatchObject({ movies: counts.movies + 1 });
    rmSync(at('data'), { recursive: true });
    expect(restore(backup(), db())).toMatchObject({ replaced: undefined, counts });
    expect(dataFiles()).toEqual(['awards.db']);
    expect(inDatabase(db(), countRecords)).toEqual(counts);
  });

  it('begins a lineage of its own, and no folder counts as built from it', () => {
    const lineages = [lineageOf(db())];
    for (let times = 0; times < 2; times += 1) {
      const report = restore(backup(), db());
      expect(lineageOf(db())).toBe(report.lineage);
      lineages.push(report.lineage);
    }
    expect(new Set(lineages).size).toBe(3);
    expect(inDatabase(db(), (connection) => readBuild(connection, '/dist'))).toBeUndefined();
  });

  it('stays behind a link that leads to it', () => {
    symlinkSync(db(), at('link.db'));
    const { replaced } = restore(backup(), at('link.db'));
    expect(lstatSync(at('link.db')).isSymbolicLink()).toBe(true);
    expect(replaced).toMatch(/data\/awards\.db\.replaced-/);
  });
});

describe('ids', () => {
  const tables = [...resourceNames, 'receipts', 'rebuilds'];
  const highest = (file: string, table: string) =>
    inDatabase(file, (connection) => highestId(connection, table));

  it('from after the backup are not given again, in any table', () => {
    const before = tables.map((table) => highest(db(), table));
    restore(backup(), db());
    for (const [index, table] of tables.entries())
      expect(highest(db(), table), table).toBeGreaterThanOrEqual(before[index]! + 1_000_000);
    expect(inDatabase(db(), (connection) => addMovie(connection, 'New'))).toBe(highest(db(), 'movies'));
  });

  it('are above those that followed an earlier restore of the same backup', () => {
    const given = new Set<number>();
    for (const time of ['2026-11-22T10:00:00Z', '2026-11-22T11:00:00Z']) {
      rmSync(at('data'), { recursive: true });
      restore(backup(), db(), new Date(time));
      inDatabase(db(), (connection) =>
        writeTransaction(connection, () => {
          for (let i = 0; i < 500; i += 1) {
            const id = addMovie(connection, `${i}`);
            expect(given.has(id)).toBe(false);
            given.add(id);
          }
        }),
      );
    }
  });

  it('are above those of the backup, even if the clock is wrong', () => {
    restore(backup(), db(), new Date('2026-11-22T10:00:00Z'));
    const ids = inDatabase(db(), (connection) => addMovie(connection, 'First'));
    restore(backup(), db(), new Date(0));
    expect(inDatabase(db(), (connection) => nextId(connection, 'movies'))).toBe(1_000_004);
    expect(ids).toBeGreaterThan(1_000_004);
  });

  it.each<ResourceName>(['movies', 'nominees'])(
    'of %s at the limit leave the lowest free one',
    async (table) => {
      inDatabase(db(), (connection) => {
        const name = table === 'movies' ? 'title' : 'name';
        insertRecord(connection, table, { id: Number.MAX_SAFE_INTEGER, [name]: 'Last' });
      });
      await backUp(db(), backup(), { force: true });
      restore(backup(), db());
      expect(inDatabase(db(), (connection) => nextId(connection, table))).toBe(table === 'movies' ? 4 : 5);
    },
  );
});

describe('a database in use is not replaced', () => {
  const counts = () => inDatabase(db(), countRecords);

  it.each<[string, (connection: Connection) => void]>([
    ['an idle connection', () => {}],
    ['a connection that wrote', (connection) => addMovie(connection, 'Written')],
    ['a reader', (connection) => connection.exec('BEGIN; SELECT * FROM movies')],
    ['a writer', (connection) => connection.exec("BEGIN; UPDATE movies SET title = 'Half'")],
  ])('%s', (_, work) => {
    const connection = openDatabase(db());
    work(connection);
    expect(() => restore(backup(), db())).toThrow(/is in use by another program.*stop it/);
    if (connection.inTransaction) connection.exec('ROLLBACK');
    addMovie(connection, 'Goes on');
    connection.close();
    expect(dataFiles()).toEqual(['awards.db']);
    expect(counts().movies).toBeGreaterThan(3);
  });

  it('of another program neither', () => {
    const other = new Database(at('bookmarks.db'));
    other.exec('CREATE TABLE bookmarks (url TEXT)');
    other.close();
    expect(() => restore(backup(), at('bookmarks.db'))).toThrow(/is the database of another program/);
  });
});

describe('what is no sound backup is refused, and the database stays', () => {
  const refused = (file: string, message: RegExp) => {
    const before = lineageOf(db());
    expect(() => restore(file, db())).toThrow(message);
    expect(lineageOf(db())).toBe(before);
    expect(dataFiles()).toEqual(['awards.db']);
  };

  it('a missing one, a folder, the database itself, and a database in use', () => {
    refused(at('none.db'), /there is no backup/);
    refused(at('data'), /there is no backup/);
    refused(db(), /is the database itself/);
    const live = openDatabase(at('live.db'));
    refused(at('live.db'), /is a database in use, not a backup/);
    live.close();
  });

  it('one that is damaged, cut off, or empty', () => {
    const bytes = readFileSync(backup());
    writeFileSync(backup(), Buffer.from(bytes).fill(7, 4096 * 3, 4096 * 6));
    refused(backup(), /backup\.db is damaged.*nothing was restored/);
    for (const size of [bytes.length - 4096, bytes.length >> 1, 100, 0]) {
      writeFileSync(backup(), bytes.subarray(0, size));
      refused(backup(), /backup\.db.*nothing was restored/);
    }
  });

  it('another database, and one of another schema', () => {
    const other = new Database(at('bookmarks.db'));
    other.exec('CREATE TABLE bookmarks (url TEXT)');
    other.close();
    refused(
      at('bookmarks.db'),
      /bookmarks\.db is the database of another program; choose another file; nothing was restored/,
    );
    const newer = new Database(backup());
    newer.pragma('user_version = 99');
    newer.close();
    refused(backup(), /backup\.db has schema 99, .*nothing was restored/);
  });
});

describe('in one step:', () => {
  /** The movies of the database in the place, with its log as another program would find it; undefined if there is none. */
  function moviesNow(): number | undefined {
    if (!existsSync(db())) return undefined;
    const copy = at('copy');
    mkdirSync(copy, { recursive: true });
    for (const name of dataFiles())
      if (name.startsWith('awards.db') && !name.includes('replaced'))
        copyFileSync(at(`data/${name}`), join(copy, name));
    const count = inDatabase(join(copy, 'awards.db'), (connection) => countRecords(connection).movies);
    rmSync(copy, { recursive: true });
    return count;
  }

  /** As a killed program leaves it: with a log that has commits. */
  function leaveLog(): void {
    const connection = openDatabase(db());
    addMovie(connection, 'In the log');
    for (const suffix of ['', '-wal']) copyFileSync(db() + suffix, at(`left${suffix}`));
    connection.close();
    for (const suffix of ['', '-wal']) copyFileSync(at(`left${suffix}`), db() + suffix);
  }

  it('between all file operations there is the old database or the new one', () => {
    leaveLog();
    const seen = new Set<number | undefined>();
    const interception = interceptCalls(at('data'), (_, proceed) => {
      seen.add(moviesNow());
      return proceed();
    });
    restore(backup(), db());
    interception.end();
    expect(interception.calls).toBeGreaterThan(10);
    seen.add(moviesNow());
    expect([...seen]).toEqual([4, 3]);
  });

  it('what a killed process with the same number left behind does not matter', () => {
    writeFileSync(unfinishedName(db()), 'half a database');
    restore(backup(), db());
    expect(inDatabase(db(), countRecords).movies).toBe(3);
  });

  it('a damaged database is replaced and kept', () => {
    const bytes = readFileSync(db()).fill(7);
    writeFileSync(db(), bytes);
    const { replaced } = restore(backup(), db());
    expect(readFileSync(replaced!).equals(bytes)).toBe(true);
    expect(inDatabase(db(), countRecords).movies).toBe(3);
  });

  it('the log of a database that was removed is not applied to the new one', () => {
    leaveLog();
    rmSync(db());
    expect(restore(backup(), db()).replaced).toBeUndefined();
    expect(inDatabase(db(), countRecords).movies).toBe(3);
  });
});

it('receipts of the backup stay, and new ones have ids far above', () => {
  const receipt = {
    ...({ at: new Date(0), key: 'editor', action: 'create', resource: 'movies' } as const),
    ...{ recordId: 1, before: null, after: {} },
  };
  inDatabase(db(), (connection) => addReceipt(connection, receipt));
  restore(backup(), db());
  expect(inDatabase(db(), (connection) => addReceipt(connection, receipt))).toBeGreaterThan(1_000_000);
});
