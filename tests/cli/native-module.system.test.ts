/** An installation without the native module of SQLite says so in one line, with what to do; `doctor` finds it first. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, inject, it } from 'vitest';
import { missingNativeModule, nativeModuleFault } from '../../data/system/native-module.ts';
import { outcomeOf, startNode } from '../support/processes.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

it('the messages of a missing module, and of one of another version of Node, are recognized', () => {
  for (const message of [
    'Could not locate the bindings file. Tried:\n → /a/build/better_sqlite3.node\n → /b',
    "The module '/a/better_sqlite3.node'\nwas compiled against a different Node.js version using\nNODE_MODULE_VERSION 115.",
    '/a/better_sqlite3.node: invalid ELF header',
  ])
    expect(nativeModuleFault(new Error(message))).toMatch(
      /^the native module .*npm rebuild better-sqlite3"$/,
    );
  expect(nativeModuleFault(new Error('database is locked'))).toBeUndefined();
  expect(missingNativeModule()).toBeUndefined();
});

it('commands without the module end with one line and the cure, and doctor names it first', async () => {
  const folder = temporaryFolder();
  // As the loader of native modules fails where the install script did not run.
  const broken = join(folder, 'broken.cjs');
  writeFileSync(
    broken,
    `const { Module } = require('node:module');
const load = Module._load;
Module._load = (name, ...more) => {
  if (String(name) === 'bindings' || String(name).endsWith('.node'))
    throw new Error('Could not locate the bindings file. Tried:\\n → a\\n → b');
  return load(name, ...more);
};`,
  );
  const run = (...words: string[]) =>
    outcomeOf(startNode(['--require', broken, inject('cli'), ...words, '--db', join(folder, 'a.db')]));
  const { code, stderr } = await run('sample');
  expect([code, stderr.trimEnd().split('\n').length]).toEqual([1, 1]);
  expect(stderr).toContain('npm install-scripts approve better-sqlite3');
  const doctor = await run('doctor', '--out', folder);
  expect(doctor.code).toBe(1);
  expect(doctor.stdout).toMatch(/^✗ program +the native module/m);
});
