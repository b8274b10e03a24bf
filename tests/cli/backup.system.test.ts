/** backup and restore: what they print, for people and for programs. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { writeDatabase } from '../snapshot/databases.ts';
import { fillWithTinyRecord } from '../snapshot/tiny-record.ts';
import { stdoutOf } from '../support/processes.ts';

let db: string;
let backup: string;
beforeAll(() => {
  const folder = temporaryFolder();
  [db, backup] = [join(folder, 'awards.db'), join(folder, 'backup.db')];
  writeDatabase(db, (connection) => {
    fillWithTinyRecord(connection);
  });
});

const run = async (...words: string[]) => {
  const stdout = await stdoutOf([...words, '--db', db]);
  expect(stdout).toMatch(/^[^\n]+\n$/);
  return stdout;
};

it('a backup is restored, and says what is next', async () => {
  const { bytes } = JSON.parse(await run('backup', backup, '--json')) as Record<string, unknown>;
  expect(bytes).toBe(readFileSync(backup).length);
  expect(await run('backup', backup, '--force')).toMatch(/: backup of .*, [0-9,]+ bytes, checked\n$/);
  const text = await run('restore', backup);
  expect(text).toMatch(/restored from .*, 6 nominations/);
  expect(text).toMatch(/the database that was there is now .*awards\.db\.replaced-.*; next: "awards build"/);
  const report = JSON.parse(await run('restore', backup, '--json')) as object;
  expect(report).toMatchObject({ db, backup, counts: { movies: 3 } });
});
