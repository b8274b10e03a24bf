/** Shared by all commands: common options, output, and a database connection for the time of the work. */
import { readFileSync } from 'node:fs';
import { styleText } from 'node:util';
import type { Connection } from '../../data/open.ts';
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
  const { openDatabase } = await import('../../data/open.ts');
  const connection = openDatabase(options.db, { mustExist, check: true });
  try {
    return await work(connection);
  } finally {
    connection.close();
  }
}
