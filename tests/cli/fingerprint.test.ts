/** The fingerprint of the program covers each file that can change bytes, and no data of the user. */
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { beforeAll, expect, it, vi } from 'vitest';
import { sourceFiles } from './source-files.ts';
import { project } from '../support/project.ts';
import { seeded } from '../support/seed.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

let copy: string;
beforeAll(() => {
  copy = temporaryFolder();
  for (const folder of ['api', 'build', 'data'])
    cpSync(join(project, folder), join(copy, folder), { recursive: true });
  mkdirSync(join(copy, 'docs'));
  for (const name of ['docs/errors.md', 'package-lock.json', 'package.json'])
    cpSync(join(project, name), join(copy, name));
});

/** The fingerprint that a new process would have. */
async function code(): Promise<string> {
  vi.resetModules();
  const url = pathToFileURL(join(copy, 'build/snapshot/fingerprint.ts')).href;
  const { productCode } = (await import(/* @vite-ignore */ url)) as { productCode: () => string };
  return productCode();
}

const names = () =>
  readdirSync(join(copy), { recursive: true, encoding: 'utf8' }).filter((name) => /\.\w+$/.test(name));

it('changes with each kind of source', async () => {
  const before = await code();
  const paths = [...sourceFiles('api', 'build', 'data').map(({ path }) => path), ...names()];
  const choices = seeded('fingerprint');
  for (const kind of ['ts', 'tsx', 'mjs', 'css', 'sql', 'tsv', 'txt', 'svg', 'md']) {
    const path = choices.pick(paths.filter((own) => own.endsWith(`.${kind}`) && !own.endsWith('readme.md')));
    const bytes = readFileSync(join(copy, path));
    writeFileSync(join(copy, path), Buffer.concat([bytes, Buffer.from('\n')]));
    expect(await code(), path).not.toBe(before);
    writeFileSync(join(copy, path), bytes);
  }
  expect(await code()).toBe(before);
});

it('does not change with databases and imports of the user', async () => {
  const before = await code();
  for (const name of ['awards.db', 'awards.db-wal', 'oscars.csv', 'query.json'])
    writeFileSync(join(copy, 'data', name), 'x');
  expect(await code()).toBe(before);
  for (const name of ['awards.db', 'awards.db-wal', 'oscars.csv', 'query.json'])
    rmSync(join(copy, 'data', name));
});
