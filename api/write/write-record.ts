/** One write of one record: checked against the record and the rules, and carried out with its receipt. */
import type { Connection } from '../../data/database/open.ts';
import {
  changeRecord,
  deleteRecord,
  hasDetails,
  insertRecord,
  nextId,
  readRecord,
  recordExists,
  referrersOf,
  withDetails,
} from '../../data/record/edits.ts';
import { addReceipt } from '../../data/record/receipts.ts';
import { checkBody, type RecordFields } from '../../data/record/validation.ts';
import { counted } from '../../data/system/messages.ts';
import type { WritableResource } from '../contract/names.ts';
import { recordPath } from '../contract/routes.ts';
import { invalidRecord, Refusal, type WriteRequest } from './requests.ts';
import { faultsOfRules } from './rules.ts';

/**
 * Carries out one write of one record, and adds its receipt.
 * @param isMet whether the record meets the condition of the write; for a batch, before its first write
 * @returns the record, the deleted one too, and the id of the receipt; undefined if nothing changed
 * @throws Refusal
 */
export function writeRecord(connection: Connection, request: WriteRequest, isMet: boolean) {
  const { resource, id, body, key, note } = request;
  const isDelete = body === undefined;
  const { record: fields, faults } = isDelete
    ? { record: {}, faults: [] }
    : checkBody(resource, id === undefined ? 'create' : 'update', body);
  const before = id === undefined ? undefined : read(connection, resource, id, fields);
  faults.push(...faultsOfRules(connection, request, fields, before));
  if (faults.length > 0) throw invalidRecord(faults);
  if (id === undefined) return create(connection, request, fields);
  if (before === undefined) throw new Refusal('no-such-record', `there is no record ${id}`);
  const referrers = isDelete ? referrersOf(connection, resource, id) : [];
  if (referrers.length > 0) {
    const counts = referrers.map(({ resource: name, count }) => counted(count, name.slice(0, -1)));
    const detail = `${recordPath(resource, id)} is still referred to by ${counts.join(' and ')}`;
    throw new Refusal('still-referenced', detail);
  }
  if (!isMet)
    throw new Refusal(
      'precondition-failed',
      `If-Match does not list the current strong ETag of ${recordPath(resource, id)}; read the record again`,
    );
  const change = { resource, id, key, at: new Date(), note };
  return isDelete
    ? { status: 200, record: before, receipt: deleteRecord(connection, change).receipt }
    : { status: 200, ...changeRecord(connection, { ...change, before, fields }) };
}

function create(connection: Connection, request: WriteRequest, fields: RecordFields) {
  const { resource, key, ifMatch, note } = request;
  const id = (fields.id as number | undefined) ?? nextId(connection, resource);
  if (recordExists(connection, resource, id))
    throw new Refusal('record-exists', `there is a record ${id} already; PATCH changes it`);
  if (ifMatch !== undefined)
    throw new Refusal('precondition-failed', 'a POST adds a record, so it cannot have If-Match');
  insertRecord(connection, resource, { ...fields, id });
  const record = read(connection, resource, id, fields)!;
  const made = { key, at: new Date(), action: 'create', resource, recordId: id, note } as const;
  return { status: 201, record, receipt: addReceipt(connection, { ...made, before: null, after: record }) };
}

/** @param sent the fields of the body: the record has details if they have some */
function read(connection: Connection, resource: WritableResource, id: number, sent: RecordFields) {
  const record = readRecord(connection, resource, id) as RecordFields | undefined;
  return record && hasDetails(resource, sent) ? withDetails(connection, resource, record) : record;
}
