/** The downloads layer follows the snapshot: made when it changes, correct at every moment, repaired on demand. */
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { layersOf } from '../../build/derived/all.ts';
import { type UpdateOptions, updateLayers } from '../../build/derived/layer.ts';
import { SnapshotBuilder } from '../../build/snapshot/builder.ts';
import type { Connection } from '../../data/database/open.ts';
import { memoryDatabase } from './databases.ts';
import { fillWithTinyRecord } from './tiny-record.ts';
import { expectSameTree, readTree, type Tree } from './tree.ts';
import { useWorkspace } from '../support/temporary-folder.ts';
import { build, verify } from '../support/build.ts';

const at = useWorkspace();
const layers = ['downloads'] as const;
const edit = "UPDATE movies SET title = 'Life' WHERE id = 1; DELETE FROM nominations WHERE id = 6";
let out: string;
let connection: Connection;
let first: Tree;
let second: Tree;

const downloadsOf = (root: string): Tree => readTree(join(root, 'downloads'));
const update = async (options: UpdateOptions = {}) =>
  (await updateLayers(out, layersOf(layers), { retentionMs: 0, ...options }))[0]!;
const state = async () => {
  const { layers: states, differences } = await verify(connection, out, layers);
  return {
    downloads: states.downloads,
    differences: differences.map(({ path, problem }) => `${problem} ${path}`),
  };
};
const current = { downloads: 'current', differences: [] };

beforeAll(async () => {
  const other = memoryDatabase(fillWithTinyRecord);
  other.exec(edit);
  await build(other, at('other'), { layers });
  second = downloadsOf(at('other'));
  other.close();
});
beforeEach(async () => {
  connection?.close();
  out = at('dist');
  rmSync(out, { recursive: true, force: true });
  connection = memoryDatabase(fillWithTinyRecord);
  await build(connection, out, { layers });
  first ??= downloadsOf(out);
});

describe('after a change', () => {
  beforeEach(async () => {
    connection.exec(edit);
    await new SnapshotBuilder(connection, out).build();
  });

  it('a build of the snapshot leaves them as they are, and verify calls them behind', async () => {
    expectSameTree(downloadsOf(out), first);
    await new SnapshotBuilder(connection, out).build({ full: true });
    expectSameTree(downloadsOf(out), first);
    expect(await state()).toEqual({ downloads: 'behind', differences: [] });
  });

  it('verify compares them with a clean build if their index is damaged', async () => {
    writeFileSync(join(out, 'layers/downloads.json'), 'damaged');
    const { differences } = await state();
    expect(differences).toContain('different downloads/movies.csv');
    expect(differences).toContain('different layers/downloads.json');
    await update();
    expect(await state()).toEqual(current);
  });

  it('an update makes those of a clean build, and removes files that nothing names', async () => {
    expect(await update()).toMatchObject({ scope: 'everything', rendered: 31 });
    expectSameTree(downloadsOf(out), second);
    expect(await state()).toEqual(current);
  });

  it('the files of the earlier index stay under their immutable names for the retention time', async () => {
    let now = Date.now();
    await update({ retentionMs: 60_000, now: () => new Date(now) });
    const immutable = [...first].filter(([name]) => /-[0-9a-f]{20}\./.test(name));
    expectSameTree(downloadsOf(out), new Map([...immutable, ...second]));
    connection.exec("UPDATE movies SET tagline = 'x'");
    await new SnapshotBuilder(connection, out).build();
    now += 61_000;
    await update({ retentionMs: 60_000, now: () => new Date(now) });
    const names = [...downloadsOf(out).keys()];
    expect(
      immutable.map(([name]) => name).filter((name) => !second.has(name) && names.includes(name)),
    ).toEqual([]);
  });
});

it('without a change, nothing is made', async () => {
  expect(await update()).toMatchObject({ scope: 'nothing', files: [] });
  expect(await state()).toEqual(current);
});

it('an update makes the files of another version of the program again', async () => {
  const file = join(out, 'layers/downloads.json');
  writeFileSync(file, readFileSync(file, 'utf8').replace(/"code":"[0-9a-f]{4}/, '"code":"0000'));
  expect(await update({ check: true })).not.toMatchObject({ scope: 'nothing' });
  expectSameTree(downloadsOf(out), first);
  expect(await state()).toEqual(current);
});

it('damage is found by verify, and repaired by an update that checks the files', async () => {
  const file = join(out, 'downloads/songs.csv');
  const bytes = readFileSync(file);
  bytes[20]! ^= 1;
  // A new file: the two names of the old one are links to one file.
  rmSync(file);
  writeFileSync(file, bytes);
  rmSync(join(out, 'downloads/songs.ndjson'));
  writeFileSync(join(out, 'downloads/stray.txt'), 'stray');
  expect((await state()).differences).toEqual([
    'different downloads/songs.csv',
    'missing downloads/songs.ndjson',
    'unexpected downloads/stray.txt',
  ]);
  expect(await update({ check: true })).toMatchObject({ scope: 'changes', rendered: 2 });
  expect(await state()).toEqual(current);
  expectSameTree(downloadsOf(out), first);
});

it('verify reports that there are none, and an update of a damaged snapshot says what to do', async () => {
  rmSync(join(out, 'downloads'), { recursive: true });
  rmSync(join(out, 'layers'), { recursive: true });
  expect((await state()).downloads).toBe('missing');
  const [shard] = readdirSync(join(out, 'shards/titles'));
  writeFileSync(join(out, 'shards/titles', shard!), 'damaged');
  await expect(update({ full: true })).rejects.toThrow(
    /shards\/titles\/.* is damaged; "awards build --full" repairs it/,
  );
});
