/** A change made with the sqlite3 command line tool counts like every other change. */
import { execFileSync, spawnSync } from 'node:child_process';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Connection, openDatabase } from '../../data/open.ts';
import { build, verify } from '../support/build.ts';
import { writeDatabase } from './databases.ts';
import { fillWithTinyRecord } from './tiny-record.ts';
import { useWorkspace } from '../support/temporary-folder.ts';

const at = useWorkspace();
const installed = spawnSync('sqlite3', ['--version']).status === 0;

async function buildAndVerify(connection: Connection): Promise<string> {
  const { scope } = await build(connection, at('dist'));
  expect((await verify(connection, at('dist'))).differences).toEqual([]);
  return scope;
}

/** In turn. The tool does not turn on foreign keys or recursive triggers, as the program does. */
const statements = [
  "UPDATE movies SET title = 'Renamed in the shell' WHERE id = 1",
  "INSERT OR REPLACE INTO nominees (id, name) VALUES (4, 'Replaced')",
  'UPDATE OR REPLACE nominations SET id = 2 WHERE id = 6',
  'REPLACE INTO ceremonies (id, ceremony_year) VALUES (1, 1999)',
  'DELETE FROM nominations WHERE id = 3; DELETE FROM songs',
  "INSERT INTO songs (id, original_title) VALUES (7, 'New') ON CONFLICT (id) DO UPDATE SET original_title = 'Old'",
  'BEGIN; DELETE FROM nominations; ROLLBACK; UPDATE movies SET runtime = 9',
  "ATTACH ':memory:' AS aside; CREATE TABLE aside.m AS SELECT * FROM movies; UPDATE movies SET tagline = 'x'",
];

if (!installed) test('skipped: the sqlite3 command line tool is not installed', (context) => context.skip());
else
  describe('a change made with sqlite3 counts', () => {
    let connection: Connection;
    beforeAll(async () => {
      writeDatabase(at('shell.db'), fillWithTinyRecord);
      connection = openDatabase(at('shell.db'));
      expect(await buildAndVerify(connection)).toBe('everything');
    });
    afterAll(() => connection.close());

    test.each(statements)('%s', async (statement) => {
      execFileSync('sqlite3', [at('shell.db'), statement]);
      expect(await buildAndVerify(connection)).toBe('changes');
    });
  });
