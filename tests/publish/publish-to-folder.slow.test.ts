/** "publish --to": a reader of the other folder sees one whole snapshot at every moment. */
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as after } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { type FolderPublishReport, publishToFolder } from '../../build/publish/publish-to-folder.ts';
import { generateRecord } from '../../data/generate/generate.ts';
import { openDatabase } from '../../data/database/open.ts';
import { runs } from '../support/settings.ts';
import { seeded } from '../support/seed.ts';
import { installFailingDisk } from '../durability/intercepted-calls.ts';
import { ask, expectInTurn, openFolder } from '../snapshot/questions.ts';
import { expectSameTree, readTree, writeTree } from '../snapshot/tree.ts';
import { awards, outcomeOf, startAwards } from '../support/processes.ts';
import { build, publicFiles, useStage } from './stage.ts';

const stage = useStage();
const to = () => stage.at('elsewhere');
const copy = (): Promise<FolderPublishReport> =>
  publishToFolder({ out: stage.out, to: to(), connection: stage.connection });

const copied = () => publicFiles(to());

test('first all files, then the changed ones, then none; always the same bytes', async () => {
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

test('the editor stays out: it needs the service', async () => {
  await copy();
  const all = [...readTree(stage.out).keys()].filter((path) => path.startsWith('edit/'));
  expect(all).toHaveLength(3);
  expect([...readTree(to()).keys()].filter((path) => path.startsWith('edit/'))).toEqual([]);
  expect(readTree(to()).get('layers/site.json')!.toString()).not.toContain('edit/');
});

test('a reader never sees a mixture while publishers are killed at random times', {
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
  const choices = seeded('killed copies');
  for (let attempt = 0; attempt < runs(2); attempt += 1) {
    const earlier = openFolder(to());
    const child = startAwards(publish);
    const killed = after(choices.between(300, 800)).then(() => child.kill('SIGKILL'));
    let over = false;
    const ended = Promise.all([outcomeOf(child), killed]).finally(() => {
      over = true;
    });
    while (!over) {
      await expectInTurn(to(), earlier, snapshots);
      await after(5);
    }
    await ended;
  }
  expect(await awards(publish)).toMatchObject({ code: 0, stderr: '' });
  expectSameTree(copied(), publicFiles(out));
});

test('a full disk at any point leaves one of both snapshots whole, and the next run completes the copy', async () => {
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
    ...range(3, changes - 2, Math.ceil(changes / runs(4))),
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

/** Publishes onto a disk that is full after some changes. @returns the number of changes */
async function changesOf(last: number): Promise<number> {
  const disk = installFailingDisk(to(), last);
  try {
    await copy();
    return disk.attempts;
  } finally {
    disk.repair();
  }
}

const range = (from: number, to: number, step: number) =>
  Array.from({ length: Math.max(0, Math.ceil((to - from) / step)) }, (_, i) => from + i * step);

test('neither an older snapshot nor one of unknown age replaces a newer one', async () => {
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
  expectSameTree(copied(), publicFiles(stage.at('older')));
  await copy();
  await expect(publishToFolder({ out: stage.at('older'), to: to(), connection: undefined })).rejects.toThrow(
    /it is unknown which is newer/,
  );
  older.close();
});

test('downloads are copied with the snapshot, and removed with it', async () => {
  const expectCopy = async () => {
    await copy();
    expectSameTree(copied(), stage.tree());
  };
  await stage.build(['downloads']);
  await expectCopy();
  await stage.edit('Edited', ['downloads']);
  await expectCopy();
  for (const name of ['downloads', 'layers/downloads.json'])
    rmSync(join(stage.out, name), { recursive: true });
  await expectCopy();
});

test('after an interruption every file is compared', async () => {
  await copy();
  writeFileSync(join(to(), '.manifest.json.unfinished'), '');
  writeFileSync(join(to(), 'api/movies/1.json'), 'half');
  expect(await copy()).toMatchObject({ written: 1, removed: 1 });
  expectSameTree(copied(), stage.tree());
});

test('only files that an earlier publish put there are removed', async () => {
  await copy();
  const own = ['.git/HEAD', '.git/objects/ab/cdef', '.well-known/security.txt', 'CNAME', 'api/mine.json'];
  for (const path of own) {
    mkdirSync(dirname(join(to(), path)), { recursive: true });
    writeFileSync(join(to(), path), path);
  }
  writeFileSync(stage.at('outside.txt'), 'outside');
  appendFileSync(join(to(), '.awards.files'), '../outside.txt\n');
  await stage.edit();
  expect((await copy()).removed).toBeGreaterThan(0);
  for (const path of own) expect(readFileSync(join(to(), path), 'utf8')).toBe(path);
  expect(readFileSync(stage.at('outside.txt'), 'utf8')).toBe('outside');
  for (const path of own) rmSync(join(to(), path));
  expectSameTree(copied(), stage.tree());
});

test('a dry run counts what a publish would do, and does nothing', async () => {
  const dryRun = () =>
    publishToFolder({ out: stage.out, to: to(), connection: stage.connection, dryRun: true });
  const first = await dryRun();
  expect(existsSync(to())).toBe(false);
  expect(await copy()).toEqual(first);
  await stage.edit();
  const before = copied();
  const planned = await dryRun();
  expectSameTree(copied(), before);
  expect(await copy()).toEqual(planned);
});

test('a folder with other files is refused', async () => {
  mkdirSync(to());
  writeFileSync(join(to(), 'holiday.jpg'), 'photo');
  await expect(copy()).rejects.toThrow(
    /elsewhere holds files that are not a snapshot \(such as holiday\.jpg\); choose another folder with --to$/,
  );
  expect(readFileSync(join(to(), 'holiday.jpg'), 'utf8')).toBe('photo');
});

test('a file is refused', async () => {
  writeFileSync(to(), 'mine');
  await expect(copy()).rejects.toThrow(/elsewhere is not a folder; choose another one with --to$/);
  expect(readFileSync(to(), 'utf8')).toBe('mine');
});

test('the folder of the snapshot, a folder inside it and one around it are refused, also behind a link', async () => {
  const link = stage.at('link');
  symlinkSync(stage.out, link);
  const inside = [join(stage.out, 'copy'), join(stage.out, '..copy'), join(link, 'a/copy')];
  for (const place of [stage.out, ...inside, stage.at('.'), link])
    await expect(
      publishToFolder({ out: stage.out, to: place, connection: stage.connection }),
    ).rejects.toThrow(/is inside the other; choose another folder with --to/);
});

test('a link in the folder is replaced, and its target is not touched', async () => {
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
