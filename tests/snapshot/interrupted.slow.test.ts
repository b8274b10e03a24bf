/**
 * A build and an update of the layers may end at any file operation, for example because the disk is full. Readers see the last
 * snapshot, the new one, or that there is none. The next build makes the folder equal to a clean one.
 */
import { truncateSync } from 'node:fs';
import { beforeAll, describe, expect, test } from 'vitest';
import { layerIndexPath, layerNames } from '../../api/contract/layers.ts';
import type { Resolver } from '../../api/read/resolve.ts';
import { runs } from '../support/settings.ts';
import { build, verify } from '../support/build.ts';
import { memoryDatabase, revive } from './databases.ts';
import { installFailingDisk } from '../durability/intercepted-calls.ts';
import { faultsOf, hashOf } from './named-files.ts';
import { ask, expectOneOf, openFolder } from './questions.ts';
import { fillWithTinyRecord } from './tiny-record.ts';
import { expectSameTree, readTree, writeTree } from './tree.ts';
import { useWorkspace } from '../support/temporary-folder.ts';

/** Every answer of `ask` changes. */
const edits = `
  UPDATE movies SET title = 'Life of Amélie', genres = '["Drama"]' WHERE id = 1;
  UPDATE nominations SET winner = 1 - winner;
  UPDATE nominees SET name = 'Ann Actress' WHERE id = 2;
  UPDATE nominations SET song_id = NULL;
  DELETE FROM songs;
  INSERT INTO ceremonies (id, ceremony_year) VALUES (7, 1930);
  UPDATE categories SET category_name = 'Écriture (The New)' WHERE id = 2;
`;
const layers = layerNames;
/** Tests of many builds on a busy machine. */
const timeout = 1_800_000;

const at = useWorkspace();
const folder = () => at('folder');
/** Has read the folder before the interrupted build. */
let earlier: Resolver;

let connection = memoryDatabase(fillWithTinyRecord);
await build(connection, folder(), { layers });
const before = await ask(openFolder(folder()));
const oldTree = readTree(folder());
connection.exec(edits);
const database = connection.serialize();
await build(connection, folder(), { layers, full: true });
await build(connection, folder(), { layers });
const after = await ask(openFolder(folder()));
const newTree = readTree(folder());
expect(after.filter((answer, i) => answer === before[i])).toEqual([]);

const starts = [
  { start: 'an empty folder', isEmpty: true, full: false },
  { start: 'the last snapshot', isEmpty: false, full: false },
  { start: 'the last snapshot with --full', isEmpty: false, full: true },
];

/** Returns to the start. The path of the folder is always the same, because the database knows it. */
async function restart(isEmpty: boolean): Promise<void> {
  writeTree(folder(), isEmpty ? new Map() : oldTree);
  connection.close();
  connection = revive(database);
  earlier = openFolder(folder());
  await ask(earlier);
}

const expectWholeSnapshots = () => expectOneOf(folder(), earlier, [before, after]);

/** Immutable files of the last snapshot may stay until the next change. */
async function expectNextBuildRepairs(): Promise<void> {
  await build(connection, folder(), { layers, timeoutMs: 0 });
  expect((await verify(connection, folder(), layers)).differences).toEqual([]);
  const tree = readTree(folder());
  const isRetained = (path: string, bytes: Buffer) => !newTree.has(path) && path.includes(hashOf(bytes));
  expectSameTree(new Map([...tree].filter(([path, bytes]) => !isRetained(path, bytes))), newTree);
  expect(faultsOf(tree)).toEqual([]);
  await expectWholeSnapshots();
}

/** Builds on a disk that fails after a number of changes. @returns the number of attempted changes */
async function buildOnFailingDisk(last: number, full: boolean, forGood: boolean): Promise<number> {
  const disk = installFailingDisk(folder(), last, forGood);
  const error = await build(connection, folder(), { layers, full }).then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  disk.repair();
  // A link that fails is a copy instead, and an empty folder may stay.
  if (error !== undefined) expect(String(error)).toContain('ENOSPC');
  return disk.attempts;
}

/** Leaves half of a page if no index names it, as a killed process may: another thread writes the pages of a first build. */
function halvePage(): void {
  const tree = readTree(folder());
  if (tree.has(layerIndexPath('pages'))) return;
  const page = [...tree.keys()].find((path) => path.startsWith('api/'));
  if (page !== undefined) truncateSync(at(`folder/${page}`), tree.get(page)!.length >> 1);
}

describe.each(starts)('a build from $start', ({ isEmpty, full }) => {
  let changes: number;
  beforeAll(async () => {
    await restart(isEmpty);
    changes = await buildOnFailingDisk(Number.POSITIVE_INFINITY, full, false);
    expect(changes).toBeGreaterThan(60);
  });

  test('may fail at any file operation, once or for good', { timeout }, async () => {
    const step = Math.max(1, changes / runs(16));
    const numbers = Array.from({ length: Math.ceil(changes / step) }, (_, i) => Math.floor(i * step));
    for (const last of new Set([...numbers, 1, changes - 2, changes - 1])) {
      await restart(isEmpty);
      await buildOnFailingDisk(last, full, last % 2 === 0);
      halvePage();
      await expectWholeSnapshots();
      await expectNextBuildRepairs();
    }
  });
});
