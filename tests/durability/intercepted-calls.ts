/**
 * Intercepts every call to the file system and to SQLite about one folder: a call can be let through, fail, or be the last one
 * of the process. It replaces functions of node:fs and better-sqlite3, so it knows nothing of the project's code.
 */
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import Database from 'better-sqlite3';

/** Their first parameter is a path of the changed file. appendFileSync() of Node calls writeFileSync() with the flag "a". */
const changes = [
  ...(['writeFileSync', 'renameSync', 'rmSync', 'unlinkSync', 'linkSync', 'utimesSync'] as const),
  ...(['mkdirSync', 'mkdtempSync', 'rmdirSync', 'copyFileSync'] as const),
];
const fileCalls = [...changes, ...(['readFileSync', 'readdirSync', 'statSync', 'existsSync'] as const)];
const connectionCalls = ['exec', 'prepare', 'close'] as const;
const statementCalls = ['run', 'get', 'all', 'iterate'] as const;

type Name = (typeof fileCalls | typeof connectionCalls | typeof statementCalls)[number];

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

type Callable = (this: unknown, ...parameters: unknown[]) => unknown;
type About = (
  self: unknown,
  parameters: readonly unknown[],
) => Pick<Call, 'connection' | 'subject'> & { path: string };

/**
 * @param folder calls about other paths are let through and not counted
 * @param act runs in place of each call; `proceed` makes the call
 */
export function interceptCalls(
  folder: string,
  act: (call: Call, proceed: () => unknown) => unknown,
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
  const intercept = (path: string, call: Omit<Call, 'number'>, proceed: () => unknown) => {
    if (isWithin || !path.startsWith(folder)) return proceed();
    interception.calls += 1;
    isWithin = true;
    try {
      return act({ ...call, number: interception.calls }, proceed);
    } finally {
      isWithin = false;
    }
  };
  /** @param about path that a call concerns, and its details */
  const replace = (owner: object, names: readonly Name[], about: About) => {
    const functions = owner as Record<string, Callable>;
    for (const name of names) {
      const original = functions[name]!;
      functions[name] = function (this: unknown, ...parameters) {
        const { path, connection, subject } = about(this, parameters);
        return intercept(path, { name, connection, subject, parameters }, () =>
          original.apply(this, parameters),
        );
      };
      restore.push(() => {
        functions[name] = original;
      });
    }
  };

  replace(fs, fileCalls, (_, [path]) => ({
    path: String(path),
    connection: undefined,
    subject: String(path),
  }));
  replace(Database.prototype as object, connectionCalls, (self, [sql]) => {
    const connection = self as Database.Database;
    return { path: connection.name, connection, subject: String(sql ?? '') };
  });
  replace(statementPrototype(), statementCalls, (self) => {
    const { database: connection, source: subject } = self as Database.Statement;
    return { path: connection.name, connection, subject };
  });
  syncBuiltinESMExports();
  return interception;
}

function statementPrototype(): object {
  const connection = new Database(':memory:');
  const prototype = Object.getPrototypeOf(connection.prepare('SELECT 1')) as object;
  connection.close();
  return prototype;
}

/** Whether a call changes files, by itself and not through SQLite. */
export const isChange = ({ name }: Call): boolean => changes.some((change) => change === name);

/** Whether a call adds to a file. */
export const isAppend = ({ name, parameters }: Call): boolean =>
  name === 'writeFileSync' && (parameters[2] as { flag?: string } | undefined)?.flag === 'a';

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

export const fileErrors = ['ENOSPC', 'EIO', 'EACCES', 'EROFS'] as const;
export const databaseErrors = [
  'SQLITE_FULL',
  'SQLITE_IOERR_WRITE',
  'SQLITE_IOERR_FSYNC',
  'SQLITE_BUSY',
  'SQLITE_READONLY',
] as const;

/** Calls that fail for a while, as on a full disk. */
export interface TransientError {
  /** Number of the first call that fails. */
  from: number;
  /** How many calls fail from there. */
  calls: number;
  /** Error of calls to the file system. */
  file: (typeof fileErrors)[number];
  /** Error of calls to SQLite. */
  database: `SQLITE_${string}`;
  /** Whether SQLite rolls the transaction back by itself, as it may for most errors. */
  undone: boolean;
}

export function failCalls(folder: string, error: TransientError): Interception {
  return interceptCalls(folder, (call, proceed) => {
    const isFine = call.number < error.from || call.number >= error.from + error.calls;
    if (isFine || call.name === 'close') return proceed();
    // It reports no errors.
    if (call.name === 'existsSync') return false;
    if (call.connection === undefined) return failFile(call, error);
    return failDatabase(call.connection, error);
  });
}

function failFile(call: Call, { file: code }: TransientError): never {
  writeHalf(call);
  throw Object.assign(new Error(`${code}: made to fail, ${call.name} '${call.subject}'`), {
    code,
    syscall: call.name,
    path: call.subject,
  });
}

function failDatabase(connection: Database.Database, { database: code, undone }: TransientError): never {
  if (undone && connection.inTransaction) connection.exec('ROLLBACK');
  throw new Database.SqliteError(`made to fail: ${code}`, code);
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
      if (!isChange(call)) return proceed();
      disk.attempts += 1;
      if (disk.attempts <= last) return proceed();
      if (disk.attempts > last + 1) return forGood ? noSpaceLeft() : proceed();
      writeHalf(call);
      return noSpaceLeft();
    }).end,
  };
  return disk;
}

/** The error of a full disk. */
function noSpaceLeft(): never {
  throw Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });
}
