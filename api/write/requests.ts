/** Writes as they are sent, alone or in a batch, and what becomes of them. */
import { isFullDisk } from '../../data/system/files.ts';
import { DatabaseBusy } from '../../data/database/transaction.ts';
import { UserError } from '../../data/system/messages.ts';
import type { BatchResult } from '../contract/answers.ts';
import { BatchSchema, type JsonValue } from '../contract/bodies.ts';
import { maxBatchWrites, maxNoteLength } from '../contract/limits.ts';
import type { WritableResource } from '../contract/names.ts';
import { unknownName } from '../contract/nearest.ts';
import {
  type PointerFault,
  type ProblemCode,
  pointerTo,
  publicReason,
  summaryOf,
} from '../contract/problems.ts';
import { listPath, matchRoute, recordPath, type WriteMethod, writeMethods } from '../contract/routes.ts';

/** Several writes, which are in the body. The key and the syntax are checked. */
export interface BatchRequest {
  /** undefined for a DELETE, which has none. */
  body: JsonValue | undefined;
  ifMatch: string | undefined;
  /** Name of the API key. */
  key: string;
}

/** A single write. */
export interface WriteRequest extends BatchRequest {
  resource: WritableResource;
  /** The id in the address of a PATCH or DELETE; undefined for a POST. */
  id: number | undefined;
  /** Why the record is written. Only a member of a batch has one. */
  note?: string | undefined;
}

/**
 * What one transaction has written: one write, or those of a batch. Both have the form of the answer to a
 * batch.
 */
export interface Written extends Pick<BatchResult, 'group'> {
  /**
   * A record is as the lists show it, with `details` if the body has some; of a deletion it is the one that
   * is gone.
   */
  data: (Omit<BatchResult['data'][number], 'record'> & { record: Record<string, JsonValue> })[];
  /** The snapshot that holds the writes; undefined if its build failed. */
  snapshot: string | undefined;
}

/** Why nothing is written. */
export interface WriteError {
  problem: ProblemCode;
  detail: string;
  faults?: PointerFault[] | undefined;
}

export type WriteOutcome = WriteError | Written;

/** Thrown where a request is refused. It rolls a transaction back. */
export class Refusal extends Error {
  readonly reason: WriteError;

  constructor(problem: ProblemCode, detail: string, faults?: PointerFault[]) {
    super(detail);
    this.reason = { problem, detail, faults };
  }
}

export const invalidRecord = (faults: PointerFault[]): Refusal =>
  new Refusal('invalid-record', summaryOf(faults), faults);

/** The refusal of a write that failed. An error of the database has written nothing. */
export function refusalOf(error: unknown): Refusal {
  if (error instanceof Refusal) return error;
  if (isFullDisk(error))
    return new Refusal('storage-full', 'there is no room left to store the write; nothing was changed');
  const { code, message } = error as { code?: unknown; message?: string };
  // SQLite's primary result code; better-sqlite3 reports extended ones, such as SQLITE_IOERR_WRITE.
  const [, primary = ''] = /^SQLITE_([A-Z]+)/.exec(String(code)) ?? [];
  if (primary === 'CONSTRAINT')
    return invalidRecord([{ pointer: '', message: `is refused by the database: ${message}` }]);
  const cause = error instanceof DatabaseBusy ? causes.BUSY : causes[primary];
  if (cause !== undefined) return new Refusal('writing-unavailable', `${cause}; nothing was changed`);
  if (error instanceof UserError) return new Refusal('writing-unavailable', publicReason(error));
  return new Refusal('internal-error', 'the write could not be carried out; it has been logged');
}

/** Primary result code of SQLite → why the record cannot be written, or read. */
const causes: Readonly<Record<string, string>> = {
  BUSY: 'another program is writing to the database',
  LOCKED: 'another program is writing to the database',
  IOERR: 'the disk of the database reports an error',
  READONLY: 'the service may only read the database',
  PERM: 'the service has no right to write to the database',
  CANTOPEN: 'the database or its log cannot be opened',
  CORRUPT: 'the database is damaged',
  NOTADB: 'the database is damaged',
  NOLFS: 'the database is larger than its file system allows',
};

/**
 * The writes of a batch in their order; for one that cannot be read the refusal, whose pointers begin at the
 * write.
 * @throws Refusal of a body that is no list of writes
 */
export function readBatch({ body, key }: BatchRequest): (WriteRequest | Refusal)[] {
  if (Array.isArray(body) && body.length > 0 && body.length <= maxBatchWrites)
    return body.map((member) => readMember(member, key));
  throw invalidRecord([{ pointer: '', message: `must be a list of 1 to ${maxBatchWrites} writes` }]);
}

const { required: requiredNames, properties: memberSchemas } = BatchSchema.items;
const memberNames = Object.keys(memberSchemas);

function readMember(member: JsonValue, key: string): WriteRequest | Refusal {
  if (member === null || typeof member !== 'object' || Array.isArray(member))
    return invalidRecord([{ pointer: '', message: 'must be a JSON object' }]);
  const { method, path, body, if_match: ifMatch, note } = member;
  const faults: PointerFault[] = [];
  const add = (name: string, message: string) => faults.push({ pointer: pointerTo([name]), message });
  for (const name of Object.keys(member))
    if (!memberNames.includes(name)) add(name, unknownName('member', name, memberNames, 'a write has'));
  const isDelete = method === 'DELETE';
  for (const name of [...requiredNames, ...(isDelete ? [] : ['body'])])
    if (member[name] === undefined) add(name, 'is required');
  if (method !== undefined && !isMethod(method)) add('method', 'must be POST, PATCH or DELETE');
  if (isDelete && body !== undefined) add('body', 'must be left out of a DELETE');
  if (ifMatch !== undefined && typeof ifMatch !== 'string') add('if_match', 'must be a text');
  const isNote = typeof note === 'string' && note.length > 0 && note.length <= maxNoteLength;
  if (note !== undefined && !isNote) add('note', `must be a text of 1 to ${maxNoteLength} characters`);
  const match = typeof path === 'string' ? matchRoute(path) : undefined;
  const isTarget = match && match.route.kind !== 'batch' && (match.route.kind === 'list' || match.id);
  const methods = isTarget ? writeMethods(match.route) : [];
  if (path !== undefined && methods.length === 0) add('path', pathDemand);
  else if (path !== undefined && isMethod(method) && !methods.includes(method))
    add('path', `takes ${methods.join(' and ')}, not ${method}`);
  if (faults.length > 0) return invalidRecord(faults);
  const { resource } = match!.route as { resource: WritableResource };
  const written = { resource, id: match!.id, body, ifMatch: ifMatch as string | undefined, key };
  return isNote ? { ...written, note } : written;
}

const isMethod = (method: unknown): method is WriteMethod =>
  (memberSchemas.method.enum as readonly unknown[]).includes(method);

const pathDemand = `must be the address of a list, such as ${listPath('movies')}, or of a record, such as ${recordPath('movies', 1)}`;

/** Problem of a single write without faults → the member of a batch that it is about. */
const memberAtFault: Partial<Record<ProblemCode, readonly string[]>> = {
  'no-such-record': ['path'],
  'record-exists': ['body', 'id'],
  'still-referenced': ['path'],
  'precondition-failed': ['if_match'],
};

/**
 * The refusal of a batch whose write at a position is refused: the same problem, with the pointers of its
 * faults in the batch.
 */
export function refusalAt(position: number, member: WriteRequest | Refusal, { reason }: Refusal): Refusal {
  const { problem, detail, faults: faultsOfWrite } = reason;
  // The faults of a write that was read are those of its body.
  const place = [position, ...(member instanceof Refusal ? [] : ['body'])];
  const faults = faultsOfWrite
    ? faultsOfWrite.map(({ pointer, message }) => ({ pointer: pointerTo(place) + pointer, message }))
    : [{ pointer: pointerTo([position, ...(memberAtFault[problem] ?? [])]), message: detail }];
  return new Refusal(problem, summaryOf(faults), faults);
}
