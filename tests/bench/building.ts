/** What building costs: against writing the same files plainly, ten times the record against one, and when nothing changed. */
import { writeFileSync } from 'node:fs';
import type { BuildResult } from './child-build.ts';
import type { WriteResult } from './child-write.ts';
import { runAwards, runNode, runScript } from './children.ts';
import { fastest, figure, median, milliseconds, seconds } from './figures.ts';
import type { Row } from './table.ts';
import type { Workplace } from './workplace.ts';

/** A full build of a database into a new folder, in a process of its own. */
export const buildOnce = (database: string, out: string) =>
  runScript<BuildResult>('child-build.ts', { database, out });
/** The same into memory. */
export const compileOnce = (database: string) => runScript<WriteResult>('child-write.ts', { database });
const writeOnce = (workplace: Workplace, database: string) =>
  runScript<WriteResult>('child-write.ts', { database, out: workplace.newPath('written') });

/**
 * Full builds and plain writes in turn, each in a fresh process into a new folder. The fastest round of each counts: whatever
 * else the machine and its disk have to do only ever adds time.
 */
export async function fullBuildRows(workplace: Workplace, rounds: number): Promise<Row[]> {
  const { database } = await workplace.main();
  const builds: BuildResult[] = [];
  const writes: WriteResult[] = [];
  for (let round = 0; round < rounds; round += 1) {
    builds.push(await buildOnce(database, workplace.newPath('built')));
    writes.push(await writeOnce(workplace, database));
  }
  // Once is enough to see its memory, and every tree takes its time to remove.
  const command = await runAwards(['build', '--db', database, '--out', workplace.newPath('built')]);
  const build = fastest(builds.map((it) => it.elapsed));
  const write = fastest(writes.map((it) => it.writing));
  const compile = fastest(writes.map((it) => it.compiling));
  const peak = command.peakBytes / 1024 / 1024;
  const plainly = `plain writing of its ${figure(writes[0]!.files)} files`;
  const against = (what: string, ours: number, limit?: number): Row => ({
    what,
    ours: seconds(ours),
    rival: plainly,
    figure: seconds(write),
    ratio: ours / write,
    goal: limit === undefined ? '' : `≤ ${limit} ×`,
    met: limit === undefined ? undefined : ours / write <= limit,
  });
  return [
    against('full build, in process', build, 1.5),
    against('full build, the whole command (once)', command.elapsed),
    against('full build into memory, nothing written', compile),
    {
      what: 'full build, peak resident memory',
      ours: `${figure(peak)} MB`,
      rival: 'limit',
      figure: '400 MB',
      ratio: peak / 400,
      goal: '≤ 400 MB',
      met: peak <= 400,
    },
  ];
}

/** The generated record at scale 10 against scale 1. */
export async function scaleRows(workplace: Workplace): Promise<Row[]> {
  const [one, ten] = [await workplace.generated(1), await workplace.generated(10)];
  const small = [await buildOnce(one.database, workplace.newPath('built'))];
  const large = await buildOnce(ten.database, workplace.newPath('built'));
  small.push(await buildOnce(one.database, workplace.newPath('built')));
  const smallMemory = [await compileOnce(one.database)];
  const largeMemory = await compileOnce(ten.database);
  smallMemory.push(await compileOnce(one.database));
  const row = (what: string, own: number, other: number, limit?: number): Row => ({
    what,
    ours: seconds(own),
    rival: 'the same at scale 1',
    figure: seconds(other),
    ratio: own / other,
    goal: limit === undefined ? '' : `≤ ${limit} ×`,
    met: limit === undefined ? undefined : own / other <= limit,
  });
  return [
    row('full build at scale 10', large.elapsed, fastest(small.map((it) => it.elapsed)), 12),
    row(
      '… into memory, nothing written',
      largeMemory.compiling,
      fastest(smallMemory.map((it) => it.compiling)),
    ),
  ];
}

/** The whole command when nothing changed, against Node doing nothing. */
export async function noChangeRows(workplace: Workplace, rounds: number): Promise<Row[]> {
  const { database, tree } = await workplace.main();
  const out = await tree();
  const empty = workplace.newPath('empty.ts');
  writeFileSync(empty, '');
  const command: number[] = [];
  const node: number[] = [];
  const loader: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const finished = await runAwards(['build', '--json', '--db', database, '--out', out]);
    if (!finished.stdout.includes('"scope":"nothing"')) throw new Error(`not up to date: ${finished.stdout}`);
    command.push(finished.elapsed);
    node.push((await runNode(['-e', '0'])).elapsed);
    loader.push((await runNode(['--import', 'tsx', empty])).elapsed);
  }
  const own = median(command);
  const row = (rival: string, other: number): Row => ({
    what: 'build with nothing changed, whole process',
    ours: milliseconds(own),
    rival,
    figure: milliseconds(other),
    ratio: own / other,
    goal: '≤ 300 ms',
    met: own <= 300,
  });
  return [row('node -e 0', median(node)), row('node --import tsx, an empty file', median(loader))];
}
