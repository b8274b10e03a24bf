/**
 * Kills the service as often as wanted while it is written to and read from, and counts what is lost:
 * npm run kills -- [--count 1000] [--seed S] [--jobs 2] [--folder DIR]
 *
 * Verifies the whole snapshot and the whole record after every kill. 1,000 kills take about 15 minutes on two cores that have
 * nothing else to do; nearly all of it is the service starting. Exit code 1 if anything was lost or differed.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { siteDocuments } from '../../build/snapshot/site-documents.ts';
import { Choices } from '../bench/random.ts';
import { KillRounds, nothingFound } from './kill-rounds.ts';
import { Stage } from './stage.ts';

/** Kills of one record, before another begins from the beginning: it should not grow for ever. */
const killsPerRecord = 25;
/** Kills between two words about them. */
const toldEvery = 50;

const { values } = parseArgs({
  options: {
    count: { type: 'string', default: '1000' },
    seed: { type: 'string', default: String(Math.floor(Math.random() * 2 ** 32)) },
    jobs: { type: 'string', default: '2' },
    folder: { type: 'string', default: tmpdir() },
  },
});
const [count, seed, jobs] = [Number(values.count), Number(values.seed), Number(values.jobs)];
const chance = new Choices(seed);
const findings = nothingFound();
const folder = mkdtempSync(join(values.folder, 'awards-kills-'));
const stage = await Stage.prepare(join(folder, 'original'), siteDocuments);
const say = (line: string) => process.stdout.write(`${line}\n`);
let left = count;
let told = 0;

function summary(): string {
  const { kills, acknowledged, answers, lost, wrong, differences } = findings;
  return (
    `${kills} kills, ${acknowledged} acknowledged writes, ${answers} answers read: ` +
    `${lost.length} lost, ${differences.length} differences, ${wrong.length} wrong answers`
  );
}

/** Kills until none are left. */
async function killOneAfterAnother(place: string): Promise<void> {
  while (left > 0) {
    const kills = Math.min(left, killsPerRecord);
    left -= kills;
    const rounds = await KillRounds.begin(stage, place, chance.between(0, 2 ** 32 - 1), findings);
    for (let kill = 0; kill < kills; kill += 1) {
      await rounds.round();
      if (findings.kills < told + toldEvery) continue;
      told = findings.kills;
      say(summary());
    }
    await rounds.end();
    rmSync(place, { recursive: true });
  }
}

say(`${count} kills from seed ${seed}, ${jobs} services at a time, in ${folder}`);
const began = performance.now();
await Promise.all(Array.from({ length: jobs }, (_, job) => killOneAfterAnother(join(folder, `job-${job}`))));
rmSync(folder, { recursive: true });
const found = [...findings.lost, ...findings.differences, ...findings.wrong];
for (const line of found.slice(0, 100)) say(line);
say(`${summary()}; seed ${seed}, ${((performance.now() - began) / 60_000).toFixed(1)} minutes`);
if (found.length > 0) process.exitCode = 1;
