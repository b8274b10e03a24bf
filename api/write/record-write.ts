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
import { invalidRecord, Refusal, type WriteDone, type WriteRequest } from './requests.ts';

/** Whether the If-Match of a write, if it has one, lists an ETag of the record as it is now. */
export const meetsCondition = (connection: Connection, { resource, id, ifMatch }: WriteRequest): boolean =>
  ifMatch === undefined ||
  (id !== undefined && pageETags(connection, resource, id).some((etag) => matchesStrongly(ifMatch, etag)));

/**
 * @param isMet whether the record meets the condition of the write; for a batch, before its first write
 * @returns what was done; the caller adds the ETag
 * @throws Refusal
 */
export function carryOut(connection: Connection, request: WriteRequest, isMet: boolean): WriteDone {
  const { resource, id, body, key } = request;
  if (body === undefined) return remove(connection, request, isMet);
  const { record: fields, faults } = checkBody(resource, id === undefined ? 'create' : 'update', body);
  const before = id === undefined ? undefined : read(connection, resource, id, fields);
  faults.push(...faultsOfRules(connection, request, fields, before));
  if (faults.length > 0) throw invalidRecord(faults);
  if (id === undefined) return create(connection, request, fields);
  if (before === undefined) throw noRecord(id);
  if (!isMet) throw unmetCondition(resource, id);
  const { record, receipt } = changeRecord(connection, { resource, id, before, fields, key, at: new Date() });
  return done(200, resource, record, receipt);
}

function create(connection: Connection, request: WriteRequest, fields: RecordFields): WriteDone {
  const { resource, key, ifMatch } = request;
  const id = (fields.id as number | undefined) ?? nextId(connection, resource);
  if (recordExists(connection, resource, id))
    throw new Refusal('record-exists', `there is a record ${id} already; PATCH changes it`);
  if (ifMatch !== undefined)
    throw new Refusal('precondition-failed', 'a POST adds a record, so it cannot have If-Match');
  insertRecord(connection, resource, { ...fields, id });
  const after = read(connection, resource, id, fields)!;
  const made = { key, at: new Date(), action: 'create', resource, recordId: id } as const;
  return done(201, resource, after, addReceipt(connection, { ...made, before: null, after }));
}

function remove(connection: Connection, { resource, id, key }: WriteRequest, isMet: boolean): WriteDone {
  if (id === undefined || !recordExists(connection, resource, id)) throw noRecord(id);
  const referrers = referrersOf(connection, resource, id).map(({ resource: name, count }) =>
    counted(count, name.slice(0, -1)),
  );
  if (referrers.length > 0)
    throw new Refusal(
      'still-referenced',
      `${recordPath(resource, id)} is still referred to by ${referrers.join(' and ')}`,
    );
  if (!isMet) throw unmetCondition(resource, id);
  const { record, receipt } = deleteRecord(connection, { resource, id, key, at: new Date() });
  const { details: _, ...listed } = record;
  return done(200, resource, listed, receipt);
}

const done = (
  status: number,
  resource: WritableResource,
  record: RecordFields,
  receipt: number | undefined,
): WriteDone => ({
  status,
  path: recordPath(resource, Number(record.id)),
  etag: null,
  receipt: receipt ?? null,
  record,
});

/** @param sent the fields of the body: the record has `details` if they have some */
function read(connection: Connection, resource: WritableResource, id: number, sent: RecordFields) {
  const record = readRecord(connection, resource, id) as RecordFields | undefined;
  return record && sent.details !== undefined ? withDetails(connection, resource, record) : record;
}

const noRecord = (id: number | undefined) => new Refusal('no-such-record', `there is no record ${id}`);

const unmetCondition = (resource: WritableResource, id: number) =>
  new Refusal(
    'precondition-failed',
    `If-Match does not list the current strong ETag of ${recordPath(resource, id)}; read the record again`,
  );

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
