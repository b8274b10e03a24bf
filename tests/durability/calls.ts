/**
 * Every call to the file system and to SQLite that concerns a folder, one by one: each can be let through, failed, or be the
 * last that the process makes. It stands below all of the project's code, in place of the functions of node:fs and of
 * better-sqlite3, so that it need not know how that code goes about its work.
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
  /** Of the database, where it is one to SQLite. */
  connection: Database.Database | undefined;
  /** The path, or the SQL as far as it is known. */
  subject: string;
  parameters: readonly unknown[];
}

/** Whether a call changes a file of the folder; SQLite's are its own affair. */
export const changesFile = ({ name }: Pick<Call, 'name'>): boolean =>
  (changingFiles as readonly string[]).includes(name);

export interface Interception {
  /** Calls so far. */
  calls: number;
  /** Lets all further calls through. */
  end(): void;
}

type Callable = (this: unknown, ...parameters: unknown[]) => unknown;

/**
 * @param folder calls about other places are let through and not counted
 * @param act in place of each call; `proceed` makes it
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
  /** A call that is made on behalf of another is part of it. */
  let within = false;
  const count = (call: Omit<Call, 'number'>, proceed: () => unknown) => {
    if (within) return proceed();
    interception.calls += 1;
    within = true;
    try {
      return act({ ...call, number: interception.calls }, proceed);
    } finally {
      within = false;
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
    replace(fs, name, (original) => (path, ...rest) => {
      const proceed = () => original(path, ...rest);
      if (!String(path).startsWith(folder)) return proceed();
      return count(
        { name, connection: undefined, subject: String(path), parameters: [path, ...rest] },
        proceed,
      );
    });
  for (const name of onDatabase)
    replace(
      Database.prototype as object,
      name,
      (original) =>
        function (this: unknown, ...parameters) {
          const connection = this as Database.Database;
          const proceed = () => original.apply(this, parameters);
          if (!connection.name.startsWith(folder)) return proceed();
          return count({ name, connection, subject: String(parameters[0] ?? ''), parameters }, proceed);
        },
    );
  for (const name of onStatement)
    replace(
      statementPrototype(),
      name,
      (original) =>
        function (this: unknown, ...parameters) {
          const { database: connection, source: subject } = this as Database.Statement;
          const proceed = () => original.apply(this, parameters);
          if (!connection.name.startsWith(folder)) return proceed();
          return count({ name, connection, subject, parameters }, proceed);
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

/** Writes the file of a call, but only the first half of it. */
export function writeHalf({ parameters: [path, bytes] }: Call): void {
  const whole = Buffer.from(bytes as string | Uint8Array);
  const descriptor = fs.openSync(path as string, 'w');
  fs.writeSync(descriptor, whole, 0, whole.length >> 1);
  fs.closeSync(descriptor);
}
