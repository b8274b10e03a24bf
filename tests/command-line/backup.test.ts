/** backup, restore and receipts prune: what they print, for people and for programs. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { insertRecord } from '../../data/edits.ts';
import { addReceipt } from '../../data/receipts.ts';
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
    for (const [id, day] of ['2025-01-01', '2025-12-31', '2026-01-01'].entries()) {
      insertRecord(connection, 'movies', { id: 100 + id, title: day });
      const at = new Date(`${day}T23:59:59.999Z`);
      const write = { at, key: 'editor', action: 'create', resource: 'movies', before: null } as const;
      addReceipt(connection, { ...write, recordId: 100 + id, after: { title: day } });
    }
  });
});

const run = async (...words: string[]) => {
  const stdout = await stdoutOf([...words, '--db', db]);
  expect(stdout).toMatch(/^[^\n]+\n$/);
  return stdout;
};

it('a backup is restored, and says what is next', async () => {
  const { bytes, sha256 } = JSON.parse(await run('backup', backup, '--json')) as Record<string, unknown>;
  expect(bytes).toBe(readFileSync(backup).length);
  expect(await run('backup', backup, '--force')).toContain(`SHA-256 is ${sha256}`);
  const text = await run('restore', backup);
  expect(text).toMatch(/restored from .* \(its checksum is right\), 6 nominations/);
  expect(text).toMatch(/the database that was there is now .*awards\.db\.replaced-.*; next: "awards build"/);
  const report = JSON.parse(await run('restore', backup, '--json')) as object;
  expect(report).toMatchObject({ db, backup, sha256, verified: true, counts: { movies: 6 } });
});

it('receipts are pruned, or only counted', async () => {
  const prune = ['receipts', 'prune', '--before', '2026-01-01'];
  const before = '2026-01-01T00:00:00.000Z';
  expect(await run(...prune, '--dry-run')).toBe(
    `2 receipts from before ${before} would be deleted, 1 remain\n`,
  );
  const report = { before, dryRun: false, deleted: 2, remaining: 1 };
  expect(JSON.parse(await run(...prune, '--json'))).toEqual(report);
  expect(await run(...prune)).toBe(`0 receipts from before ${before} deleted, 1 remain\n`);
});
