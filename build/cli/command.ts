/** Shared by all commands: common options, output, a database connection, progress, and cleaning up after signals. */
import { readFileSync } from 'node:fs';
import { constants } from 'node:os';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { styleText } from 'node:util';
import type { SingleBar } from 'cli-progress';
import type { Connection } from '../../data/database/open.ts';
import { environment } from './environment.ts';

export interface CommandOptions {
  db: string;
  json?: boolean;
  /** Prints no summary: another command prints its own. */
  quiet?: boolean;
}

/** What package.json says about this program, in a checkout and where it is installed. */
export const ownPackage = (): { version: string; engines: { node: string } } =>
  JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as ReturnType<
    typeof ownPackage
  >;

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
 * Checks and opens the database, does the work, and closes it.
 * @throws UserError if it cannot be opened, is damaged, or is missing and must exist; any error of the work
 */
export async function withDatabase<T>(
  options: CommandOptions,
  mustExist: boolean,
  work: (connection: Connection) => T,
): Promise<Awaited<T>> {
  // Loaded late: commands without a database do not need the native module.
  const { openDatabase } = await import('../../data/database/open.ts');
  const connection = openDatabase(options.db, { mustExist, check: true });
  try {
    return await work(connection);
  } finally {
    connection.close();
  }
}

/** A total of 0 is unknown: only what is done is shown. */
type Progress = (done: number, total: number) => void;
/** A new phase has a bar of its own. */
type PhaseProgress = (phase: string, done: number, total: number) => void;

/** The bar appears after this time; most work is done earlier. */
const delayMs = 1000;

/** @returns `progress` is called as work proceeds; `stop` removes the bar */
export async function showProgress(): Promise<{ progress: PhaseProgress; stop: () => void }> {
  if (!process.stderr.isTTY) return { progress: () => {}, stop: () => {} };
  const { default: progressBars } = await import('cli-progress');
  // The terminal keeps its cursor and its wrapping: a signal ends the process at once, and nothing would turn them on again.
  const options = { clearOnComplete: true, linewrap: true, stream: process.stderr };
  const began = performance.now();
  let shown: { phase: string; bar: SingleBar } | undefined;
  const stop = () => shown?.bar.stop();
  return {
    progress(phase, done, total) {
      if (performance.now() - began < delayMs) return;
      if (shown?.phase !== phase) {
        stop();
        const format = total > 0 ? `${phase} {bar} {percentage}% ({value} of {total})` : `${phase} {value}`;
        shown = { phase, bar: new progressBars.SingleBar({ ...options, format }) };
        shown.bar.start(total, done);
      }
      shown.bar.setTotal(total);
      shown.bar.update(done);
    },
    stop,
  };
}

/** Shows the progress of work of several phases while it runs. */
export async function withPhases<T>(work: (progress: PhaseProgress) => T): Promise<Awaited<T>> {
  const { progress, stop } = await showProgress();
  try {
    return await work(progress);
  } finally {
    stop();
  }
}

/** Shows the progress of work while it runs. */
export const withProgress = <T>(phase: string, work: (progress: Progress) => T): Promise<Awaited<T>> =>
  withPhases((progress) => work((done, total) => progress(phase, done, total)));

const signals = ['SIGINT', 'SIGTERM'] as const;

/**
 * Does work, and cleans up where a signal ends the process meanwhile. A signal that arrives during synchronous work is handled
 * after it.
 * @param work calls `awaitSignals` before its last step, so that such a signal ends the process first
 */
export async function interruptible<T>(
  work: (awaitSignals: () => Promise<void>) => Promise<T>,
  cleanUp: () => void,
): Promise<T> {
  const end = (signal: (typeof signals)[number]) => {
    try {
      cleanUp();
    } finally {
      process.exit(128 + constants.signals[signal]);
    }
  };
  for (const signal of signals) process.on(signal, end);
  try {
    // Signals are read once in each turn, before the callbacks of setImmediate(): the second turn is a whole one.
    return await work(() => nextTurn().then(() => nextTurn()));
  } finally {
    for (const signal of signals) process.off(signal, end);
  }
}
