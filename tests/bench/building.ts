/** What building costs: against writing the same files plainly, ten times the record against one, and when nothing changed. */
import { readdirSync, writeFileSync } from 'node:fs';
import { project } from './checkout.ts';
import { runNode, runTask } from './children.ts';
import { fastest, figure, median } from './figures.ts';
import { type Goal, type Row, row } from './table.ts';
import type { Workplace } from './workplace.ts';

/** MB. */
const maxMemory = 400;

/**
 * Full builds, in process and as a command, and plain writing of the files of each, in turns: each in a new process into a
 * new folder. The fastest round of each counts: other load on the machine and its disk only ever adds time.
 */
export async function fullBuildRows(workplace: Workplace, quick: boolean): Promise<Row[]> {
  const { database } = await workplace.main();
  const builds = {
    inProcess: (out: string) => runTask('build', { database, out }),
    command: async (out: string) => (await project.build(database, out, '--no-downloads')).elapsed,
  };
  const compiling: number[] = [];
  const rounds: Record<keyof typeof builds, Round[]> = { inProcess: [], command: [] };
  for (let round = 0; round < (quick ? 1 : 3); round += 1) {
    compiling.push(await runTask('compile', { database }));
    for (const name of ['inProcess', 'command'] as const)
      rounds[name].push(await measure(workplace, builds[name]));
  }
  const { elapsed, peakBytes } = await project.build(database, workplace.newPath('built'));
  const compared = (what: string, name: keyof typeof builds, taken?: readonly number[], goal?: Goal) =>
    row({
      what,
      ours: fastest(taken ?? rounds[name].map(({ building }) => building)),
      rival: `plain writing of its ${figure(rounds[name][0]!.files)} files`,
      theirs: fastest(rounds[name].map(({ writing }) => writing)),
      unit: 's',
      goal,
    });
  return [
    compared('full build, in process', 'inProcess', undefined, { maxRatio: 1.5 }),
    compared('full build without downloads, the whole command', 'command', undefined, { maxRatio: 1.5 }),
    compared('full build, the whole command (once)', 'command', [elapsed]),
    compared('full build into memory, nothing written', 'inProcess', compiling),
    row({
      what: 'full build, peak resident memory',
      ours: peakBytes,
      rival: 'limit',
      theirs: maxMemory * 1024 * 1024,
      unit: 'MB',
      goal: { max: maxMemory },
    }),
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
    const ours = await run(ten.database);
    const theirs = Math.min(before, await run(one.database));
    return row({ what, ours, rival: 'the same at scale 1', theirs, unit: 's', goal });
  };
  const build = (database: string) => runTask('build', { database, out: workplace.newPath('built') });
  return [
    await compared('full build at scale 10', build, { maxRatio: 12 }),
    await compared('… into memory, nothing written', (database) => runTask('compile', { database })),
  ];
}

/** The whole command when nothing changed, against Node doing nothing. */
export async function noChangeRows(workplace: Workplace, quick: boolean): Promise<Row[]> {
  const { database, tree } = await workplace.main();
  const out = await tree();
  const empty = workplace.newPath('empty.ts');
  writeFileSync(empty, '');
  const command: number[] = [];
  const node: number[] = [];
  const loader: number[] = [];
  for (let round = 0; round < (quick ? 3 : 9); round += 1) {
    const { elapsed, report } = await project.build(database, out);
    if (report.scope !== 'nothing') throw new Error(`not up to date: ${JSON.stringify(report)}`);
    command.push(elapsed);
    node.push((await runNode(['-e', '0'])).elapsed);
    loader.push((await runNode(['--import', 'tsx', empty])).elapsed);
  }
  const compared = (rival: string, theirs: readonly number[]) =>
    row({
      what: 'build with nothing changed, whole process',
      ours: median(command),
      rival,
      theirs: median(theirs),
      unit: 'ms',
      goal: { max: 300 },
    });
  return [compared('node -e 0', node), compared('node --import tsx, an empty file', loader)];
}
