/** What the database's own errors mean for whoever sent the write. */
import { UserError } from '../../data/user-error.ts';
import type { WriteError } from './writer.ts';

/** The refusal that an error of the database comes to; undefined for any other error. Nothing was written. */
export function writeErrorOf(error: unknown): WriteError | undefined {
  if (error instanceof UserError) return { problem: 'writing-unavailable', detail: error.message };
  const { code = '', message } = error as { code?: unknown; message?: string };
  if (typeof code !== 'string' || !code.startsWith('SQLITE_')) return undefined;
  if (code.startsWith('SQLITE_FULL'))
    return {
      problem: 'storage-full',
      detail: 'there is no room left to store the write; nothing was changed',
    };
  // Past the schema and the rules, the tables have the last word.
  if (code.startsWith('SQLITE_CONSTRAINT'))
    return {
      problem: 'invalid-record',
      detail: `the database refuses the record: ${message}`,
      faults: [{ pointer: '', message: `is refused by the database: ${message}` }],
    };
  if (/^SQLITE_(BUSY|LOCKED)/.test(code))
    return {
      problem: 'writing-unavailable',
      detail: 'another program is writing to the database; nothing was changed, send it again in a moment',
    };
  if (/^SQLITE_(IOERR|READONLY|CANTOPEN|CORRUPT|NOTADB|PERM|AUTH|NOLFS)/.test(code))
    return {
      problem: 'writing-unavailable',
      detail: 'the database cannot be written to at the moment; nothing was changed',
    };
  return undefined;
}
