/** A publish makes a folder live as a whole, sends what changed, and waits for the interval between deploys. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Connection, openDatabase } from '../../data/database/open.ts';
import { build } from '../records/build.ts';
import { fillWithTinyRecord } from '../records/tiny-record.ts';
import { readTree } from '../records/tree.ts';
import { useWorkspace } from '../support/temporary-folder.ts';
import { DeployApi } from '../support/deploy-api.ts';
import { historyFaults } from './history.ts';
import { publishToNetlify } from './stage.ts';

const at = useWorkspace();
let api: DeployApi;
let connection: Connection;
beforeAll(async () => {
  api = await DeployApi.start();
  connection = openDatabase(at('awards.db'));
  fillWithTinyRecord(connection);
});
afterAll(async () => {
  connection.close();
  await api.stop();
});

/** Builds the record with another title of a film. @returns its folder */
async function built(title: string): Promise<string> {
  connection.prepare('UPDATE movies SET title = ? WHERE id = 1').run(title);
  await build(connection, at('dist'), { layers: ['site', 'pages', 'lists'] });
  return at('dist');
}
const publish = (out: string, interval = 0) =>
  publishToNetlify({
    ...{ connection, out, project: at('project'), account: api.account, interval },
    retry: { timeLimitMs: 30_000 },
  });

test('a site shows the folder after each publish, which sends what changed; one that comes too early waits', async () => {
  const first = await publish(await built('One'));
  expect(await publish(at('dist'))).toMatchObject({ scope: 'nothing', uploaded: 0 });
  const second = await publish(await built('Two'));
  expect(second.uploaded).toBeLessThan(first.uploaded / 2);
  const [live, folder] = [api.live()!, readTree(at('dist'))];
  for (const path of ['manifest.json', 'api/movies/1.json', 'index.html'])
    expect([path, live.get(path)]).toEqual([path, folder.get(path)]);
  expect(historyFaults(live)).toEqual([]);
  // The interval ends after the time for a publish.
  const waits = /^waiting for the interval between deploys: the time limit of \d+ minutes is used up/;
  await expect(publish(await built('Three'), 60_000)).rejects.toThrow(waits);
  expect([api.deploys.size, api.offences]).toEqual([2, []]);
});
