/** One SnapshotBuilder builds a folder repeatedly, as the service does, while the layers follow at a distance. */
import { mkdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { beforeEach, expect, test } from 'vitest';
import { layersOf } from '../../build/derived/layers.ts';
import { updateLayers } from '../../build/derived/update.ts';
import { SnapshotBuilder } from '../../build/snapshot/builder.ts';
import { layersLockName, snapshotLockName } from '../../build/snapshot/output-folder.ts';
import { lockFile } from '../../data/system/file-lock.ts';
import { type Connection, openDatabase } from '../../data/database/open.ts';
import { generateRecord } from '../../tools/generate/generate.ts';
import { addReceipt } from '../../data/record/receipts.ts';
import { answerAt, build, verify } from '../records/build.ts';
import { awards, outcomeOf, startAwards } from '../support/processes.ts';
import { useWorkspace } from '../support/temporary-folder.ts';
import { memoryDatabase, writeDatabase } from '../records/databases.ts';
import { openFolder } from '../support/folder-answers.ts';
import { fillWithTinyRecord } from '../records/tiny-record.ts';
import { readTree, writeInto } from '../records/tree.ts';

const at = useWorkspace();
const out = at('dist');
const minute = 60_000;
let connection: Connection;
let builder: SnapshotBuilder;
let now: number;
beforeEach(async () => {
  rmSync(out, { recursive: true, force: true });
  connection = memoryDatabase(fillWithTinyRecord);
  now = Date.now();
  builder = new SnapshotBuilder(connection, out, { now: () => new Date(now) });
  await builder.build();
  await update();
});

const update = (options = {}) =>
  updateLayers(out, layersOf(['pages']), { now: () => new Date(now), ...options });
const rename = (title: string) => connection.prepare('UPDATE movies SET title = ? WHERE id = 1').run(title);
const titleIn = (bytes: Uint8Array) => (JSON.parse(Buffer.from(bytes).toString()) as { title: string }).title;
const titleOnPage = () => titleIn(readTree(out).get('api/movies/1.json')!);
const titleInAnswer = async () => titleIn((await answerAt(openFolder(out), '/api/movies/1')).body!);
const shards = () => [...readTree(out).keys()].filter((path) => path.startsWith('shards/'));
const expectClean = async () => expect((await verify(connection, out)).differences).toEqual([]);

test('answers come from the new snapshot at once, and the pages follow several snapshots in one update', async () => {
  for (const title of ['Second', 'Third', 'Amélie', 'Fifth']) {
    rename(title);
    expect(builder.isBehind()).toBe(true);
    expect(await builder.build()).toMatchObject({ scope: 'changes', reason: '1 record changed' });
    expect(builder.isBehind()).toBe(false);
    expect(await titleInAnswer()).toBe(title);
  }
  expect(titleOnPage()).toBe('Amélie');
  expect(await update()).toMatchObject([{ layer: 'pages', scope: 'changes' }]);
  expect(titleOnPage()).toBe('Fifth');
  await expectClean();
});

test('the shards of an old snapshot stay for a minute, and until no layer was made from them', async () => {
  const before = shards();
  rename('Second');
  await builder.build();
  const second = shards().filter((path) => !before.includes(path));
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
  expect(shards()).toEqual(expect.arrayContaining(second));
  await update();
  // Without a change, too.
  expect(builder.isRemovalDue).toBe(false);
  now += 2 * minute;
  expect(builder.isRemovalDue).toBe(true);
  await builder.build();
  expect(builder.isRemovalDue).toBe(false);
  now += 2 * minute;
  expect(builder.isRemovalDue).toBe(false);
  const whole = shards();
  await build(connection, at('clean'));
  expect([...readTree(at('clean')).keys()].filter((path) => path.startsWith('shards/'))).toEqual(whole);
});

test('damage of the current snapshot never makes it remove intact shards, and the next check repairs it', async () => {
  const damaged = shards().find((path) => path.startsWith('shards/records/movies/'))!;
  const others = shards().filter((path) => path !== damaged);
  for (const path of others) utimesSync(join(out, path), 0, 0);
  writeFileSync(join(out, damaged), '{}');
  now += minute;
  connection.exec("UPDATE nominees SET place_of_birth = 'Elsewhere' WHERE id = 1");
  expect(await builder.build()).toMatchObject({ scope: 'changes' });
  expect(shards()).toEqual(expect.arrayContaining(others));
  const reason = expect.stringContaining(`${damaged} is missing or damaged`) as string;
  expect(await builder.build({ check: true })).toMatchObject({ scope: 'everything', reason });
  await update();
  await expectClean();
});

test('builds that were killed before the database knew of them are finished by the next, which completes the receipts', async () => {
  const write = (title: string): number => {
    rename(title);
    const change = { action: 'update', resource: 'movies', before: {}, after: { title } } as const;
    return addReceipt(connection, { ...change, key: 'editor', at: new Date(now), recordId: 1 });
  };
  const kill = async () => {
    connection.exec(
      `CREATE TEMP TRIGGER killed BEFORE INSERT ON builds BEGIN SELECT RAISE(ABORT, 'killed'); END`,
    );
    await expect(builder.build()).rejects.toThrow('killed');
    connection.exec('DROP TRIGGER killed');
  };
  const ids = [write('Third')];
  await kill();
  ids.push(write('Fourth'));
  await kill();
  ids.push(write('Fifth'));
  const { scope, snapshot } = await builder.build();
  expect(scope).toBe('changes');
  const receipt = connection.prepare('SELECT snapshot FROM receipts WHERE id = ?').pluck();
  expect(ids.map((id) => receipt.get(id))).toEqual(ids.map(() => snapshot));
  await update();
  await expectClean();
});

test('a build does not wait for an update of the layers, nor an update touch the files of a running build', async () => {
  const unlock = lockFile(join(out, layersLockName), 0)!;
  rename('Second');
  expect(await builder.build({ timeoutMs: 0 })).toMatchObject({ scope: 'changes' });
  await expect(update({ timeoutMs: 0 })).rejects.toThrow('another build is at work');
  unlock();
  const unfinished = ['.manifest.json.unfinished', 'shards/titles/.unfinished'];
  for (const path of unfinished) writeInto(out, path, '{}');
  await update({ full: true });
  expect([...readTree(out).keys()]).toEqual(expect.arrayContaining(unfinished));
});

test('a build that waits too long for a lock says so, and leaves the files of that lock alone', async () => {
  rmSync(out, { recursive: true });
  mkdirSync(out);
  const fresh = memoryDatabase(fillWithTinyRecord);
  for (const [name, files] of [
    [snapshotLockName, /^$/],
    [layersLockName, /^(shards\/|manifest\.json$)/],
  ] as const) {
    const unlock = lockFile(join(out, name), 0)!;
    await expect(build(fresh, out, { timeoutMs: 50 })).rejects.toThrow(
      /^another build is at work on [^\n]+; try again when it is done$/,
    );
    expect([...readTree(out).keys()].filter((path) => !files.test(path))).toEqual([]);
    unlock();
  }
});

test('builds of two databases into one folder at the same time leave the snapshot of one, whole', async () => {
  rmSync(out, { recursive: true });
  mkdirSync(out);
  writeDatabase(at('tiny.db'), fillWithTinyRecord);
  writeDatabase(at('other.db'), (database) => generateRecord(database, { scale: 0.005, seed: 1 }));
  const words = (name: string) => ['build', '--no-downloads', '--json', '--db', at(name), '--out', out];
  // Both wait, one from when the folder was empty.
  const unlock = lockFile(join(out, snapshotLockName), 0)!;
  const waiting = outcomeOf(startAwards(words('tiny.db')));
  await pause(300);
  unlock();
  const outcomes = await Promise.all([waiting, awards(words('other.db'))]);
  expect(outcomes).toMatchObject([{ code: 0 }, { code: 0 }]);
  const built = outcomes.map(({ stdout }) => (JSON.parse(stdout) as { snapshot: string }).snapshot);
  const { snapshot } = JSON.parse(readTree(out).get('manifest.json')!.toString()) as { snapshot: string };
  const winner = openDatabase(at(['tiny.db', 'other.db'][built.indexOf(snapshot)]!));
  expect((await verify(winner, out, ['pages', 'site', 'lists', 'by-imdb'])).differences).toEqual([]);
  winner.close();
});
