/**
 * Carries out one write: checks it against the record, commits it with its receipt, and waits for the snapshot that holds
 * it. An acknowledged write is durable, even if the snapshot cannot be built.
 */
import { revision } from '../../data/changes.ts';
import {
  changeRecord,
  deriveFields,
  insertRecord,
  nextId,
  readDetails,
  readRecord,
  recordExists,
} from '../../data/edits.ts';
import { touchKey } from '../../data/keys.ts';
import type { Connection } from '../../data/open.ts';
import { addReceipt } from '../../data/receipts.ts';
import { writeTransaction } from '../../data/transaction.ts';
import { checkBody, type RecordFields } from '../../data/validation.ts';
import type { JsonValue, WritableResource } from '../contract/bodies.ts';
import { matchesStrongly, type PageETags } from '../contract/etag.ts';
import { type PointerFault, type ProblemCode, summaryOf } from '../contract/problems.ts';
import { checkRules, type RecordLookup } from './rules.ts';
import type { SnapshotQueue } from './snapshot-queue.ts';
import { writeErrorOf } from './storage-errors.ts';

/** A write whose key and syntax are checked. */
export interface WriteRequest {
  resource: WritableResource;
  /** The id in the address of a PATCH; undefined for a POST. */
  id: number | undefined;
  body: JsonValue;
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
  /** The record as the lists show it, with `details` if the body has some. */
  record: RecordFields;
  /** Id of the receipt; undefined if nothing changed. */
  receipt: number | undefined;
  /** The snapshot that holds the write; undefined if its build failed. */
  published: { snapshot: string; etag: string | undefined } | undefined;
}

export type WriteOutcome = WriteError | WriteDone;

type Committed = Omit<WriteDone, 'published'>;

/** The ETags of a record's page, and the revision of the database that they belong to. */
interface KnownPage {
  etags: PageETags | undefined;
  revision: number;
}

/** Another process wrote after the ETag was read. */
const outdated = Symbol('outdated');

/** Attempts to read an ETag while other processes write. */
const maxAttempts = 5;

export class Writer {
  readonly #connection: Connection;
  readonly #queue: SnapshotQueue;
  readonly #onError: (error: unknown) => void;
  readonly #lookup: RecordLookup;
  /** Settles when the last write is committed or refused. Writes commit one at a time. */
  #turn: Promise<unknown> = Promise.resolve();

  /**
   * @param connection for this writer alone
   * @param onError called with every error of the database
   */
  constructor(connection: Connection, queue: SnapshotQueue, onError: (error: unknown) => void) {
    this.#connection = connection;
    this.#queue = queue;
    this.#onError = onError;
    this.#lookup = {
      exists: (resource, id) => recordExists(connection, resource, id),
      derive: (references) => deriveFields(connection, references),
    };
  }

  /** Carries out a write. Rejects only on an internal error. */
  async write(order: WriteRequest): Promise<WriteOutcome> {
    const committing = this.#turn.then(() => this.#commitInTurn(order));
    this.#turn = committing.catch(() => {});
    const committed = await committing;
    if ('problem' in committed) return committed;
    const published = await this.#queue.published(committed.resource, committed.id);
    if (published === undefined) return { ...committed, published };
    const { snapshot, etags } = published;
    const etag = committed.record.details ? etags?.withDetails : etags?.plain;
    return { ...committed, published: { snapshot, etag: this.#isCurrent(committed) ? etag : undefined } };
  }

  /** Whether a record is as a write left it. The ETag of a later write would let this editor overwrite unseen changes. */
  #isCurrent({ resource, id, record }: Committed): boolean {
    try {
      const current = this.#read(resource, id, record.details !== undefined);
      return JSON.stringify(current) === JSON.stringify(record);
    } catch (error) {
      this.#onError(error);
      return false;
    }
  }

  #read(resource: WritableResource, id: number, withDetails: boolean): RecordFields | undefined {
    const record = readRecord(this.#connection, resource, id) as RecordFields | undefined;
    if (record && withDetails) record.details = { ...readDetails(this.#connection, id)! };
    return record;
  }

  async #commitInTurn(order: WriteRequest): Promise<Committed | WriteError> {
    try {
      this.#noteUse(order.key);
      for (let attempts = 0; attempts < maxAttempts; attempts += 1) {
        const page = await this.#pageToMatch(order);
        if (page && 'problem' in page) return page;
        const committed = writeTransaction(this.#connection, () => this.#commit(order, page));
        if (committed !== outdated) return committed;
      }
      return { problem: 'writing-unavailable', detail: 'others keep writing; send it again in a moment' };
    } catch (error) {
      const refusal = writeErrorOf(error);
      if (refusal === undefined) throw error;
      this.#onError(error);
      return refusal;
    }
  }

  /** The key is valid even if its use cannot be recorded. */
  #noteUse(key: string): void {
    try {
      touchKey(this.#connection, key, new Date());
    } catch {
      // If the database still fails, the commit that follows reports the error.
    }
  }

  /** The current ETags for If-Match, from a snapshot that holds everything committed. */
  async #pageToMatch({ resource, id, ifMatch }: WriteRequest): Promise<KnownPage | WriteError | undefined> {
    if (ifMatch === undefined || id === undefined) return undefined;
    const known = revision(this.#connection);
    const published = await this.#queue.published(resource, id);
    return published
      ? { etags: published.etags, revision: known }
      : {
          problem: 'writing-unavailable',
          detail: 'If-Match cannot be checked while the snapshot cannot be rebuilt; nothing was changed',
        };
  }

  #commit(order: WriteRequest, page: KnownPage | undefined): Committed | WriteError | typeof outdated {
    const { resource, id, ifMatch } = order;
    const checked = checkBody(resource, id === undefined ? 'create' : 'update', order.body);
    const withDetails = checked.record.details !== undefined;
    const before = id === undefined ? undefined : this.#read(resource, id, withDetails);
    const rules = checkRules(resource, id, checked.record, before, this.#lookup);
    const faults = [...checked.faults, ...rules];
    if (faults.length > 0) return { problem: 'invalid-record', detail: summaryOf(faults), faults };
    if (id === undefined) return this.#create(order, checked.record);
    if (before === undefined) return { problem: 'no-such-record', detail: `there is no record ${id}` };
    if (page !== undefined && ifMatch !== undefined) {
      if (page.revision !== revision(this.#connection)) return outdated;
      const { plain, withDetails } = page.etags ?? {};
      const isMatch = (etag: string | undefined) => etag !== undefined && matchesStrongly(ifMatch, etag);
      if (!isMatch(plain) && !isMatch(withDetails))
        return {
          problem: 'precondition-failed',
          detail: 'the record is not what If-Match says; read it again and decide anew',
        };
    }
    const change = { resource, id, before, fields: checked.record, key: order.key, at: new Date() };
    return { created: false, resource, id, ...changeRecord(this.#connection, change) };
  }

  #create({ resource, key, ifMatch }: WriteRequest, record: RecordFields): Committed | WriteError {
    const id = (record.id as number | undefined) ?? nextId(this.#connection, resource);
    if (recordExists(this.#connection, resource, id))
      return { problem: 'record-exists', detail: `there is a record ${id} already; PATCH changes it` };
    if (ifMatch !== undefined)
      return { problem: 'precondition-failed', detail: 'If-Match was sent, and there is no record yet' };
    insertRecord(this.#connection, resource, { ...record, id });
    const after = this.#read(resource, id, record.details !== undefined)!;
    const receipt = addReceipt(this.#connection, {
      ...{ key, at: new Date(), action: 'create', resource, recordId: id },
      before: null,
      after,
    });
    return { created: true, resource, id, record: after, receipt };
  }
}
