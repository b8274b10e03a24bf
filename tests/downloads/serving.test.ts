/** While the service runs, the downloads follow the record at a distance: not after every write, and never for long not at all. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { build } from '../support/build.ts';
import { DownloadsKeeper } from '../../build/layers/downloads/keeping.ts';
import { verifyDownloads } from '../../build/layers/downloads/verification.ts';
import { type Connection, openDatabase } from '../../data/open.ts';
import { removeTemporaryFolders, temporaryFolder } from '../service/temporary-folder.ts';
import { fillWithTinyRecord } from '../snapshot/tiny-record.ts';

removeTemporaryFolders();
let out: string;
let connection: Connection;
let keeper: DownloadsKeeper;
const errors: unknown[] = [];
const onError = (error: unknown) => void errors.push(error);
beforeEach(async () => {
  const folder = temporaryFolder();
  out = join(folder, 'dist');
  connection = openDatabase(join(folder, 'awards.db'));
  fillWithTinyRecord(connection);
  await build(connection, out);
  errors.length = 0;
});
afterEach(async () => {
  await keeper.close();
  connection.close();
  vi.useRealTimers();
});

let edits = 0;
async function edit(): Promise<void> {
  edits += 1;
  connection.prepare('UPDATE movies SET tagline = ? WHERE id = 1').run(`Edit ${edits}`);
  await build(connection, out);
}

describe('by the clock', () => {
  let made: number[];
  let finish: (() => void)[];
  let began: number;
  /** @param atOnce whether making takes no time; else it takes until finish is called */
  const keep = (atOnce = true) => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] });
    [made, finish, began] = [[], [], performance.now()];
    keeper = new DownloadsKeeper(out, {
      onError,
      make: () => {
        made.push(Math.round((performance.now() - began) / 1000));
        const done = atOnce ? Promise.resolve() : new Promise<void>((resolve) => finish.push(resolve));
        return { done, stop: () => finish.shift()?.() };
      },
    });
  };
  const seconds = (count: number) => vi.advanceTimersByTimeAsync(count * 1000);

  it('once at the start, then five seconds after the last of some writes, and not again', async () => {
    keep();
    await seconds(10);
    expect(made).toEqual([6]);
    for (let write = 0; write < 4; write += 1) {
      await edit();
      await seconds(3);
    }
    expect(made).toEqual([6]);
    await seconds(30);
    expect(made).toEqual([6, 25]);
  });

  it('once a minute while writes never rest', async () => {
    keep();
    for (let write = 0; write < 65; write += 1) {
      await edit();
      await seconds(2);
    }
    expect(made).toEqual([61, 123]);
  });

  it('one at a time; what changes meanwhile has its turn afterwards', async () => {
    keep(false);
    await seconds(10);
    await edit();
    await seconds(30);
    expect(made).toEqual([6]);
    finish.shift()!();
    await seconds(1);
    expect(made).toEqual([6, 41]);
  });
});

it('a process of its own makes them, and tells what kept it from doing so', async () => {
  keeper = new DownloadsKeeper(out, { onError });
  await keeper.bringUpToDate();
  expect(await verifyDownloads(out)).toMatchObject({ state: 'current', differences: [] });
  rmSync(join(out, 'manifest.json'));
  await expect(keeper.bringUpToDate()).rejects.toThrow(
    /cannot be made: manifest\.json is missing; "awards build/,
  );
  expect(errors).toEqual([]);
});
