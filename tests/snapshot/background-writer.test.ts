/** The promise: a build large enough to write its files on a second thread fails, too, when one of them cannot be written. */
import fs, { rmSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { afterEach, beforeAll, expect, test } from 'vitest';
import { build } from '../support/build.ts';
import { verify } from '../../build/snapshot/verify.ts';
import { generateRecord } from '../../data/generate/generate.ts';
import type { Connection } from '../../data/open.ts';
import { memoryDatabase } from './databases.ts';
import { expectSameTree, readTree } from './tree.ts';
import { useWorkspace } from './workspace.ts';

const at = useWorkspace();
const makeFolder = fs.mkdirSync;
let connection: Connection;

beforeAll(() => {
  connection = memoryDatabase((empty) => generateRecord(empty, { scale: 0.04, seed: 6 }));
});
afterEach(() => {
  fs.mkdirSync = makeFolder;
  syncBuiltinESMExports();
});

test('it fails with the cause, leaves no manifest, and the next build converges', async () => {
  // A folder that is not made: the other thread is the first to notice.
  fs.mkdirSync = ((path: string, options: { recursive: true }) =>
    path.endsWith('/pages') ? undefined : makeFolder(path, options)) as typeof makeFolder;
  syncBuiltinESMExports();
  await expect(build(connection, at('dist'))).rejects.toThrow(/ENOENT.+\/pages\//);
  expect(readTree(at('dist')).has('manifest.json')).toBe(false);
  fs.mkdirSync = makeFolder;
  syncBuiltinESMExports();

  expect(await build(connection, at('dist'))).toMatchObject({ scope: 'everything' });
  expect((await verify(connection, at('dist'))).differences).toEqual([]);
  rmSync(at('dist'), { recursive: true });
});

test('it makes what the same build makes over an existing snapshot, on one thread', async () => {
  await build(connection, at('first'));
  const whole = readTree(at('first'));
  expect([...whole.values()].reduce((sum, bytes) => sum + bytes.length, 0)).toBeGreaterThan(3 * 1024 * 1024);
  expect(await build(connection, at('first'), { full: true })).toMatchObject({ files: [] });
  expectSameTree(readTree(at('first')), whole);
});
