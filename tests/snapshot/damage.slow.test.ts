/**
 * "build", "verify" and "doctor" never call a damaged folder up to date, for each kind of damage to each kind of file: `verify`
 * names every file that is missing, different or unexpected, and one build makes the folder that of a clean build. A build of
 * changes never builds on a damaged shard.
 */
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { layerNames } from '../../api/contract/layers.ts';
import { examine } from '../../build/cli/doctor.ts';
import { layersOf } from '../../build/derived/layers.ts';
import { updateLayers } from '../../build/derived/update.ts';
import { snapshotLockName } from '../../build/snapshot/output-folder.ts';
import { areas, damagedPaths, kinds, Vandal } from '../support/folder-damage.ts';
import { verify } from '../../build/verify.ts';
import { build } from '../records/build.ts';
import { seeded } from '../records/seed.ts';
import { runs } from '../support/settings.ts';
import { useWorkspace } from '../support/temporary-folder.ts';
import { memoryDatabase, revive } from '../records/databases.ts';
import { fillWithTinyRecord } from '../records/tiny-record.ts';
import { readTree, writeInto, writeTree } from '../records/tree.ts';

const at = useWorkspace();
const out = at('dist');
const connection = memoryDatabase(fillWithTinyRecord);
const layers = ['pages', 'lists', 'by-imdb', 'downloads'] as const;
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
  const isComplaint = ({ state, subject }: (typeof findings)[number]) =>
    (state === 'wrong' || state === 'note') && !['site', 'origin'].includes(subject);
  return findings.filter(isComplaint).map(({ found }) => found);
}

/** Each kind of damage in some area, and each area with some kind. */
const choices = seeded('damage');
const areasHere = Object.keys(areas).filter((area) => !/site|asset/.test(area));
const cases = [
  ...Object.keys(kinds).map((kind) => [kind, choices.pick(areasHere)] as const),
  ...areasHere.map((area) => [choices.pick(Object.keys(kinds)), area] as const),
];

test.each(cases)('a file that is %s is noticed and repaired: %s', async (kind, area) => {
  vandal.damage(kind, area, choices);
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

test('so are documents and assets of the site', async () => {
  const all = { layers: layerNames };
  await buildAll(all);
  const whole = readTree(out);
  for (const area of ['a document of the site', 'an asset'])
    new Vandal(out, whole).damage('with a flipped bit', area, choices);
  const before = damagedPaths(out, whole);
  expect(before).toHaveLength(2);
  const { differences } = await verify(connection, out, layersOf(layerNames), { optional: [] });
  expect(differences.map(({ path }) => path)).toEqual(before);
  await buildAll(all);
  expect(damagedPaths(out, whole)).toEqual([]);
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
  const names =
    'api/movies/77.json api/stats/x.json lists/stray/winners.rss by-imdb/tt77.json downloads/movies.csv2';
  const strays = names.split(' ');
  const ofBuilds = ['shards/titles/0123456789abcdef0123.json', 'api/movies/.1.json.unfinished'];
  for (const path of [...strays, ...ofBuilds]) writeInto(out, path, 'x');
  expect(await named()).toEqual([...strays, ...ofBuilds].sort());
  const edited = revive(original);
  edited.exec('UPDATE movies SET runtime = 7 WHERE id = 1');
  expect(await build(edited, out, { layers })).toMatchObject({ scope: 'changes' });
  expect(readTree(out).get('api/movies/77.json')?.toString()).toBe('x');
  // Of any layer.
  await buildAll({ full: true, layers: layerNames });
  // No layer needs the shards of the change any more.
  await buildAll();
  const placed = new Set([...strays, ...ofBuilds]);
  expect(damaged().filter((path) => placed.has(path) || path.startsWith('shards/'))).toEqual([]);
});

test('a damaged shard is never built on: the next build of a change builds everything', async () => {
  const shards = [...clean.keys()].filter((path) => path.startsWith('shards/'));
  const reasons: string[] = [];
  const films = shards.filter((path) => path.startsWith('shards/records/movies/'));
  for (const path of ['manifest.json', ...films.slice(0, 1), ...choices.picks(shards, runs(5))]) {
    writeTree(out, clean);
    const bytes = Buffer.from(clean.get(path)!);
    bytes[bytes.length >> 1]! ^= 1;
    writeFileSync(join(out, path), bytes);
    const edited = revive(original);
    edited.exec("UPDATE movies SET title = 'A Life of Zeal' WHERE id = 2");
    const { scope, reason, layers: updates } = await build(edited, out, { layers });
    expect({ scope, reason }).toEqual({
      scope: 'everything',
      reason: expect.stringMatching(/damaged|does not hold/),
    });
    const whole = updates.filter((update) => update.scope === 'everything');
    reasons.push(...whole.map((update) => update.reason));
    // The layers need the old snapshot until they are up to date: its damaged shard goes with the next build.
    await build(edited, out, { layers });
    expect((await verify(edited, out, layersOf(layers))).differences).toEqual([]);
  }
  // No option asks for a full build.
  expect(reasons).toContainEqual(
    expect.stringMatching(/^the last snapshot is damaged: shards\/records\/movies\//),
  );
  expect(reasons).not.toContain('--full was asked for');
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
