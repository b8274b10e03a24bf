/**
 * What a build follows and what it refuses: the change log where it is complete for the folder, else everything is built; a
 * database or a folder that cannot be used is refused in one line, and the folder stays as it is.
 */
import { closeSync, mkdirSync, openSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { beforeEach, describe, expect, test } from 'vitest';
import { referencedResources } from '../../api/contract/names.ts';
import { formatVersion } from '../../api/contract/snapshot.ts';
import { UserError } from '../../data/system/messages.ts';
import { openDatabase, type Connection } from '../../data/database/open.ts';
import { generateRecord } from '../../tools/generate/generate.ts';
import { fillWithNastyRecord } from '../records/nasty-record.ts';
import { build, verify } from '../records/build.ts';
import { useWorkspace } from '../support/temporary-folder.ts';
import { memoryDatabase, referenceTo, revive, writeDatabase } from '../records/databases.ts';
import { openFolder } from '../support/folder-answers.ts';

import { fillWithTinyRecord } from '../records/tiny-record.ts';
import { expectSameTree, readTree, writeTree } from '../records/tree.ts';

const at = useWorkspace();
const out = at('dist');
const first = memoryDatabase(fillWithTinyRecord);
await build(first, out);
/** The database after the build. */
const original = first.serialize();
const whole = readTree(out);
beforeEach(() => writeTree(out, whole));

/** Builds, and expects this much to be built for a reason, with the right result. */
async function expectScope(connection: Connection, scope: string, reason: RegExp): Promise<void> {
  const report = await build(connection, out);
  expect(report).toMatchObject({ scope, reason: expect.stringMatching(reason) });
  expect((await verify(connection, out)).differences).toEqual([]);
  // This build removes the shards of the old snapshot.
  expect(await build(connection, out)).toMatchObject({ scope: 'nothing' });
}

const cut = /the change log was cut/;
const other = /the folder does not hold the snapshot of the last build/;
const never = /this database was never built into this folder/;
const edit = "UPDATE movies SET title = 'Changed ' || id; UPDATE nominations SET winner = 0";
const many = 'WITH n(i) AS (VALUES (100) UNION ALL SELECT i + 1 FROM n WHERE i < 2200)';

test.each([
  ['changes', 'a change is logged', edit, /^9 records changed$/],
  [
    'changes',
    'a change names no resource',
    `${edit}; INSERT INTO given VALUES ('film', 1, 'tmdb', 'x', '', '{}', 0, '{}')`,
    /changed$/,
  ],
  ['everything', 'the change log is gone', `${edit}; DELETE FROM changes`, cut],
  ['everything', 'a part of it is gone', `${edit}; DELETE FROM changes WHERE seq % 2 = 0`, cut],
  [
    'everything',
    'its numbers started again',
    `${edit}; DELETE FROM changes; DELETE FROM sqlite_sequence`,
    cut,
  ],
  [
    'everything',
    'more than 2000 records changed',
    `INSERT INTO movies (id, title) ${many} SELECT i, 'x' FROM n`,
    /more than 2000/,
  ],
  ['everything', 'the program changed', "UPDATE builds SET fingerprint = ''", /the program changed/],
  ['nothing', 'nothing changed', '', /nothing changed/],
])('a build makes %s where %s', async (scope, _, sql, reason) => {
  const connection = revive(original);
  connection.exec(sql);
  await expectScope(connection, scope, reason);
});

test('everything is built where another database or folder takes the place of one, or the folder was emptied', async () => {
  await expectScope(memoryDatabase(fillWithNastyRecord), 'everything', never);
  await expectScope(revive(original), 'everything', other);
  expectSameTree(readTree(out), whole);
  await expectScope(memoryDatabase(fillWithTinyRecord), 'everything', never);
  const connection = revive(original);
  writeTree(at('copy'), whole);
  mkdirSync(at('empty'));
  for (const name of ['copy', 'empty']) {
    expect(await build(connection, at(name))).toMatchObject({ scope: 'everything' });
    expectSameTree(readTree(at(name)), whole);
  }
  writeTree(out, new Map());
  await expectScope(connection, 'everything', other);
});

test('several folders of one database each follow their own changes', async () => {
  const connection = revive(original);
  await build(connection, at('second'));
  for (const runtime of [1, 2, 3]) {
    connection.exec(`UPDATE movies SET runtime = ${runtime} WHERE id = 1`);
    await expectScope(connection, 'changes', /^1 record changed$/);
  }
  expect(await build(connection, at('second'))).toMatchObject({ scope: 'changes' });
  expect((await verify(connection, at('second'))).differences).toEqual([]);
});

test.each([edit, "UPDATE movies SET title = 'Another way'"])(
  'where an older copy replaced the database, its changes are followed from the manifest before: %s',
  async (sql) => {
    const connection = revive(original);
    connection.exec("UPDATE movies SET title = 'One way'");
    await build(connection, out, { retentionMs: 60_000 });
    const older = revive(original);
    older.exec(sql);
    expect(await build(older, out, { retentionMs: 60_000 })).toMatchObject({ scope: 'changes' });
    expect((await verify(older, out)).differences).toEqual([]);
  },
);

/** Expects both builds, of changes and of everything, to be refused in one line, and the folder to stay as it is. */
async function expectRefusal(connection: Connection, folder: string, line: RegExp): Promise<void> {
  const before = readTree(folder);
  for (const full of [false, true]) {
    const refused: unknown = await build(connection, folder, { full }).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(UserError);
    expect((refused as UserError).message).toMatch(line);
    expectSameTree(readTree(folder), before);
  }
}

describe('a build refuses', () => {
  test.each(referencedResources)('a reference to a missing record of %s', async (table) => {
    const connection = revive(original);
    connection.pragma('foreign_keys = OFF');
    connection.exec(`UPDATE nominations SET ${referenceTo(table)} = 77 WHERE id = 3`);
    await expectRefusal(
      connection,
      out,
      new RegExp(`^[^\n]+nominations 3 refers to a record of ${table}[^\n]+$`),
    );
  });

  test.each<Record<string, string>>([
    { 'index.html': '<html>', 'api/data.json': '{}' },
    { 'api/server.ts': 'listen()' },
    { 'api/movies.json': '{}', 'zebra/letter.txt': 'dear reader' },
    { 'manifest.json': '{"name":"App"}' },
    { '.git/HEAD': 'ref: main' },
  ])('a folder with files of another program: %j', async (contents) => {
    writeTree(
      at('foreign'),
      new Map(Object.entries(contents).map(([path, text]) => [path, Buffer.from(text)])),
    );
    await expectRefusal(
      revive(original),
      at('foreign'),
      /^[^\n]+ holds files that are not a snapshot \(such as [^\n]+$/,
    );
  });

  test('a database with a damaged page; an intact copy repairs the folder', async () => {
    const file = at('damaged.db');
    writeDatabase(file, (connection) => generateRecord(connection, { scale: 0.003, seed: 2 }));
    const intact = openDatabase(file);
    await build(intact, at('of-damaged'));
    const manifest = readTree(at('of-damaged')).get('manifest.json');
    intact.exec("UPDATE movies SET title = 'Changed'");
    writeFileSync(at('copy.db'), intact.serialize());
    intact.close();
    const database = new Database(file, { readonly: true });
    const root = "SELECT rootpage FROM sqlite_master WHERE name = 'movies'";
    const page = database.prepare<[], number>(root).pluck().get()!;
    const size = database.pragma('page_size', { simple: true }) as number;
    database.close();
    const descriptor = openSync(file, 'r+');
    writeSync(descriptor, Buffer.alloc(size, 0x7f), 0, size, (page - 1) * size);
    closeSync(descriptor);
    const damaged = openDatabase(file);
    await expect(build(damaged, at('of-damaged'))).rejects.toThrow(/malformed/);
    damaged.close();
    expect(readTree(at('of-damaged')).get('manifest.json')).toEqual(manifest);
    const restored = openDatabase(at('copy.db'));
    await build(restored, at('of-damaged'));
    expect((await verify(restored, at('of-damaged'))).differences).toEqual([]);
  });
});

test('a folder of an earlier format version is not answered from, and is replaced with its layers', async () => {
  for (const path of ['manifest.json', 'layers/pages.json']) {
    const content = JSON.parse(whole.get(path)!.toString()) as Record<string, unknown>;
    writeFileSync(join(out, path), JSON.stringify({ ...content, format: formatVersion - 1 }));
  }
  const request = { method: 'GET', path: '/api/movies', queryString: '' };
  expect((await openFolder(out).answer(request)).status).toBe(503);
  await expectScope(revive(original), 'everything', other);
  expectSameTree(readTree(out), whole);
});
