/**
 * The promise: the service may be killed at any moment while clients write and read. Acknowledged writes are there after the
 * next start, every answer is whole, and the snapshot is that of a clean build. `npm run kills` kills it 1,000 times, which
 * takes about 15 minutes on two cores; AWARDS_KILLS sets another number.
 */
import { rmSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { runs } from '../support/settings.ts';
import { useMemoryFolder } from '../support/temporary-folder.ts';
import { seeded } from '../support/seed.ts';
import { Crew } from './crew.ts';
import { expectAtRestSoon, faultsBetween, Fixture, servedLayers } from './fixture.ts';
import { ServiceProcess } from './service-process.ts';
import { withDatabase } from './workspace.ts';

const at = useMemoryFolder();

const kills = Number(process.env.AWARDS_KILLS ?? runs(2));
/** A new record begins after so many kills, because a long one slows every check. */
const killsPerRecord = 25;
/** The kill comes after this many acknowledged writes at most, and this much later at most. */
const maxWrites = 12;
const maxDelayMs = 50;
/** The share of services killed during their start, and how long after the start at most. */
const killedAtStart = 0.1;
const maxStartMs = 400;

/** Uses one record, kills the service in every round, and starts it over what the kill left. */
async function killRepeatedly(fixture: Fixture, name: string, count: number): Promise<void> {
  const choices = seeded(name);
  const crew = new Crew(`${name}, crew`, 3, 2);
  const workspace = fixture.copyTo(at(name));
  const replay = await fixture.replay();
  const expectNoFaults = async () => {
    expect(await withDatabase(workspace, (connection) => replay.follow(connection))).toEqual([]);
    // Layers follow the snapshot.
    await expectAtRestSoon(workspace, servedLayers);
  };
  const start = async (service: ServiceProcess) => {
    const client = await service.client;
    // The service answers first, and catches up behind.
    await crew.expectNothingLost([client], false);
    await expect.poll(() => client.isCurrent(), { timeout: 30_000, interval: 20 }).toBe(true);
    await crew.expectNothingLost([client]);
    await expectNoFaults();
    return client;
  };
  const useAndKill = async (service: ServiceProcess) => {
    const client = await start(service);
    const target = crew.tally.acknowledged + choices.between(1, maxWrites);
    await crew.during([client], async () => {
      await expect
        .poll(() => crew.tally.acknowledged, { timeout: 30_000, interval: 5 })
        .toBeGreaterThanOrEqual(target);
      await pause(choices.between(0, maxDelayMs));
      await service.kill();
    });
  };
  for (let kill = 0; kill < count; kill += 1) {
    const service = new ServiceProcess(workspace);
    if (choices.chance(killedAtStart)) await pause(choices.between(0, maxStartMs));
    else await useAndKill(service);
    await service.kill();
    expect(service.stderr).toBe('');
    expect(faultsBetween(workspace.out)).toEqual([]);
  }
  const last = new ServiceProcess(workspace);
  await start(last);
  expect(await last.stop(), last.stderr).toBe(0);
  await expectNoFaults();
  expect(crew.tally).toMatchObject({ pending: 0, refused: 0, lost: [], wrong: [] });
  rmSync(at(name), { recursive: true });
}

test('a service that is killed again and again loses nothing that it acknowledged', async () => {
  const fixture = await Fixture.prepare(at('original'), servedLayers);
  let left = kills;
  const job = async () => {
    while (left > 0) {
      const count = Math.min(left, killsPerRecord);
      left -= count;
      await killRepeatedly(fixture, `kills ${left}`, count);
      if (kills > killsPerRecord) process.stdout.write(`${left} of ${kills} kills left\n`);
    }
  };
  // Two services at a time: one works while the other starts.
  await Promise.all([job(), job()]);
}, 3_600_000);
