/** While the service runs, the layers follow the snapshot at a distance: after a pause between writes, with a maximum delay. */
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { constants, getPriority } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { LayerName } from '../../api/contract/layers.ts';
import { layersOf } from '../../build/derived/all.ts';
import { updateLayers } from '../../build/derived/layer.ts';
import { UpdateProcess } from '../../build/derived/update-process.ts';
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
    const run = () => {
      updates.push(Math.round((performance.now() - began) / 1000));
      const done = new Promise<void>((finish, fail) => ends.push({ finish, fail }));
      if (isInstant) ends.shift()!.finish();
      return done;
    };
    const stop = async () => ends.shift()?.finish();
    updater = new LayerUpdater(out, {
      layers: [layer],
      checkIntervalMs: Number.POSITIVE_INFINITY,
      onError,
      runner: { run, stop },
    });
  };
  const seconds = (count: number) => vi.advanceTimersByTimeAsync(count * 1000);

  it('at the start, once to check the files, then after the last of some writes, and not again', async () => {
    start('downloads');
    await seconds(10);
    expect(updates).toEqual([0, 10]);
    for (let write = 0; write < 4; write += 1) {
      await edit();
      await seconds(3);
    }
    expect(updates).toEqual([0, 10]);
    await seconds(30);
    expect(updates).toEqual([0, 10, 24]);
  });

  it('pages sooner than downloads', async () => {
    start('pages');
    await seconds(10);
    await edit();
    await seconds(10);
    expect(updates).toEqual([0, 10, 11]);
  });

  it.each<[LayerName, number, number, number[]]>([
    ['downloads', 65, 2, [0, 10, 70]],
    ['lists', 60, 2, [0, 10, 110]],
    ['pages', 24, 0.5, [0, 2, 4, 6, 8, 10, 12]],
  ])('%s at intervals while writes never pause', async (layer, writes, pause, expected) => {
    start(layer);
    for (let write = 0; write < writes; write += 1) {
      await edit();
      await seconds(pause);
    }
    expect(updates).toEqual(expected);
  });

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

  describe('which', () => {
    /** Each process writes a line when it starts. */
    const starts = () => readFileSync(at('starts.txt'), 'utf8').split('\n').length - 1;
    beforeEach(() => {
      writeFileSync(at('starts.txt'), '');
      writeFileSync(
        at('start.cjs'),
        `if (require('node:worker_threads').isMainThread) require('node:fs').appendFileSync(${JSON.stringify(at('starts.txt'))}, 'started\\n')`,
      );
      vi.stubEnv('NODE_OPTIONS', `--require ${at('start.cjs')}`);
    });

    it('stays for the next update', async () => {
      updater = new LayerUpdater(out, { layers: ['pages'], onError });
      for (let update = 0; update < 3; update += 1) {
        await edit();
        await updater.bringUpToDate();
        await expectCurrent('pages');
      }
      expect(starts()).toBe(1);
    });

    it.each(['SIGINT', 'SIGTERM'] as const)(
      'is replaced if it ends: by %s, as Ctrl-C ends all processes',
      async (signal) => {
        const runner = new UpdateProcess(out, {});
        updater = new LayerUpdater(out, { layers: ['pages'], onError, runner });
        await updater.bringUpToDate();
        await edit();
        process.kill(runner.pid!, signal);
        await updater.bringUpToDate();
        await expectCurrent('pages');
      },
    );

    it('has the lowest priority, and repairs a damaged file on demand', async () => {
      const runner = new UpdateProcess(out, {});
      updater = new LayerUpdater(out, { layers: ['pages'], onError, runner });
      await updater.bringUpToDate();
      expect(getPriority(runner.pid)).toBe(constants.priority.PRIORITY_LOW);
      rmSync(join(out, 'api/movies/1.json'));
      updater.repair('pages');
      await vi.waitUntil(() => existsSync(join(out, 'api/movies/1.json')), { timeout: 30_000, interval: 5 });
    });
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
