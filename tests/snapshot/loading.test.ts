/** A module that cannot be loaded for a moment, as during an update of the program, fails one build only. */
import { afterEach, expect, test, vi } from 'vitest';
import { useWorkspace } from '../support/temporary-folder.ts';
import { memoryDatabase } from './databases.ts';
import { fillWithTinyRecord } from './tiny-record.ts';

const at = useWorkspace();
afterEach(() => vi.doUnmock('../../build/snapshot/compile.ts'));

test('a build that cannot load the compiler fails, and the next one succeeds', async () => {
  // Other tests of this process have loaded it.
  vi.resetModules();
  vi.doMock('../../build/snapshot/compile.ts', () => {
    throw new Error('no such file');
  });
  const { SnapshotBuilder } = await import('../../build/snapshot/builder.ts');
  const connection = memoryDatabase(fillWithTinyRecord);
  const builder = new SnapshotBuilder(connection, at('dist'));
  await expect(builder.build()).rejects.toThrow();
  vi.doUnmock('../../build/snapshot/compile.ts');
  expect(await builder.build()).toMatchObject({ scope: 'everything' });
  connection.close();
});
