/**
 * The promise: a change by any program shows within a second, and pages and downloads follow. After a kill, the service answers
 * from the folder at once, and then brings the folder up to date. Limits here are generous; `npm run bench` measures.
 */
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { layerNames } from '../../api/contract/layers.ts';
import { useMemoryFolder } from '../support/temporary-folder.ts';
import { type Client, expectAtRestSoon, Fixture, withDatabase } from './fixture.ts';
import { ServiceProcess } from './service-process.ts';

const at = useMemoryFolder();
const fixture = await Fixture.prepare(at('original'), layerNames);

const poll = (read: () => Promise<unknown>) => expect.poll(read, { timeout: 30_000, interval: 20 });

/** Expects pages and downloads of the current snapshot that show a title. */
async function expectInLayers(client: Client, title: string): Promise<void> {
  for (const address of ['/pages/api/movies/1.json', '/downloads/movies.ndjson'])
    await poll(async () => {
      const { headers, body } = await client.get(address);
      const { snapshot } = await client.read('/manifest.json');
      return [headers.snapshot === snapshot, body.includes(title)];
    }).toEqual([true, true]);
}

const renaming = "UPDATE movies SET title = 'Meanwhile' WHERE id = 1";
const outdating = "UPDATE builds SET fingerprint = 'of another program'";
const isDamaged = 'it was killed, and the snapshot is damaged';

test.each<[what: string, sql: string]>([
  ['it runs', renaming],
  ['it was killed', renaming],
  ['it was killed, and the program changed', `${renaming}; ${outdating}`],
  [isDamaged, renaming],
])('a service shows a change by another program, and its layers follow: %s', async (what, sql) => {
  const workspace = fixture.copyTo(at(what));
  let service = new ServiceProcess(workspace, []);
  let client = await service.client;
  expect((await client.write('/api/movies/1', { title: 'Before' })).status).toBe(200);
  if (what !== 'it runs') await service.kill();
  await withDatabase(workspace, (connection) => connection.exec(sql));
  if (what === isDamaged) {
    rmSync(join(workspace.out, 'shards/titles'), { recursive: true });
    writeFileSync(join(workspace.out, 'shards/titles'), '');
  }
  if (what !== 'it runs') {
    service = new ServiceProcess(workspace, []);
    client = await service.client;
    // A damaged snapshot cannot be answered from: it is built first.
    const { title } = await client.read('/api/movies/1');
    expect(what === isDamaged ? ['Meanwhile'] : ['Before', 'Meanwhile']).toContain(title);
  }
  await poll(() => client.read('/api/movies/1')).toMatchObject({ title: 'Meanwhile' });
  const { status, headers } = await client.write('/api/movies/1', { runtime: 99 });
  expect([status, headers['snapshot-pending']]).toEqual([200, undefined]);
  expect(await client.read('/api/movies/1')).toMatchObject({ title: 'Meanwhile', runtime: 99 });
  await expectInLayers(client, 'Meanwhile');
  await expectAtRestSoon(workspace, layerNames);
  await service.kill();
});
