/** Calls that fail for a while, as those of a disk or a database in trouble do. */
import Database from 'better-sqlite3';
import { type Call, type Interception, interceptCalls, writeHalf } from './calls.ts';

export const fileTroubles = ['ENOSPC', 'EIO', 'EACCES', 'EROFS'] as const;
export const databaseTroubles = [
  'SQLITE_FULL',
  'SQLITE_IOERR_WRITE',
  'SQLITE_IOERR_FSYNC',
  'SQLITE_BUSY',
  'SQLITE_READONLY',
] as const;

export interface TransientError {
  /** Number of the first call that fails. */
  from: number;
  /** How many calls fail from there. */
  calls: number;
  /** What the file system says. */
  file: (typeof fileTroubles)[number];
  /** What SQLite says. */
  database: `SQLITE_${string}`;
  /** Whether SQLite undoes the transaction by itself then, as it may for most errors. */
  undone: boolean;
}

export function makeTrouble(folder: string, trouble: TransientError): Interception {
  return interceptCalls(folder, (call, proceed) => {
    const isFine = call.number < trouble.from || call.number >= trouble.from + trouble.calls;
    if (isFine || call.name === 'close') return proceed();
    // It has no way to tell of trouble.
    if (call.name === 'existsSync') return false;
    if (call.connection === undefined) return failFile(call, trouble);
    return failDatabase(call.connection, trouble);
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
