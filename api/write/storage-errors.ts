/** Errors of the database as refusals of a write. */
import { DatabaseBusy } from '../../data/transaction.ts';
import { UserError } from '../../data/user-error.ts';
import { publicReason } from '../contract/problems.ts';
import type { WriteError } from './outcomes.ts';

/** The refusal for an error of the database, which has written nothing; undefined for any other error. */
export function writeErrorOf(error: unknown): WriteError | undefined {
  if (error instanceof DatabaseBusy) return busy;
  if (error instanceof UserError) return { problem: 'writing-unavailable', detail: publicReason(error) };
  const { code, message } = error as { code?: unknown; message?: string };
  // SQLite's primary result code; better-sqlite3 reports extended ones, such as SQLITE_IOERR_WRITE.
  const [, primary = ''] = /^SQLITE_([A-Z]+)/.exec(String(code)) ?? [];
  if (primary === 'CONSTRAINT')
    return {
      problem: 'invalid-record',
      detail: `the database refuses the record: ${message}`,
      faults: [{ pointer: '', message: `is refused by the database: ${message}` }],
    };
  return refusals[primary];
}

const busy: WriteError = {
  problem: 'writing-unavailable',
  detail: 'another program is writing to the database; nothing was changed, send it again in a moment',
};
const broken: WriteError = {
  problem: 'writing-unavailable',
  detail: 'the database cannot be written to at the moment; nothing was changed',
};
const full: WriteError = {
  problem: 'storage-full',
  detail: 'there is no room left to store the write; nothing was changed',
};
const refusals: Partial<Record<string, WriteError>> = {
  ...{ FULL: full, BUSY: busy, LOCKED: busy, IOERR: broken, READONLY: broken, CANTOPEN: broken },
  ...{ CORRUPT: broken, NOTADB: broken, PERM: broken, AUTH: broken, NOLFS: broken },
};
