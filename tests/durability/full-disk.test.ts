/**
 * The promise: on a disk that is full, or a folder that cannot be written to, a write is either refused and not made, or made
 * and acknowledged with word that it is not shown yet; and as soon as there is room again everything comes right by itself.
 */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { siteDocuments } from '../../build/snapshot/site-documents.ts';
import { Choices } from '../bench/random.ts';
import { exhaustive } from '../settings.ts';
import { awards } from '../snapshot/command-line.ts';
import { Client } from './client.ts';
import { Editor } from './editor.ts';
import { fillUp, mountReadOnly, mountSmallDisk, whyNoMounts } from './mounts.ts';
import { type Place, withDatabase } from './place.ts';
import { ServiceProcess } from './service-process.ts';
import { faultsAtRest, Stage } from './stage.ts';
import { emptyTally } from './tally.ts';
import { useMemoryFolder } from './workspace.ts';

const at = useMemoryFolder();
const obstacle = whyNoMounts();
let stage: Stage;
beforeAll(async () => {
  stage = await Stage.prepare(at('original'), siteDocuments);
});

/** Undone after each test whatever became of it, the last first. */
const undo: (() => unknown)[] = [];
afterEach(async () => {
  for (const each of undo.splice(0).reverse()) await each();
});

async function serve(place: Place): Promise<{ service: ServiceProcess; client: Client }> {
  const service = new ServiceProcess(place);
  undo.push(() => service.kill());
  return { service, client: new Client(await service.address) };
}

/** Resolves when the folder is what a clean build makes, without anybody having written again. Fails if that takes too long. */
const expectComesRight = (place: Place): Promise<void> =>
  expect
    .poll(() => withDatabase(place, (connection) => faultsAtRest(connection, place.out, siteDocuments)), {
      timeout: 15_000,
      interval: 100,
    })
    .toEqual([]);

/** Milliseconds of writing before there is trouble, during it, and after it. */
const phases = [50, 500, 100];

/** Lets editors write before, during and after some trouble. @returns what they heard */
async function writeThrough(place: Place, makeTrouble: () => () => void) {
  const retelling = await stage.retelling();
  const { service, client } = await serve(place);
  const seed = Math.floor(Math.random() * 2 ** 32);
  const tally = emptyTally();
  const editors = [1, 2, 3].map((number) => new Editor(number, new Choices(seed + number), tally));
  let stopped = false;
  const working = Promise.all(editors.map((editor) => editor.work(client, () => stopped)));
  await pause(phases[0]);
  const end = makeTrouble();
  undo.push(end);
  await pause(phases[1]);
  end();
  await pause(phases[2]);
  stopped = true;
  await working;
  await expectComesRight(place);
  for (const editor of editors) await editor.check(client);
  const { lost, wrong, pending, refused } = tally;
  expect({ seed, lost, wrong }).toEqual({ seed, lost: [], wrong: [] });
  expect(await service.stop()).toBe(0);
  expect(await withDatabase(place, (connection) => retelling.follow(connection))).toEqual([]);
  return { pending, refused };
}

/** Bytes that are left of it. */
const left = exhaustive ? [0, 3000, 20_000] : [0];

describe.skipIf(obstacle)(
  `a disk that is full while editors write${obstacle ? ` (not tried: ${obstacle})` : ''}`,
  () => {
    test.each(left)(
      'the one of the snapshot, with %i bytes left: acknowledged, and not shown yet',
      async (left) => {
        const folder = at(`snapshot-${left}`);
        undo.push(mountSmallDisk(join(folder, 'dist'), '4m'));
        const place = stage.copyTo(folder);
        const { pending } = await writeThrough(place, () => fillUp(place.out, left));
        if (left === 0) expect(pending).toBeGreaterThan(0);
      },
    );

    test.each(left)('the one of the database, with %i bytes left: refused', async (left) => {
      const folder = at(`database-${left}`);
      undo.push(mountSmallDisk(folder, '4m'));
      const out = at(`of-database-${left}`);
      const place = { ...stage.copyTo(folder), out };
      rmSync(join(folder, 'dist'), { recursive: true });
      const { refused } = await writeThrough(place, () => fillUp(folder, left));
      expect(refused).toBeGreaterThan(0);
    });

    test.runIf(exhaustive)('the one of both: refused, or acknowledged and not shown yet', async () => {
      const folder = at('both');
      undo.push(mountSmallDisk(folder, '4m'));
      const place = stage.copyTo(folder);
      const { pending, refused } = await writeThrough(place, () => fillUp(folder, 30_000));
      expect(pending + refused).toBeGreaterThan(0);
    });
  },
);

describe('a folder of the snapshot that cannot be written to', () => {
  const title = async (client: Client) =>
    (JSON.parse((await client.get('/api/movies/1')).body.toString()) as { title: string }).title;

  /** Fails unless a write is acknowledged, and said not to be shown yet. */
  async function expectPending(client: Client, written: string): Promise<void> {
    const { status, headers } = await client.write('/api/movies/1', { title: written });
    expect({ status, pending: headers['snapshot-pending'] }).toEqual({ status: 200, pending: '?1' });
    expect([headers.etag, headers.snapshot]).toEqual([undefined, undefined]);
  }

  test.skipIf(obstacle)('does not keep the service from starting, reading, and taking writes', async () => {
    const place = stage.copyTo(at('read-only'));
    const makeWritable = mountReadOnly(place.out);
    undo.push(makeWritable);
    const { client } = await serve(place);
    expect(await title(client)).toBe('Amélie');
    await expectPending(client, 'Safe');
    expect(await title(client)).toBe('Amélie');
    undo.splice(undo.indexOf(makeWritable), 1);
    makeWritable();
    await expectComesRight(place);
    expect(await title(client)).toBe('Safe');
  });

  test('because it became a file, or is gone', async () => {
    const place = stage.copyTo(at('file'));
    const { client } = await serve(place);
    rmSync(place.out, { recursive: true });
    writeFileSync(place.out, 'not a folder');
    await expectPending(client, 'Safe');
    const { status, headers } = await client.get('/api/movies/2');
    expect({ status, later: headers['retry-after'] }).toEqual({ status: 503, later: '5' });
    rmSync(place.out);
    await expectComesRight(place);
    expect(await title(client)).toBe('Safe');
    rmSync(place.out, { recursive: true });
    const { headers: written } = await client.write('/api/movies/1', { title: 'Made anew' });
    expect(written['snapshot-pending']).toBeUndefined();
    await expectComesRight(place);
  });
});

test.skipIf(obstacle)('a database that cannot be written to is refused in one line', async () => {
  const folder = at('read-only-database');
  mkdirSync(folder);
  const place = stage.copyTo(folder);
  undo.push(mountReadOnly(folder));
  const words = ['serve', '--port', '0', '--db', place.db, '--out', place.out];
  const { code, stdout, stderr } = await awards(words);
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  expect(stderr).toMatch(/^awards: cannot open the database [^\n]+\n$/);
});
