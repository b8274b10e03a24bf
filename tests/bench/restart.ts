/** How soon the service answers after a kill, and how soon it shows what was changed while it was down. */
import { setTimeout as pause } from 'node:timers/promises';
import { type Connection, openDatabase } from '../../data/database/open.ts';
import { project } from './checkout.ts';
import { Client } from './client.ts';
import { median } from './figures.ts';
import { comparedWith, type Row, type Spread } from './table.ts';
import type { Workplace, World } from './workplace.ts';

/** Milliseconds from the start of the process to its first answer. */
const maxStartMs = 3000;

/** What the snapshot lacks after the kill, besides a new title. */
const lacking: readonly (readonly [what: string, change: (connection: Connection) => void])[] = [
  ['one change', () => {}],
  [
    'everything (another program built it)',
    (connection) => connection.exec("UPDATE builds SET fingerprint = 'another'"),
  ],
];

export async function restartRows(workplace: Workplace, quick: boolean): Promise<Row[]> {
  const rows: Row[] = [];
  for (const world of [await workplace.main(), await workplace.generated(10)])
    rows.push(...(await worldRows(workplace, world, quick ? 1 : 5)));
  return rows;
}

async function worldRows(workplace: Workplace, world: World, rounds: number): Promise<Row[]> {
  const database = workplace.copy(world.database);
  const out = workplace.newPath('snapshot');
  await project.build(database, out);
  await (await project.serve(database, out, { signal: 'SIGKILL' })).stop();
  const rows: Row[] = [];
  for (const [what, change] of lacking) {
    const first: number[] = [];
    const shown: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      const title = `${what} ${round}`;
      const connection = openDatabase(database);
      const id = connection.prepare<[], number>('SELECT min(id) FROM movies').pluck().get()!;
      connection.prepare('UPDATE movies SET title = ? WHERE id = ?').run(title, id);
      change(connection);
      connection.close();
      const taken = await restart(database, out, `/api/movies/${id}`, title);
      first.push(taken.first);
      shown.push(taken.shown);
    }
    const label = `start after kill -9, ${world.name}, behind by ${what}, ${rounds} times, median / longest`;
    rows.push(
      comparedWith('limit', 'ms', 'tail')(label, longest(first), maxStartMs, {
        max: { median: maxStartMs, tail: maxStartMs },
      }),
      comparedWith('its first answer', 'ms')(
        '… to the answer that shows the change',
        longest(shown),
        longest(first),
      ),
    );
  }
  return rows;
}

const longest = (values: readonly number[]): Spread => ({
  median: median(values),
  tail: Math.max(...values),
});

/** @returns milliseconds from the start of the process to its first answer, and to the one that shows the title */
async function restart(database: string, out: string, address: string, title: string) {
  const began = performance.now();
  const service = await project.serve(database, out, { signal: 'SIGKILL' });
  const client = new Client(service.origin);
  try {
    let first: number | undefined;
    for (;;) {
      const { status, body } = await client.get(address);
      if (status !== 200) throw new Error(`${address}: status ${status}`);
      first ??= performance.now() - began;
      if ((JSON.parse(body.toString()) as { title: string }).title === title)
        return { first, shown: performance.now() - began };
      await pause(5);
    }
  } finally {
    client.close();
    await service.stop();
  }
}
