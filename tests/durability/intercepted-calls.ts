/**
 * Intercepts every call to the file system and to SQLite about one folder: a call can be let through, fail, or be the last one
 * of the process. It replaces functions of node:fs and better-sqlite3, so it knows nothing of the project's code.
 */
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import Database from 'better-sqlite3';

const changingFiles = ['writeFileSync', 'renameSync', 'rmSync', 'rmdirSync', 'mkdirSync'] as const;
const readingFiles = ['readFileSync', 'readdirSync', 'statSync', 'existsSync'] as const;
const onDatabase = ['exec', 'prepare', 'close'] as const;
const onStatement = ['run', 'get', 'all', 'iterate'] as const;

type Name = (typeof changingFiles | typeof readingFiles | typeof onDatabase | typeof onStatement)[number];

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
  const replace = (owner: object, name: Name, make: (original: Callable) => Callable) => {
    const functions = owner as Record<string, Callable>;
    const original = functions[name]!;
    functions[name] = make(original);
    restore.push(() => {
      functions[name] = original;
    });
  };

  for (const name of [...changingFiles, ...readingFiles])
    replace(fs, name, (original) => (...parameters) => {
      const subject = String(parameters[0]);
      return intercept(subject, { name, connection: undefined, subject, parameters }, () =>
        original(...parameters),
      );
    });
  for (const name of onDatabase)
    replace(
      Database.prototype as object,
      name,
      (original) =>
        function (this: unknown, ...parameters) {
          const connection = this as Database.Database;
          const call = { name, connection, subject: String(parameters[0] ?? ''), parameters };
          return intercept(connection.name, call, () => original.apply(this, parameters));
        },
    );
  for (const name of onStatement)
    replace(
      statementPrototype(),
      name,
      (original) =>
        function (this: unknown, ...parameters) {
          const { database: connection, source: subject } = this as Database.Statement;
          const call = { name, connection, subject, parameters };
          return intercept(connection.name, call, () => original.apply(this, parameters));
        },
    );
  syncBuiltinESMExports();
  return interception;
}

function statementPrototype(): object {
  const connection = new Database(':memory:');
  const prototype = Object.getPrototypeOf(connection.prepare('SELECT 1')) as object;
  connection.close();
  return prototype;
}

/** Writes the first half of the file that a call writes. */
export function writeHalf({ parameters: [path, bytes] }: Call): void {
  const whole = Buffer.from(bytes as string | Uint8Array);
  const descriptor = fs.openSync(path as string, 'w');
  fs.writeSync(descriptor, whole, 0, whole.length >> 1);
  fs.closeSync(descriptor);
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
  if (call.name === 'writeFileSync') writeHalf(call);
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
