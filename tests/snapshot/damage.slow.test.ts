/**
 * "build", "verify" and "doctor" never call a damaged folder up to date, for each kind of damage to each kind of file: `verify`
 * names every file that is missing, different or unexpected, and one build makes the folder that of a clean build. A build of
 * changes never builds on a damaged shard.
 */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { layerNames } from '../../api/contract/layers.ts';
import { examine } from '../../build/cli/doctor.ts';
import { layersOf } from '../../build/derived/all.ts';
import { updateLayers } from '../../build/derived/layer.ts';
import { snapshotLockName } from '../../build/snapshot/output-folder.ts';
import { areas, damagedPaths, kinds, Vandal } from '../durability/folder-damage.ts';
import { verify } from '../../build/verify.ts';
import { build } from '../support/build.ts';
import { seeded } from '../support/seed.ts';
import { useMemoryFolder } from '../support/temporary-folder.ts';
import { memoryDatabase, revive } from './databases.ts';
import { fillWithTinyRecord } from './tiny-record.ts';
import { readTree, writeInto, writeTree } from './tree.ts';

const at = useMemoryFolder();
const out = at('dist');
const connection = memoryDatabase(fillWithTinyRecord);
const layers = layerNames;
const buildAll = (options = {}) => build(connection, out, { layers, ...options });
await buildAll();
const clean = readTree(out);
const original = connection.serialize();
const vandal = new Vandal(out, clean);
beforeEach(() => {
  rmSync(out, { recursive: true });
  writeTree(out, clean);
  // It marks the folder as one of this program, also without a manifest.
  writeFileSync(join(out, snapshotLockName), '');
});

const damaged = () => damagedPaths(out, clean);
const verification = () => verify(connection, out, layersOf(layers), { optional: [] });
const named = async () => (await verification()).differences.map(({ path }) => path);

/** What doctor says about the folder, without the findings that are fine. */
async function complaints(): Promise<string[]> {
  // Without a database, a whole snapshot is neither fine nor wrong.
  const [, ...findings] = await examine({ db: at('none.db'), out }, undefined);
  return findings.filter(({ state }) => state === 'wrong' || state === 'note').map(({ found }) => found);
}

describe.each(Object.keys(areas))('%s', (area) => {
  test.each(Object.keys(kinds))('%s is noticed and repaired', async (kind) => {
    vandal.damage(kind, area, seeded(`${area} ${kind}`));
    const before = damaged();
    expect(before).not.toEqual([]);
    // Any file below assets/ may be one of an earlier snapshot.
    expect(await named()).toEqual(expect.arrayContaining(before.filter((path) => clean.has(path))));
    expect(await complaints()).not.toEqual([]);
    const { scope, layers: reports } = await buildAll();
    expect([scope, ...reports.map((layer) => layer.scope)].some((each) => each !== 'nothing')).toBe(true);
    expect(damaged()).toEqual([]);
    expect(await complaints()).toEqual([]);
  });
});

test('verify names every file that is missing, different or unexpected, in order', async () => {
  rmSync(join(out, 'api/movies'), { recursive: true });
  writeInto(out, 'shards/stray.json', '');
  writeInto(out, 'manifest.json', '');
  const { differences, files } = await verification();
  expect(files).toBe(clean.size);
  expect(differences).toEqual([
    ...[...clean.keys()]
      .filter((path) => path.startsWith('api/movies/'))
      .map((path) => ({ path, problem: 'missing' })),
    { path: 'manifest.json', problem: 'different' },
    { path: 'shards/stray.json', problem: 'unexpected' },
  ]);
});

test('unexpected files are named by verify and removed by build --full, but not by a build of changes', async () => {
  const strays = [
    'api/stray.json',
    'docs/stray.html',
    'lists/stray/x.rss',
    'downloads/stray.txt',
    'stray.txt',
  ];
  const ofBuilds = ['shards/titles/0123456789abcdef0123.json', 'api/movies/.1.json.unfinished'];
  for (const path of [...strays, ...ofBuilds]) writeInto(out, path, 'x');
  // A repository in the folder belongs to the user.
  writeInto(out, '.git/objects/ab/cdef', 'mine');
  expect(await named()).toEqual([...strays, ...ofBuilds].sort());
  const edited = revive(original);
  edited.exec('UPDATE movies SET runtime = 7 WHERE id = 1');
  expect(await build(edited, out, { layers: ['pages', 'lists', 'downloads'] })).toMatchObject({
    scope: 'changes',
  });
  expect(readTree(out).get('stray.txt')?.toString()).toBe('x');
  await buildAll({ full: true });
  // No layer needs the shards of the change any more.
  await buildAll();
  expect(damaged()).toEqual(['.git/objects/ab/cdef']);
});

test('build --full removes more files than a function takes arguments', async () => {
  mkdirSync(join(out, 'api/nominees/old'), { recursive: true });
  for (let id = 0; id < 130_000; id += 1) writeFileSync(join(out, `api/nominees/old/${id}.json`), '');
  const { files } = await buildAll({ full: true });
  expect(files.filter(({ action }) => action === 'removed')).toHaveLength(130_000);
}, 120_000);

test('a damaged shard is never built on: the next build of a change builds everything', async () => {
  for (const path of [...clean.keys()].filter((each) => /^(shards\/|manifest\.json$)/.test(each))) {
    writeTree(out, clean);
    const bytes = Buffer.from(clean.get(path)!);
    bytes[bytes.length >> 1]! ^= 1;
    writeFileSync(join(out, path), bytes);
    const edited = revive(original);
    edited.exec("UPDATE movies SET title = 'A Life of Zeal' WHERE id = 2");
    const { scope, reason } = await build(edited, out, { layers });
    expect({ scope, reason }).toEqual({
      scope: 'everything',
      reason: expect.stringMatching(/damaged|does not hold/),
    });
    // The layers need the old snapshot until they are up to date: its damaged shard goes with the next build.
    await build(edited, out, { layers });
    expect((await verify(edited, out, layersOf(layers))).differences).toEqual([]);
  }
});

test('a layer is repaired while another one stays damaged, and not from a damaged snapshot', async () => {
  const pages = () => updateLayers(out, layersOf(['pages']), { check: true });
  writeFileSync(join(out, 'layers/downloads.json'), '');
  vandal.damage('removed', 'a page', seeded('another layer'));
  await pages();
  expect(damaged()).toEqual(['layers/downloads.json']);
  rmSync(join(out, 'layers/pages.json'));
  vandal.damage('with a flipped bit', 'a shard', seeded('a shard'));
  const shard = damaged().find((path) => path.startsWith('shards/records/'));
  if (shard) await expect(pages()).rejects.toThrow(`${shard} is damaged; "awards build --full" repairs it`);
});
