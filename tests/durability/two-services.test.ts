/**
 * The promise: two services may work on one database, into one folder or each into its own. What one acknowledges it shows at
 * once, the other within a second or so where they share the folder; neither ever waits for the other for good, dead or alive;
 * and what a service cannot do for the moment it refuses with word when to come again.
 */
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { build } from '../support/build.ts';
import { siteDocuments } from '../../build/snapshot/site-documents.ts';
import { Choices } from '../bench/random.ts';
import { exhaustive, runs } from '../settings.ts';
import { Client } from './client.ts';
import { Editor } from './editor.ts';
import { type Place, withDatabase } from './place.ts';
import { ReaderOfAll } from './reader.ts';
import type { Retelling } from './retelling.ts';
import { ServiceProcess } from './service-process.ts';
import { faultsAtRest, Stage } from './stage.ts';
import { emptyTally } from './tally.ts';
import { useMemoryFolder } from './workspace.ts';

const at = useMemoryFolder();
let place: Place;
let retelling: Retelling;
const seed = Math.floor(Math.random() * 2 ** 32);
const tally = emptyTally();
/** One for each service, of which each then has records that are its own alone. */
const editors = [1, 2].map((number) => new Editor(number, new Choices(seed + number), tally));
const readers = [3, 4].map((number) => new ReaderOfAll(new Choices(seed + number), tally.wrong));

let services: ServiceProcess[] = [];
let clients: Client[] = [];

beforeAll(async () => {
  const stage = await Stage.prepare(at('original'), siteDocuments);
  place = stage.copyTo(at('case'));
  retelling = await stage.retelling();
});
afterAll(async () => {
  for (const service of services) await service.kill();
});

async function start(...folders: string[]): Promise<void> {
  services = folders.map((out) => new ServiceProcess({ db: place.db, out }));
  clients = await Promise.all(services.map(async (service) => new Client(await service.address)));
}

async function stop(): Promise<void> {
  for (const service of services) expect(await service.stop(), service.complaints).toBe(0);
}

/** Lets an editor and a reader work with each service while something else is done. */
async function use(work: () => Promise<unknown>): Promise<void> {
  let stopped = false;
  const isStopped = () => stopped;
  const { acknowledged } = tally;
  const working = clients.flatMap((client, i) => [
    editors[i]!.work(client, isStopped),
    readers[i]!.read(client, isStopped, () => pause(5)),
  ]);
  await work().finally(() => {
    stopped = true;
  });
  await Promise.all(working);
  expect(tally.acknowledged).toBeGreaterThan(acknowledged);
}

/** Milliseconds in which the other service must show a write. */
const soon = 1000;

/** Each one's work is as acknowledged, as either service shows it. */
async function expectNothingLost(): Promise<void> {
  await pause(soon);
  for (const client of clients) for (const editor of editors) await editor.check(client);
  expect({ seed, ...tally }).toMatchObject({ seed, lost: [], wrong: [] });
}

async function expectAllWell(...folders: string[]): Promise<void> {
  await withDatabase(place, async (connection) => {
    expect(retelling.follow(connection)).toEqual([]);
    for (const out of folders) {
      await build(connection, out, { documents: siteDocuments });
      expect(await faultsAtRest(connection, out, siteDocuments)).toEqual([]);
    }
  });
}

describe('with one folder', () => {
  beforeAll(() => start(place.out, place.out));
  afterAll(async () => {
    await stop();
    await expectAllWell(place.out);
  });

  test('what one acknowledges, the other shows soon', async () => {
    await use(() => pause(500));
    await expectNothingLost();
  });

  test('they take turns on one record', async () => {
    for (let turn = 0; turn < runs(6); turn += 1) {
      const title = `Turn ${turn}`;
      const [one, other] = turn % 2 === 0 ? clients : clients.toReversed();
      expect((await one!.write('/api/movies/3', { title })).status).toBe(200);
      const shown = async () => JSON.parse((await other!.get('/api/movies/3')).body.toString()) as unknown;
      await expect.poll(shown, { timeout: soon, interval: 10 }).toMatchObject({ title });
    }
  });

  test('who has the ETag of an own write has not that of the other one', async () => {
    let told = 0;
    const write = async (client: Client, title: string) => {
      const { status, headers } = await client.write('/api/movies/3', { title });
      expect(status).toBe(200);
      const page = await client.get('/api/movies/3');
      if (headers.etag === undefined || headers.etag !== page.headers.etag) return;
      told += 1;
      expect(JSON.parse(page.body.toString())).toMatchObject({ title });
    };
    for (let round = 0; round < runs(25); round += 1)
      await Promise.all(clients.map((client, i) => write(client, `Round ${round}, service ${i}`)));
    expect(told).toBeGreaterThan(0);
  });

  test('one is killed in the middle of its work and starts again: the other goes on', async () => {
    for (let kill = 0; kill < runs(1); kill += 1) {
      await use(async () => {
        await pause(Math.random() * 200);
        await services[0]!.kill();
        services[0] = new ServiceProcess(place);
        clients[0] = new Client(await services[0].address);
      });
      await expectNothingLost();
    }
  });

  test.runIf(exhaustive)(
    'one is halted in the middle of its work: the other is never held up for good',
    async () => {
      for (let halt = 0; halt < 5; halt += 1) {
        await use(async () => {
          await pause(100 + Math.random() * 200);
          services[0]!.halt();
          const { acknowledged, refused } = tally;
          // It may have the folder to itself, for which the other waits so long each time.
          await pause(12_000);
          expect(tally.acknowledged + tally.refused).toBeGreaterThan(acknowledged + refused);
          services[0]!.goOn();
        });
        await expectNothingLost();
      }
    },
    120_000,
  );
});

describe('with a folder each', () => {
  const folders = () => [place.out, join(place.folder, 'other')];
  beforeAll(() => start(...folders()));

  test('each shows at once what it acknowledges, and all is well in the end', async () => {
    await use(() => pause(500));
    expect({ seed, ...tally }).toMatchObject({ seed, lost: [], wrong: [] });
    await stop();
    await expectAllWell(...folders());
  });
});
