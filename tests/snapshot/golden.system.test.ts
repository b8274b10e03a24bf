/**
 * The snapshot of a small record with its pages is exactly the tree in golden.txt, file by file. When the format or an answer
 * changes on purpose, review the difference after
 *
 *   AWARDS_UPDATE_GOLDEN=1 npx vitest run tests/snapshot/golden.system.test.ts && git diff tests/snapshot/golden.txt
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { test } from 'vitest';
import { build } from '../support/build.ts';
import { memoryDatabase } from './databases.ts';
import { fillWithTinyRecord } from './tiny-record.ts';
import { expectSameTree, readTree, type Tree } from './tree.ts';
import { useWorkspace } from '../support/temporary-folder.ts';

const golden = new URL('./golden.txt', import.meta.url);
const at = useWorkspace();

/** Each file below a heading with its path. Every file is text, and ends with a line break. */
const textOf = (tree: Tree): string =>
  [...tree].map(([path, bytes]) => `=== ${path}\n${bytes.toString()}`).join('');
function treeOf(text: string): Tree {
  const files = text.matchAll(/^=== (.+)\n((?:(?!=== ).*\n)*)/gm);
  return new Map([...files].map(([, path, content]) => [path!, Buffer.from(content!)]));
}

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
  if (process.env.AWARDS_UPDATE_GOLDEN) writeFileSync(golden, textOf(tree));
  expectSameTree(tree, treeOf(readFileSync(golden, 'utf8')));
});
