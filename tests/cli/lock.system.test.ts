/** "npm ci" checks every package against the lock file, except for known packages of other platforms. */
import { spawnSync } from 'node:child_process';
import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { project } from '../support/project.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { lockPaths, nameAt, readLock, unchecked } from './lock-file.ts';

/** The registry at hand lacks them. "npm run lock" completes their entries where the registry has them. */
const known = new Set([
  ...['android-arm64', 'android-x64', 'darwin-arm64', 'darwin-x64'].map((it) => `@biomejs/cli-${it}`),
  ...['linux-arm64-musl', 'linux-x64-musl', 'win32-arm64', 'win32-x64'].map((it) => `@biomejs/cli-${it}`),
  ...['darwin-arm64', 'darwin-x64', 'linux-arm64-glibc', 'win32-arm64', 'win32-x64'].map(
    (it) => `@deno/${it}`,
  ),
]);

it.each(lockPaths)('%s: no package is installed without a check, except for known ones', (lock) => {
  const entries = unchecked(readLock(lock));
  expect(entries.map(([path]) => nameAt(path)).filter((name) => !known.has(name))).toEqual([]);
  for (const [path, { optional }] of entries) expect(optional, path).toBe(true);
});

it.each(lockPaths)('every version beside %s is exact', (lock) => {
  const { dependencies, devDependencies } = JSON.parse(
    readFileSync(join(project, lock.replace('-lock', '')), 'utf8'),
  ) as Record<string, Record<string, string>>;
  expect(dependencies).not.toEqual({});
  const loose = Object.entries({ ...dependencies, ...devDependencies }).filter(
    ([, version]) => !/^\d+\.\d+\.\d+$/.test(version),
  );
  expect(loose).toEqual([]);
});

it('the project installs none of the heavy programs that only its checks run', () => {
  const names = new Set(Object.keys(readLock('package-lock.json').packages).map(nameAt));
  const tools = Object.keys(readLock('tools/package-lock.json').packages);
  const heavy = ['@biomejs/biome', '@redocly/cli', 'deno', 'sharp', 'workerd', 'wrangler'];
  expect(heavy.filter((name) => names.has(name))).toEqual([]);
  expect(tools.map(nameAt)).toEqual(expect.arrayContaining(heavy));
});

it('"npm run lock" adds what the registry knows, and says what is left', () => {
  const folder = temporaryFolder();
  const file = join(folder, 'package-lock.json');
  const lock = {
    name: 'x',
    packages: {
      '': { name: 'x' },
      'node_modules/a': { version: '1.0.0', integrity: 'sha512-a' },
      'node_modules/@b/c': { version: '2.0.0', optional: true },
      'node_modules/a/node_modules/unknown': { version: '3.0.0' },
      'node_modules/linked': { link: true },
    },
  };
  writeFileSync(file, JSON.stringify(lock));
  // A registry that knows one package.
  writeFileSync(join(folder, 'npm'), '#!/bin/sh\n[ "$2" = @b/c@2.0.0 ] && echo \'"sha512-c"\'\n');
  chmodSync(join(folder, 'npm'), 0o755);
  const run = (...words: string[]) =>
    spawnSync(process.execPath, ['--import', 'tsx', 'tests/cli/complete-lock.ts', ...words, file], {
      cwd: project,
      encoding: 'utf8',
      env: { PATH: `${folder}:${process.env.PATH}` },
    });
  const report = run('--report');
  expect(report.status).toBe(0);
  expect(report.stdout).toMatch(/^::warning file=\S+package-lock\.json::@b\/c@2\.0\.0 has no integrity/);
  expect(readFileSync(file, 'utf8')).toBe(JSON.stringify(lock));
  const { status, stdout } = run();
  expect(status).toBe(1);
  expect(stdout).toMatch(/^unknown@3\.0\.0: unknown to the registry$/m);
  expect(stdout).toMatch(/: 1 of 4 packages without integrity$/m);
  expect(readFileSync(file, 'utf8')).toContain('"version": "2.0.0",\n      "integrity": "sha512-c",\n');
});
