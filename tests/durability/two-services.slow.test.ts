/**
 * The promise: two services may work on one database, into one folder or each into its own. What one acknowledges it shows at
 * once, the other within a second or so where they share the folder. Neither waits for ever for the other, dead or alive.
 */
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { build } from '../records/build.ts';
import { seeded } from '../records/seed.ts';
import { runs } from '../support/settings.ts';
import { useWorkspace } from '../support/temporary-folder.ts';
import { Crew } from './crew.ts';
import { type Client, faultsAtRest, Fixture, servedLayers, withDatabase } from '../support/workspace.ts';
import { ServiceProcess } from './service-process.ts';

const at = useWorkspace();
const fixture = await Fixture.prepare(at('original'), servedLayers);
const workspace = fixture.copyTo(at('case'));
const replay = await fixture.replay();
/** An editor for each service, with records of its own, and a reader. */
const crew = new Crew('two services', 2, 2);
const choices = seeded('two services, moments');
let services: ServiceProcess[] = [];
let clients: Client[] = [];

async function start(...folders: string[]): Promise<void> {
  services = folders.map((out) => new ServiceProcess({ db: workspace.db, out }));
  clients = await Promise.all(services.map((service) => service.client));
}

/** Stops the services, and expects that the database and the folders are right. */
async function stop(...folders: string[]): Promise<void> {
  for (const service of services) expect(await service.stop(), service.stderr).toBe(0);
  await withDatabase(workspace, async (connection) => {
    expect(replay.follow(connection)).toEqual([]);
    for (const out of folders) {
      await build(connection, out, { layers: servedLayers });
      expect(await faultsAtRest(connection, out, servedLayers)).toEqual([]);
    }
  });
}

/** The other service must show a write within this time. */
const maxDelayMs = 1000;

async function expectNothingLost(): Promise<void> {
  for (const client of clients)
    await expect.poll(() => client.isCurrent(), { timeout: 120_000, interval: 20 }).toBe(true);
  await pause(maxDelayMs);
  await crew.expectNothingLost(clients);
}

describe('with one folder', () => {
  beforeAll(() => start(workspace.out, workspace.out));
  afterAll(() => stop(workspace.out));

  test('what one acknowledges, the other shows soon, also of one record', async () => {
    await crew.work(clients, 10, 20);
    await expectNothingLost();
    for (let turn = 0; turn < runs(2); turn += 1) {
      const title = `Turn ${turn}`;
      const [one, other] = turn % 2 === 0 ? clients : clients.toReversed();
      expect((await one!.write('/api/movies/3', { title })).status).toBe(200);
      const shown = () => other!.read('/api/movies/3');
      await expect.poll(shown, { timeout: 10 * maxDelayMs, interval: 10 }).toMatchObject({ title });
    }
  });

  test('the ETag of an own write is never that of the write of the other service', async () => {
    let compared = 0;
    const write = async (client: Client, title: string) => {
      const { status, headers } = await client.write('/api/movies/3', { title });
      expect(status).toBe(200);
      const page = await client.get('/api/movies/3');
      if (headers.etag === undefined || headers.etag !== page.headers.etag) return;
      compared += 1;
      expect(JSON.parse(page.body.toString())).toMatchObject({ title });
    };
    for (let round = 0; round < runs(5); round += 1)
      await Promise.all(clients.map((client, i) => write(client, `Round ${round}, service ${i}`)));
    expect(compared).toBeGreaterThan(0);
  });

  test('one is killed at work and starts again: the other goes on', async () => {
    await crew.during(clients, async () => {
      await pause(choices.between(0, 200));
      await services[0]!.kill();
      await crew.reach(3);
      services[0] = new ServiceProcess(workspace);
      clients[0] = await services[0].client;
    });
    await expectNothingLost();
  });

  test('one is suspended at work: the other still answers its writes', async () => {
    await crew.during(clients, async () => {
      await pause(choices.between(100, 300));
      services[0]!.signal('SIGSTOP');
      const { acknowledged, refused } = crew.tally;
      // The suspended one may hold the folder, for which the other waits up to ten seconds.
      const answered = () => crew.tally.acknowledged + crew.tally.refused - acknowledged - refused;
      await expect.poll(answered, { timeout: 120_000, interval: 50 }).toBeGreaterThan(2);
      services[0]!.signal('SIGCONT');
    });
    await expectNothingLost();
  });
});

test('with a folder each, each shows at once what it acknowledges, and both folders are right in the end', async () => {
  const folders = [workspace.out, join(workspace.folder, 'other')];
  await start(...folders);
  await crew.work(clients, 10, 20);
  expect(crew.tally.faults).toEqual([]);
  await stop(...folders);
});
