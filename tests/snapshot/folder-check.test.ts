/**
 * A service that nobody asks finds each damaged file: at the next pass, if size, inode or time of the last change differ, and
 * within an hour, if a disk changed bytes and nothing else. It reads no file again that is as it was.
 */
import { readFileSync, rmSync, type Stats, statSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { layerIndexPath } from '../../api/contract/layers.ts';
import { layersOf } from '../../build/derived/layers.ts';
import { updateLayers } from '../../build/derived/update.ts';
import { FolderCheck, type Owner } from '../../build/snapshot/folder-check.ts';
import { areas, kinds, Vandal } from '../support/folder-damage.ts';
import { build } from '../records/build.ts';
import { seeded } from '../records/seed.ts';
import { useWorkspace } from '../support/temporary-folder.ts';
import { memoryDatabase } from '../records/databases.ts';
import { fillWithTinyRecord } from '../records/tiny-record.ts';
import { readTree, writeTree } from '../records/tree.ts';

const out = useWorkspace()('dist');
const connection = memoryDatabase(fillWithTinyRecord);
const layers = ['pages', 'lists', 'by-imdb', 'downloads'] as const;
await build(connection, out, { layers });
const clean = readTree(out);
const choices = seeded('folder check');
const page = 'api/movies/1.json';
const intervalMs = 55_000;

/** What the system says of a file, as if nothing had happened since a test began to keep it. */
const kept = new Map<string, Stats>();
const stat = (file: string) => kept.get(relative(out, file)) ?? statSync(file, { throwIfNoEntry: false });
let check: FolderCheck;
beforeEach(() => {
  // Files of the last second are read again: their next change may have the same time.
  vi.useFakeTimers({ toFake: ['performance', 'Date'], now: Date.now() + 60_000 });
  kept.clear();
  rmSync(out, { recursive: true });
  writeTree(out, clean);
  check = new FolderCheck(out, { intervalMs, stat });
});
afterEach(() => {
  vi.useRealTimers();
});

/** What some passes find, in steps of a quarter of a second. */
function passes(count: number): Owner[] {
  const found = new Set<Owner>();
  for (let steps = (count * intervalMs) / 250; steps > 0; steps -= 1) {
    vi.advanceTimersByTime(250);
    for (const owner of check.step()) found.add(owner);
  }
  return [...found];
}

/** Damages a byte, and leaves the size and the inode. */
function flip(path: string): void {
  const bytes = readFileSync(join(out, path));
  bytes[bytes.length >> 1]! ^= 1;
  writeFileSync(join(out, path), bytes, { flag: 'r+' });
}

test('a whole folder has no damage, and one without the layer of the site lacks that', () => {
  expect(passes(70)).toEqual(['site']);
});

test.each(
  Object.keys(areas)
    .filter((area) => !/site|asset/.test(area))
    .flatMap((area) => Object.keys(kinds).map((kind) => [area, kind] as const)),
)('%s that is %s is found by the next pass', (area, kind) => {
  passes(1);
  new Vandal(out, clean).damage(kind, area, choices);
  expect(passes(1.05)).not.toEqual(['site']);
});

test.each<[string, Owner]>([
  [page, 'pages'],
  [[...clean.keys()].find((path) => path.startsWith('shards/'))!, 'snapshot'],
  ['manifest.json', 'snapshot'],
  [layerIndexPath('lists'), 'lists'],
])('a rotten file that nobody reads is found within an hour: %s', (path, owner) => {
  passes(1);
  kept.set(path, statSync(join(out, path)));
  flip(path);
  expect(passes(3_600_000 / intervalMs)).toContain(owner);
});

test('a file that is as it was is read again once an hour only', () => {
  passes(2);
  for (const path of clean.keys()) kept.set(path, statSync(join(out, path)));
  // Nobody sees the damage of many files at once, because few of them are read.
  for (const path of clean.keys()) if (path.startsWith('api/')) flip(path);
  const steps = Array.from({ length: 800 }, () => passes(1 / 80).filter((owner) => owner === 'pages'));
  const reports = steps.filter((found) => found.length > 0).length;
  expect(reports).toBeGreaterThan(0);
  expect(reports).toBeLessThan(40);
});

test('an update is no damage, and what it wrote is checked from then on', async () => {
  passes(1);
  for (let edit = 1; edit <= 5; edit += 1) {
    connection.prepare('UPDATE movies SET tagline = ? WHERE id = 1').run(`Edit ${edit}`);
    await build(connection, out, { layers: [] });
    // Somewhere in a pass.
    expect(passes(0.3 * edit).filter((owner) => owner !== 'site')).toEqual([]);
    await updateLayers(out, layersOf(layers), { retentionMs: 0 });
    expect(passes(1.05)).toEqual(['site']);
  }
  flip(page);
  expect(passes(1.05)).toEqual(expect.arrayContaining(['pages']));
});

test('an update that ended half way is found, so that another one finishes it', () => {
  passes(1);
  const path = join(out, layerIndexPath('lists'));
  writeFileSync(path, readFileSync(path, 'utf8').replace('"finished":true', '"finished":false'));
  expect(passes(1.05)).toContain('lists');
});

test('a folder that is made later is checked, too', () => {
  const other = new FolderCheck(join(out, 'none'), { intervalMs });
  vi.advanceTimersByTime(intervalMs);
  expect([...other.step()].sort()).toEqual(['by-imdb', 'downloads', 'lists', 'pages', 'site', 'snapshot']);
  writeTree(join(out, 'none'), clean);
  vi.advanceTimersByTime(intervalMs);
  other.step();
  vi.advanceTimersByTime(intervalMs);
  expect([...other.step()]).toEqual(['site']);
});
