/**
 * Intercepts every call to the file system and to SQLite about one folder: a call can be let through, fail, or be the last one
 * of the process. It replaces functions of node:fs and better-sqlite3, so it knows nothing of the project's code.
 */
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import Database from 'better-sqlite3';

/** Their first parameter is a path of the changed file. */
const changes = [
  ...(['writeFileSync', 'renameSync', 'rmSync', 'unlinkSync', 'linkSync', 'utimesSync'] as const),
  ...(['mkdirSync', 'mkdtempSync', 'rmdirSync', 'copyFileSync'] as const),
];
const fileCalls = [...changes, ...(['readFileSync', 'readdirSync', 'statSync', 'existsSync'] as const)];
/** Of a descriptor, and of a file that is open. */
const flushCalls = ['fsyncSync', 'sync'] as const;
const connectionCalls = ['exec', 'prepare', 'close'] as const;
const statementCalls = ['run', 'get', 'all', 'iterate'] as const;

type Name = (typeof fileCalls | typeof flushCalls | typeof connectionCalls | typeof statementCalls)[number];

export interface Call {
  /** 1 for the first. */
  number: number;
  name: Name;
  /** Only for calls to SQLite. */
  connection: Database.Database | undefined;
  /** The path or the SQL. */
  subject: string;
  parameters: readonly unknown[];
}

export interface Interception {
  /** Calls so far. */
  calls: number;
  /** Lets all further calls through. */
  end(): void;
}

/**
 * @param folder calls about other paths are let through and not counted
 * @param act runs in place of each call; `proceed` makes the call
 * @param withFlushes whether calls that flush files and folders to the disk are intercepted as well
 */
export function interceptCalls(
  folder: string,
  act: (call: Call, proceed: () => unknown) => unknown,
  { withFlushes = false } = {},
): Interception {
  const restore: (() => void)[] = [];
  const interception: Interception = {
    calls: 0,
    end() {
      for (const each of restore.splice(0)) each();
      syncBuiltinESMExports();
    },
  };
  // A call made within another one is part of it.
  let isWithin = false;
  type Details = Pick<Call, 'connection' | 'subject'>;
  const replace = <T>(owner: object, names: readonly Name[], about: (self: T, first: unknown) => Details) => {
    const functions = owner as Record<string, (this: unknown, ...parameters: unknown[]) => unknown>;
    for (const name of names) {
      const original = functions[name]!;
      functions[name] = function (this: unknown, ...parameters) {
        const proceed = () => original.apply(this, parameters);
        const { connection, subject } = about(this as T, parameters[0]);
        if (isWithin || !(connection?.name ?? subject).startsWith(folder)) return proceed();
        interception.calls += 1;
        isWithin = true;
        try {
          return act({ number: interception.calls, name, connection, subject, parameters }, proceed);
        } finally {
          isWithin = false;
        }
      };
      restore.push(() => {
        functions[name] = original;
      });
    }
  };
  if (withFlushes) {
    const paths = new Map<unknown, string>();
    const { openSync } = fs;
    fs.openSync = (path, ...rest) => {
      const descriptor = openSync(path, ...rest);
      paths.set(descriptor, String(path));
      return descriptor;
    };
    const { open } = fs.promises;
    fs.promises.open = async (path, ...rest) => {
      const handle = await open(path, ...rest);
      replace(handle, ['sync'], () => ({ connection: undefined, subject: String(path) }));
      return handle;
    };
    restore.push(
      () => Object.assign(fs, { openSync }),
      () => Object.assign(fs.promises, { open }),
    );
    replace(fs, ['fsyncSync'], (_, descriptor) => ({
      connection: undefined,
      subject: paths.get(descriptor) ?? '',
    }));
  }
  const memory = new Database(':memory:');
  const statements = Object.getPrototypeOf(memory.prepare('SELECT 1')) as object;
  memory.close();
  replace(fs, fileCalls, (_, path) => ({ connection: undefined, subject: String(path) }));
  replace<Database.Database>(Database.prototype as object, connectionCalls, (connection, sql) => ({
    connection,
    subject: String(sql ?? ''),
  }));
  replace<Database.Statement>(statements, statementCalls, ({ database, source }) => ({
    connection: database,
    subject: source,
  }));
  syncBuiltinESMExports();
  return interception;
}

/** Whether a call changes files, by itself and not through SQLite. */
export const changesFiles = ({ name }: Call): boolean => changes.some((change) => change === name);

/**
 * Writes the first half of the file that a call writes.
 * @returns whether it does. The flag "wx" refuses a file that exists, as in the whole call
 */
export function writeHalf({ name, parameters }: Call): boolean {
  if (name !== 'writeFileSync') return false;
  const [path, bytes, options] = parameters as Parameters<typeof fs.writeFileSync>;
  const whole = Buffer.from(bytes as string | Uint8Array);
  try {
    fs.writeFileSync(path, whole.subarray(0, whole.length >> 1), options);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    return false;
  }
}

/** Calls that fail for a while, as on a full disk. */
export interface TransientError {
  /** Number of the first call that fails. */
  from: number;
  /** How many calls fail from there. */
  calls: number;
  /** Code of errors of the file system. */
  file: string;
  database: `SQLITE_${string}`;
  /** Whether SQLite rolls the transaction back by itself, as it may for most errors. */
  undone: boolean;
}

export function failCalls(
  folder: string,
  { from, calls, file, database, undone }: TransientError,
): Interception {
  return interceptCalls(folder, (call, proceed) => {
    const { number, name, connection, subject } = call;
    if (number < from || number >= from + calls || name === 'close') return proceed();
    // It reports no errors.
    if (name === 'existsSync') return false;
    if (connection) {
      if (undone && connection.inTransaction) connection.exec('ROLLBACK');
      throw new Database.SqliteError(`made to fail: ${database}`, database);
    }
    writeHalf(call);
    const details = { code: file, syscall: name, path: subject };
    throw Object.assign(new Error(`${file}: made to fail, ${name} '${subject}'`), details);
  });
}

interface FailingDisk {
  /** Changes attempted so far. */
  attempts: number;
  /** Ends the failures. */
  repair(): void;
}

/**
 * Lets the Nth change to a folder fail for lack of space. If it writes a file, half of the file is written.
 * @param last number of changes that still succeed
 * @param forGood whether all later changes fail too, as if the process had ended
 */
export function installFailingDisk(folder: string, last: number, forGood = false): FailingDisk {
  const disk: FailingDisk = {
    attempts: 0,
    repair: interceptCalls(folder, (call, proceed) => {
      if (!changesFiles(call)) return proceed();
      disk.attempts += 1;
      if (disk.attempts <= last || (disk.attempts > last + 1 && !forGood)) return proceed();
      if (disk.attempts === last + 1) writeHalf(call);
      throw Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });
    }).end,
  };
  return disk;
}
