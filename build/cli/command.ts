/** What all commands share: the options every one of them takes, a connection for as long as it works, and how it reports. */
import type { Connection } from '../../data/open.ts';

export interface CommandOptions {
  db: string;
  json?: boolean;
}

/** Prints a summary: lines for people, or with --json one line for machines. */
export function print(options: CommandOptions, machine: object, people: string): void {
  printLine(options.json ? JSON.stringify(machine) : people);
}

export const printLine = (line: string): void => void process.stdout.write(`${line}\n`);

/**
 * Opens the database for some work, and closes it when that is done.
 * @throws UserError if it cannot be opened, or is missing and must exist; whatever the work throws
 */
export async function withDatabase<T>(
  options: CommandOptions,
  mustExist: boolean,
  work: (connection: Connection) => T,
): Promise<Awaited<T>> {
  // Loaded with the work, so that whoever needs no database can do without its native module.
  const { openDatabase } = await import('../../data/open.ts');
  const connection = openDatabase(options.db, { mustExist });
  try {
    return await work(connection);
  } finally {
    connection.close();
  }
}
