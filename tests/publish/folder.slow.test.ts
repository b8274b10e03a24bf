/** "publish --to": a reader of the other folder sees one whole snapshot at every moment, and the files of others stay. */
import { execFileSync } from 'node:child_process';
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
import { expect, inject, test } from 'vitest';
import { fileSource } from '../../api/read/node-source.ts';
import { Resolver } from '../../api/read/resolve.ts';
import { generateRecord } from '../../tools/generate/generate.ts';
import { layerNames } from '../../api/contract/layers.ts';
import { openDatabase } from '../../data/database/open.ts';
import { conformanceRequests } from '../support/requests.ts';
import { installFailingDisk } from '../support/intercepted-calls.ts';
import { ask, expectInTurn, openFolder } from '../support/folder-answers.ts';
import { expectSameTree, readTree, type Tree, writeTree } from '../records/tree.ts';
import { faultsOf } from '../records/named-files.ts';
import { answerAt, build as buildLayers } from '../records/build.ts';
import { awards, outcomeOf, startAwards } from '../support/processes.ts';
import { seeded } from '../records/seed.ts';
import { runs } from '../support/settings.ts';
import { historyFaults, isOfHistory } from './history.ts';
import { build, publicFiles, useStage } from './stage.ts';

const stage = useStage();
const inTo = (path: string) => join(stage.to, path);

test('only what differs is written, a dry run counts it, and only files of earlier publishes are removed', async () => {
  const own = ['.git/HEAD', '.well-known/security.txt', 'CNAME', 'api/mine.json'];
  /** Fails unless the folder shows the snapshot, the files of others are there, and the dry run was right. */
  const expectCopied = async (written?: number) => {
    const before = readTree(stage.to);
    const planned = await stage.copy({ dryRun: true });
    expectSameTree(readTree(stage.to), before);
    const report = await stage.copy();
    expect(report).toEqual(planned);
    if (written !== undefined) expect(report.written).toBe(written);
    const tree = publicFiles(stage.to);
    for (const path of own) if (before.size > 0) expect(tree.get(path)?.toString()).toBe(path);
    expectSameTree(new Map([...tree].filter(([path]) => !own.includes(path))), stage.tree());
    // The editor needs the service.
    expect([...readTree(stage.to).keys()].filter((path) => path.startsWith('edit/'))).toEqual([]);
    return report;
  };
  // The history begins with two indexes and a feed.
  await expectCopied(stage.tree().size + 3);
  for (const path of own) {
    mkdirSync(dirname(inTo(path)), { recursive: true });
    writeFileSync(inTo(path), path);
  }
  await expectCopied(0);
  const before = stage.tree();
  await stage.edit();
  const isChanged = ([path, bytes]: [string, Buffer]) => !before.get(path)?.equals(bytes);
  // The index of changes, the feed, and what this publish changed.
  const written = (tree: Tree) => [...tree].filter(isChanged).length + 3;
  expect((await expectCopied(written(stage.tree()))).removed).toBeGreaterThan(0);
  // Downloads come, change and go with the snapshot.
  await stage.edit('Edited', true);
  await expectCopied();
  stage.removeDownloads();
  await stage.edit();
  await expectCopied();
  // After an interruption every file is compared.
  writeFileSync(inTo('.manifest.json.unfinished'), '');
  writeFileSync(inTo('api/movies/1.json'), 'half');
  expect(await expectCopied(1)).toMatchObject({ removed: 1 });
  // No path of the list and no link leads out of the folder.
  writeFileSync(stage.at('outside.txt'), 'outside');
  appendFileSync(inTo('.awards.files'), '../outside.txt\n');
  rmSync(inTo('api/movies/1.json'));
  symlinkSync(stage.at('outside.txt'), inTo('api/movies/1.json'));
  await stage.edit();
  await expectCopied();
  expect(readFileSync(stage.at('outside.txt'), 'utf8')).toBe('outside');
});

test('a build during the copy is taken up: the folder shows the snapshot after it, and needs no frozen copy', async () => {
  await stage.copy();
  stage.connection.exec("UPDATE nominees SET name = name || '!'; UPDATE movies SET title = title || '?'");
  await build(stage.connection, stage.out);
  let copied = 0;
  const place = ['--db', stage.database, '--out', stage.out, '--no-downloads'];
  // In another process, which ends before the next file is read.
  const rebuild = () => {
    stage.connection.exec("UPDATE movies SET title = 'Meanwhile'; UPDATE nominees SET name = name || '!'");
    execFileSync(process.execPath, [inject('cli'), 'build', ...place]);
  };
  await stage.copy({
    onProgress: (what, done) => {
      if (what !== 'copying') return;
      copied += 1;
      if (copied === 1 && done === 0) rebuild();
    },
  });
  expect(copied).toBeGreaterThan(1);
  expectSameTree(publicFiles(stage.to), stage.tree());
  expect(historyFaults(readTree(stage.to))).toEqual([]);
  expect(existsSync(stage.at('.dist.publish'))).toBe(false);
  // A file that no build has replaced is damaged.
  await stage.edit();
  writeFileSync(join(stage.out, 'api/movies/1.json'), 'damaged');
  await expect(stage.copy()).rejects.toThrow(/1\.json in .* is damaged; "awards build --full" repairs it$/);
});

test('with "--pages lists" or "none" the resolver gives every answer of the conformance table', async () => {
  const here = new Resolver(fileSource(stage.out));
  const answersOf = (resolver: Resolver) =>
    Promise.all(
      conformanceRequests.map(async ({ target }) => {
        const answer = await answerAt(resolver, target);
        return { target, ...answer, body: Buffer.from(answer.body ?? '').toString('latin1') };
      }),
    );
  const expected = await answersOf(here);
  for (const pages of ['lists', 'none'] as const) {
    await stage.copy({ pages });
    expect(await answersOf(new Resolver(fileSource(stage.to)))).toEqual(expected);
  }
});

test('the files of IMDb ids go to a folder with all pages by default, and to Netlify on demand', async () => {
  await buildLayers(stage.connection, stage.out, { layers: layerNames });
  const isByImdb = (path: string) => /^(layers\/)?by-imdb\b/.test(path);
  const all = [...readTree(stage.out).keys()].filter(isByImdb);
  expect(all).toContain('by-imdb/tt0211915.json');
  const source = ['publish', '--db', stage.database, '--out', stage.out];
  for (const [words, isSent] of [
    ['', true],
    ['--pages lists', false],
    ['--pages none --by-imdb', true],
    ['--no-by-imdb', false],
  ] as const) {
    const { code } = await awards([...source, '--to', stage.to, ...words.split(' ').filter(Boolean)]);
    const tree = readTree(stage.to);
    expect([words, code, [...tree.keys()].filter(isByImdb)]).toEqual([words, 0, isSent ? all : []]);
    const isNamed = (path: string) => !path.startsWith('.awards.') && !isOfHistory(path);
    expect(faultsOf(new Map([...tree].filter(([path]) => isNamed(path))))).toEqual([]);
    expect(historyFaults(tree)).toEqual([]);
    const { stdout } = await awards([...source, '--dry-run', ...words.split(' ').filter(Boolean)]);
    const planned = [...stdout.matchAll(/^\w+ (\S+) \(/gm)].map(([, path]) => path!);
    expect(planned.filter(isByImdb), words).toEqual(words.endsWith(' --by-imdb') ? all : []);
  }
});

/** One line: the lists that this record is built with name no address. */
const withoutOrigin = /^awards: the address of the site is not given, [^\n]+\n$/;

test('a reader never sees a mixture while publishers are killed at random times', async () => {
  const [database, out] = [stage.at('larger.db'), stage.at('larger')];
  const connection = openDatabase(database);
  generateRecord(connection, { scale: 0.01, seed: 4 });
  const publish = ['publish', '--db', database, '--out', out, '--to', stage.to, '--no-by-imdb'];
  await build(connection, out);
  const first = await ask(openFolder(out));
  expect(await awards(publish)).toMatchObject({ code: 0, stderr: expect.stringMatching(withoutOrigin) });
  connection.exec("UPDATE movies SET title = title || ' life'; UPDATE nominees SET name = name || ' Ann'");
  await build(connection, out);
  const snapshots = [first, await ask(openFolder(out))];
  connection.close();
  const choices = seeded('killed copies');
  for (let attempt = 0; attempt < runs(2); attempt += 1) {
    const earlier = openFolder(stage.to);
    const child = startAwards(publish);
    const killed = after(choices.between(300, 800)).then(() => child.kill('SIGKILL'));
    let over = false;
    const ended = Promise.all([outcomeOf(child), killed]).finally(() => {
      over = true;
    });
    while (!over) {
      await expectInTurn(stage.to, earlier, snapshots);
      await after(5);
    }
    await ended;
  }
  expect(await awards(publish)).toMatchObject({ code: 0, stderr: expect.stringMatching(withoutOrigin) });
  expectSameTree(publicFiles(stage.to), stage.tree(out));
});

test('a full disk at any point leaves one of both snapshots whole, and the next run completes the copy', async () => {
  /** Publishes onto a disk that is full after some changes. @returns the number of changes */
  const changesOf = async (last: number): Promise<number> => {
    const disk = installFailingDisk(stage.to, last);
    await stage.copy().finally(() => disk.repair());
    return disk.attempts;
  };
  await stage.copy();
  const [before, first] = [readTree(stage.to), await ask(openFolder(stage.to))];
  await stage.edit();
  const second = await ask(openFolder(stage.out));
  expect(second).not.toEqual(first);
  await stage.copy();
  writeTree(stage.to, before);
  // Counted in the second copy: the first one also makes folders, which stay.
  const changes = await changesOf(Number.POSITIVE_INFINITY);
  const choices = seeded('full disk');
  const some = Array.from({ length: runs(3) }, () => choices.between(2, changes - 2));
  for (const last of [0, 1, changes - 1, ...some]) {
    writeTree(stage.to, before);
    // A folder that an earlier copy made stays: the last changes may not be needed any more.
    const end: unknown = await changesOf(last).catch((error: unknown) => error);
    if (typeof end === 'number') expect(end).toBeGreaterThan(changes - 3);
    else expect(end).toMatchObject({ message: expect.stringContaining('ENOSPC') });
    const seen = await ask(openFolder(stage.to));
    expect([first, second], `after ${last} of ${changes} changes`).toContainEqual(seen);
    await stage.copy();
    expectSameTree(publicFiles(stage.to), stage.tree());
  }
});
