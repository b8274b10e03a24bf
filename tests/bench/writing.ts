/**
 * What writing costs: from the request of a change to its answer, which comes when the change is durable and the snapshot
 * shows it; then many editors at once, with readers; and that the folder is right after all of it.
 */
import { buildOnce, compileOnce } from './building.ts';
import { startServer } from './children.ts';
import { Editor, SqlEditor } from './editor.ts';
import { drawEdits } from './edits.ts';
import { count, fastest, latencies, median } from './figures.ts';
import {
  editRows,
  type FullBuilds,
  goal,
  priceRow,
  rehearsals,
  takeTurns,
  turns,
  within,
} from './single-edits.ts';
import { makeSqlDatabase } from './sql-database.ts';
import type { Row } from './table.ts';
import type { Workplace, World } from './workplace.ts';
import { loadRows } from './writing-load.ts';
import { startWritingService, type WritingService } from './writing-service.ts';

/** How many times as long a change may take at scale 10. */
const maxGrowth = 2;

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
  const row = (goalText: string, met: boolean): Row => ({
    what: "PATCH of a film's title at scale 10",
    ours: latencies(ten, 0.95),
    rival: 'the same at scale 1',
    figure: latencies(one, 0.95),
    ratio: growth,
    goal: goalText,
    met,
  });
  return [
    row(`≤ ${maxGrowth} ×`, growth <= maxGrowth),
    row(`≤ ${maxGrowth * goal.median} / ${maxGrowth * goal.worst} ms`, within(ten, maxGrowth)),
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
