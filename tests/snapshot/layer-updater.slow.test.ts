/** While the service runs, the layers follow the snapshot at a distance. */
import { existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { LayerName } from '../../api/contract/layers.ts';
import { layersOf } from '../../build/derived/all.ts';
import { updateLayers } from '../../build/derived/layer.ts';
import { LayerUpdater } from '../../build/derived/updater.ts';
import { SnapshotBuilder } from '../../build/snapshot/builder.ts';
import type { Connection } from '../../data/database/open.ts';
import { verify } from '../support/build.ts';
import { memoryDatabase } from './databases.ts';
import { fillWithTinyRecord } from './tiny-record.ts';
import { useWorkspace } from '../support/temporary-folder.ts';

const at = useWorkspace();
let out: string;
let connection: Connection;
let updater: LayerUpdater;
let builder: SnapshotBuilder;
let errors: unknown[];
const onError = (error: unknown) => void errors.push(error);
beforeEach(async () => {
  out = at('dist');
  rmSync(out, { recursive: true, force: true });
  connection = memoryDatabase(fillWithTinyRecord);
  builder = new SnapshotBuilder(connection, out);
  await builder.build();
  errors = [];
});
afterEach(async () => {
  await updater.close();
  connection.close();
  vi.useRealTimers();
  vi.unstubAllEnvs();
});

let edits = 0;
async function edit(): Promise<void> {
  edits += 1;
  connection.prepare('UPDATE movies SET tagline = ? WHERE id = 1').run(`Edit ${edits}`);
  await builder.build();
}

describe('by the clock', () => {
  /** Start of each update, in seconds. */
  let updates: number[];
  let ends: { finish(): void; fail(error: Error): void }[];
  /** @param isInstant whether an update ends at once */
  const start = (layer: LayerName, isInstant = true) => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] });
    [updates, ends] = [[], []];
    const began = performance.now();
    const run = (_request: unknown, signal: AbortSignal) => {
      updates.push(Math.round((performance.now() - began) / 1000));
      const done = new Promise<void>((finish, fail) => ends.push({ finish, fail }));
      if (isInstant) ends.shift()!.finish();
      signal.addEventListener('abort', () => ends.shift()?.finish());
      return done;
    };
    updater = new LayerUpdater(out, {
      layers: [layer],
      checkIntervalMs: Number.POSITIVE_INFINITY,
      onError,
      run,
    });
  };
  const seconds = (count: number) => vi.advanceTimersByTimeAsync(count * 1000);

  it.each<[LayerName, number, number[]]>([
    ['pages', 1, [0, 10, 11]],
    ['downloads', 1, [0, 10, 30]],
    ['lists', 25, [0, 10, 30, 51]],
  ])(
    '%s: at the start, to check the files, and %i writes together, one a second',
    async (layer, writes, expected) => {
      start(layer);
      await seconds(10);
      for (let write = 0; write < writes; write += 1) {
        await edit();
        await seconds(1);
      }
      await seconds(60);
      expect(updates).toEqual(expected);
    },
  );

  it('one at a time; a change during an update is followed by another update', async () => {
    start('downloads', false);
    await seconds(10);
    await edit();
    await seconds(30);
    expect(updates).toEqual([0]);
    ends.shift()!.finish();
    await seconds(1);
    expect(updates).toEqual([0, 40]);
  });

  it('one at a time, also for a publish and the stop of the service that wait for the same update', async () => {
    start('downloads', false);
    await seconds(1);
    await edit();
    const both = [updater.bringUpToDate(), updater.bringUpToDate()];
    ends.shift()!.finish();
    await seconds(1);
    expect(updates).toEqual([0, 1]);
    ends.shift()!.finish();
    await seconds(1);
    for (const { finish } of ends) finish();
    await Promise.all(both);
  });

  it('again after a failure, at growing intervals', async () => {
    start('pages', false);
    for (let failures = 1; failures <= 4; failures += 1) {
      await seconds(70);
      expect(updates).toHaveLength(failures);
      ends.shift()!.fail(new Error(`failure ${failures}`));
    }
    await seconds(0);
    expect(errors.map(String)).toEqual([1, 2, 3, 4].map((number) => `Error: failure ${number}`));
  });
});

describe('in a process of its own', () => {
  const expectCurrent = async (...layers: LayerName[]) =>
    expect(await verify(connection, out, layers)).toMatchObject({ differences: [] });

  it('updates the layers on demand, and reports why it failed', async () => {
    updater = new LayerUpdater(out, { layers: ['pages', 'downloads'], onError });
    await updater.bringUpToDate();
    await expectCurrent('pages', 'downloads');
    await edit();
    const shards = join(out, 'shards/records/movies');
    for (const name of readdirSync(shards)) writeFileSync(join(shards, name), 'damaged');
    await expect(updater.bringUpToDate()).rejects.toThrow(
      /could not be updated: .* is damaged; "awards build --full" repairs it/,
    );
    expect(errors).toEqual([]);
  });

  it.each([
    ['code 3', 'process.exit(3)'],
    ['SIGKILL', "process.kill(process.pid, 'SIGKILL')"],
    ['SIGTERM', "process.kill(process.pid, 'SIGTERM')"],
  ])('reports how a process ended that wrote no reason: %s', async (end, code) => {
    writeFileSync(at('end.cjs'), code);
    vi.stubEnv('NODE_OPTIONS', `--require ${at('end.cjs')}`);
    updater = new LayerUpdater(out, { layers: ['pages'], onError });
    await expect(updater.bringUpToDate()).rejects.toThrow(`the process ended with ${end}`);
  });

  it('repairs a damaged file on demand', async () => {
    updater = new LayerUpdater(out, { layers: ['pages'], onError });
    await updater.bringUpToDate();
    rmSync(join(out, 'api/movies/1.json'));
    updater.repair('pages');
    await vi.waitUntil(() => existsSync(join(out, 'api/movies/1.json')), { timeout: 30_000, interval: 5 });
  });

  it('may be stopped in the middle: the next update repairs the layers', async () => {
    updater = new LayerUpdater(out, { layers: ['pages', 'downloads'], onError });
    const update = updater.bringUpToDate();
    await vi.waitUntil(() => existsSync(join(out, 'api/movies/1.json')), { timeout: 30_000, interval: 5 });
    await updater.close();
    await update;
    await updateLayers(out, layersOf(['pages', 'downloads']), { retentionMs: 0 });
    await expectCurrent('pages', 'downloads');
  });
});
