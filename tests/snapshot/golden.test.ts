/**
 * The snapshot of a small record with its pages is exactly the tree in golden/, file by file. When the format or an answer
 * changes on purpose, review the difference after
 *
 *   AWARDS_UPDATE_GOLDEN=1 npx vitest run tests/snapshot/golden.test.ts && git diff tests/snapshot/golden
 */
import { fileURLToPath } from 'node:url';
import { test } from 'vitest';
import { build } from '../support/build.ts';
import { memoryDatabase } from './databases.ts';
import { fillWithTinyRecord } from './tiny-record.ts';
import { expectSameTree, readTree, writeTree } from './tree.ts';
import { useWorkspace } from '../support/temporary-folder.ts';

const golden = fileURLToPath(new URL('./golden', import.meta.url));
const at = useWorkspace();

test('the snapshot of the tiny record is the golden tree', async () => {
  const connection = memoryDatabase(fillWithTinyRecord);
  await build(connection, at('dist'));
  connection.close();
  const tree = readTree(at('dist'));
  // The fingerprint changes with every change of the code.
  const index = tree
    .get('layers/pages.json')!
    .toString()
    .replace(/"id":"[0-9a-f]{20}","code":"[0-9a-f]{64}"/, '"id":"(hash)","code":"(fingerprint)"');
  tree.set('layers/pages.json', Buffer.from(index));
  if (process.env.AWARDS_UPDATE_GOLDEN) writeTree(golden, tree);
  expectSameTree(tree, readTree(golden));
});
