/**
 * What writing costs: single changes over HTTP, each durable and visible when it is answered; the same at ten times the
 * record; many editors and readers at once; and that the folder is right after all of it.
 */
import { project } from './checkout.ts';
import { runTask, type ServerChild, startServer } from './children.ts';
import { Editor, editInTurns, type Made, type Side } from './editor.ts';
import { fastest } from './figures.ts';
import { comparedWith, type Goal, p95, type Row } from './table.ts';
import { isReal, type Workplace, type World } from './workplace.ts';
import { burstRows, loadRows } from './writing-load.ts';

/** Milliseconds of a PATCH: the median and the 95th percentile. */
const patchGoal = { median: 30, tail: 80 };
/** Median milliseconds from a PATCH to the end of the GET that shows it, on the public record. */
const shownGoal = 15;
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

const sideAt = ({ origin, keys }: WritingService, world: World): Side => ({
  editor: new Editor(origin, keys[0]),
  record: world.record(),
});

export async function writingRows(workplace: Workplace, quick: boolean): Promise<Row[]> {
  const [edits, builds, seconds] = quick ? [40, 1, 10] : [200, 3, 60];
  const main = await workplace.main();
  const building: number[] = [];
  for (let round = 0; round < builds; round += 1)
    building.push(await runTask('build', { database: main.database, out: workplace.newPath('built') }));
  const service = await startWriting(workplace, main);
  const sql = await startServer('sql-service.ts', { file: workplace.copy(main.sqlDatabase()) });
  const rows: Row[] = [];
  try {
    const ours = sideAt(service, main);
    const theirs = { editor: new Editor(sql.origin), record: main.record() };
    const [titles, sqlTitles] = await editInTurns('title', edits, ours, theirs);
    const [winners] = await editInTurns('winner', edits, ours);
    rows.push(...editRows(titles, sqlTitles, winners, fastest(building)));
    rows.push(...(await loadRows(service, main.record(), seconds)));
  } finally {
    for (const server of [service, sql]) await server.stop();
  }
  rows.push(await verifiedRow(service, main));
  if (!quick) rows.push(...(await growthRows(workplace, edits)));
  return rows;
}

/** Many writes a second on the main record, several times in a row. */
export async function burstPart(workplace: Workplace, quick: boolean): Promise<Row[]> {
  const main = await workplace.main();
  const rows: Row[] = [];
  for (let round = 0; round < (quick ? 1 : 3); round += 1) {
    const service = await startWriting(workplace, main);
    try {
      rows.push(...(await burstRows(service, main.record())));
    } finally {
      await service.stop();
    }
    rows.push(await verifiedRow(service, main));
  }
  return rows;
}

const answered = (made: Made[]) => p95(made.map((edit) => edit.answered));
const shown = (made: Made[]) => p95(made.map((edit) => edit.shown));

/** @param fullBuild milliseconds in process */
function editRows(titles: Made[], sqlTitles: Made[], winners: Made[], fullBuild: number): Row[] {
  const withSql = comparedWith('Fastify + better-sqlite3, FULL, no snapshot', 'ms');
  const withBuild = comparedWith('a full build, in process', 'ms');
  const label = (what: string) => `PATCH of ${what}, ${titles.length} times, median / p95`;
  return [
    withSql(label("a film's title"), answered(titles), answered(sqlTitles), { max: patchGoal }),
    withSql(
      '… to the end of the GET that shows it',
      shown(titles),
      shown(sqlTitles),
      isReal ? { max: shownGoal } : undefined,
    ),
    withBuild(label("a nomination's winner flag"), answered(winners), fullBuild, { max: patchGoal }),
  ];
}

/** The generated record at scale 10 against scale 1. */
async function growthRows(workplace: Workplace, edits: number): Promise<Row[]> {
  const [one, ten] = [await workplace.generated(1), await workplace.generated(10)];
  const [small, large] = [await startWriting(workplace, one), await startWriting(workplace, ten)];
  const [atOne, atTen] = await editInTurns('title', edits, sideAt(small, one), sideAt(large, ten));
  for (const service of [small, large]) await service.stop();
  const compared = comparedWith('the same at scale 1', 'ms');
  const growth = (goal: Goal) =>
    compared("PATCH of a film's title at scale 10", answered(atTen), answered(atOne), goal);
  const max = { median: maxGrowth * patchGoal.median, tail: maxGrowth * patchGoal.tail };
  return [growth({ maxRatio: maxGrowth }), growth({ max }), await verifiedRow(large, ten)];
}

/** @param service stopped */
async function verifiedRow({ database, out }: WritingService, { name }: World): Promise<Row> {
  const { stdout } = await project.run(['verify', '--json', '--db', database, '--out', out], [0, 1]);
  const { differences, files } = JSON.parse(stdout) as { differences: unknown[]; files: number };
  const what = `verify after all that, ${name}: differences`;
  return comparedWith('files of a clean build', '')(what, differences.length, files, { max: 0 });
}
