/** One SnapshotBuilder builds a folder repeatedly, as the service does, while the layers follow at a distance. */
import { rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { layersOf } from '../../build/derived/all.ts';
import { updateLayers } from '../../build/derived/layer.ts';
import { SnapshotBuilder } from '../../build/snapshot/builder.ts';
import { layersLockName } from '../../build/snapshot/output-folder.ts';
import { lockFile } from '../../build/system/file-lock.ts';
import type { Connection } from '../../data/database/open.ts';
import { addReceipt } from '../../data/record/receipts.ts';
import { build, verify } from '../support/build.ts';
import { memoryDatabase } from './databases.ts';
import { openFolder } from './questions.ts';
import { fillWithTinyRecord } from './tiny-record.ts';
import { readTree, writeInto } from './tree.ts';
import { useWorkspace } from '../support/temporary-folder.ts';

const at = useWorkspace();
const minute = 60_000;
let connection: Connection;
let builder: SnapshotBuilder;
let now: number;
beforeEach(async () => {
  connection = memoryDatabase(fillWithTinyRecord);
  now = Date.now();
  builder = new SnapshotBuilder(connection, at('dist'), { now: () => new Date(now) });
  await builder.build();
  await update();
});
afterEach(() => {
  connection.close();
  rmSync(at('dist'), { recursive: true, force: true });
});

const update = () => updateLayers(at('dist'), layersOf(['pages']), { now: () => new Date(now) });
const rename = (title: string) => connection.prepare('UPDATE movies SET title = ? WHERE id = 1').run(title);
const titleIn = (bytes: Uint8Array) =>
  (JSON.parse(new TextDecoder().decode(bytes)) as { title: string }).title;
const titleOnPage = () => titleIn(readTree(at('dist')).get('api/movies/1.json')!);
const shards = () => [...readTree(at('dist')).keys()].filter((path) => path.startsWith('shards/'));
async function titleInAnswer(): Promise<string> {
  const request = { method: 'GET', path: '/api/movies/1', queryString: '' };
  return titleIn((await openFolder(at('dist')).answer(request)).body!);
}
async function expectClean(): Promise<void> {
  expect((await verify(connection, at('dist'))).differences).toEqual([]);
}

test('answers come from the new snapshot at once, and the pages follow several snapshots in one update', async () => {
  for (const title of ['Second', 'Third', 'Amélie', 'Fifth']) {
    rename(title);
    expect(await builder.build()).toMatchObject({ scope: 'changes', reason: '1 record changed' });
    expect(await titleInAnswer()).toBe(title);
  }
  expect(titleOnPage()).toBe('Amélie');
  expect(await update()).toMatchObject([{ layer: 'pages', scope: 'changes' }]);
  expect(titleOnPage()).toBe('Fifth');
  await expectClean();
  expect(await build(connection, at('dist'))).toMatchObject({ scope: 'nothing' });
});

test('a build does not wait for an update of the layers, and the update is refused while another one runs', async () => {
  const unlock = lockFile(join(at('dist'), layersLockName), 0)!;
  rename('Second');
  expect(await builder.build({ timeoutMs: 0 })).toMatchObject({ scope: 'changes' });
  await expect(updateLayers(at('dist'), layersOf(['pages']), { timeoutMs: 0 })).rejects.toThrow(
    'another build is at work',
  );
  unlock();
  await update();
  await expectClean();
});

test('the shards of an old snapshot stay for a minute, and until no layer was made from them', async () => {
  const before = shards();
  rename('Second');
  await builder.build();
  const second = shards();
  now += 2 * minute;
  rename('Third');
  await builder.build();
  // The pages are still those of the first snapshot.
  expect(shards()).toEqual(expect.arrayContaining(before));
  await update();
  now += minute - 1000;
  rename('Fourth');
  const { files } = await builder.build();
  expect(files.filter(({ action }) => action === 'removed')).not.toEqual([]);
  const ofSecond = second.filter((path) => !before.includes(path));
  expect(shards()).toEqual(expect.arrayContaining(ofSecond));
  await update();
  now += 2 * minute;
  await builder.build();
  const clean = memoryDatabase(fillWithTinyRecord);
  clean.exec("UPDATE movies SET title = 'Fourth' WHERE id = 1");
  await build(clean, at('clean'));
  clean.close();
  expect(shards()).toEqual([...readTree(at('clean')).keys()].filter((path) => path.startsWith('shards/')));
});

test.each([
  ['the manifest', () => rmSync(join(at('dist'), 'manifest.json'))],
  ['all shards', () => rmSync(join(at('dist'), 'shards'), { recursive: true })],
  ['the whole folder', () => rmSync(at('dist'), { recursive: true })],
])('%s may be deleted between two builds', async (_what, remove) => {
  remove();
  rename('Second');
  // A builder that has checked the snapshot does not check it at every build, but a failed build makes it check again.
  await builder.build().catch(() => undefined);
  await builder.build();
  await update();
  expect(await titleInAnswer()).toBe('Second');
  await expectClean();
});

test('damage of the current snapshot never makes it remove intact shards, and the next check repairs it', async () => {
  const damaged = shards().find((path) => path.startsWith('shards/records/movies/'))!;
  const others = shards().filter((path) => path !== damaged);
  for (const path of others) utimesSync(join(at('dist'), path), 0, 0);
  writeFileSync(join(at('dist'), damaged), '{}');
  now += minute;
  connection.exec("UPDATE nominees SET place_of_birth = 'Elsewhere' WHERE id = 1");
  expect(await builder.build()).toMatchObject({ scope: 'changes' });
  expect(shards()).toEqual(expect.arrayContaining(others));
  expect(await builder.build({ check: true })).toMatchObject({
    scope: 'everything',
    reason: expect.stringContaining(`${damaged} is missing or damaged`) as string,
  });
  await update();
  await expectClean();
});

test('an update of the layers leaves the files of a running build alone', async () => {
  writeInto(at('dist'), '.manifest.json.unfinished', '{}');
  writeInto(at('dist'), 'shards/titles/.unfinished', '{}');
  await updateLayers(at('dist'), layersOf(['pages']), { full: true });
  expect([...readTree(at('dist')).keys()]).toEqual(
    expect.arrayContaining(['.manifest.json.unfinished', 'shards/titles/.unfinished']),
  );
});

describe('a build that was killed after it replaced the manifest, before the database knew', () => {
  const kill = async () => {
    connection.exec(
      `CREATE TEMP TRIGGER killed BEFORE INSERT ON builds BEGIN SELECT RAISE(ABORT, 'killed'); END`,
    );
    await expect(builder.build()).rejects.toThrow('killed');
    connection.exec('DROP TRIGGER killed');
  };
  const receipt = () => connection.prepare('SELECT snapshot FROM receipts WHERE id = ?').pluck();
  const write = (title: string): number => {
    rename(title);
    const change = { action: 'update', resource: 'movies', before: {}, after: { title } } as const;
    return addReceipt(connection, { ...change, key: 'editor', at: new Date(now), recordId: 1 });
  };

  test('is finished by the next one, which writes nothing and completes the receipts', async () => {
    const id = write('Second');
    await kill();
    expect(await titleInAnswer()).toBe('Second');
    const next = new SnapshotBuilder(connection, at('dist'), { now: () => new Date(now) });
    const { scope, snapshot, files } = await next.build();
    expect({ scope, files }).toEqual({ scope: 'changes', files: [] });
    expect(receipt().get(id)).toBe(snapshot);
    expect(await next.build()).toMatchObject({ scope: 'nothing' });
    await update();
    await expectClean();
  });

  test('is followed by one of changes, also when it is killed again', async () => {
    const ids = [write('Second')];
    await kill();
    ids.push(write('Third'));
    await kill();
    ids.push(write('Fourth'));
    const { scope, snapshot } = await builder.build();
    expect(scope).toBe('changes');
    expect(ids.map((id) => receipt().get(id))).toEqual(ids.map(() => snapshot));
    await update();
    await expectClean();
  });
});
