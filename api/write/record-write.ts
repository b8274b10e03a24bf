/** One write of one record, in the caller's transaction: checks it against the record, carries it out, and adds its receipt. */
import {
  changeRecord,
  deleteRecord,
  deriveFields,
  hadEntry,
  insertRecord,
  type NominationReferences,
  nextId,
  nominationsOf,
  readRecord,
  recordExists,
  referrersOf,
  withDetails,
} from '../../data/edits.ts';
import { counted } from '../../data/numbers.ts';
import type { Connection } from '../../data/open.ts';
import { addReceipt } from '../../data/receipts.ts';
import { checkBody, type RecordFields } from '../../data/validation.ts';
import { derivedFields, derivedFrom, type ReferenceField, references } from '../contract/bodies.ts';
import { matchesStrongly } from '../contract/etag.ts';
import type { WritableResource } from '../contract/names.ts';
import { type PointerFault, pointerTo } from '../contract/problems.ts';
import type { Nomination } from '../contract/resources.ts';
import { recordPath } from '../contract/routes.ts';
import { contentHash } from '../contract/snapshot.ts';
import { nodeDigest } from '../read/node-source.ts';
import { invalidRecord, type WriteDone, type WriteError, type WriteRequest } from './outcomes.ts';

/** @param etags that If-Match is compared with, of pageETags() */
export function carryOut(
  connection: Connection,
  request: WriteRequest,
  etags: readonly string[],
): WriteDone | WriteError {
  const { resource, id, body, key } = request;
  if (body === undefined) return remove(connection, request, etags);
  const { record, faults } = checkBody(resource, id === undefined ? 'create' : 'update', body);
  const showsDetails = record.details !== undefined;
  const before = id === undefined ? undefined : read(connection, resource, id, showsDetails);
  faults.push(...faultsOfRules(connection, request, record, before));
  if (faults.length > 0) return invalidRecord(faults);
  if (id === undefined) return create(connection, request, record);
  if (before === undefined) return noRecord(id);
  const change = { resource, id, before, fields: record, key, at: new Date() };
  return (
    unmetCondition(request, etags) ?? { created: false, resource, id, ...changeRecord(connection, change) }
  );
}

function create(
  connection: Connection,
  { resource, key, ifMatch }: WriteRequest,
  record: RecordFields,
): WriteDone | WriteError {
  const id = (record.id as number | undefined) ?? nextId(connection, resource);
  if (recordExists(connection, resource, id))
    return { problem: 'record-exists', detail: `there is a record ${id} already; PATCH changes it` };
  if (ifMatch !== undefined)
    return { problem: 'precondition-failed', detail: 'a POST adds a record, so it cannot have If-Match' };
  insertRecord(connection, resource, { ...record, id });
  const after = read(connection, resource, id, record.details !== undefined)!;
  const made = { key, at: new Date(), action: 'create', resource, recordId: id } as const;
  const receipt = addReceipt(connection, { ...made, before: null, after });
  return { created: true, resource, id, record: after, receipt };
}

function remove(
  connection: Connection,
  request: WriteRequest,
  etags: readonly string[],
): WriteDone | WriteError {
  const { resource, key } = request;
  const id = request.id!;
  const record = read(connection, resource, id, false);
  if (record === undefined) return noRecord(id);
  const referrers = referrersOf(connection, resource, id).map(({ resource: name, count }) =>
    counted(count, name.slice(0, -1)),
  );
  if (referrers.length > 0)
    return {
      problem: 'still-referenced',
      detail: `${recordPath(resource, id)} is still referred to by ${referrers.join(' and ')}`,
    };
  const unmet = unmetCondition(request, etags);
  if (unmet) return unmet;
  const { receipt } = deleteRecord(connection, { resource, id, key, at: new Date() });
  return { created: false, resource, id, record, receipt };
}

function read(connection: Connection, resource: WritableResource, id: number, showsDetails: boolean) {
  const record = readRecord(connection, resource, id) as RecordFields | undefined;
  return record && showsDetails ? withDetails(connection, resource, record) : record;
}

const noRecord = (id: number): WriteError => ({
  problem: 'no-such-record',
  detail: `there is no record ${id}`,
});

function unmetCondition(
  { resource, id, ifMatch }: WriteRequest,
  etags: readonly string[],
): WriteError | undefined {
  if (ifMatch === undefined || etags.some((etag) => matchesStrongly(ifMatch, etag))) return undefined;
  return {
    problem: 'precondition-failed',
    detail: `If-Match does not list the current strong ETag of ${recordPath(resource, id!)}; read the record again`,
  };
}

/**
 * Rules that need the database: references exist, and derived fields have their derived values.
 * @param record the fields that checkBody found valid
 * @param before the stored record, with `details` if `record` has some; undefined if there is none
 */
function faultsOfRules(
  connection: Connection,
  { resource, id }: WriteRequest,
  record: RecordFields,
  before: RecordFields | undefined,
): PointerFault[] {
  const faults: PointerFault[] = [];
  const add = (field: string, message: string) => faults.push({ pointer: pointerTo([field]), message });
  if (id !== undefined && record.id !== undefined && record.id !== id) add('id', `must stay ${id}`);
  if (resource !== 'nominations') return faults;
  const entry = (record.details as RecordFields | undefined)?.entry;
  const stored = (before?.details as RecordFields | undefined)?.entry ?? null;
  const after = { ...before, ...record };
  const isUndo = () => hadEntry(connection, after.id as number, entry as number | null, after);
  if (entry !== undefined && entry !== stored && !isUndo())
    faults.push({
      pointer: '/details/entry',
      message: `comes from the source: its value is ${stored}; omit it or send this value`,
    });
  for (const [field, target] of Object.entries(references)) {
    const reference = record[field];
    if (typeof reference === 'number' && !recordExists(connection, target, reference))
      add(field, `there is no ${field.slice(0, -'_id'.length)} with id ${reference}`);
  }
  const sent = derivedFields.filter((field) => record[field] !== undefined);
  if (sent.length === 0) return faults;
  const derived = deriveFields(connection, { song_id: null, ...after } as unknown as NominationReferences);
  for (const field of sent) {
    const due = after[derivedFrom[field]] === undefined ? undefined : derived[field];
    if (due !== undefined && record[field] !== due)
      add(field, `is derived: its value is ${JSON.stringify(due)}; omit it or send this value`);
  }
  return faults;
}

/** Resource → the field of a nomination that refers to it. */
const referenceTo = new Map(
  Object.entries(references).map(([field, resource]) => [resource as string, field as ReferenceField]),
);

/**
 * The ETags of the page of a record, of a nomination also that with `include=details`: those that GET answers as soon as the
 * snapshot holds what the database has. So a write knows them without a build. The pages are those of recordPage() in
 * api/read/documents.ts.
 * @returns none if there is no such record
 */
export function pageETags(connection: Connection, resource: WritableResource, id: number): string[] {
  const record = readRecord(connection, resource, id);
  if (record === undefined) return [];
  if (resource === 'nominations') {
    const page = nominationPage(connection, record as Nomination);
    return [etagOf(page), etagOf(withDetails(connection, resource, page))];
  }
  if (resource === 'ceremonies') return [etagOf(record)];
  return [etagOf({ ...record, nominations: nominationsOf(connection, referenceTo.get(resource)!, id) })];
}

/** A nomination with the records that it refers to. */
function nominationPage(connection: Connection, nomination: Nomination): object {
  const { ceremony_id, category_id, movie_id, nominee_id, song_id } = nomination;
  return {
    ...nomination,
    category: readRecord(connection, 'categories', category_id),
    movie: readRecord(connection, 'movies', movie_id),
    nominee: readRecord(connection, 'nominees', nominee_id),
    ceremony: readRecord(connection, 'ceremonies', ceremony_id),
    ...(song_id !== null && { song: readRecord(connection, 'songs', song_id) }),
  };
}

const etagOf = (page: object): string =>
  `"${contentHash(new TextEncoder().encode(`${JSON.stringify(page)}\n`), nodeDigest)}"`;
