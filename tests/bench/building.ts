/** What building costs: against writing the same files plainly, and ten times the record against one. */
import { readdirSync } from 'node:fs';
import { project } from './checkout.ts';
import { runTask } from './children.ts';
import { fastest, figure } from './figures.ts';
import { comparedWith, type Goal, type Row } from './table.ts';
import type { Workplace } from './workplace.ts';

/** Bytes of resident memory. */
const maxMemory = 400 * 1024 * 1024;

/**
 * Full builds, in process and as a command, and plain writing of the files of each, in turns: each in a new process into a
 * new folder. The fastest round of each counts: other load on the machine and its disk only ever adds time.
 */
export async function fullBuildRows(workplace: Workplace, quick: boolean): Promise<Row[]> {
  const { database } = await workplace.main();
  const { peakBytes } = await project.build(database, workplace.newPath('built'));
  const inProcess: Round[] = [];
  const command: Round[] = [];
  for (let round = 0; round < (quick ? 1 : 3); round += 1) {
    inProcess.push(await measure(workplace, (out) => runTask('build', { database, out })));
    const build = (out: string) => project.build(database, out, '--no-downloads');
    command.push(await measure(workplace, async (out) => (await build(out)).elapsed));
  }
  const compared = (what: string, rounds: readonly Round[], taken: readonly number[], goal: Goal) => {
    const plainly = `plain writing of its ${figure(rounds[0]!.files)} files`;
    const writing = fastest(rounds.map((round) => round.writing));
    return comparedWith(plainly, 's')(what, fastest(taken), writing, goal);
  };
  const building = (rounds: readonly Round[]) => rounds.map((round) => round.building);
  const goal = { maxRatio: 1.5 };
  return [
    compared('full build, in process', inProcess, building(inProcess), goal),
    compared('full build without downloads, the whole command', command, building(command), goal),
    comparedWith('limit', 'MB')('full build, peak resident memory', peakBytes, maxMemory, { max: 400 }),
  ];
}

/** Milliseconds. */
interface Round {
  building: number;
  writing: number;
  files: number;
}

/** Builds into a new folder, and then writes the very same files plainly into another one. */
async function measure(workplace: Workplace, build: (out: string) => Promise<number>): Promise<Round> {
  const out = workplace.newPath('built');
  const building = await build(out);
  const writing = await runTask('write', { from: out, to: workplace.newPath('written') });
  const entries = readdirSync(out, { recursive: true, withFileTypes: true });
  return { building, writing, files: entries.filter((entry) => entry.isFile()).length };
}

/** The generated record at scale 10 against the faster of two rounds at scale 1. */
export async function scaleRows(workplace: Workplace): Promise<Row[]> {
  const [one, ten] = [await workplace.generated(1), await workplace.generated(10)];
  const compared = async (what: string, run: (database: string) => Promise<number>, goal?: Goal) => {
    const before = await run(one.database);
    const large = await run(ten.database);
    const small = Math.min(before, await run(one.database));
    return comparedWith('the same at scale 1', 's')(what, large, small, goal);
  };
  const build = (database: string) => runTask('build', { database, out: workplace.newPath('built') });
  return [
    await compared('full build at scale 10', build, { maxRatio: 12 }),
    await compared('… into memory, nothing written', (database) => runTask('compile', { database })),
  ];
}
