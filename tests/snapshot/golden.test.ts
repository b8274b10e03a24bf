/**
 * The snapshot of a small record with its pages is exactly the tree in golden.txt, file by file. When the format or an answer
 * changes on purpose, review the difference after
 *
 *   AWARDS_UPDATE_GOLDEN=1 npx vitest run tests/snapshot/golden.test.ts && git diff tests/snapshot/golden.txt
 */
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { routes } from '../../api/contract/routes.ts';
import { exportVersion } from '../../api/read/exports.ts';
import { Resolver } from '../../api/read/resolve.ts';
import { answerAt, build, compiledRecord } from '../support/build.ts';
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

/** Every column of every export. */
const exported = [...routes].flatMap(([path, route]) =>
  route.kind === 'list' || route.kind === 'search'
    ? ['csv', 'ndjson'].flatMap((format) => {
        const target = `${path}?format=${format}${route.kind === 'search' ? '&q=am' : ''}`;
        const whole = route.includes.length === 0 ? [] : [`${target}&include=${route.includes.join()}`];
        return [target, `${target}&fields=id`, ...whole];
      })
    : [],
);

/** If other bytes are right, raise exportVersion, and write its hash here. */
test('the exports of the tiny record have golden bytes, of the version that their ETags name', async () => {
  const { files } = await compiledRecord(fillWithTinyRecord);
  const resolver = new Resolver(files);
  const hash = createHash('sha256');
  for (const target of exported) {
    const { status, body } = await answerAt(resolver, target);
    expect([target, status]).toEqual([target, 200]);
    hash.update(`=== ${target}\n`).update(body!);
  }
  expect([exportVersion, hash.digest('hex')]).toEqual([
    1,
    '56c6e59d0d1caff695bac46e41d67bd8fcf1a11835108421a3abffd94bf84b10',
  ]);
});
