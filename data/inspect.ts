/**
 * Inspects a database without changing it or its folder. openDatabase() would migrate it, and create the files of a
 * write-ahead log next to it.
 */
import { existsSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { resourceNames } from '../api/contract/names.ts';
import { type BuildState, pendingChanges, readBuild } from './builds.ts';
import { type Coverage, readCoverage } from './enrich/coverage.ts';
import { DatabaseReplaced } from './file-identity.ts';
import { linkOrCopy } from '../build/system/files.ts';
import { faultsIn } from './integrity.ts';
import { type KeyEntry, listKeys } from './keys.ts';
import { schemaVersion } from './open.ts';
import { type BrokenReference, countRecords, findBrokenReference } from './records.ts';
import { isBusy } from './transaction.ts';

export interface Inspection {
  /** Versions of the schema: of the file, and of this program. */
  schema: { file: number; program: number };
  /** Whether it has the tables of this program. */
  ours: boolean;
  /** The faults that SQLite finds in the file. */
  faults: string[];
  /** Undefined if the schema is of another version, or the file has faults. */
  content: Content | undefined;
}

export interface Content {
  counts: ReturnType<typeof countRecords>;
  broken: BrokenReference | undefined;
  keys: KeyEntry[];
  /** The last build into the folder. */
  build: BuildState | undefined;
  /** Number of changes that it does not hold. */
  pending: number;
  coverage: Coverage;
}

/** The version of SQLite. @throws Error if the native module cannot be loaded */
export function sqliteVersion(): string {
  const connection = new Database(':memory:');
  try {
    return connection.prepare<[], string>('SELECT sqlite_version()').pluck().get()!;
  } finally {
    connection.close();
  }
}

/**
 * @param file an existing file
 * @param out folder of the snapshot (absolute path)
 * @throws DatabaseReplaced if a program has the database open, but its log is gone: the file lacks what is in the log; Error
 *   if the file cannot be read, or is no database
 */
export function inspectDatabase(file: string, out: string): Inspection {
  // SQLite puts the log beside the file that a link leads to.
  const real = realpathSync(file);
  const log = `${real}-wal`;
  // If the log exists already, opening the database creates no file.
  if (existsSync(log)) return inspect(real, out, true);
  // SQLite removes the index of the log before the log.
  if (existsSync(`${real}-shm`)) throw new DatabaseReplaced(log, 'removed');
  const scratch = mkdtempSync(join(tmpdir(), 'awards-inspect-'));
  try {
    const second = join(scratch, 'awards.db');
    linkOrCopy(real, second);
    // SQLite checks no CHECK constraint where it may not write. Nothing is written, because there is no log to be merged.
    return inspect(second, out, false);
  } catch (error) {
    if (!isBusy(error)) throw error;
    // Another program has it open. One that has just opened it has made a log.
    if (existsSync(log)) return inspect(real, out, true);
    throw new DatabaseReplaced(log, 'removed');
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

function inspect(file: string, out: string, readonly: boolean): Inspection {
  const connection = new Database(file, { readonly, fileMustExist: true, timeout: 1000 });
  try {
    // The lock of a single user, which is refused as long as another program has the database open.
    if (!readonly) connection.pragma('locking_mode = EXCLUSIVE');
    const schema = {
      file: connection.pragma('user_version', { simple: true }) as number,
      program: schemaVersion,
    };
    const table = connection.prepare<[string], number>('SELECT 1 FROM sqlite_schema WHERE name = ?').pluck();
    const ours = schema.file > 0 && resourceNames.every((resource) => table.get(resource) === 1);
    const faults = faultsIn(connection, 'quick_check');
    const readable = ours && faults.length === 0 && schema.file === schema.program;
    const content = readable
      ? {
          counts: countRecords(connection),
          broken: findBrokenReference(connection),
          keys: listKeys(connection),
          build: readBuild(connection, out),
          pending: pendingChanges(connection, out),
          coverage: readCoverage(connection),
        }
      : undefined;
    return { schema, ours, faults, content };
  } finally {
    connection.close();
  }
}
