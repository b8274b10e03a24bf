/** The sequence of writes in a process of its own, and the faults of what the process leaves. */
import { spawn } from 'node:child_process';
import { expect } from 'vitest';
import { outcomeOf } from '../support/processes.ts';
import { type Fixture, faultsAtRest, faultsBetween } from './fixture.ts';
import { faultsOfAcknowledged } from './history-replay.ts';
import { interceptCalls } from './intercepted-calls.ts';
import { type Workspace, withDatabase } from './workspace.ts';
import { WriterHarness } from './writer-harness.ts';
import { type Acknowledgement, acknowledgedUndisturbed, kindOf, sendAll, undisturbed } from './writes.ts';

export interface End {
  signal: NodeJS.Signals | null;
  code: number | null;
  stderr: string;
  acknowledged: Acknowledgement[];
}

export async function runWrites([program = '', ...words]: readonly string[]): Promise<End> {
  const child = spawn(program, words, { stdio: ['ignore', 'pipe', 'pipe'] });
  const { stdout, ...end } = await outcomeOf(child);
  const lines = stdout.split('\n').filter(Boolean);
  return { ...end, acknowledged: lines.map((line) => JSON.parse(line) as Acknowledgement) };
}

/**
 * Lets a process make the writes in a copy of the fixture, and starts again over what it leaves.
 * @returns faults, a line each
 */
export async function faultsAfter(
  fixture: Fixture,
  folder: string,
  command: (folder: string) => readonly string[],
  faultsOfEnd: (end: End) => string[],
): Promise<string[]> {
  const workspace = fixture.copyTo(folder);
  const replay = await fixture.replay();
  const end = await runWrites(command(folder));
  const faults = [...faultsOfEnd(end), ...faultsBetween(workspace.out)];
  const next = new WriterHarness(workspace.db, workspace.out);
  if (!(await next.settled())) faults.push(`the next start cannot build: ${String(next.errors[0])}`);
  await next.close();
  await withDatabase(workspace, async (connection) => {
    faults.push(...replay.follow(connection), ...faultsOfAcknowledged(connection, end.acknowledged));
    faults.push(...(await faultsAtRest(connection, workspace.out)));
  });
  return faults;
}

/** Expects no faults of any case. Runs two at a time, because each waits for its process to start. */
export async function expectNoFaults<T>(
  cases: readonly T[],
  faultsOf: (one: T, lane: number) => Promise<string[]>,
): Promise<void> {
  const waiting = [...cases];
  const run = async (lane: number) => {
    for (let one = waiting.shift(); one !== undefined; one = waiting.shift())
      expect({ case: one, faults: await faultsOf(one, lane) }).toEqual({ case: one, faults: [] });
  };
  await Promise.all([run(0), run(1)]);
}

/** Whether every write was made that an undisturbed run makes. */
export const isComplete = ({ code, acknowledged }: End): boolean =>
  code === 0 && acknowledged.length === acknowledgedUndisturbed;

/** The calls of an undisturbed run in this process. @returns the name of each call, in order */
export async function traceCalls({ folder, db, out }: Workspace): Promise<string[]> {
  const names: string[] = [];
  const interception = interceptCalls(folder, ({ name }, proceed) => {
    names.push(name);
    return proceed();
  });
  try {
    const harness = new WriterHarness(db, out);
    const kinds: string[] = [];
    await sendAll(harness.write, (order, outcome) => {
      kinds.push(kindOf(outcome, order));
    });
    await harness.close();
    expect(harness.errors).toEqual([]);
    expect(kinds).toEqual(undisturbed);
  } finally {
    interception.end();
  }
  return names;
}
