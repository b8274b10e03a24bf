/** A first build writes its pages on a second thread. It fails if one of them cannot be written. */
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { expect, test } from 'vitest';
import { generateRecord } from '../../data/generate/generate.ts';
import { build, verify } from '../support/build.ts';
import { memoryDatabase } from './databases.ts';
import { readTree } from './tree.ts';
import { useWorkspace } from '../support/temporary-folder.ts';

const at = useWorkspace();
const makeFolder = fs.mkdirSync;
function restore(): void {
  fs.mkdirSync = makeFolder;
  syncBuiltinESMExports();
}
test('it fails with the cause, no index names a page, and the next build repairs it', async () => {
  const connection = memoryDatabase((empty) => generateRecord(empty, { scale: 0.04, seed: 6 }));
  // A folder that is not made: the second thread is the first to notice.
  fs.mkdirSync = ((path: string, options: { recursive: true }) =>
    path.endsWith('/pages') && path.includes('/api/')
      ? undefined
      : makeFolder(path, options)) as typeof makeFolder;
  syncBuiltinESMExports();
  await expect(build(connection, at('dist')).finally(restore)).rejects.toThrow(/ENOENT.+\/pages\//);
  expect(readTree(at('dist')).has('layers/pages.json')).toBe(false);
  const { layers } = await build(connection, at('dist'));
  expect(layers).toMatchObject([{ scope: 'everything', reason: 'there is no valid index' }]);
  expect((await verify(connection, at('dist'))).differences).toEqual([]);
});
