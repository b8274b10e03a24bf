/**
 * `verify` names every file that is missing, different or unexpected, and `build --full` repairs it. A build of changes never
 * builds on a damaged shard.
 */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Connection } from '../../data/database/open.ts';
import { damagedPaths, kinds, Vandal } from '../durability/folder-damage.ts';
import { build, verify } from '../support/build.ts';
import { seeded } from '../support/seed.ts';
import { useBuiltTiny } from './built-tiny.ts';
import { revive } from './databases.ts';
import { expectSameTree, readTree, writeInto, writeTree } from './tree.ts';
import { useWorkspace } from '../support/temporary-folder.ts';

const at = useWorkspace();
const tiny = useBuiltTiny(() => at('dist'));
let folder: string;
let connection: Connection;

beforeEach(() => {
  folder = at('dist');
  connection = revive(tiny.original);
});
afterEach(() => connection.close());

/** Changes one bit of a file. */
function flipBit(path: string): void {
  const bytes = Buffer.from(tiny.whole.get(path)!);
  bytes[bytes.length >> 1]! ^= 1;
  writeFileSync(join(folder, path), bytes);
}

test.each(Object.keys(kinds))('what is %s is named by verify and repaired by build --full', async (kind) => {
  const vandal = new Vandal(folder, tiny.whole);
  for (const area of ['the manifest', 'a shard', 'a page', 'an index']) {
    const what = vandal.damage(kind, area, seeded(`${area} ${kind}`));
    const damaged = damagedPaths(folder, tiny.whole).filter((path) => tiny.whole.has(path));
    const { differences } = await verify(connection, folder);
    expect(
      differences.map(({ path }) => path),
      what,
    ).toEqual(expect.arrayContaining(damaged));
    await build(connection, folder, { full: true });
    expect(damagedPaths(folder, tiny.whole), what).toEqual([]);
  }
});

test('a damaged shard is never built on: the next build of a change builds everything', async () => {
  for (const path of [...tiny.whole.keys()].filter((each) => /^shards|manifest/.test(each))) {
    writeTree(folder, tiny.whole);
    const edited = revive(tiny.original);
    flipBit(path);
    edited.exec("UPDATE movies SET title = 'A Life of Zeal' WHERE id = 2");
    const { scope, reason } = await build(edited, folder);
    expect({ scope, reason }).toEqual({
      scope: 'everything',
      reason: expect.stringMatching(/damaged|does not hold/),
    });
    // The layers need the old snapshot until they are up to date: its damaged shard goes with the next build.
    await build(edited, folder);
    expect((await verify(edited, folder)).differences).toEqual([]);
    edited.close();
  }
});

test('an unexpected file is named by verify, and removed by build --full', async () => {
  const strays = [
    'api/movies/999.json',
    'shards/titles/0123456789abcdef0123.json',
    'api/movies/.1.json.unfinished',
  ];
  for (const path of strays) {
    writeInto(folder, path, '{}\n');
    expect((await verify(connection, folder)).differences).toEqual([{ path, problem: 'unexpected' }]);
    await build(connection, folder, { full: true });
    expectSameTree(readTree(folder), tiny.whole);
  }
});

test('build --full with all layers removes any unexpected file', async () => {
  const layers = ['pages', 'site', 'lists'] as const;
  await build(connection, folder, { layers });
  const clean = readTree(folder);
  for (const path of ['stray.txt', 'docs/stray.html', 'lists/stray/x.rss', 'api/stray.json'])
    writeInto(folder, path, 'x');
  expect((await verify(connection, folder, layers)).differences).toHaveLength(4);
  await build(connection, folder, { layers, full: true });
  expectSameTree(readTree(folder), clean);
});

test('build --full removes more files than a function takes arguments', { timeout: 120_000 }, async () => {
  mkdirSync(join(folder, 'api/nominees/old'), { recursive: true });
  for (let id = 0; id < 130_000; id += 1) writeFileSync(join(folder, `api/nominees/old/${id}.json`), '');
  const { files } = await build(connection, folder, { full: true });
  expect(files.filter(({ action }) => action === 'removed')).toHaveLength(130_000);
  expectSameTree(readTree(folder), tiny.whole);
});

test('a repository in the folder belongs to the user, also for build --full', async () => {
  writeInto(folder, '.git/objects/ab/cdef', 'mine');
  expect((await verify(connection, folder)).differences).toEqual([]);
  await build(connection, folder, { full: true });
  expect(readTree(folder).get('.git/objects/ab/cdef')?.toString()).toBe('mine');
});

test('a build of changes leaves an unexpected file alone, also where it makes every file of a layer again', async () => {
  const layers = ['pages', 'lists', 'downloads'] as const;
  await build(connection, folder, { layers });
  writeInto(folder, 'stray.txt', 'mine');
  connection.exec('UPDATE movies SET runtime = 7 WHERE id = 1');
  expect(await build(connection, folder, { layers })).toMatchObject({ scope: 'changes' });
  expect(readTree(folder).get('stray.txt')?.toString()).toBe('mine');
});

test('verify names all damaged files in order, and one build repairs them', async () => {
  rmSync(join(folder, 'api'), { recursive: true });
  writeInto(folder, 'shards/stray.json', '');
  writeInto(folder, 'manifest.json', '');
  const { differences, files } = await verify(connection, folder);
  expect(files).toBe(tiny.whole.size);
  expect(differences).toEqual([
    ...[...tiny.whole.keys()]
      .filter((path) => path.startsWith('api/'))
      .map((path) => ({ path, problem: 'missing' })),
    { path: 'manifest.json', problem: 'different' },
    { path: 'shards/stray.json', problem: 'unexpected' },
  ]);
  await build(connection, folder, { full: true });
  expectSameTree(readTree(folder), tiny.whole);
});
