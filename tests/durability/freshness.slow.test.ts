/**
 * The promise: a change by any program shows within a second, and pages and downloads follow within seconds. After a kill, the
 * service answers from the folder at once, and then brings the folder up to date. Limits here are generous; `npm run bench
 * -- --only restart` and `--only burst` measure.
 */
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { layerNames } from '../../api/contract/layers.ts';
import { useMemoryFolder } from '../support/temporary-folder.ts';
import type { Client } from './client.ts';
import { Fixture, faultsAtRest } from './fixture.ts';
import { ServiceProcess } from './service-process.ts';
import { type Workspace, withDatabase } from './workspace.ts';

const at = useMemoryFolder();
const fixture = await Fixture.prepare(at('original'), layerNames);
let workspace: Workspace;
let service: ServiceProcess;
let count = 0;
beforeEach(() => {
  count += 1;
  workspace = fixture.copyTo(at(`case ${count}`));
});
afterEach(() => service.kill());

function start(): Promise<Client> {
  service = new ServiceProcess(workspace, []);
  return service.client;
}

/** Changes the database as the sqlite3 shell does: with a connection of another program. */
function change(sql: string): void {
  const other = new Database(workspace.db);
  other.exec(sql);
  other.close();
}

const rename = (title: string) => change(`UPDATE movies SET title = '${title}' WHERE id = 1`);

const poll = (read: () => Promise<unknown>) => expect.poll(read, { timeout: 30_000, interval: 20 });
const expectShown = (client: Client, title: string) =>
  poll(() => client.read('/api/movies/1')).toMatchObject({ title });

/** Expects pages and downloads of the current snapshot that show a title. */
async function expectInLayers(client: Client, title: string): Promise<void> {
  for (const address of ['/pages/api/movies/1.json', '/downloads/movies.ndjson'])
    await poll(async () => {
      const { headers, body } = await client.get(address);
      const { snapshot } = await client.read('/manifest.json');
      return [headers.snapshot === snapshot, body.includes(title)];
    }).toEqual([true, true]);
}

const expectWhole = () =>
  poll(() =>
    withDatabase(workspace, (connection) => faultsAtRest(connection, workspace.out, layerNames)),
  ).toEqual([]);

test('a running service shows what another program changes, and its layers follow', async () => {
  const client = await start();
  for (const title of ['By hand', 'By hand again']) {
    rename(title);
    await expectShown(client, title);
    await expectInLayers(client, title);
  }
  await expectWhole();
});

describe('a service that was killed, and starts again', () => {
  const outdate = "UPDATE builds SET fingerprint = 'of another program'";
  const emptyShards = () => {
    rmSync(join(workspace.out, 'shards/titles'), { recursive: true });
    writeFileSync(join(workspace.out, 'shards/titles'), '');
  };

  test.each<[string, () => void]>([
    ['one change', () => rename('Meanwhile')],
    ['everything, because the program changed', () => [rename('Meanwhile'), change(outdate)]],
    ['a damaged snapshot', () => [rename('Meanwhile'), emptyShards()]],
  ])('answers at once, and catches up with %s', async (what, harm) => {
    const before = await start();
    expect((await before.write('/api/movies/1', { title: 'Before the kill' })).status).toBe(200);
    await service.kill();
    harm();
    const client = await start();
    const first = await client.get('/api/movies/1');
    expect(first.status).toBe(200);
    const shown = JSON.parse(first.body.toString()) as { title: string };
    // A damaged snapshot cannot be answered from: it is built first.
    expect(what === 'a damaged snapshot' ? ['Meanwhile'] : ['Before the kill', 'Meanwhile']).toContain(
      shown.title,
    );
    const { status, headers } = await client.write('/api/movies/1', { runtime: 99 });
    expect([status, headers['snapshot-pending']]).toEqual([200, undefined]);
    expect(await client.read('/api/movies/1')).toMatchObject({ title: 'Meanwhile', runtime: 99 });
    await expectInLayers(client, 'Meanwhile');
    await expectWhole();
  });
});
