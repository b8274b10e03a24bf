/** Writes and batches as they are sent, and what becomes of them. */
import { isFullDisk } from '../../data/full-disk.ts';
import { DatabaseBusy } from '../../data/transaction.ts';
import { UserError } from '../../data/user-error.ts';
import type { RecordFields } from '../../data/validation.ts';
import type { JsonValue } from '../contract/bodies.ts';
import type { WritableResource } from '../contract/names.ts';
import { type PointerFault, type ProblemCode, publicReason, summaryOf } from '../contract/problems.ts';

/** A write whose key and syntax are checked. */
export interface WriteRequest {
  resource: WritableResource;
  /** The id in the address of a PATCH or DELETE; undefined for a POST. */
  id: number | undefined;
  /** undefined for a DELETE, which has none. */
  body: JsonValue | undefined;
  ifMatch: string | undefined;
  /** Name of the API key. */
  key: string;
}

/** Several writes, which are in the body. */
export type BatchRequest = Pick<WriteRequest, 'ifMatch' | 'key'> & { body: JsonValue };

export interface WriteError {
  problem: ProblemCode;
  detail: string;
  faults?: PointerFault[];
}

export interface WriteDone {
  created: boolean;
  resource: WritableResource;
  id: number;
  /** The record as the lists show it, with `details` if the body has some; of a deletion the one that is gone. */
  record: RecordFields;
  /** Id of the receipt; undefined if nothing changed. */
  receipt: number | undefined;
  /** Of the record's page. The writer sets it at the end; not if the record is gone, or a later write of the batch has it. */
  etag?: string | undefined;
}

/** What one transaction has written. */
export interface Written {
  /** The single write, or those of the batch in its order. */
  writes: WriteDone[];
  /** Number of the group of receipts of a batch; undefined if nothing changed. */
  group: number | undefined;
  /** The snapshot that holds the writes; undefined if its build failed. */
  snapshot: string | undefined;
}

export type WriteOutcome = WriteError | Written;

/** Carries out a write, or all writes of a batch or none. Later ones see what earlier ones wrote. */
export type Write = (request: WriteRequest | BatchRequest) => Promise<WriteOutcome>;

export const invalidRecord = (faults: PointerFault[]): WriteError => ({
  problem: 'invalid-record',
  detail: summaryOf(faults),
  faults,
});

/** The answer to a write that failed. An error of the database has written nothing. */
export function writeErrorOf(error: unknown): WriteError {
  if (isFullDisk(error))
    return {
      problem: 'storage-full',
      detail: 'there is no room left to store the write; nothing was changed',
    };
  const { code, message } = error as { code?: unknown; message?: string };
  // SQLite's primary result code; better-sqlite3 reports extended ones, such as SQLITE_IOERR_WRITE.
  const [, primary = ''] = /^SQLITE_([A-Z]+)/.exec(String(code)) ?? [];
  if (primary === 'CONSTRAINT')
    return invalidRecord([{ pointer: '', message: `is refused by the database: ${message}` }]);
  const unavailable = (detail: string): WriteError => ({ problem: 'writing-unavailable', detail });
  if (error instanceof DatabaseBusy || busyCodes.includes(primary))
    return unavailable('another program is writing to the database; nothing was changed');
  if (error instanceof UserError) return unavailable(publicReason(error));
  if (brokenCodes.includes(primary))
    return unavailable('the database cannot be written to at the moment; nothing was changed');
  return { problem: 'internal-error', detail: 'the write could not be carried out; it has been logged' };
}

const busyCodes = ['BUSY', 'LOCKED'];
const brokenCodes = ['IOERR', 'READONLY', 'CANTOPEN', 'CORRUPT', 'NOTADB', 'PERM', 'AUTH', 'NOLFS'];
