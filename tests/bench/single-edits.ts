/** Changes one at a time, in turns with what they are compared with: replacing the same files, and SQL without a snapshot. */
import type { Editor, Made, SqlEditor } from './editor.ts';
import { drawEdits, type Edit, type SingleEdit } from './edits.ts';
import { figure, latencies, median, milliseconds, percentile, seconds } from './figures.ts';
import { replaceFiles } from './replacing.ts';
import type { Row } from './table.ts';
import type { World } from './workplace.ts';

/** Changes made before any counts, and in a row on one side before the other has its turn. */
export const rehearsals = 40;
const turn = 20;

/** Milliseconds in the median and at the 95th percentile. */
export const goal = { median: 30, worst: 80 };
/** How many times as long a full build must take. */
const minGain = 50;

/** Milliseconds that changes took on each side. */
export interface Taken {
  ours: number[];
  /** Only to replace the files that were written for them. */
  replacing: number[];
  sql: number[];
  /** Files written for a change, in the mean. */
  files: number;
}

/** Milliseconds, the fastest of some rounds. */
export interface FullBuilds {
  /** Into a new folder. */
  building: number;
  /** Into memory: what is left of it where the disk costs nothing. */
  compiling: number;
  /** One of the folders. */
  out: string;
}

export interface Sides {
  editor: Editor;
  sql: SqlEditor | undefined;
  /** A folder with the same files, to replace them in. */
  replaced: string;
}

/** Every side makes the same changes; first some that do not count. */
export async function takeTurns(
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

/** The edits in the shares in which the sides take turns. */
export const turns = (edits: readonly Edit[]): Edit[][] =>
  Array.from({ length: Math.ceil(edits.length / turn) }, (_, i) => edits.slice(i * turn, (i + 1) * turn));

/** Whether that keeps to the goal, or to so many times as much. */
export const within = (taken: readonly number[], times: number): boolean =>
  median(taken) <= times * goal.median && percentile(taken, 0.95) <= times * goal.worst;

export function editRows(what: string, { ours, replacing, files }: Taken, build: FullBuilds): Row[] {
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
      ours: latencies(ours, 0.95),
      rival: `replacing its ${figure(files)} files (mean)`,
      figure: latencies(replacing, 0.95),
      ratio: own / median(replacing),
      goal: `≤ ${goal.median} / ${goal.worst} ms`,
      met: within(ours, 1),
    },
    {
      ...instead('in process', build.building),
      goal: `≥ ${minGain} ×`,
      met: build.building / own >= minGain,
    },
    { ...instead('into memory, nothing written', build.compiling), goal: '' },
  ];
}

/** What the snapshot costs a writer. */
export const priceRow = ({ ours, sql }: Taken): Row => ({
  what: '… the same titles',
  ours: latencies(ours, 0.95),
  rival: 'Fastify + better-sqlite3, FULL, no snapshot',
  figure: latencies(sql, 0.95),
  ratio: median(ours) / median(sql),
  goal: '',
});
