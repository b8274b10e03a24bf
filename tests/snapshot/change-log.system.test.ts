/** A build follows the change log only if the log is complete for the folder. Otherwise it builds everything. */
import { describe, expect, test } from 'vitest';
import type { Connection } from '../../data/database/open.ts';
import { fillWithNastyRecord } from '../oracle/nasty-record.ts';
import { build, verify } from '../support/build.ts';
import { useBuiltTiny } from './built-tiny.ts';
import { copyRows, memoryDatabase, revive } from './databases.ts';
import { expectSameTree, readTree, writeTree } from './tree.ts';
import { useWorkspace } from '../support/temporary-folder.ts';

const at = useWorkspace();
const folder = () => at('dist');
const tiny = useBuiltTiny(folder);

/** Builds, and expects that everything is built for a reason, with the right result. */
async function expectEverything(connection: Connection, reason: RegExp): Promise<void> {
  const report = await build(connection, folder());
  expect(report.scope).toBe('everything');
  expect(report.reason).toMatch(reason);
  expect((await verify(connection, folder())).differences).toEqual([]);
  // The next build removes the shards of the old snapshot.
  await build(connection, folder());
  connection.close();
}

describe('everything is built', () => {
  const cut = /the change log was cut/;
  const other = /the folder does not hold the snapshot of the last build/;

  test.each([
    ['the whole change log is gone', 'DELETE FROM changes'],
    ['some of the change log is gone', 'DELETE FROM changes WHERE seq % 2 = 0'],
    [
      'the numbers of the change log started again',
      "DELETE FROM changes; DELETE FROM sqlite_sequence WHERE name = 'changes'",
    ],
  ])('where %s', async (_what, sql) => {
    const connection = revive(tiny.original);
    connection.exec("UPDATE movies SET title = 'Changed ' || id; UPDATE nominations SET winner = 0");
    connection.exec(sql);
    await expectEverything(connection, cut);
  });

  test('where more than 2000 records changed', async () => {
    const connection = revive(tiny.original);
    const movie = connection.prepare("INSERT INTO movies (id, title) VALUES (?, 'Many')");
    connection.transaction(() => {
      for (let id = 100; id < 2200; id += 1) movie.run(id);
    })();
    await expectEverything(connection, /more than 2000 records changed/);
  });

  test('where another database replaced it, and again when the first one returns', async () => {
    await expectEverything(
      memoryDatabase(fillWithNastyRecord),
      /this database was never built into this folder/,
    );
    await expectEverything(revive(tiny.original), other);
    expectSameTree(readTree(folder()), tiny.whole);
  });

  test('where the rows were copied into a new database', async () => {
    const copied = memoryDatabase((empty) => copyRows(revive(tiny.original), empty));
    await expectEverything(copied, /never built/);
    expectSameTree(readTree(folder()), tiny.whole);
  });

  test('where the folder is another one, or was emptied', async () => {
    const connection = revive(tiny.original);
    expect(await build(connection, at('elsewhere'))).toMatchObject({ scope: 'everything' });
    writeTree(folder(), new Map());
    await expectEverything(connection, other);
    expectSameTree(readTree(folder()), tiny.whole);
  });

  test('but several folders of one database each follow their own changes', async () => {
    const connection = revive(tiny.original);
    await build(connection, at('second'));
    for (const runtime of [1, 2, 3]) {
      connection.exec(`UPDATE movies SET runtime = ${runtime} WHERE id = 1`);
      expect(await build(connection, folder())).toMatchObject({ scope: 'changes' });
    }
    connection.exec("UPDATE nominees SET name = 'Z' WHERE id = 4");
    for (const name of ['second', 'dist']) {
      expect(await build(connection, at(name))).toMatchObject({ scope: 'changes' });
      expect((await verify(connection, at(name))).differences).toEqual([]);
    }
    connection.close();
  });
});

test.each([
  ['an older copy', 'UPDATE nominations SET winner = 1 - winner'],
  ['an older copy with as many changes', "UPDATE movies SET title = 'Another way'"],
])(
  'where %s replaced the database, its changes are followed from the manifest before',
  async (_what, sql) => {
    const connection = revive(tiny.original);
    connection.exec("UPDATE movies SET title = 'One way'");
    await build(connection, folder(), { retentionMs: 60_000 });
    connection.close();
    const older = revive(tiny.original);
    older.exec(sql);
    expect(await build(older, folder(), { retentionMs: 60_000 })).toMatchObject({ scope: 'changes' });
    expect((await verify(older, folder())).differences).toEqual([]);
    older.close();
  },
);

test('a change that names no resource changes nothing', async () => {
  const connection = revive(tiny.original);
  // The table takes any name from the sqlite3 shell.
  connection.exec("INSERT INTO given VALUES ('film', 1, 'tmdb', 'x', '', '{\"title\":\"X\"}', 0)");
  connection.exec("UPDATE movies SET title = 'Changed'");
  expect((await build(connection, folder())).scope).toBe('changes');
  expect((await verify(connection, folder())).differences).toEqual([]);
  connection.close();
});
