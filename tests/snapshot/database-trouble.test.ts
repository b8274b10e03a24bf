/** A database that cannot be built is refused in one line, and the folder stays as it is. */
import {
  closeSync,
  copyFileSync,
  mkdirSync,
  openSync,
  rmSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import Database from 'better-sqlite3';
import { describe, expect, test } from 'vitest';
import { generateRecord } from '../../data/generate/generate.ts';
import { openDatabase, schemaVersion } from '../../data/open.ts';
import { UserError } from '../../data/user-error.ts';
import { build, verify } from '../support/build.ts';
import { useBuiltTiny } from './built-tiny.ts';
import { awards } from './command-line.ts';
import { revive, writeDatabase } from './databases.ts';
import { referenceFields } from './random-edits.ts';
import { fillWithTinyRecord } from './tiny-record.ts';
import { expectSameTree, readTree, writeTree } from './tree.ts';
import { useWorkspace } from './workspace.ts';

const at = useWorkspace();
const folder = () => at('dist');
const tiny = useBuiltTiny(folder);

describe('a database that cannot be opened', () => {
  const troubles: [string, (file: string) => void, RegExp][] = [
    ['missing', () => {}, /^there is no database at .+missing.db; fill one with "awards sample"/],
    ['no-database', (file) => writeFileSync(file, 'dear reader, '.repeat(100)), /file is not a database$/],
    ['a-folder', (file) => mkdirSync(file), /^cannot open the database .+a-folder.db: /],
    [
      'cut-short',
      (file) => {
        writeDatabase(file, fillWithTinyRecord);
        truncateSync(file, 5000);
      },
      /malformed$/,
    ],
    [
      'newer',
      (file) => {
        writeDatabase(file, fillWithTinyRecord);
        const database = new Database(file);
        database.pragma(`user_version = ${schemaVersion + 1}`);
        database.close();
      },
      /newer\.db was written by a newer version of this program .+; update the program$/,
    ],
  ];

  test.each(troubles)('%s: is refused in one line', (name, make, message) => {
    const file = at(`${name}.db`);
    make(file);
    expect(() => openDatabase(file, { mustExist: true })).toThrow(message);
    try {
      openDatabase(file, { mustExist: true });
    } catch (error) {
      expect(error).toBeInstanceOf(UserError);
      expect((error as UserError).message).not.toContain('\n');
    }
    rmSync(file, { recursive: true, force: true });
  });

  test('ends the command with code 1, one line and an untouched folder', async () => {
    for (const [name, make] of troubles.slice(-2)) {
      const file = at(`${name}.db`);
      make(file);
      const { code, stdout, stderr } = await awards(['build', '--db', file, '--out', folder()]);
      expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
      expect(stderr).toMatch(/^awards: [^\n]+\n$/);
      expectSameTree(readTree(folder()), tiny.whole);
    }
  });
});

test('a database with a damaged page fails the build, the last snapshot stays, and an intact copy repairs the folder', async () => {
  const file = at('damaged.db');
  writeDatabase(file, (connection) => generateRecord(connection, { scale: 0.01, seed: 2 }));
  const intact = openDatabase(file);
  intact.pragma('journal_mode = DELETE');
  await build(intact, at('damaged'));
  const before = readTree(at('damaged'));
  intact.exec("UPDATE movies SET title = 'Changed'");
  intact.close();
  const copy = at('copy.db');
  copyFileSync(file, copy);
  const database = new Database(file);
  const root = database
    .prepare<[], number>("SELECT rootpage FROM sqlite_master WHERE name = 'movies'")
    .pluck()
    .get()!;
  const pageSize = database.pragma('page_size', { simple: true }) as number;
  database.close();
  writeAt(file, (root - 1) * pageSize, Buffer.alloc(pageSize, 0x7f));
  const damaged = openDatabase(file);
  await expect(build(damaged, at('damaged'))).rejects.toThrow(/malformed/);
  damaged.close();
  const after = readTree(at('damaged'));
  expect(after.get('manifest.json')).toEqual(before.get('manifest.json'));
  const restored = openDatabase(copy);
  await build(restored, at('damaged'));
  expect((await verify(restored, at('damaged'))).differences).toEqual([]);
  restored.close();
});

function writeAt(file: string, position: number, bytes: Buffer): void {
  const descriptor = openSync(file, 'r+');
  writeSync(descriptor, bytes, 0, bytes.length, position);
  closeSync(descriptor);
}

test('a reference to a missing record is refused in one line, and the folder stays as it is', async () => {
  for (const [table, field] of Object.entries(referenceFields)) {
    for (const full of [false, true]) {
      writeTree(folder(), tiny.whole);
      const connection = revive(tiny.original);
      connection.pragma('foreign_keys = OFF');
      connection.exec(`UPDATE nominations SET ${field} = 77 WHERE id = 3`);
      const refused = await build(connection, folder(), { full }).catch((error: unknown) => error);
      expect(refused).toBeInstanceOf(UserError);
      expect((refused as UserError).message).toContain(`nominations 3 refers to a record of ${table}`);
      expect((refused as UserError).message).not.toContain('\n');
      expectSameTree(readTree(folder()), tiny.whole);
      connection.close();
    }
  }
});
