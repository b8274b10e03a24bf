/**
 * The promise: "build" and "doctor" never call a damaged folder up to date. After one build the folder is that of a clean
 * build, for each kind of damage.
 */
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { layerNames } from '../../api/contract/layers.ts';
import { layersOf } from '../../build/derived/all.ts';
import { updateLayers } from '../../build/derived/layer.ts';
import { examine } from '../../build/cli/doctor.ts';
import { snapshotLockName } from '../../build/snapshot/output-folder.ts';
import { memoryDatabase } from '../snapshot/databases.ts';
import { fillWithTinyRecord } from '../snapshot/tiny-record.ts';
import { readTree, writeTree } from '../snapshot/tree.ts';
import { build } from '../support/build.ts';
import { useMemoryFolder } from '../support/temporary-folder.ts';
import { seeded } from '../support/seed.ts';
import { areas, damagedPaths, kinds, Vandal } from './folder-damage.ts';

const at = useMemoryFolder();
const connection = memoryDatabase(fillWithTinyRecord);
const buildAll = () => build(connection, at('dist'), { layers: layerNames });

await buildAll();
const clean = readTree(at('dist'));
const vandal = new Vandal(at('dist'), clean);
beforeEach(() => {
  rmSync(at('dist'), { recursive: true });
  writeTree(at('dist'), clean);
  // It marks the folder as one of this program, also without a manifest.
  writeFileSync(join(at('dist'), snapshotLockName), '');
});
afterAll(() => connection.close());

/** What doctor says about the folder, without the findings that are fine. */
async function complaints(): Promise<string[]> {
  // Without a database, a whole snapshot is neither fine nor wrong.
  const [, ...findings] = await examine({ db: at('none.db'), out: at('dist') }, undefined);
  const bad = findings.filter(({ state }) => state === 'wrong' || state === 'note');
  return bad.map(({ subject, found }) => `${subject}: ${found}`);
}

async function expectHonestAndRepaired(damage: string): Promise<void> {
  const damaged = damagedPaths(at('dist'), clean);
  expect(damaged, damage).not.toEqual([]);
  expect(await complaints(), damage).not.toEqual([]);
  const { scope, layers } = await buildAll();
  expect([scope, ...layers.map((layer) => layer.scope)], damage).not.toEqual(Array(4).fill('nothing'));
  expect(damagedPaths(at('dist'), clean), damage).toEqual([]);
  expect(await complaints(), damage).toEqual([]);
}

describe.each(Object.keys(areas))('%s', (area) => {
  test.each(Object.keys(kinds))('%s', async (kind) => {
    await expectHonestAndRepaired(vandal.damage(kind, area, seeded(`${area} ${kind}`))!);
  });
});

test('a layer is repaired while another one stays damaged', async () => {
  writeFileSync(join(at('dist'), 'layers/downloads.json'), '');
  vandal.damage('removed', 'a page', seeded('another layer'));
  await updateLayers(at('dist'), layersOf(['pages']), { check: true });
  expect(damagedPaths(at('dist'), clean)).toEqual(['layers/downloads.json']);
  rmSync(join(at('dist'), 'layers/pages.json'));
  await updateLayers(at('dist'), layersOf(['pages']), { check: true });
  expect(damagedPaths(at('dist'), clean)).toEqual(['layers/downloads.json']);
});
