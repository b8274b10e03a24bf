/** The downloads follow the snapshot: made when there is another one, right at any moment, repaired when they are asked to be. */
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { DownloadIndex } from '../../api/contract/download-index.ts';
import { build } from '../support/build.ts';
import { makeDownloads } from '../../build/layers/downloads/downloads.ts';
import { verifyDownloads } from '../../build/layers/downloads/verification.ts';
import { type Connection, openDatabase } from '../../data/open.ts';
import { removeTemporaryFolders, temporaryFolder } from '../service/temporary-folder.ts';
import { exhaustive } from '../settings.ts';
import { memoryDatabase } from '../snapshot/databases.ts';
import { installFailingDisk, noSpaceLeft } from '../snapshot/failing-disk.ts';
import { hashOf } from '../snapshot/named-files.ts';
import { fillWithTinyRecord } from '../snapshot/tiny-record.ts';
import { expectSameTree, readTree, type Tree, writeTree } from '../snapshot/tree.ts';

removeTemporaryFolders();
let folder: string;
let out: string;
let connection: Connection;
let first: Tree;
let second: Tree;

/** The downloads of a folder, without what comes and goes with the work. */
const downloadsOf = (root: string): Tree =>
  new Map([...readTree(join(root, 'downloads'))].filter(([name]) => !name.startsWith('.')));
const indexOf = (root: string) =>
  JSON.parse(readFileSync(join(root, 'downloads/index.json'), 'utf8')) as DownloadIndex;
const differing = async () =>
  (await verifyDownloads(out)).differences.map(({ path, problem }) => `${problem} ${path}`);

beforeAll(async () => {
  folder = temporaryFolder();
  out = join(folder, 'dist');
  const other = openDatabase(join(folder, 'other.db'));
  fillWithTinyRecord(other);
  other.exec("UPDATE movies SET title = 'Life' WHERE id = 1; DELETE FROM nominations WHERE id = 6");
  await build(other, join(folder, 'other'));
  await makeDownloads(join(folder, 'other'));
  second = downloadsOf(join(folder, 'other'));
  other.close();
});
beforeEach(async () => {
  connection?.close();
  rmSync(out, { recursive: true, force: true });
  connection = memoryDatabase(fillWithTinyRecord);
  await build(connection, out);
  await makeDownloads(out);
  first ??= downloadsOf(out);
});

async function edit(): Promise<void> {
  connection.exec("UPDATE movies SET title = 'Life' WHERE id = 1; DELETE FROM nominations WHERE id = 6");
  await build(connection, out);
}

describe('after a change', () => {
  it('they are those of a clean build, and what nothing names any more is gone', async () => {
    await edit();
    expect(await makeDownloads(out)).toMatchObject({ made: true, files: 13 });
    expectSameTree(downloadsOf(out), second);
    expect(readdirSync(join(out, 'downloads')).filter((name) => name.startsWith('.'))).toEqual(['.lock']);
  });

  it('a build leaves them alone, whether of changes or of everything', async () => {
    await edit();
    expectSameTree(downloadsOf(out), first);
    await build(connection, out, { full: true });
    expectSameTree(downloadsOf(out), first);
    expect(await verifyDownloads(out)).toEqual({ state: 'behind', differences: [], files: 0 });
  });
});

it('whoever waits is told how far it is', async () => {
  const told: [done: number, total: number][] = [];
  await makeDownloads(out, { full: true, onProgress: (...now) => told.push(now) });
  const rows = indexOf(out).files.find(({ name }) => name === 'awards.sqlite')!.rows;
  expect(told.at(-1)).toEqual([rows, rows]);
  expect(told.every(([done, total], i) => total === rows && done > (told[i - 1]?.[0] ?? 0))).toBe(true);
});

describe('without a change', () => {
  it('nothing is made', async () => {
    const before = indexOf(out);
    expect(await makeDownloads(out)).toMatchObject({ made: false, snapshot: before.snapshot, files: 13 });
    expect(await verifyDownloads(out)).toEqual({ state: 'current', differences: [], files: 27 });
  });

  it('what is missing, or has another size, is made again', async () => {
    for (const harm of [
      () => rmSync(join(out, 'downloads/movies.csv')),
      () => rmSync(join(out, 'downloads/index.json')),
      () => writeFileSync(join(out, 'downloads/awards.sqlite'), 'cut'),
      () => rmSync(join(out, 'downloads'), { recursive: true }),
      () => writeFileSync(join(out, 'downloads/index.json'), '{"snapshot": 1}'),
    ]) {
      harm();
      expect((await makeDownloads(out)).made).toBe(true);
      expectSameTree(downloadsOf(out), first);
    }
  });

  it('another program makes them anew: its files may be others', async () => {
    const file = join(out, 'downloads/index.json');
    writeFileSync(file, JSON.stringify({ ...indexOf(out), maker: '0'.repeat(20) }));
    expect((await verifyDownloads(out)).state).toBe('behind');
    expect((await makeDownloads(out)).made).toBe(true);
    expectSameTree(downloadsOf(out), first);
  });
});

it('damage that shows in no size is found by verify, and repaired when everything is made anew', async () => {
  const file = join(out, 'downloads/songs.csv');
  const bytes = readFileSync(file);
  bytes[20]! ^= 1;
  // A new file: the two names of the old one are one file.
  rmSync(file);
  writeFileSync(file, bytes);
  rmSync(join(out, 'downloads/songs.ndjson'));
  writeFileSync(join(out, 'downloads/stray.txt'), 'stray');
  expect(await differing()).toEqual([
    'different downloads/songs.csv',
    'missing downloads/songs.ndjson',
    'unexpected downloads/stray.txt',
  ]);
  await makeDownloads(out, { full: true });
  expect(await differing()).toEqual([]);
  expectSameTree(downloadsOf(out), first);
});

it('verify tells where there are none, and where it cannot tell', async () => {
  rmSync(join(out, 'downloads'), { recursive: true });
  expect((await verifyDownloads(out)).state).toBe('missing');
  await makeDownloads(out);
  const [shard] = readdirSync(join(out, 'shards/titles'));
  writeFileSync(join(out, 'shards/titles', shard!), 'damaged');
  expect((await verifyDownloads(out)).state).toBe('unknown');
  await expect(makeDownloads(out, { full: true })).rejects.toThrow(
    /cannot be made: shards\/titles\/.* is damaged; "awards build --full" repairs it/,
  );
});

it('what a link leads to is left as it is', async () => {
  const victim = join(folder, 'victim');
  mkdirSync(victim, { recursive: true });
  writeFileSync(join(victim, 'mine.txt'), 'mine');
  rmSync(join(out, 'downloads'), { recursive: true });
  symlinkSync(victim, join(out, 'downloads'));
  await makeDownloads(out);
  expect(readdirSync(victim)).toEqual(['mine.txt']);
  expectSameTree(downloadsOf(out), first);
});

it('cut short at any point, the immutable names in the index have the bytes it says, and the next run makes it all right', async () => {
  await edit();
  const before = readTree(out);
  const changes = await changesUntil(Number.POSITIVE_INFINITY);
  expect(changes).toBeGreaterThan(40);
  for (let last = 0; last < changes; last += exhaustive ? 1 : 3) {
    writeTree(out, before);
    await changesUntil(last);
    expectWholeIndex();
    await makeDownloads(out);
    expectSameTree(downloadsOf(out), second);
  }
});

/** Makes the downloads on a disk that takes no more changes after so many. @returns how many there were */
async function changesUntil(last: number): Promise<number> {
  const disk = installFailingDisk(out, last, noSpaceLeft, true);
  try {
    await makeDownloads(out);
  } catch (error) {
    expect(String(error)).toMatch(/ENOSPC/);
  } finally {
    disk.repair();
  }
  return disk.attempts;
}

function expectWholeIndex(): void {
  if (!existsSync(join(out, 'downloads/index.json'))) return;
  for (const { immutable_name, bytes, sha256 } of indexOf(out).files) {
    const content = readFileSync(join(out, 'downloads', immutable_name));
    expect(content.length).toBe(bytes);
    expect(hashOf(content)).toBe(sha256.slice(0, 20));
  }
}
