/** A first build writes its pages on a second thread. It fails if one of them cannot be written. */
import fs, { rmSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { afterEach, beforeAll, expect, test } from 'vitest';
import { generateRecord } from '../../data/generate/generate.ts';
import type { Connection } from '../../data/open.ts';
import { build, verify } from '../support/build.ts';
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

test('it fails with the cause, its index names no page, and the next build repairs it', async () => {
  // A folder that is not made: the second thread is the first to notice.
  fs.mkdirSync = ((path: string, options: { recursive: true }) =>
    path.endsWith('/pages') && path.includes('/api/')
      ? undefined
      : makeFolder(path, options)) as typeof makeFolder;
  syncBuiltinESMExports();
  await expect(build(connection, at('dist'))).rejects.toThrow(/ENOENT.+\/pages\//);
  const index = readTree(at('dist')).get('layers/pages.json')!.toString();
  expect(JSON.parse(index)).toMatchObject({ groups: { hashes: [] }, pending: {} });
  fs.mkdirSync = makeFolder;
  syncBuiltinESMExports();

  const { layers } = await build(connection, at('dist'));
  expect(layers).toMatchObject([{ scope: 'everything', reason: 'the last update was interrupted' }]);
  expect((await verify(connection, at('dist'))).differences).toEqual([]);
  rmSync(at('dist'), { recursive: true });
});

test('it makes the same files as a build over an existing snapshot, which uses one thread', async () => {
  await build(connection, at('first'));
  const tree = readTree(at('first'));
  expect([...tree.values()].reduce((sum, bytes) => sum + bytes.length, 0)).toBeGreaterThan(3 * 1024 * 1024);
  expect(await build(connection, at('first'), { full: true })).toMatchObject({ files: [] });
  expectSameTree(readTree(at('first')), tree);
});
