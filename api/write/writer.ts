/**
 * Carries out writes: checks them against the records, commits them with their receipts, and waits for the snapshot that holds
 * them. An acknowledged write is durable, even if the snapshot cannot be built.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
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
} from '../../data/record/edits.ts';
import { isRevoked, touchKey } from '../../data/record/keys.ts';
import { counted } from '../../data/system/messages.ts';
import type { Connection } from '../../data/database/open.ts';
import { refuseMoved, refuseMovedSince } from '../../data/database/place.ts';
import { addReceipt, groupReceipts } from '../../data/record/receipts.ts';
import { writeTransaction } from '../../data/database/transaction.ts';
import { checkBody, type RecordFields } from '../../data/record/validation.ts';
import { derivedFields, derivedFrom, type ReferenceField, references } from '../contract/bodies.ts';
import { matchesStrongly } from '../contract/etag.ts';
import type { WritableResource } from '../contract/names.ts';
import { type PointerFault, pointerTo } from '../contract/problems.ts';
import type { Nomination } from '../contract/resources.ts';
import { recordPath } from '../contract/routes.ts';
import { contentHash } from '../contract/snapshot.ts';
import { nodeDigest } from '../read/node-source.ts';
import { referenceTo } from '../read/tables.ts';
import {
  type BatchRequest,
  invalidRecord,
  readBatch,
  Refusal,
  refusalAt,
  type WriteOutcome,
  type WriteRequest,
  type Written,
  refusalOf,
} from './requests.ts';

/** Milliseconds between two attempts of a build that fails. */
const retryMs = (failures: number): number => Math.min(5000, 250 * 2 ** failures);

export class Writer {
  readonly #connection: Connection;
  readonly #build: () => Promise<string>;
  readonly #onError: (error: unknown) => void;
  /** The build that was asked for last; see published(). It never rejects. */
  #last: Promise<string | undefined> | undefined;
  /** The same while it has not begun; then undefined. */
  #next: Promise<string | undefined> | undefined;
  /** Builds that failed since the last success. Until it, readers do not see what was committed. */
  #failures = 0;
  #retry: NodeJS.Timeout | undefined;
  #closed = false;

  /**
   * @param connection for this writer alone
   * @param build builds a snapshot of everything committed, and returns its id; called one at a time
   * @param onError called with every error but a refusal
   */
  constructor(connection: Connection, build: () => Promise<string>, onError: (error: unknown) => void) {
    this.#connection = connection;
    this.#build = build;
    this.#onError = onError;
  }

  /** Carries out a write, or all writes of a batch or none. Later ones see what earlier ones wrote. */
  async write(request: WriteRequest | BatchRequest): Promise<WriteOutcome> {
    try {
      refuseMoved(this.#connection);
      if (this.#failures > 0)
        throw new Refusal(
          'writing-unavailable',
          'the snapshot cannot be built at the moment, so that a write would not be shown; nothing was changed',
        );
      try {
        touchKey(this.#connection, request.key, new Date());
      } catch {
        // The key is valid even if its use cannot be noted. If the database still fails, the commit reports the error.
      }
      const { group, data } = writeTransaction(this.#connection, () => this.#commit(request));
      const snapshot = await this.published();
      // The last look before the answer: what is in a file without its name is lost with the next start.
      refuseMovedSince(this.#connection);
      if (snapshot === undefined) for (const done of data) done.etag = null;
      return { group, data, snapshot };
    } catch (error) {
      if (!(error instanceof Refusal)) this.#onError(error);
      return refusalOf(error).reason;
    }
  }

  /**
   * Waits for a build that starts after this call, so that it holds everything committed before. Other calls share it.
   * @returns the id of the snapshot; undefined if the build failed
   */
  published(): Promise<string | undefined> {
    this.#next ??= this.#last = this.#buildAfter(this.#last);
    return this.#next;
  }

  /** Starts a build that begins after this call. A build that failed is repeated at its own time. */
  request(): void {
    if (this.#failures === 0) void this.published();
  }

  /** Waits for the active build. No other build starts. */
  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#retry);
    await this.#last;
  }

  /** Carries out the writes in their order, up to the first that is refused. @throws Refusal */
  #commit(request: WriteRequest | BatchRequest): Omit<Written, 'snapshot'> {
    const connection = this.#connection;
    // The key was valid before the body arrived.
    if (isRevoked(connection, request.key)) throw new Refusal('unauthorized', 'the key is revoked');
    const isBatch = !('resource' in request);
    const members = isBatch ? readBatch(request) : [request];
    // Conditions are about the records before the batch.
    const met = members.map((member) => member instanceof Refusal || meetsCondition(connection, member));
    const made = members.map((member, position) => {
      try {
        if (member instanceof Refusal) throw member;
        return { ...carryOut(connection, member, met[position]!), resource: member.resource };
      } catch (error) {
        throw isBatch && error instanceof Refusal ? refusalAt(position, member, error) : error;
      }
    });
    // After the faults of the writes, as for a single write.
    if (isBatch && request.ifMatch !== undefined)
      throw new Refusal(
        'precondition-failed',
        'a batch cannot have If-Match; each write of a record in it can have if_match',
      );
    const paths = made.map(({ resource, record }) => recordPath(resource, record.id as number));
    const data = made.map(({ status, resource, record, receipt = null }, position) => {
      const path = paths[position]!;
      const isLast = paths.lastIndexOf(path) === position;
      const etags = isLast ? pageETags(connection, resource, record.id as number) : [];
      return { status, path, etag: etags[record.details ? 1 : 0] ?? null, receipt, record };
    });
    const receipts = data.flatMap(({ receipt }) => receipt ?? []);
    return { group: (isBatch && groupReceipts(connection, receipts)) || null, data };
  }

  async #buildAfter(last: Promise<unknown> | undefined): Promise<string | undefined> {
    await last;
    // Writes that have arrived by now share the build.
    await nextTurn();
    this.#next = undefined;
    clearTimeout(this.#retry);
    if (this.#closed) return undefined;
    try {
      const snapshot = await this.#build();
      this.#failures = 0;
      return snapshot;
    } catch (error) {
      this.#onError(error);
      this.#failures += 1;
      if (!this.#closed) this.#retry = setTimeout(() => this.published(), retryMs(this.#failures));
      return undefined;
    }
  }
}

/** Whether the If-Match of a write, if it has one, lists an ETag of the record as it is now. */
const meetsCondition = (connection: Connection, { resource, id, ifMatch }: WriteRequest): boolean =>
  ifMatch === undefined ||
  (id !== undefined && pageETags(connection, resource, id).some((etag) => matchesStrongly(ifMatch, etag)));

/**
 * Carries out one write of one record, and adds its receipt.
 * @param isMet whether the record meets the condition of the write; for a batch, before its first write
 * @returns the record, the deleted one too, and the id of the receipt; undefined if nothing changed
 * @throws Refusal
 */
function carryOut(connection: Connection, request: WriteRequest, isMet: boolean) {
  const { resource, id, body, key } = request;
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
  const change = { resource, id, key, at: new Date() };
  return isDelete
    ? { status: 200, record: before, receipt: deleteRecord(connection, change).receipt }
    : { status: 200, ...changeRecord(connection, { ...change, before, fields }) };
}

function create(connection: Connection, request: WriteRequest, fields: RecordFields) {
  const { resource, key, ifMatch } = request;
  const id = (fields.id as number | undefined) ?? nextId(connection, resource);
  if (recordExists(connection, resource, id))
    throw new Refusal('record-exists', `there is a record ${id} already; PATCH changes it`);
  if (ifMatch !== undefined)
    throw new Refusal('precondition-failed', 'a POST adds a record, so it cannot have If-Match');
  insertRecord(connection, resource, { ...fields, id });
  const record = read(connection, resource, id, fields)!;
  const made = { key, at: new Date(), action: 'create', resource, recordId: id } as const;
  return { status: 201, record, receipt: addReceipt(connection, { ...made, before: null, after: record }) };
}

/** @param sent the fields of the body: the record has `details` if they have some */
function read(connection: Connection, resource: WritableResource, id: number, sent: RecordFields) {
  const record = readRecord(connection, resource, id) as RecordFields | undefined;
  return record && sent.details !== undefined ? withDetails(connection, resource, record) : record;
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
      add(field, `there is no ${nameOf(field)} with id ${reference}`);
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

/**
 * The ETags of the page of a record, of a nomination also that with `include=details`: those that GET answers as soon as the
 * snapshot holds what the database has. So a write knows them without a build. The pages are those of recordPage() in
 * api/read/records.ts.
 * @returns none if there is no such record
 */
export function pageETags(connection: Connection, resource: WritableResource, id: number): string[] {
  const record = readRecord(connection, resource, id);
  if (record === undefined) return [];
  if (resource === 'ceremonies') return [etagOf(record)];
  if (resource !== 'nominations') {
    const nominations = nominationsOf(connection, `${referenceTo[resource]}_id`, id);
    return [etagOf({ ...record, nominations })];
  }
  const page: Record<string, unknown> = { ...record };
  for (const [field, target] of Object.entries(references)) {
    const reference = (record as Nomination)[field as ReferenceField];
    if (reference !== null) page[nameOf(field)] = readRecord(connection, target, reference);
  }
  return [etagOf(page), etagOf(withDetails(connection, resource, page))];
}

/** The name of what a reference field refers to, such as "movie". */
const nameOf = (field: string): string => field.slice(0, -'_id'.length);

const etagOf = (page: object): string =>
  `"${contentHash(new TextEncoder().encode(`${JSON.stringify(page)}\n`), nodeDigest)}"`;
