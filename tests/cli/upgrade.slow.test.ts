/**
 * The commands of a program with one more migration, on a database of the current one: those that work with
 * the database upgrade it, keep a copy, and say so; those that only look leave it as it is.
 */
import {
  copyFileSync,
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { beforeAll, beforeEach, expect, it } from 'vitest';
import { migrations, schemaOf } from '../../data/database/migrations.ts';
import { outcomeOf, startNode } from '../support/processes.ts';
import { project } from '../support/project.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { restoreKept } from '../records/kept-databases.ts';

const currentSchema = migrations.length;
const next = currentSchema + 1;
let program: string;
let folder: string;
const db = () => join(folder, 'awards.db');
const copy = () => `${db()}.before-${next}`;
beforeAll(() => {
  program = temporaryFolder();
  for (const name of ['api', 'build', 'package.json', 'package-lock.json'])
    cpSync(join(project, name), join(program, name), { recursive: true });
  const isSource = (path: string) => !/\.db|\.unfinished$/.test(path);
  cpSync(join(project, 'data'), join(program, 'data'), { recursive: true, filter: isSource });
  mkdirSync(join(program, 'docs'));
  copyFileSync(join(project, 'docs/errors.md'), join(program, 'docs/errors.md'));
  symlinkSync(join(project, 'node_modules'), join(program, 'node_modules'));
  const name = `${String(next).padStart(3, '0')}-motto.sql`;
  writeFileSync(
    join(program, 'data/database/migrations', name),
    'ALTER TABLE ceremonies ADD COLUMN motto TEXT',
  );
});
beforeEach(() => {
  folder = temporaryFolder();
  restoreKept(currentSchema, db());
});

const run = (...words: string[]) =>
  outcomeOf(
    startNode(['--import', 'tsx', join(program, 'build/cli/main.ts'), ...words, '--db', db(), '--json']),
  );
const schema = () => {
  const connection = new Database(db());
  const number = schemaOf(connection);
  connection.close();
  return number;
};

it('commands that only look leave an older schema as it is, and say what upgrades it', async () => {
  const before = readFileSync(db());
  const refusal = `awards: ${db()} has schema ${currentSchema}, and this version of the program has schema ${next}; "awards build" upgrades it\n`;
  const out = join(folder, 'dist');
  mkdirSync(out);
  const [verified, imported, examined] = await Promise.all([
    run('verify', '--out', out),
    run('import', join(folder, 'none.csv'), '--dry-run'),
    run('doctor', '--out', out),
  ]);
  for (const { code, stderr } of [verified, imported]) expect([code, stderr]).toEqual([1, refusal]);
  expect(examined.stdout).toContain('\\"awards build\\" upgrades it, and keeps a copy');
  expect(readFileSync(db()).equals(before)).toBe(true);
  const { code, stderr } = await run('backup', join(folder, 'backup.db'));
  expect([code, stderr, schema()]).toEqual([0, '', currentSchema]);
  expect(readdirSync(folder).sort()).toEqual(['awards.db', 'backup.db', 'dist']);
});

it('two processes at once upgrade it once, and both do their work; one says so, on stderr', async () => {
  const outcomes = await Promise.all([run('keys', 'list'), run('keys', 'list')]);
  for (const { code, stdout } of outcomes) {
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ keys: [{ name: 'editor' }, { name: 'former' }] });
  }
  const line = `awards: upgraded ${db()} from schema ${currentSchema} to ${next}; ${copy()} is the database before\n`;
  expect(outcomes.map(({ stderr }) => stderr).sort()).toEqual(['', line]);
  expect(readdirSync(folder).sort()).toEqual(['awards.db', `awards.db.before-${next}`]);
});

it('a service upgrades the database before it answers', async () => {
  const service = startNode([
    ...['--import', 'tsx', join(program, 'build/cli/main.ts'), 'serve', '--port', '0', '--no-downloads'],
    ...['--db', db(), '--out', join(folder, 'dist'), '--json'],
  ]);
  let errors = '';
  service.stderr!.on('data', (text: Buffer) => {
    errors += text;
  });
  await new Promise((resolve) => service.stdout!.once('data', resolve));
  expect([schema(), errors]).toEqual([next, expect.stringContaining(`upgraded ${db()}`)]);
  service.kill();
  expect(await new Promise((resolve) => service.once('exit', resolve))).toBe(0);
});
