/** Writes and batches as they are sent, and what becomes of them. */
import { isFullDisk } from '../../data/full-disk.ts';
import { DatabaseBusy } from '../../data/transaction.ts';
import { UserError } from '../../data/user-error.ts';
import type { RecordFields } from '../../data/validation.ts';
import type { JsonValue } from '../contract/bodies.ts';
import type { WritableResource } from '../contract/names.ts';
import { type PointerFault, type ProblemCode, publicReason } from '../contract/problems.ts';

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
  /** The snapshot that holds the write, and the ETag of the record's page in it; undefined if its build failed. */
  published: { snapshot: string; etag: string | undefined } | undefined;
}

/** Several writes, which are in the body. The If-Match is not theirs. */
export type BatchRequest = Omit<WriteRequest, 'resource' | 'id' | 'body'> & { body: JsonValue };

export interface BatchDone {
  /** Number of the group of receipts; undefined if nothing changed. */
  group: number | undefined;
  /** In the order of the batch. */
  writes: WriteDone[];
}

export type WriteOutcome = WriteError | WriteDone | BatchDone;

/** Carries out a write, or all writes of a batch or none. Later ones see what earlier ones wrote. */
export type Write = (request: WriteRequest | BatchRequest) => Promise<WriteOutcome>;

/** The answer to a write that failed. An error of the database has written nothing. */
export function writeErrorOf(error: unknown): WriteError {
  if (error instanceof DatabaseBusy) return busy;
  if (isFullDisk(error)) return full;
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
  return refusals[primary] ?? failed;
}

const busy: WriteError = {
  problem: 'writing-unavailable',
  detail:
    'another program is writing to the database; nothing was changed, send the request again in a moment',
};
const broken: WriteError = {
  problem: 'writing-unavailable',
  detail: 'the database cannot be written to at the moment; nothing was changed',
};
const full: WriteError = {
  problem: 'storage-full',
  detail: 'there is no room left to store the write; nothing was changed',
};
const failed: WriteError = {
  problem: 'internal-error',
  detail: 'the write could not be carried out; it has been logged',
};
const refusals: Partial<Record<string, WriteError>> = {
  ...{ BUSY: busy, LOCKED: busy, IOERR: broken, READONLY: broken, CANTOPEN: broken },
  ...{ CORRUPT: broken, NOTADB: broken, PERM: broken, AUTH: broken, NOLFS: broken },
};
