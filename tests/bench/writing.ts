/**
 * What writing costs: from the request of a change to its answer, which comes when the change is durable and the snapshot
 * shows it; then many editors at once, with readers; and that the folder is right after all of it.
 */
import { buildOnce, compileOnce } from './building.ts';
import { startServer } from './children.ts';
import { Editor, type Made, SqlEditor } from './editor.ts';
import { drawEdits, type Edit, type SingleEdit } from './edits.ts';
import { count, fastest, figure, median, milliseconds, percentile, seconds } from './figures.ts';
import { replaceFiles } from './replacing.ts';
import { makeSqlDatabase } from './sql-database.ts';
import type { Row } from './table.ts';
import type { Workplace, World } from './workplace.ts';
import { loadRows } from './writing-load.ts';
import { startWritingService, type WritingService } from './writing-service.ts';

export interface WritingEffort {
  /** Changes of each kind that count. */
  edits: number;
  /** Full builds, of which the fastest counts. */
  builds: number;
  /** How long editors and readers are at work at once. */
  seconds: number;
  /** Leaves out the record ten times as large. */
  quick: boolean;
}

/** Changes made before any counts, and in a row on one side before the other has its turn. */
const rehearsals = 40;
const turn = 20;

/** Milliseconds in the median and at the 95th percentile. */
const goal = { median: 30, worst: 80 };
/** How many times as long a full build must take, and how many times as long it may all take at scale 10. */
const leastGain = 50;
const mostGrowth = 2;

/** Milliseconds that changes took on each side. */
interface Taken {
  ours: number[];
  /** Only to replace the files that were written for them. */
  replacing: number[];
  sql: number[];
  /** Files written for a change, in the mean. */
  files: number;
}

export async function writingRows(workplace: Workplace, effort: WritingEffort): Promise<Row[]> {
  const main = await workplace.main();
  const build = await fullBuilds(workplace, main, effort.builds);
  const sqlFile = workplace.newPath('alternative.db');
  makeSqlDatabase(main.database, sqlFile);
  const service = await startWritingService(workplace, main);
  const sql = await startServer('sql-service.ts', { file: sqlFile });
  const rows: Row[] = [];
  try {
    const sides = { editor: new Editor(service), sql: new SqlEditor(sql), replaced: build.out };
    const titles = await takeTurns('title', main, sides, effort.edits);
    const winners = await takeTurns('winner', main, { ...sides, sql: undefined }, effort.edits);
    rows.push(...editRows("a film's title", titles, build), priceRow(titles));
    rows.push(...editRows("a nomination's winner flag", winners, build));
    rows.push(...(await loadRows(service, main, effort.seconds)));
  } finally {
    for (const server of [service, sql]) await server.stop();
  }
  rows.push(await verifiedRow(service, main));
  if (!effort.quick) rows.push(...(await growthRows(workplace, effort.edits)));
  return rows;
}

/** Milliseconds, the fastest of some rounds. */
interface FullBuilds {
  /** Into a new folder. */
  building: number;
  /** Into memory: what is left of it where the disk costs nothing. */
  compiling: number;
  /** One of the folders. */
  out: string;
}

async function fullBuilds(workplace: Workplace, { database }: World, rounds: number): Promise<FullBuilds> {
  const building: number[] = [];
  const compiling: number[] = [];
  let out = '';
  for (let round = 0; round < rounds; round += 1) {
    out = workplace.newPath('built');
    building.push((await buildOnce(database, out)).elapsed);
    compiling.push((await compileOnce(database)).compiling);
  }
  return { building: fastest(building), compiling: fastest(compiling), out };
}

interface Sides {
  editor: Editor;
  sql: SqlEditor | undefined;
  /** A folder with the same files, to replace them in. */
  replaced: string;
}

async function takeTurns(
  kind: SingleEdit,
  world: World,
  { editor, sql, replaced }: Sides,
  edits: number,
): Promise<Taken> {
  const record = world.record();
  const rehearsed = drawEdits(record, kind, rehearsals, 2);
  await editor.makeAll(rehearsed);
  await sql?.makeAll(rehearsed);
  const made: Made[] = [];
  const taken = { replacing: [] as number[], sql: [] as number[] };
  for (const some of turns(drawEdits(record, kind, edits))) {
    const own = await editor.makeAll(some);
    made.push(...own);
    for (const { files } of own) taken.replacing.push(replaceFiles(replaced, files));
    taken.sql.push(...((await sql?.makeAll(some)) ?? []));
  }
  const files = made.reduce((sum, own) => sum + own.files.length, 0) / made.length;
  return { ...taken, ours: made.map((own) => own.elapsed), files };
}

const turns = (edits: readonly Edit[]): Edit[][] =>
  Array.from({ length: Math.ceil(edits.length / turn) }, (_, i) => edits.slice(i * turn, (i + 1) * turn));

const latencies = (taken: readonly number[]): string =>
  `${figure(median(taken))} / ${figure(percentile(taken, 0.95))} ms`;

const within = (taken: readonly number[], times: number): boolean =>
  median(taken) <= times * goal.median && percentile(taken, 0.95) <= times * goal.worst;

function editRows(what: string, { ours, replacing, files }: Taken, build: FullBuilds): Row[] {
  const own = median(ours);
  const instead = (how: string, taken: number) => ({
    what: `… a full build instead, ${how}`,
    ours: seconds(taken),
    rival: 'that PATCH, median',
    figure: milliseconds(own),
    ratio: taken / own,
  });
  return [
    {
      what: `PATCH of ${what}, ${ours.length} times, median / p95`,
      ours: latencies(ours),
      rival: `replacing its ${figure(files)} files (mean)`,
      figure: latencies(replacing),
      ratio: own / median(replacing),
      goal: `≤ ${goal.median} / ${goal.worst} ms`,
      met: within(ours, 1),
    },
    {
      ...instead('in process', build.building),
      goal: `≥ ${leastGain} ×`,
      met: build.building / own >= leastGain,
    },
    { ...instead('into memory, nothing written', build.compiling), goal: '' },
  ];
}

/** What the snapshot costs a writer. */
const priceRow = ({ ours, sql }: Taken): Row => ({
  what: '… the same titles',
  ours: latencies(ours),
  rival: 'Fastify + better-sqlite3, FULL, no snapshot',
  figure: latencies(sql),
  ratio: median(ours) / median(sql),
  goal: '',
});

/** The generated record at scale 10 against scale 1. */
async function growthRows(workplace: Workplace, edits: number): Promise<Row[]> {
  const worlds = [await workplace.generated(1), await workplace.generated(10)];
  const services: WritingService[] = [];
  const taken: number[][] = worlds.map(() => []);
  try {
    for (const world of worlds) services.push(await startWritingService(workplace, world));
    const editors = services.map((service) => new Editor(service));
    for (const [i, world] of worlds.entries())
      await editors[i]!.makeAll(drawEdits(world.record(), 'title', rehearsals, 2));
    const shares = worlds.map((world) => turns(drawEdits(world.record(), 'title', edits)));
    for (let i = 0; i < shares[0]!.length; i += 1)
      for (const [side, editor] of editors.entries()) {
        const made = await editor.makeAll(shares[side]![i]!);
        taken[side]!.push(...made.map((own) => own.elapsed));
      }
  } finally {
    for (const service of services) await service.stop();
  }
  const [one, ten] = taken as [number[], number[]];
  const growth = median(ten) / median(one);
  const row = (rival: string, goalText: string, met: boolean): Row => ({
    what: "PATCH of a film's title at scale 10",
    ours: latencies(ten),
    rival,
    figure: latencies(one),
    ratio: growth,
    goal: goalText,
    met,
  });
  return [
    row('the same at scale 1', `≤ ${mostGrowth} ×`, growth <= mostGrowth),
    row(
      'the same at scale 1',
      `≤ ${mostGrowth * goal.median} / ${mostGrowth * goal.worst} ms`,
      within(ten, mostGrowth),
    ),
    await verifiedRow(services[1]!, worlds[1]!),
  ];
}

async function verifiedRow(service: WritingService, { name }: World): Promise<Row> {
  const { differences, files } = await service.verify();
  return {
    what: `verify after all that, ${name}: differences`,
    ours: count(differences.length),
    rival: 'files of a clean build',
    figure: count(files),
    ratio: differences.length / files,
    goal: '0',
    met: differences.length === 0,
  };
}
