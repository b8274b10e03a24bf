/** The promise: a machine without anything of earlier publishes goes on with the history of the live site, as the machine before did. */
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openDatabase } from '../../data/database/open.ts';
import { fillWithTinyRecord } from '../records/tiny-record.ts';
import { expectSameTree, readTree, type Tree } from '../records/tree.ts';
import { type Loopback, listen } from '../support/loopback.ts';
import { awards } from '../support/processes.ts';
import { type History, historyFaults, isOfHistory, jsonAt } from './history.ts';
import { build, useStage } from './stage.ts';

const stage = useStage();
/** A host of the files that stage.to had when they were uploaded. */
let host: Loopback;
const uploaded = () => stage.at('uploaded');
beforeAll(async () => {
  host = await listen(
    createServer((request, response) => {
      const file = join(uploaded(), request.url!);
      const isShown = !request.url!.includes('/.') && existsSync(file) && statSync(file).isFile();
      response.writeHead(isShown ? 200 : 404).end(isShown ? readFileSync(file) : 'Not Found');
    }),
  );
});
afterAll(() => host.stop());

const at = (day: number) => ({ now: new Date(Date.UTC(2026, 0, day)) });
const historyIn = (tree: Tree): Tree => new Map([...tree].filter(([path]) => isOfHistory(path)));

/** Publishes with downloads to both targets, and shows the folder at the host. */
async function publishHistory(...days: number[]): Promise<void> {
  for (const day of days) {
    await stage.edit(undefined, true);
    await stage.copy(at(day));
    await stage.publish(at(day));
  }
  cpSync(stage.to, uploaded(), { recursive: true });
}

/** Runs work with the database alone, built into a new folder. */
async function withFreshCheckout(work: (own: { out: string; to: string }) => Promise<void>): Promise<void> {
  const [out, to] = [stage.at('fresh/dist'), stage.at('fresh/to')];
  mkdirSync(stage.at('fresh'));
  await build(stage.connection, out, true);
  await work({ out, to });
}

test('the history goes on in a new folder and at Netlify, byte for byte as without the fresh checkout', async () => {
  // Two publishes of one day are in one file after the last of these.
  await publishHistory(1, 1.5, 2, 12);
  stage.connection.exec("UPDATE movies SET title = 'From a fresh checkout' WHERE id = 1");
  await withFreshCheckout(async (own) => {
    const report = await stage.copy({ ...own, ...at(13), live: host.origin, origin: '' });
    // What the same publish does where all is there.
    await stage.copy({ ...own, to: stage.to, ...at(13) });
    const tree = readTree(own.to);
    expectSameTree(tree, readTree(stage.to));
    expect(historyFaults(tree)).toEqual([]);
    const { data } = jsonAt<History>(tree, 'changes/index.json');
    expect(data.map(({ path }) => path.replace(/-[0-9a-f]{20}/, '-ID'))).toEqual(
      ['13-ID', '12-ID', '02-ID', '01-ID'].map((name) => `/changes/2026-01-${name}.json`),
    );
    expect(report.written).toBeLessThan(tree.size);

    await stage.publish({ ...own, ...at(13), origin: '' });
    expectSameTree(historyIn(stage.api.live()!), historyIn(tree));

    // The folder that a cache has kept, after it was uploaded.
    rmSync(uploaded(), { recursive: true });
    cpSync(own.to, uploaded(), { recursive: true });
    await stage.edit(undefined, true);
    await build(stage.connection, own.out, true);
    await stage.copy({ ...own, ...at(23), live: host.origin, origin: '' });
    await stage.copy({ ...own, to: stage.to, ...at(23) });
    expectSameTree(readTree(own.to), readTree(stage.to));
  });
});

test('files of a history that the site does not have leave the folder', async () => {
  await publishHistory(1, 2);
  await stage.edit(undefined, true);
  // Published into the folder, and never uploaded.
  await stage.copy(at(3));
  await stage.edit(undefined, true);
  await stage.copy({ ...at(4), live: host.origin });
  const tree = readTree(stage.to);
  expect(historyFaults(tree)).toEqual([]);
  expect(jsonAt<History>(tree, 'changes/index.json').data).toHaveLength(2);
});

test('a new database needs --force, and goes on with the history', async () => {
  await publishHistory(1, 2);
  const other = openDatabase(stage.at('other.db'));
  fillWithTinyRecord(other);
  other.exec("UPDATE movies SET title = 'Imported again' WHERE id = 1");
  const out = stage.at('other/dist');
  await build(other, out, true);
  const own = { connection: other, out, ...at(3) };
  await expect(stage.publish(own)).rejects.toThrow(/--force replaces it/);
  await stage.publish({ ...own, force: true });
  await stage.copy({ ...own, to: stage.at('other/to'), live: host.origin });
  other.close();
  for (const tree of [stage.api.live()!, readTree(stage.at('other/to'))]) {
    expect(historyFaults(tree)).toEqual([]);
    expect(jsonAt<History>(tree, 'changes/index.json').data).toHaveLength(2);
  }
});

test('a site whose history is not known ends the publish, with the file and the way on', async () => {
  await publishHistory(1, 2);
  await stage.edit(undefined, true);
  const whole = readTree(uploaded());
  const change = [...whole.keys()].find((path) => /^changes\/2026/.test(path))!;
  for (const [path, bytes, message] of [
    [
      'manifest.json',
      undefined,
      /^manifest\.json of http.* is missing, so its history is not known; restore/,
    ],
    ['changes/index.json', undefined, /^changes\/index\.json of http.* is missing, so its history/],
    ['changes/index.json', '<html>', /^changes\/index\.json of http.* is damaged, so its history/],
    ['downloads/releases.json', undefined, /^downloads\/releases\.json of http.* is missing/],
    ['downloads/2026-01-01/index.json', '{', /^downloads\/2026-01-01\/index\.json of http.* is damaged/],
    ['downloads/2026-01-01/movies.csv', undefined, /names downloads\/2026-01-01\/movies\.csv, but does not/],
    [change, undefined, new RegExp(`names ${change}, but does not show it; restore it and publish again`)],
  ] as const) {
    if (bytes === undefined) rmSync(join(uploaded(), path));
    else writeFileSync(join(uploaded(), path), bytes);
    const to = stage.at('new');
    await expect(stage.copy({ ...at(3), to, live: host.origin }), path).rejects.toThrow(message);
    expect(existsSync(join(to, 'manifest.json'))).toBe(false);
    rmSync(to, { recursive: true, force: true });
    writeFileSync(join(uploaded(), path), whole.get(path)!);
  }
});

test('the command takes the address of the site with --to', async () => {
  await publishHistory(1, 2);
  const source = ['--db', stage.database, '--out', stage.out, '--no-by-imdb'];
  const place = ['publish', ...source, '--live', host.origin];
  const alone = await awards(place, stage.api.environment);
  expect([alone.code, alone.stderr]).toEqual([
    1,
    expect.stringContaining('--live is for a folder, with --to; Netlify tells what is live'),
  ]);
  const to = stage.at('new');
  expect(await awards([...place, '--to', to])).toMatchObject({ code: 0 });
  expect(jsonAt<History>(readTree(to), 'changes/index.json').data).toHaveLength(1);
  expect((await awards([...place.slice(0, -1), 'awards.example', '--to', to])).stderr).toContain(
    'It must be an http or https address without a path',
  );
});
