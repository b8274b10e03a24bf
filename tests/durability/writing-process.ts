/** The sequence of writes made by a process of its own, and what there is to say of what it leaves behind. */
import { spawn } from 'node:child_process';
import { Desk } from './desk.ts';
import { withDatabase } from './place.ts';
import { faultsOfAcknowledged } from './retelling.ts';
import { faultsAtRest, faultsBetween, type Stage } from './stage.ts';
import { type Acknowledgement, acknowledgedOf, undisturbed } from './writes.ts';

export interface End {
  signal: NodeJS.Signals | null;
  code: number | null;
  stderr: string;
  acknowledged: Acknowledgement[];
}

export function runWrites(command: readonly string[]): Promise<End> {
  const [program = '', ...words] = command;
  const child = spawn(program, words, { stdio: ['ignore', 'pipe', 'pipe'] });
  let [stdout, stderr] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code, signal) => {
      const lines = stdout.split('\n').filter(Boolean);
      const acknowledged = lines.map((line) => JSON.parse(line) as Acknowledgement);
      resolve({ signal, code, stderr, acknowledged });
    });
  });
}

/**
 * Lets a process make the writes in a copy of the stage, and starts again over what it leaves behind.
 * @returns what is wrong then, a line each
 */
export async function faultsAfter(
  stage: Stage,
  folder: string,
  command: (folder: string) => readonly string[],
  faultsOfEnd: (end: End) => string[],
): Promise<string[]> {
  const place = stage.copyTo(folder);
  const retelling = await stage.retelling();
  const end = await runWrites(command(folder));
  const faults = [...faultsOfEnd(end), ...faultsBetween(place.out)];
  const next = new Desk(place.db, place.out);
  if (!(await next.settled())) faults.push(`the next start cannot build: ${String(next.troubles[0])}`);
  await next.close();
  await withDatabase(place, async (connection) => {
    faults.push(...retelling.follow(connection), ...faultsOfAcknowledged(connection, end.acknowledged));
    faults.push(...(await faultsAtRest(connection, place.out)));
  });
  return faults;
}

/** Whether every write was made that an undisturbed run makes. */
export const isComplete = ({ code, acknowledged }: End): boolean =>
  code === 0 && acknowledged.length === acknowledgedOf(undisturbed);
