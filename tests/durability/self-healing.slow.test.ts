/**
 * The promise: files of the output folder can be damaged while the service runs, and no answer of the API has wrong bytes. A
 * shard that a GET meets is repaired at once, all other files within a minute. AWARDS_DAMAGES=1000 damages the folder 1,000 times, which takes
 * about half an hour on two cores, and prints how long the repairs took.
 */
import { copyFileSync, cpSync, mkdirSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, inject, test } from 'vitest';
import { layerNames } from '../../api/contract/layers.ts';
import { openWriting } from '../../api/write/writing.ts';
import { LayerUpdater } from '../../build/derived/updater.ts';
import { figure, median } from '../bench/figures.ts';
import { runs } from '../support/settings.ts';
import { build } from '../support/build.ts';
import { useMemoryFolder } from '../support/temporary-folder.ts';
import { seeded } from '../support/seed.ts';
import type { Client } from './client.ts';
import { damagedPaths, Vandal } from './folder-damage.ts';
import { askUntilRight, RightAnswers } from './right-answers.ts';
import { ServiceProcess } from './service-process.ts';
import { withDatabase, workspaceIn } from './workspace.ts';

const isMeasured = process.env.AWARDS_DAMAGES !== undefined;
const damages = Number(process.env.AWARDS_DAMAGES ?? runs(32));
/** The share of damages that come while the service is stopped. */
const whileStopped = 0.25;
/** Lists asked for after each damage. */
const lists = 6;

const at = useMemoryFolder();
const workspace = workspaceIn(at('case'));
let service: ServiceProcess;
let client: Client;

mkdirSync(workspace.folder);
copyFileSync(inject('sample').db, workspace.db);
await withDatabase(workspace, (connection) => build(connection, workspace.out, { layers: layerNames }));
cpSync(workspace.out, at('clean'), { recursive: true });
const right = new RightAnswers(at('clean'));
const vandal = new Vandal(workspace.out, right.tree);

async function start(): Promise<void> {
  service = new ServiceProcess(workspace, []);
  client = await service.client;
}

const damaged = () => damagedPaths(workspace.out, right.tree);
const expectRepairedWithin = (timeout: number) =>
  expect.poll(damaged, { timeout, interval: 100 }).toEqual([]);

/** @returns milliseconds until the repair; undefined if no GET met the damage */
async function damageAndAsk(round: number): Promise<number | undefined> {
  const choices = seeded(`damage ${round}`);
  const isStopped = choices.chance(whileStopped);
  if (isStopped) await service.kill();
  const done = vandal.damageAtRandom(choices);
  if (isStopped) await start();
  try {
    const asked = await right.lists(lists, choices);
    const elapsed = await askUntilRight(client, asked);
    // What no GET met: files that are in memory, or not public.
    await withDatabase(workspace, (connection) =>
      build(connection, workspace.out, { layers: layerNames, timeoutMs: 60_000, retentionMs: undefined }),
    );
    expect(damaged()).toEqual([]);
    return asked.some(({ wasRefused }) => wasRefused) ? elapsed : undefined;
  } catch (error) {
    const log = service.stderr.slice(-2000);
    throw new Error(`round ${round}: ${done.join(', ')}\n${log}`, { cause: error });
  }
}

test(`no answer is wrong, and what a GET meets is repaired: ${damages} damages`, async () => {
  const taken: (number | undefined)[] = [];
  await start();
  for (let round = 0; round < damages; round += 1) taken.push(await damageAndAsk(round));
  await service.kill();
  report('repaired after the first GET that met it', taken);
}, 3_600_000);

function report(what: string, taken: readonly (number | undefined)[]): void {
  const known = taken.filter((value) => value !== undefined);
  const [middle, longest] = [median(known), Math.max(...known)].map((value) => figure(value / 1000));
  if (isMeasured)
    process.stdout.write(`${what}: ${known.length} times, median ${middle} s, longest ${longest} s\n`);
}

test('damage that no GET meets is repaired', async () => {
  const errors: unknown[] = [];
  const onError = (error: unknown) => errors.push(error);
  const { db, out } = workspace;
  const writing = await openWriting({ db, out, writeLimit: 0, checkIntervalMs: 1000, onError });
  const updater = new LayerUpdater(out, { layers: layerNames, checkIntervalMs: 1000, onError });
  try {
    for (let round = 0; round < runs(4); round += 1) {
      const done = vandal.damageAtRandom(seeded(`unasked ${round}`));
      await expectRepairedWithin(60_000);
      expect(done).not.toEqual([]);
    }
  } finally {
    await writing.close();
    await updater.close();
  }
}, 600_000);

test.runIf(isMeasured)(
  '… within a minute, as the service is set',
  async () => {
    const taken: number[] = [];
    await start();
    for (let round = 0; round < damages / 100; round += 1) {
      const choices = seeded(`unasked for a minute ${round}`);
      await pause(choices.between(0, 20_000));
      vandal.damageAtRandom(choices);
      const began = performance.now();
      await expectRepairedWithin(120_000);
      taken.push(performance.now() - began);
    }
    await service.kill();
    report('repaired unasked', taken);
  },
  3_600_000,
);
