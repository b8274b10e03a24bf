/** While the service runs, the layers follow the snapshot at a distance. */
import { existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { LayerName } from '../../api/contract/layers.ts';
import { LayerUpdater } from '../../build/derived/updater.ts';
import { SnapshotBuilder } from '../../build/snapshot/builder.ts';
import type { Connection } from '../../data/database/open.ts';
import { verify } from '../records/build.ts';
import { useWorkspace } from '../support/temporary-folder.ts';
import { memoryDatabase } from '../records/databases.ts';
import { fillWithTinyRecord } from '../records/tiny-record.ts';

const at = useWorkspace();
const out = at('dist');
let connection: Connection;
let updater: LayerUpdater;
let builder: SnapshotBuilder;
let errors: unknown[];
const onError = (error: unknown) => void errors.push(error);
beforeEach(async () => {
  rmSync(out, { recursive: true, force: true });
  connection = memoryDatabase(fillWithTinyRecord);
  builder = new SnapshotBuilder(connection, out);
  await builder.build();
  errors = [];
});
afterEach(async () => {
  await updater.close();
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
  /** Start of each update, in seconds, and the layers that it checks. */
  let updates: number[];
  let checks: boolean[];
  let ends: { finish(): void; fail(error: Error): void }[];
  /** @param isInstant whether an update ends at once */
  const start = (layer: LayerName, isInstant = true, hasRetired = false) => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] });
    [updates, checks, ends] = [[], [], []];
    const began = performance.now();
    type Run = NonNullable<ConstructorParameters<typeof LayerUpdater>[1]['run']>;
    const run: Run = ({ check }, signal, onOutcome) => {
      updates.push(Math.floor((performance.now() - began) / 1000));
      checks.push(check);
      const done = new Promise<void>((finish, fail) => ends.push({ finish, fail }));
      if (isInstant) ends.shift()!.finish();
      signal.addEventListener('abort', () => ends.shift()?.finish());
      onOutcome({ layer, repaired: [], hasRetired: hasRetired && updates.length === 1 });
      return done;
    };
    updater = new LayerUpdater(out, { layers: [layer], onError, run });
  };
  const seconds = (count: number) => vi.advanceTimersByTimeAsync(count * 1000);

  it.each<[LayerName, number, number[]]>([
    ['pages', 1, [0, 11]],
    ['by-imdb', 1, [0, 11]],
    ['downloads', 1, [0, 30]],
    ['lists', 25, [0, 30, 51]],
  ])('%s: at the start, and %i writes together', async (layer, writes, expected) => {
    start(layer);
    await seconds(10);
    for (let write = 0; write < writes; write += 1) {
      await edit();
      await seconds(1);
    }
    await seconds(60);
    expect(updates).toEqual(expected);
    expect(checks).toEqual(expected.map(() => false));
  });

  it('starts no process while nothing changes and nothing is damaged', async () => {
    start('pages');
    await seconds(7200);
    expect(updates).toEqual([0]);
    updater.repair('pages');
    await seconds(7200);
    expect([updates, checks]).toEqual([
      [0, 7200],
      [false, true],
    ]);
  });

  it('once more after a minute, to remove the files that an update has retired', async () => {
    start('downloads', true, true);
    await seconds(7200);
    expect(updates).toEqual([0, 65]);
  });

  it('one at a time; a change during an update is followed by another one, which a publish and the stop wait for', async () => {
    start('downloads', false);
    await seconds(10);
    await edit();
    await seconds(30);
    expect(updates).toEqual([0]);
    ends.shift()!.finish();
    await seconds(1);
    expect(updates).toEqual([0, 40]);
    await edit();
    const both = [updater.bringUpToDate(), updater.bringUpToDate()];
    ends.shift()!.finish();
    await seconds(1);
    expect(updates).toEqual([0, 40, 41]);
    ends.shift()!.finish();
    await seconds(1);
    await Promise.all(both);
    expect(updates).toEqual([0, 40, 41]);
  });

  it('again after a failure, at growing intervals', async () => {
    start('pages', false);
    for (let failures = 1; failures <= 4; failures += 1) {
      await seconds(70);
      expect(updates).toHaveLength(failures);
      ends.shift()!.fail(new Error(`failure ${failures}`));
      await seconds(0.25);
      expect(updates).toHaveLength(failures);
    }
    expect(errors.map(String)).toEqual([1, 2, 3, 4].map((number) => `Error: failure ${number}`));
  });
});

describe('in a process of its own', () => {
  const layers = ['pages', 'downloads'] as const;
  const page = join(out, 'api/movies/1.json');
  const expectCurrent = async () =>
    expect(await verify(connection, out, layers)).toMatchObject({
      differences: [],
      layers: { pages: 'current', downloads: 'current' },
    });
  const pageAppears = () => vi.waitUntil(() => existsSync(page), { timeout: 30_000, interval: 5 });

  it('updates the layers on demand, repairs a damaged file, and reports why it failed', async () => {
    updater = new LayerUpdater(out, { layers, onError });
    await updater.bringUpToDate();
    await expectCurrent();
    rmSync(page);
    updater.repair('pages');
    await pageAppears();
    await edit();
    const shards = join(out, 'shards/records/movies');
    for (const name of readdirSync(shards)) writeFileSync(join(shards, name), 'damaged');
    await expect(updater.bringUpToDate()).rejects.toThrow(
      /could not be updated: .* is damaged; "awards build --full" repairs it/,
    );
    expect(errors).toEqual([]);
  });

  it('an update that a stop interrupts is neither done nor a failure, and the next updater finishes it', async () => {
    updater = new LayerUpdater(out, { layers, onError });
    const update = updater.bringUpToDate();
    const failed = expect(update).rejects.toThrow('aborted');
    await updater.close();
    await failed;
    await expect(updater.bringUpToDate()).rejects.toThrow('aborted');
    expect(errors).toEqual([]);
    updater = new LayerUpdater(out, { layers, onError });
    await updater.bringUpToDate();
    await expectCurrent();
  });

  it('reports how a process ended that wrote no reason', async () => {
    writeFileSync(at('end.cjs'), "process.kill(process.pid, 'SIGKILL')");
    vi.stubEnv('NODE_OPTIONS', `--require ${at('end.cjs')}`);
    updater = new LayerUpdater(out, { layers: ['pages'], onError });
    await expect(updater.bringUpToDate()).rejects.toThrow('the process ended with SIGKILL');
  });
});
