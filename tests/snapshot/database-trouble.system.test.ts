/** A database that cannot be built is refused in one line. The folder keeps the last snapshot. */
import { closeSync, copyFileSync, openSync, writeSync } from 'node:fs';
import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import { referencedResources } from '../../api/contract/names.ts';
import { generateRecord } from '../../data/generate/generate.ts';
import { openDatabase } from '../../data/database/open.ts';
import { UserError } from '../../build/system/messages.ts';
import { build, verify } from '../support/build.ts';
import { useBuiltTiny } from './built-tiny.ts';
import { revive, writeDatabase } from './databases.ts';
import { referenceTo } from './random-edits.ts';
import { expectSameTree, readTree, writeTree } from './tree.ts';
import { useWorkspace } from '../support/temporary-folder.ts';

const at = useWorkspace();
const folder = () => at('dist');
const tiny = useBuiltTiny(folder);

test('a damaged page fails the build, and an intact copy of the database repairs the folder', async () => {
  const file = at('damaged.db');
  writeDatabase(file, (connection) => generateRecord(connection, { scale: 0.01, seed: 2 }));
  const intact = openDatabase(file);
  await build(intact, at('damaged'));
  const before = readTree(at('damaged'));
  intact.exec("UPDATE movies SET title = 'Changed'");
  intact.close();
  copyFileSync(file, at('copy.db'));
  const database = new Database(file);
  const root = database
    .prepare<[], number>("SELECT rootpage FROM sqlite_master WHERE name = 'movies'")
    .pluck();
  const pageSize = database.pragma('page_size', { simple: true }) as number;
  const position = (root.get()! - 1) * pageSize;
  database.close();
  const descriptor = openSync(file, 'r+');
  writeSync(descriptor, Buffer.alloc(pageSize, 0x7f), 0, pageSize, position);
  closeSync(descriptor);
  const damaged = openDatabase(file);
  await expect(build(damaged, at('damaged'))).rejects.toThrow(/malformed/);
  damaged.close();
  expect(readTree(at('damaged')).get('manifest.json')).toEqual(before.get('manifest.json'));
  const restored = openDatabase(at('copy.db'));
  await build(restored, at('damaged'));
  expect((await verify(restored, at('damaged'))).differences).toEqual([]);
  restored.close();
});

test.each(referencedResources)('a reference to a missing record of %s is refused', async (table) => {
  for (const full of [false, true]) {
    writeTree(folder(), tiny.whole);
    const connection = revive(tiny.original);
    connection.pragma('foreign_keys = OFF');
    connection.exec(`UPDATE nominations SET ${referenceTo(table)} = 77 WHERE id = 3`);
    const refused = await build(connection, folder(), { full }).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(UserError);
    expect((refused as UserError).message).toMatch(
      new RegExp(`^[^\n]+nominations 3 refers to a record of ${table}[^\n]+$`),
    );
    expectSameTree(readTree(folder()), tiny.whole);
    connection.close();
  }
});
