/** Shared by all commands: common options, output, a database connection, and progress. */
import { styleText } from 'node:util';
import type { Upgrade } from '../../data/database/migrations.ts';
import type { Connection } from '../../data/database/open.ts';
import { environment } from './environment.ts';

export interface CommandOptions {
  db: string;
  json?: boolean;
  /** Prints no summary: another command prints its own. */
  quiet?: boolean;
  /** Changes nothing, so that a database of an older schema is refused. */
  dryRun?: boolean | undefined;
}

/** What becomes of the output of this process. */
export const output = {
  /** Set by a service: it goes on when the reader of its output is gone, as in "npm start | head". */
  mayBeLost: false,
};

/** Prints a summary: text, or with --json one line for machines. */
export function print(options: CommandOptions, machine: object, text: string): void {
  if (!options.quiet) printLine(options.json ? JSON.stringify(machine) : text);
}

export const printLine = (line: string): void => void process.stdout.write(`${line}\n`);

export const secondsSince = (start: number): string => `${((performance.now() - start) / 1000).toFixed(2)} s`;

/** Colours a text for a terminal, unless NO_COLOR is set. @param stream where the text is written to */
export function coloured(
  format: Parameters<typeof styleText>[0],
  text: string,
  stream: NodeJS.WriteStream = process.stdout,
): string {
  // https://no-color.org: any value but the empty one.
  return stream.isTTY && !environment.NO_COLOR ? styleText(format, text) : text;
}

/**
 * Opens the database. One of an older schema is upgraded first, and a line on stderr says so: stdout may be
 * for machines.
 * @throws UserError as openDatabase() does
 */
export async function openUpgraded(
  { db, dryRun }: Pick<CommandOptions, 'db' | 'dryRun'>,
  options: { mustExist?: boolean; check?: boolean },
): Promise<Connection> {
  // Loaded late: help needs no native module.
  const { openDatabase } = await import('../../data/database/open.ts');
  const onDone = ({ from, to, copy }: Upgrade) =>
    process.stderr.write(
      `awards: upgraded ${db} from schema ${from} to ${to}; ${copy} is the database before\n`,
    );
  return openDatabase(db, { ...options, upgrade: dryRun ? undefined : { keepsCopy: true, onDone } });
}

/**
 * Checks and opens the database, does the work, and closes it.
 * @throws UserError if it cannot be opened, is damaged, or is missing and must exist; any error of the work
 */
export async function withDatabase<T>(
  options: CommandOptions,
  mustExist: boolean,
  work: (connection: Connection) => T,
): Promise<Awaited<T>> {
  const connection = await openUpgraded(options, { mustExist, check: true });
  try {
    return await work(connection);
  } finally {
    connection.close();
  }
}

/** A total of 0 is unknown: only what is done is shown. */
type PhaseProgress = (phase: string, done: number, total: number) => void;

/** The bar appears after this time; most work is done earlier. */
const delayMs = 1000;

/** Shows the progress of work of several phases while it runs, on a terminal. */
export async function withPhases<T>(work: (progress: PhaseProgress) => T): Promise<Awaited<T>> {
  if (!process.stderr.isTTY) return await work(() => {});
  const { default: progressBars } = await import('cli-progress');
  // The terminal keeps its cursor and its wrapping: a signal ends the process at once, and nothing would turn
  // them on again.
  const options = { clearOnComplete: true, linewrap: true, stream: process.stderr };
  const bar = new progressBars.SingleBar({ ...options, format: '{bar} {phase} {count}' });
  const began = performance.now();
  try {
    return await work((phase, done, total) => {
      if (performance.now() - began < delayMs) return;
      const count = total > 0 ? `${Math.floor((100 * done) / total)}% (${done} of ${total})` : String(done);
      if (!bar.isActive) bar.start(1, 0, { phase, count });
      bar.setTotal(total || Number.POSITIVE_INFINITY);
      bar.update(done, { phase, count });
    });
  } finally {
    bar.stop();
  }
}

/** Shows the progress of work while it runs. */
export const withProgress = <T>(
  phase: string,
  work: (progress: (done: number, total: number) => void) => T,
): Promise<Awaited<T>> => withPhases((progress) => work((done, total) => progress(phase, done, total)));
