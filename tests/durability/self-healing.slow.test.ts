/**
 * The promise: files of the output folder can be damaged while the service runs or is stopped, and no answer of the API has
 * wrong bytes: it is right or 503. A shard that a GET meets is repaired at once, all other files at the next check.
 */
import { copyFileSync, cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, inject, test } from 'vitest';
import { type LayerName, layerNames } from '../../api/contract/layers.ts';
import type { BuildReport } from '../../api/write/writer-thread.ts';
import { openWriting } from '../../api/write/writing.ts';
import { LayerUpdater } from '../../build/derived/updater.ts';
import { readTree } from '../records/tree.ts';
import { build } from '../records/build.ts';
import { seeded } from '../records/seed.ts';
import { runs } from '../support/settings.ts';
import { useWorkspace } from '../support/temporary-folder.ts';
import { withDatabase, workspaceIn } from '../support/workspace.ts';
import { damagedPaths, Vandal } from '../support/folder-damage.ts';
import { ServiceProcess } from './service-process.ts';

const at = useWorkspace();
const workspace = workspaceIn(at('case'));
const { db, out } = workspace;
const buildAll = () =>
  withDatabase(workspace, (connection) =>
    build(connection, out, { layers: layerNames, timeoutMs: 60_000, retentionMs: undefined }),
  );
mkdirSync(workspace.folder);
copyFileSync(inject('sample').db, db);
cpSync(inject('sample').out, out, { recursive: true });
// The database knows its snapshots by their folders.
await withDatabase(workspace, (connection) => connection.prepare('UPDATE builds SET out = ?').run(out));
const clean = readTree(out);
const vandal = new Vandal(out, clean);

const lists = ['nominations', 'search', 'movies', 'nominees', 'categories', 'stats/top-movies'];

test('no answer is wrong, and what a GET meets is repaired', async () => {
  let service = new ServiceProcess(workspace, []);
  let client = await service.client;
  const right = new Map<string, Buffer>();
  for (const list of lists)
    for (const year of [1931, 1977, 2020]) {
      const address = `/api/${list}?year=${year}${list === 'search' ? '&q=the' : ''}`;
      right.set(address, (await client.get(address)).body);
    }
  for (let round = 0; round < runs(5); round += 1) {
    const choices = seeded(`damage ${round}`);
    const isStopped = choices.chance(0.25);
    if (isStopped) await service.kill();
    const done = vandal.damageAtRandom(choices);
    if (isStopped) {
      service = new ServiceProcess(workspace, []);
      client = await service.client;
    }
    for (const [address, body] of choices.picks([...right], 6)) {
      const ask = async () => {
        const answer = await client.get(address);
        if (answer.status === 503) return Number(answer.headers['retry-after']) > 0 ? 'later' : 'no time';
        return answer.status === 200 && answer.body.equals(body)
          ? 'right'
          : `${answer.status} ${answer.body}`;
      };
      const what = `${address} after ${done.join(', ')}: ${service.stderr}`;
      for (let answer = await ask(); answer !== 'right'; answer = await ask()) {
        expect(answer, what).toBe('later');
        await pause(25);
      }
    }
    // What no GET met: files that are in memory, or not public.
    await buildAll();
    expect(damagedPaths(out, clean)).toEqual([]);
  }
  await service.kill();
  // Damage that the next start finds for certain.
  const [shard] = [...clean.keys()].filter((path) => path.startsWith('shards/'));
  writeFileSync(join(out, shard!), 'damaged');
  service = new ServiceProcess(workspace, []);
  client = await service.client;
  while (!/"level":"warn".*"msg":"repaired: .+ missing or damaged/.test(service.stderr)) await pause(25);
  await service.kill();
});

test('damage that no GET meets is repaired', async () => {
  const onError = () => {};
  const repairs: string[] = [];
  const onRepair = (repair: string) => void repairs.push(repair);
  const onBuild = ({ repair }: BuildReport) => void (repair === undefined || onRepair(repair));
  const updater = new LayerUpdater(out, { layers: layerNames, onError, onRepair });
  const onDamage = (layer: LayerName) => updater.repair(layer);
  const events = { onError, onBuild, onDamage };
  const writing = await openWriting({ db, out, writeLimit: 0, checkIntervalMs: 1000, ...events });
  // The update of the start makes a lost index, too, and calls it no repair.
  await updater.bringUpToDate();
  for (let round = 0; round < runs(2); round += 1) {
    expect(vandal.damageAtRandom(seeded(`unasked ${round}`))).not.toEqual([]);
    await expect.poll(() => damagedPaths(out, clean), { timeout: 60_000, interval: 100 }).toEqual([]);
    await expect.poll(() => repairs.splice(0), { timeout: 60_000 }).not.toEqual([]);
  }
  await writing.close();
  await updater.close();
});
