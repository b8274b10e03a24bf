/**
 * The promise: the service may be killed at any moment while clients write and read. Acknowledged writes are there after the
 * next start, every answer is whole, and the snapshot is that of a clean build. `npm run kills` kills it 1,000 times, which
 * takes about 15 minutes on two cores; AWARDS_KILLS sets another number.
 */
import { rmSync } from 'node:fs';
import { expect, test } from 'vitest';
import { siteDocuments } from '../../build/snapshot/site-documents.ts';
import { runs } from '../settings.ts';
import { seeded } from '../support/seed.ts';
import { Fixture } from './fixture.ts';
import { KillRounds, noFindings } from './kill-rounds.ts';
import { useMemoryFolder } from '../support/memory-folder.ts';

const at = useMemoryFolder();

const kills = Number(process.env.AWARDS_KILLS ?? runs(3));
/** A new record begins after so many kills, because a long one slows every check. */
const killsPerRecord = 25;

test('a service that is killed again and again loses nothing that it acknowledged', async () => {
  const findings = noFindings();
  const fixture = await Fixture.prepare(at('original'), siteDocuments);
  let left = kills;
  const job = async (name: string) => {
    const choices = seeded(`kills ${name}`);
    while (left > 0) {
      const count = Math.min(left, killsPerRecord);
      left -= count;
      const rounds = await KillRounds.begin(fixture, at(name), choices, findings);
      for (let round = 0; round < count; round += 1) await rounds.round();
      await rounds.end();
      rmSync(at(name), { recursive: true });
      if (kills > killsPerRecord) process.stdout.write(`${findings.kills} of ${kills} kills\n`);
    }
  };
  // Two services at a time: each waits for the other's process to start.
  await Promise.all([job('one'), job('two')]);
  const { acknowledged, answers, ...found } = findings;
  expect(found).toEqual({ kills, pending: 0, refused: 0, lost: [], wrong: [], differences: [] });
  expect(acknowledged).toBeGreaterThan(0);
  expect(answers).toBeGreaterThan(0);
}, 3_600_000);
