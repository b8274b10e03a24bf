/** Writes as they are sent, alone or in a batch, and what becomes of them. */
import { isFullDisk } from '../../data/full-disk.ts';
import { DatabaseBusy } from '../../data/transaction.ts';
import { UserError } from '../../data/user-error.ts';
import type { RecordFields } from '../../data/validation.ts';
import { BatchSchema, type JsonValue } from '../contract/bodies.ts';
import { maxBatchWrites } from '../contract/limits.ts';
import { isWritable, type WritableResource } from '../contract/names.ts';
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
}

/** What a transaction did with one write, in the form of the answer to a batch. */
export interface WriteDone {
  /** 201 for a new record, else 200. */
  status: number;
  /** Address of the record. */
  path: string;
  /** Of the record's page; null if the record is gone, a later write of the batch has it, or no snapshot shows it yet. */
  etag: string | null;
  /** Id of the receipt; null if nothing changed. */
  receipt: number | null;
  /** The record as the lists show it, with `details` if the body has some; of a deletion the one that is gone. */
  record: RecordFields;
}

/** What one transaction has written. */
export interface Written {
  /** Number of the group of receipts of a batch; null if nothing changed. */
  group: number | null;
  /** The single write, or those of the batch in its order. */
  data: WriteDone[];
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

/** Carries out a write, or all writes of a batch or none. Later ones see what earlier ones wrote. */
export type Write = (request: WriteRequest | BatchRequest) => Promise<WriteOutcome>;

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

/** The answer to a write that failed. An error of the database has written nothing. */
export function writeErrorOf(error: unknown): WriteError {
  if (error instanceof Refusal) return error.reason;
  if (isFullDisk(error))
    return {
      problem: 'storage-full',
      detail: 'there is no room left to store the write; nothing was changed',
    };
  const { code, message } = error as { code?: unknown; message?: string };
  // SQLite's primary result code; better-sqlite3 reports extended ones, such as SQLITE_IOERR_WRITE.
  const [, primary = ''] = /^SQLITE_([A-Z]+)/.exec(String(code)) ?? [];
  if (primary === 'CONSTRAINT')
    return invalidRecord([{ pointer: '', message: `is refused by the database: ${message}` }]).reason;
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

/**
 * The writes of a batch in their order; for one that cannot be read the refusal, whose pointers begin at the write.
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
  const { method, path, body, if_match: ifMatch } = member;
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
  const target = typeof path === 'string' ? targetOf(path) : undefined;
  if (path !== undefined && target === undefined) add('path', pathDemand);
  else if (target && isMethod(method) && !target.methods.includes(method))
    add('path', `takes ${target.methods.join(' and ')}, not ${method}`);
  if (faults.length > 0) return invalidRecord(faults);
  const { resource, id } = target!;
  return { resource, id, body, ifMatch: ifMatch as string | undefined, key };
}

const isMethod = (method: unknown): method is WriteMethod =>
  (memberSchemas.method.enum as readonly unknown[]).includes(method);

const pathDemand = `must be the address of a list, such as ${listPath('movies')}, or of a record, such as ${recordPath('movies', 1)}`;

/** What a path leads to; undefined for an address that takes no single write. */
function targetOf(path: string) {
  const match = matchRoute(path);
  if (match === undefined || !('resource' in match.route) || !isWritable(match.route.resource))
    return undefined;
  if (match.route.kind === 'record' && match.id === undefined) return undefined;
  return { resource: match.route.resource, id: match.id, methods: writeMethods(match.route) };
}

/** Problem of a single write without faults → the member of a batch that it is about. */
const memberAtFault: Partial<Record<ProblemCode, readonly string[]>> = {
  'no-such-record': ['path'],
  'record-exists': ['body', 'id'],
  'still-referenced': ['path'],
  'precondition-failed': ['if_match'],
};

/** The refusal of a batch whose write at a position is refused: the same problem, with the pointers of its faults in the batch. */
export function refusalAt(position: number, member: WriteRequest | Refusal, { reason }: Refusal): Refusal {
  const { problem, detail, faults: own } = reason;
  // The faults of a write that was read are those of its body.
  const place = [position, ...(member instanceof Refusal ? [] : ['body'])];
  const faults = own
    ? own.map(({ pointer, message }) => ({ pointer: pointerTo(place) + pointer, message }))
    : [{ pointer: pointerTo([position, ...(memberAtFault[problem] ?? [])]), message: detail }];
  return new Refusal(problem, summaryOf(faults), faults);
}
