/**
 * The promise: the snapshot of a small record is exactly the tree in golden/, file by file. That tree is there to be read; when
 * the format or an answer changes on purpose, look at the difference after
 *
 *   AWARDS_UPDATE_GOLDEN=1 npx vitest run tests/snapshot/golden.test.ts && git diff tests/snapshot/golden
 */
import { fileURLToPath } from 'node:url';
import { beforeAll, expect, test } from 'vitest';
import { build } from '../support/build.ts';
import { memoryDatabase } from './databases.ts';
import { fillWithTinyRecord } from './tiny-record.ts';
import { differencesOf, expectSameTree, readTree, type Tree, writeTree } from './tree.ts';
import { useWorkspace } from './workspace.ts';

const golden = fileURLToPath(new URL('./golden', import.meta.url));
const at = useWorkspace();
let built: Tree;

beforeAll(async () => {
  const connection = memoryDatabase(fillWithTinyRecord);
  await build(connection, at('dist'));
  connection.close();
  built = readTree(at('dist'));
  if (process.env.AWARDS_UPDATE_GOLDEN) writeTree(golden, built);
});

test('the snapshot of the tiny record is the golden tree, no file more, no file less', () => {
  expectSameTree(built, readTree(golden));
});

test('a missing, a changed and an unexpected file would each be named', () => {
  const damaged = new Map(built);
  damaged.delete('api/movies/1.json');
  damaged.set('api/movies.json', Buffer.from('{}\n'));
  damaged.set('api/stray.json', Buffer.from('{}\n'));
  expect(differencesOf(damaged, readTree(golden))).toEqual([
    'different api/movies.json',
    'missing api/movies/1.json',
    'unexpected api/stray.json',
  ]);
});
