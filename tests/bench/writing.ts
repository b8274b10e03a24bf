/**
 * What writing costs: single changes over HTTP, each durable and visible when it is answered; the same at ten times the
 * record; many editors and readers at once; and that the folder is right after all of it.
 */
import { project } from './checkout.ts';
import { runTask, type ServerChild, startServer } from './children.ts';
import { editInTurns, Editor, type Side, type Taken } from './editor.ts';
import { fastest, figure } from './figures.ts';
import { makeSqlDatabase } from './sql-database.ts';
import { type Goal, type Row, row, spread } from './table.ts';
import { isReal, type Workplace, type World } from './workplace.ts';
import { loadRows } from './writing-load.ts';

/** Milliseconds of a PATCH: the median and the 95th percentile. */
const patchGoal = { median: 30, tail: 80 };
/** Median milliseconds from a PATCH to the end of the GET that shows it, on the public record. */
const shownGoal = 15;
/** A full build takes at least so many times as long as a PATCH. */
const minGain = 50;
/** A PATCH at scale 10 takes at most so many times as long as at scale 1. */
const maxGrowth = 2;

/** The service with writing, on a copy of a database: the other parts measure the record as it was. */
export interface WritingService extends ServerChild {
  database: string;
  out: string;
  /** One for each editor. */
  keys: readonly string[];
}

async function startWriting(workplace: Workplace, world: World): Promise<WritingService> {
  const database = workplace.copy(world.database);
  const out = workplace.newPath('snapshot');
  const keys: string[] = [];
  for (let i = 1; i <= 8; i += 1) keys.push(await project.createKey(database, `editor-${i}`));
  return { ...(await project.serve(database, out)), database, out, keys };
}

const sideAt = ({ origin, keys, out }: WritingService, world: World): Side => ({
  editor: new Editor(origin, keys[0], out),
  record: world.record(),
});

export async function writingRows(workplace: Workplace, quick: boolean): Promise<Row[]> {
  const [edits, builds, seconds] = quick ? [40, 1, 10] : [200, 3, 60];
  const main = await workplace.main();
  const full = await fullBuilds(workplace, main, builds);
  const sqlFile = workplace.newPath('alternative.db');
  makeSqlDatabase(main.database, sqlFile);
  const service = await startWriting(workplace, main);
  const sql = await startServer('sql-service.ts', { file: sqlFile });
  const rows: Row[] = [];
  try {
    const ours = { ...sideAt(service, main), replaced: full.out };
    const theirs = { editor: new Editor(sql.origin), record: main.record() };
    const [titles, sqlTitles] = await editInTurns('title', edits, ours, theirs);
    const [winners] = await editInTurns('winner', edits, ours);
    rows.push(...editRows("a film's title", titles, full), ...titleRows(titles, sqlTitles));
    rows.push(...editRows("a nomination's winner flag", winners, full));
    rows.push(...(await loadRows(service, main.record(), seconds)));
  } finally {
    for (const server of [service, sql]) await server.stop();
  }
  rows.push(await verifiedRow(service, main));
  if (!quick) rows.push(...(await growthRows(workplace, edits)));
  return rows;
}

interface FullBuilds {
  /** Milliseconds of the fastest build into a new folder, and into memory. */
  building: number;
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
    building.push(await runTask('build', { database, out }));
    compiling.push(await runTask('compile', { database }));
  }
  return { building: fastest(building), compiling: fastest(compiling), out };
}

const answered = ({ made }: Taken) =>
  spread(
    made.map((edit) => edit.answered),
    0.95,
  );
const shown = ({ made }: Taken) =>
  spread(
    made.map((edit) => edit.shown),
    0.95,
  );

function editRows(what: string, taken: Taken, { building, compiling }: FullBuilds): Row[] {
  const { made, replacing } = taken;
  const files = made.reduce((sum, edit) => sum + edit.files.length, 0) / made.length;
  const ours = answered(taken);
  const instead = (how: string, build: number, goal?: Goal) =>
    row({
      what: `… a full build instead, ${how}`,
      ours: build,
      rival: 'that PATCH, median',
      theirs: ours.median,
      unit: 'ms',
      goal,
    });
  return [
    row({
      what: `PATCH of ${what}, ${made.length} times, median / p95`,
      ours,
      rival: `replacing its ${figure(files)} files (mean)`,
      theirs: spread(replacing, 0.95),
      unit: 'ms',
      goal: { max: patchGoal },
    }),
    instead('in process', building, { minRatio: minGain }),
    instead('into memory, nothing written', compiling),
  ];
}

/** The GET after the PATCH, and what the snapshot costs a writer. */
function titleRows(titles: Taken, sqlTitles: Taken): Row[] {
  const rival = 'Fastify + better-sqlite3, FULL, no snapshot';
  return [
    row({
      what: '… to the end of the GET that shows it',
      ours: shown(titles),
      rival,
      theirs: shown(sqlTitles),
      unit: 'ms',
      goal: isReal ? { max: shownGoal } : undefined,
    }),
    row({
      what: '… the same titles',
      ours: answered(titles),
      rival,
      theirs: answered(sqlTitles),
      unit: 'ms',
    }),
  ];
}

/** The generated record at scale 10 against scale 1. */
async function growthRows(workplace: Workplace, edits: number): Promise<Row[]> {
  const [one, ten] = [await workplace.generated(1), await workplace.generated(10)];
  const [small, large] = [await startWriting(workplace, one), await startWriting(workplace, ten)];
  const taken = await editInTurns('title', edits, sideAt(small, one), sideAt(large, ten));
  for (const service of [small, large]) await service.stop();
  const [theirs, ours] = taken.map(answered);
  const growth = (goal: Goal) =>
    row({
      what: "PATCH of a film's title at scale 10",
      ours: ours!,
      rival: 'the same at scale 1',
      theirs: theirs!,
      unit: 'ms',
      goal,
    });
  const max = { median: maxGrowth * patchGoal.median, tail: maxGrowth * patchGoal.tail };
  return [growth({ maxRatio: maxGrowth }), growth({ max }), await verifiedRow(large, ten)];
}

/** @param service stopped */
async function verifiedRow({ database, out }: WritingService, { name }: World): Promise<Row> {
  const { stdout } = await project.run(['verify', '--json', '--db', database, '--out', out], [0, 1]);
  const { differences, files } = JSON.parse(stdout) as { differences: unknown[]; files: number };
  return row({
    what: `verify after all that, ${name}: differences`,
    ours: differences.length,
    rival: 'files of a clean build',
    theirs: files,
    unit: '',
    goal: { max: 0 },
  });
}
