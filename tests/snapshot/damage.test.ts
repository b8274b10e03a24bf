/**
 * The promises: `verify` names every file of the snapshot that is missing, different or unexpected; `build --full` repairs them;
 * and a build of changes never builds on damage: it notices, or does not need the damaged file and leaves it for verify to name.
 */
import { rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { build } from '../support/build.ts';
import { verify } from '../../build/snapshot/verify.ts';
import type { Connection } from '../../data/open.ts';
import { memoryDatabase, revive } from './databases.ts';
import { fillWithTinyRecord } from './tiny-record.ts';
import { expectSameTree, readTree, type Tree, writeInto, writeTree } from './tree.ts';
import { useWorkspace } from './workspace.ts';

const at = useWorkspace();
let folder: string;
let database: Buffer;
let whole: Tree;
let connection: Connection;

beforeAll(async () => {
  folder = at('dist');
  const built = memoryDatabase(fillWithTinyRecord);
  await build(built, folder);
  database = built.serialize();
  whole = readTree(folder);
  built.close();
});
beforeEach(() => {
  writeTree(folder, whole);
  connection?.close();
  connection = revive(database);
});
afterAll(() => connection.close());

const shardOf = (family: string) => [...whole.keys()].find((path) => path.startsWith(`shards/${family}/`))!;

type Damage = (path: string, bytes: Buffer) => void;
const damages: Record<string, Damage> = {
  removed: (path) => rmSync(join(folder, path)),
  emptied: (path) => writeFileSync(join(folder, path), ''),
  'cut short': (path, bytes) => writeFileSync(join(folder, path), bytes.subarray(0, bytes.length >> 1)),
  'changed by one bit': (path, bytes) => {
    const copy = Buffer.from(bytes);
    copy[copy.length >> 1]! ^= 1;
    writeFileSync(join(folder, path), copy);
  },
  'exchanged for another': (path) => writeFileSync(join(folder, path), whole.get('api/movies/1.json')!),
};

describe.each(Object.keys(damages))('a file %s', (kind) => {
  const problem = kind === 'removed' ? 'missing' : 'different';
  const concerned = () =>
    [
      'manifest.json',
      '404.json',
      'api/movies.json',
      'api/stats/top-movies/wins.json',
      'api/nominees/3.json',
    ].concat(['nominations', 'titles', 'records/songs', 'search', 'pages'].map(shardOf));

  test('is named by verify and repaired by build --full', async () => {
    for (const path of concerned()) {
      damages[kind]!(path, whole.get(path)!);
      expect((await verify(connection, folder)).differences).toEqual([{ path, problem }]);
      const report = await build(connection, folder, { full: true });
      expect(report.files.map((file) => `${file.action} ${file.path}`)).toEqual([`written ${path}`]);
      expectSameTree(readTree(folder), whole);
    }
  });
});

test('a damaged shard is never built on: the next build of a change does without it or builds everything', async () => {
  let everything = 0;
  for (const path of [...whole.keys()].filter((each) => /^shards|manifest/.test(each))) {
    writeTree(folder, whole);
    const edited = revive(database);
    damages['changed by one bit']!(path, whole.get(path)!);
    edited.exec("UPDATE movies SET title = 'A Life of Zeal' WHERE id = 2");
    const { scope, reason } = await build(edited, folder);
    const { differences } = await verify(edited, folder);
    if (scope === 'everything') {
      everything += 1;
      expect(reason).toMatch(/damaged|does not hold/);
      expect(differences).toEqual([]);
    } else {
      expect(differences.filter((difference) => difference.path !== path)).toEqual([]);
    }
    edited.close();
  }
  expect(everything).toBeGreaterThan(10);
});

describe('a file that does not belong there', () => {
  const strays = [
    'api/movies/999.json',
    'stray.txt',
    'shards/titles/0123456789abcdef0123.json',
    'api/movies/.unfinished',
  ];

  test('is named by verify and removed by build --full', async () => {
    for (const path of strays) {
      writeInto(folder, path, '{}\n');
      expect((await verify(connection, folder)).differences).toEqual([{ path, problem: 'unexpected' }]);
      await build(connection, folder, { full: true });
      expectSameTree(readTree(folder), whole);
    }
  });

  test('is left alone by a build of changes, which does not look for it', async () => {
    writeInto(folder, 'stray.txt', 'mine');
    connection.exec('UPDATE movies SET runtime = 7 WHERE id = 1');
    expect(await build(connection, folder)).toMatchObject({ scope: 'changes' });
    expect(readTree(folder).get('stray.txt')?.toString()).toBe('mine');
  });

  test('is not looked for behind a link: what the link points to is left alone', async () => {
    const treasure = at('treasure');
    writeTree(treasure, new Map([['diary.txt', Buffer.from('dear diary')]]));
    symlinkSync(treasure, join(folder, 'api', 'treasure'));
    expect((await verify(connection, folder)).differences).toEqual([
      { path: 'api/treasure', problem: 'unexpected' },
    ]);
    await build(connection, folder, { full: true });
    expectSameTree(readTree(treasure), new Map([['diary.txt', Buffer.from('dear diary')]]));
    expectSameTree(readTree(folder), whole);
  });
});

test('all at once: verify names every damaged file in order, and one build repairs them', async () => {
  rmSync(join(folder, 'api'), { recursive: true });
  writeInto(folder, 'shards/stray.json', '');
  writeInto(folder, 'manifest.json', '');
  const { differences, files } = await verify(connection, folder);
  const pages = [...whole.keys()].filter((path) => path.startsWith('api/'));
  expect(files).toBe(whole.size);
  expect(differences).toEqual([
    ...pages.map((path) => ({ path, problem: 'missing' })),
    { path: 'manifest.json', problem: 'different' },
    { path: 'shards/stray.json', problem: 'unexpected' },
  ]);
  await build(connection, folder, { full: true });
  expectSameTree(readTree(folder), whole);
});
