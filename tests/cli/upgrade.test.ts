/**
 * Commands that work with the database upgrade an older schema, and say so on stderr; those that only look
 * refuse it.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { verify } from '../../build/cli/build-commands.ts';
import { importSource } from '../../build/cli/fill-commands.ts';
import { publishCommand } from '../../build/cli/publish-command.ts';
import { list } from '../../build/cli/record-commands.ts';
import { backUp, restore } from '../../data/backup.ts';
import { type Migration, migrations } from '../../data/database/migrations.ts';
import { keptKey, restoreKept } from '../records/kept-databases.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

/** A version of the program with one more migration. */
const nextMigration: Migration = { name: 'next.sql', sql: 'ALTER TABLE ceremonies ADD COLUMN motto TEXT' };
const currentSchema = migrations.length;
const next = currentSchema + 1;
let folder: string;
const db = () => join(folder, 'awards.db');
const written = { stdout: '', stderr: '' };
beforeEach(() => {
  folder = temporaryFolder();
  restoreKept(currentSchema, db());
  (migrations as Migration[]).push(nextMigration);
  for (const name of ['stdout', 'stderr'] as const) {
    written[name] = '';
    vi.spyOn(process[name], 'write').mockImplementation((text) => {
      written[name] += String(text);
      return true;
    });
  }
});
afterEach(() => {
  (migrations as Migration[]).pop();
  vi.restoreAllMocks();
});

it('a command that works with the database', async () => {
  await list({ db: db(), json: true });
  const copy = `${db()}.before-${next}`;
  expect(written.stderr).toBe(
    `awards: upgraded ${db()} from schema ${currentSchema} to ${next}; ${copy} is the database before\n`,
  );
  expect(JSON.parse(written.stdout)).toMatchObject({ keys: [{ name: 'editor' }, { name: 'former' }] });
  expect(readdirSync(folder).sort()).toEqual(['awards.db', `awards.db.before-${next}`]);
  await list({ db: db(), quiet: true });
  expect(written.stderr.match(/upgraded/g)).toHaveLength(1);
});

it('a restore upgrades what it restores; its backup is the copy', async () => {
  const backup = join(folder, 'backup.db');
  backUp(db(), backup);
  restore(backup, db(), new Date(0));
  const aside = 'awards.db.replaced-1970-01-01T00-00-00-000Z';
  expect(readdirSync(folder).sort()).toEqual(['awards.db', aside, 'backup.db']);
  await list({ db: db(), quiet: true });
  expect(written.stderr).toBe('');
});

it.each<[string, () => Promise<void>]>([
  ['verify', () => verify({ db: db(), out: folder })],
  ['import --dry-run', () => importSource(keptKey, { db: db(), dryRun: true })],
  [
    'publish --dry-run',
    () => publishCommand({ db: db(), out: folder, pages: 'all', origin: '', dryRun: true }),
  ],
])('%s leaves it as it is', async (_, command) => {
  const before = readFileSync(db());
  await expect(command()).rejects.toThrow(/has schema \d+, and .*; "awards build" upgrades it$/);
  expect([readdirSync(folder), readFileSync(db()).equals(before), written]).toEqual([
    ['awards.db'],
    true,
    { stdout: '', stderr: '' },
  ]);
});
