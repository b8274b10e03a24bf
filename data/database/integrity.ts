/** Damage that SQLite finds in the file of a database. */
import type { Connection } from './connection.ts';
import { UserError } from '../system/messages.ts';

/** quick_check leaves out whether indexes match their tables; it takes half the time. */
type Check = 'quick_check' | 'integrity_check';

const maxFaults = 5;

/**
 * The first faults of a database, a line each; none if it is sound.
 * @throws SqliteError if the file cannot be read
 */
export function faultsIn(connection: Connection, check: Check): string[] {
  try {
    const rows = connection.pragma(`${check}(${maxFaults})`) as Record<string, string>[];
    // Lines with stars are headings.
    return rows.flatMap((row) => row[check]!.split('\n')).filter((line) => !/^(ok|\*.*|)$/.test(line));
  } catch (error) {
    if (!isDamage(error)) throw error;
    return [(error as Error).message];
  }
}

/** Whether SQLite found damage while it worked. */
export const isDamage = (error: unknown): boolean =>
  (error as { code?: string }).code?.startsWith('SQLITE_CORRUPT') ?? false;

/** SQLite finds the database damaged. */
export class DatabaseDamaged extends UserError {
  readonly fault: string;

  constructor(file: string, fault: string) {
    super(`the database ${file} is damaged: ${fault}; "awards restore" puts a backup in its place`);
    this.fault = fault;
  }
}

/** @throws DatabaseDamaged with the first fault; SqliteError if the file cannot be read */
export function refuseDamaged(connection: Connection, file: string, check: Check): void {
  const [fault] = faultsIn(connection, check);
  if (fault !== undefined) throw new DatabaseDamaged(file, fault);
}
