/** The fingerprint of the program covers each file that can change bytes, and no data of the user. */
import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, it, vi } from 'vitest';
import { project } from '../support/project.ts';
import { seeded } from '../records/seed.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

it('changes with each kind of source, and not with databases and imports', async () => {
  const copy = temporaryFolder();
  for (const folder of ['api', 'build', 'data'])
    cpSync(join(project, folder), join(copy, folder), { recursive: true });
  mkdirSync(join(copy, 'docs'));
  for (const name of ['docs/errors.md', 'package-lock.json', 'package.json'])
    cpSync(join(project, name), join(copy, name));
  /** The fingerprint that a new process would have. */
  const code = async (): Promise<string> => {
    vi.resetModules();
    const url = pathToFileURL(join(copy, 'build/snapshot/fingerprint.ts')).href;
    const { productCode } = (await import(/* @vite-ignore */ url)) as { productCode: () => string };
    return productCode();
  };
  const before = await code();
  const paths = readdirSync(copy, { recursive: true, encoding: 'utf8' }).filter(
    (path) => !path.endsWith('readme.md'),
  );
  const choices = seeded('fingerprint');
  for (const kind of ['ts', 'tsx', 'mjs', 'css', 'sql', 'tsv', 'txt', 'svg', 'md', 'examples.json']) {
    const file = join(copy, choices.pick(paths.filter((path) => path.endsWith(kind))));
    const bytes = readFileSync(file);
    writeFileSync(file, Buffer.concat([bytes, Buffer.from('\n')]));
    expect(await code(), file).not.toBe(before);
    writeFileSync(file, bytes);
  }
  for (const name of ['awards.db', 'awards.db-wal', 'oscars.csv', 'query.json'])
    writeFileSync(join(copy, 'data', name), 'x');
  expect(await code()).toBe(before);
});
