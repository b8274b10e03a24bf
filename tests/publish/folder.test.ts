/** The promise of "publish --to": whoever reads the other folder sees one snapshot, whole, whenever they come. */
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as after } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { build } from '../support/build.ts';
import { type CopyReport, publishToFolder } from '../../build/publish/copy.ts';
import { generateRecord } from '../../data/generate/generate.ts';
import { openDatabase } from '../../data/open.ts';
import { runs } from '../settings.ts';
import { awards, startAwards } from '../snapshot/command-line.ts';
import { installFailingDisk, noSpaceLeft } from '../snapshot/failing-disk.ts';
import { ask, expectInTurn, openFolder } from '../snapshot/questions.ts';
import { expectSameTree, readTree, writeTree } from '../snapshot/tree.ts';
import { useStage } from './stage.ts';

const stage = useStage();
const to = () => stage.at('elsewhere');
const copy = (options: { force?: boolean; out?: string } = {}): Promise<CopyReport> =>
  publishToFolder({ out: stage.out, to: to(), connection: stage.connection, ...options });

/** The other folder, without what is beside the snapshot. */
const copied = () => new Map([...readTree(to())].filter(([path]) => !path.startsWith('.')));

test('first everything, then what changed, then nothing; always the same bytes', async () => {
  const first = await copy();
  expect(first).toMatchObject({ files: stage.tree().size, written: stage.tree().size, removed: 0 });
  expectSameTree(copied(), stage.tree());
  const before = stage.tree();
  await stage.edit();
  const changed = [...stage.tree()].filter(([path, bytes]) => !before.get(path)?.equals(bytes));
  const gone = [...before.keys()].filter((path) => !stage.tree().has(path));
  expect(await copy()).toMatchObject({ written: changed.length, removed: gone.length });
  expectSameTree(copied(), stage.tree());
  expect(await copy()).toMatchObject({ written: 0, removed: 0, bytes: 0 });
});

test('a reader meanwhile never sees a mixture, though the one who publishes is killed at random', {
  timeout: 120_000,
}, async () => {
  const database = stage.at('larger.db');
  const connection = openDatabase(database);
  generateRecord(connection, { scale: 0.01, seed: 4 });
  const out = stage.at('larger');
  const publish = ['publish', '--db', database, '--out', out, '--to', to()];
  await build(connection, out);
  const first = await ask(openFolder(out));
  expect(await awards(publish)).toMatchObject({ code: 0, stderr: '' });
  connection.exec("UPDATE movies SET title = title || ' life'; UPDATE nominees SET name = name || ' Ann'");
  await build(connection, out);
  const snapshots = [first, await ask(openFolder(out))];
  connection.close();
  for (let attempt = 0; attempt < runs(3); attempt += 1) {
    const earlier = openFolder(to());
    const { child, outcome } = startAwards(publish);
    const pause = 300 + Math.random() * 500;
    const killed = after(pause).then(() => child.kill('SIGKILL'));
    let over = false;
    const ended = Promise.all([outcome, killed]).finally(() => {
      over = true;
    });
    while (!over) {
      await expectInTurn(to(), earlier, snapshots);
      await after(5);
    }
    await ended;
  }
  expect(await awards(publish)).toMatchObject({ code: 0, stderr: '' });
  expectSameTree(copied(), readTree(out));
});

test('a full disk at any point leaves one of both snapshots, whole and in reach, and the next run makes it right', async () => {
  await copy();
  const [before, first] = [readTree(to()), await ask(openFolder(to()))];
  await stage.edit();
  const second = await ask(openFolder(stage.out));
  expect(second).not.toEqual(first);
  const changes = await changesOf(Number.POSITIVE_INFINITY);
  for (const last of [
    0,
    1,
    2,
    changes - 2,
    changes - 1,
    ...range(3, changes - 2, Math.ceil(changes / runs(8))),
  ]) {
    writeTree(to(), before);
    await expect(changesOf(last)).rejects.toThrow('ENOSPC');
    expect([first, second], `after ${last} of ${changes} changes`).toContainEqual(
      await ask(openFolder(to())),
    );
    await copy();
    expectSameTree(copied(), stage.tree());
  }
});

/** Publishes onto a disk that is full after so many changes. @returns how many there were */
async function changesOf(last: number): Promise<number> {
  const disk = installFailingDisk(to(), last, noSpaceLeft);
  try {
    await copy();
    return disk.attempts;
  } finally {
    disk.repair();
  }
}

const range = (from: number, to: number, step: number) =>
  Array.from({ length: Math.max(0, Math.ceil((to - from) / step)) }, (_, i) => from + i * step);

test('an older snapshot does not take the place of a newer one, nor that of a stranger', async () => {
  await stage.connection.backup(stage.at('older.db'));
  await stage.edit();
  await copy();
  const older = openDatabase(stage.at('older.db'));
  await build(older, stage.at('older'));
  const before = copied();
  const again = (force: boolean) =>
    publishToFolder({ out: stage.at('older'), to: to(), connection: older, force });
  await expect(again(false)).rejects.toThrow(/elsewhere shows a newer snapshot/);
  expectSameTree(copied(), before);
  await again(true);
  expectSameTree(copied(), readTree(stage.at('older')));
  await copy();
  await expect(publishToFolder({ out: stage.at('older'), to: to(), connection: undefined })).rejects.toThrow(
    /nobody can tell which is newer/,
  );
  older.close();
});

test('after a copy that was cut short everything is looked at, and what does not belong is gone', async () => {
  await copy();
  writeFileSync(join(to(), '.building'), '');
  writeFileSync(join(to(), 'api/movies/1.json'), 'half');
  writeFileSync(join(to(), 'api/stray.json'), 'stray');
  expect(await copy()).toMatchObject({ written: 1, removed: 1 });
  expectSameTree(copied(), stage.tree());
  expect(existsSync(join(to(), '.building'))).toBe(false);
});

test('a folder with something else in it is left alone', async () => {
  mkdirSync(to());
  writeFileSync(join(to(), 'holiday.jpg'), 'photo');
  await expect(copy()).rejects.toThrow(
    /elsewhere holds something that is no snapshot; choose another folder with --to$/,
  );
  expect(readFileSync(join(to(), 'holiday.jpg'), 'utf8')).toBe('photo');
});

test('the folder of the snapshot itself, or one within it, is no other folder', async () => {
  for (const place of [stage.out, join(stage.out, 'copy'), stage.at('.')])
    await expect(
      publishToFolder({ out: stage.out, to: place, connection: stage.connection }),
    ).rejects.toThrow(/are one in the other; choose another folder with --to/);
});

test('a link among the copied files is replaced, and what it points to stays', async () => {
  await copy();
  const victim = stage.at('victim.json');
  writeFileSync(victim, 'mine');
  rmSync(join(to(), 'api/movies/1.json'));
  symlinkSync(victim, join(to(), 'api/movies/1.json'));
  await stage.edit();
  await copy();
  expect(readFileSync(victim, 'utf8')).toBe('mine');
  expectSameTree(copied(), stage.tree());
});
