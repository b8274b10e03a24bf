/**
 * The promise: a change by any program shows within a second, and pages and downloads follow. After a kill, the service answers
 * from the folder at once, and then brings the folder up to date. The limits here are generous.
 */
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { layerNames } from '../../api/contract/layers.ts';
import { useWorkspace } from '../support/temporary-folder.ts';
import { expectAtRestSoon, Fixture, withDatabase } from '../support/workspace.ts';
import { ServiceProcess } from './service-process.ts';

const at = useWorkspace();
const fixture = await Fixture.prepare(at('original'), layerNames);

const poll = (read: () => Promise<unknown>) => expect.poll(read, { timeout: 120_000, interval: 20 });

const outdating = "UPDATE builds SET fingerprint = 'of another program'";

test('a service shows a change by another program, and its layers follow, also after a kill', async () => {
  const workspace = fixture.copyTo(at('case'));
  let service = new ServiceProcess(workspace, []);
  let client = await service.client;
  const shown = () => client.read('/api/movies/1');
  const edit = (title: string, sql = '') =>
    withDatabase(workspace, (connection) =>
      connection.exec(`UPDATE movies SET title = '${title}' WHERE id = 1; ${sql}`),
    );
  /** Expects pages and downloads of the current snapshot that show a title. */
  const expectShown = async (title: string, ...addresses: string[]) => {
    await poll(shown).toMatchObject({ title });
    for (const address of addresses)
      await poll(async () => {
        const { headers, body } = await client.get(address);
        const { snapshot } = await client.read('/manifest.json');
        return [headers.snapshot === snapshot, body.includes(title)];
      }).toEqual([true, true]);
    const { status, headers } = await client.write('/api/movies/1', { runtime: title.length });
    expect([status, headers['snapshot-pending']]).toEqual([200, undefined]);
    expect(await shown()).toMatchObject({ title, runtime: title.length });
  };
  const page = '/pages/api/movies/1.json';
  await edit('It runs');
  await expectShown('It runs', page);

  const titles = ['It runs'];
  for (const title of ['Killed', 'Killed, the program changed', 'Killed and damaged']) {
    const isDamaged = title.endsWith('damaged');
    await service.kill();
    await edit(title, title.endsWith('changed') ? outdating : '');
    if (isDamaged) {
      rmSync(join(workspace.out, 'shards/titles'), { recursive: true });
      writeFileSync(join(workspace.out, 'shards/titles'), '');
    }
    service = new ServiceProcess(workspace, []);
    client = await service.client;
    // A damaged snapshot cannot be answered from: it is built first.
    expect(isDamaged ? [title] : [titles.at(-1), title]).toContain((await shown()).title);
    titles.push(title);
    // Layers that are behind at the start are updated at once.
    await expectShown(title, page, '/downloads/movies.ndjson');
  }
  await expectAtRestSoon(workspace, layerNames);
  await service.kill();
});
