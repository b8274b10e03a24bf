/**
 * Looks into a database without changing a byte of it or of the folder it lies in: what is opened otherwise gets the files of
 * a write-ahead log beside it, and is brought to the current schema.
 */
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { resourceNames } from '../api/contract/names.ts';
import { type BuildState, readBuild } from './builds.ts';
import { revision } from './changes.ts';
import { type BrokenReference, findBrokenReference } from './integrity.ts';
import { type KeyEntry, listKeys } from './keys.ts';
import { linkOrCopy } from './link-or-copy.ts';
import { type Connection, schemaVersion } from './open.ts';
import { countRecords } from './records.ts';

export interface Inspection {
  /** Of the file, and of this program. */
  schema: { file: number; program: number };
  /** Whether the tables of this program are there. */
  ours: boolean;
  /** What SQLite finds wrong with the file; empty if it is sound. */
  faults: string[];
  /** The rest is undefined where the schema is another one, or the file is not sound. */
  content: Content | undefined;
}

export interface Content {
  counts: ReturnType<typeof countRecords>;
  broken: BrokenReference | undefined;
  keys: KeyEntry[];
  /** Number of the last change, and what the folder was last built from. */
  revision: number;
  build: BuildState | undefined;
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
 * @param file a database that is there
 * @param out folder of the snapshot (absolute path)
 * @throws Error if it cannot be read, or is no database
 */
export function inspectDatabase(file: string, out: string): Inspection {
  // A log beside it is in use, or left by who was killed: then nothing new comes beside it.
  if (existsSync(`${file}-wal`)) return inspect(file, out);
  const scratch = mkdtempSync(join(tmpdir(), 'awards-inspect-'));
  try {
    const second = join(scratch, 'awards.db');
    linkOrCopy(file, second);
    return inspect(second, out);
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

function inspect(file: string, out: string): Inspection {
  const connection = new Database(file, { readonly: true, fileMustExist: true, timeout: 1000 });
  try {
    const schema = {
      file: connection.pragma('user_version', { simple: true }) as number,
      program: schemaVersion,
    };
    const ours = schema.file > 0 && hasTables(connection);
    const found = connection.pragma('quick_check(5)') as { quick_check: string }[];
    const faults = found.map((row) => row.quick_check).filter((text) => text !== 'ok');
    const readable = ours && faults.length === 0 && schema.file === schema.program;
    return { schema, ours, faults, content: readable ? contentOf(connection, out) : undefined };
  } finally {
    connection.close();
  }
}

function hasTables(connection: Connection): boolean {
  const table = connection.prepare<[string], number>('SELECT 1 FROM sqlite_schema WHERE name = ?').pluck();
  return resourceNames.every((resource) => table.get(resource) === 1);
}

function contentOf(connection: Connection, out: string): Content {
  return {
    counts: countRecords(connection),
    broken: findBrokenReference(connection),
    keys: listKeys(connection),
    revision: revision(connection),
    build: readBuild(connection, out),
  };
}
