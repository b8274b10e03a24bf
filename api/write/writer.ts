/**
 * Carries out writes: checks them against the record, commits them with their receipts, and waits for the snapshot that
 * holds them. An acknowledged write is durable, even if the snapshot cannot be built.
 */
import {
  changeRecord,
  deriveFields,
  hadEntry,
  insertRecord,
  nextId,
  readRecord,
  recordExists,
  withDetails,
} from '../../data/edits.ts';
import { touchKey } from '../../data/keys.ts';
import type { Connection } from '../../data/open.ts';
import { addReceipt, groupReceipts } from '../../data/receipts.ts';
import { writeTransaction } from '../../data/transaction.ts';
import { checkBody, type RecordFields } from '../../data/validation.ts';
import type { WritableResource } from '../contract/names.ts';
import { matchesStrongly } from '../contract/etag.ts';
import { summaryOf } from '../contract/problems.ts';
import { recordPath } from '../contract/routes.ts';
import { type BatchMember, readBatch, refusalOfBatch, Unsettled } from './batch.ts';
import {
  type BatchDone,
  type BatchRequest,
  type WriteDone,
  type WriteError,
  type WriteOutcome,
  type WriteRequest,
  writeErrorOf,
} from './outcomes.ts';
import { pageETags, type PageETags } from './page-etags.ts';
import { checkRules, type RecordLookup } from './rules.ts';
import type { SnapshotQueue } from './snapshot-queue.ts';

type AnyRequest = WriteRequest | BatchRequest;

interface Committed extends Omit<WriteDone, 'published'> {
  /** Of the record's page after the transaction; undefined if a later write of the batch changed the record. */
  etag: string | undefined;
}

/** The ETags that If-Match is compared with: those before the transaction. */
type KnownPages = ReadonlyMap<WriteRequest, PageETags | undefined>;

/** All writes of a transaction. */
interface CommittedAll extends Omit<BatchDone, 'writes'> {
  writes: Committed[];
}

/** The refused writes by position, or the refusal of a whole batch. */
type Refusal = Map<number, WriteError> | WriteError;

/** Rolls a transaction back, because writes in it are refused. */
class Refused extends Error {
  readonly refusal: Refusal;

  constructor(refusal: Refusal) {
    super('refused');
    this.refusal = refusal;
  }
}

const conditionOfBatch: WriteError = {
  problem: 'precondition-failed',
  detail: 'a batch cannot have If-Match; each of its PATCHes can have if_match',
};

const unseen: WriteError = {
  problem: 'writing-unavailable',
  detail:
    'the snapshot cannot be built at the moment, so that a write would not be shown; nothing was changed, send the request again later',
};

export class Writer {
  readonly #connection: Connection;
  readonly #queue: SnapshotQueue;
  readonly #onError: (error: unknown) => void;
  readonly #lookup: RecordLookup;

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
      hadEntry: (id, entry, place) => hadEntry(connection, id, entry, place),
    };
  }

  /** See Write. Rejects only on an internal error. */
  async write(request: AnyRequest): Promise<WriteOutcome> {
    const isBatch = !('resource' in request);
    const members = isBatch ? readBatch(request.body, request.key) : [request];
    if ('problem' in members) return members;
    const committed = this.#transact(request, members);
    if (committed instanceof Map) return isBatch ? refusalOfBatch(members, committed) : committed.get(0)!;
    if ('problem' in committed) return committed;
    const snapshot = await this.#queue.published();
    const writes = committed.writes.map(
      ({ etag, ...write }): WriteDone => ({
        ...write,
        published: snapshot === undefined ? undefined : { snapshot, etag },
      }),
    );
    return isBatch ? { group: committed.group, writes } : writes[0]!;
  }

  #read(resource: WritableResource, id: number, showsDetails: boolean): RecordFields | undefined {
    const record = readRecord(this.#connection, resource, id) as RecordFields | undefined;
    return record && showsDetails ? withDetails(this.#connection, resource, record) : record;
  }

  /**
   * Commits writes in one transaction.
   * @returns the writes, or the refusals by position, or an error of the database
   */
  #transact(request: AnyRequest, members: readonly BatchMember[]): CommittedAll | Refusal {
    if (this.#queue.isFailing) return unseen;
    try {
      this.#noteUse(request.key);
      return writeTransaction(this.#connection, () => this.#commitAll(request, members));
    } catch (error) {
      if (error instanceof Refused) return error.refusal;
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

  /** The current ETags for the If-Match of the writes. */
  #pagesToMatch(members: readonly BatchMember[]): KnownPages {
    const pages = new Map<WriteRequest, PageETags | undefined>();
    for (const member of members)
      if (!('problem' in member) && member.ifMatch !== undefined && member.id !== undefined)
        pages.set(member, pageETags(this.#connection, member.resource, member.id));
    return pages;
  }

  /** Adds the ETags to writes that are made. */
  #withETags(writes: readonly Omit<Committed, 'etag'>[]): Committed[] {
    const last = new Map(writes.map((write) => [recordPath(write.resource, write.id), write]));
    return writes.map((write) => {
      const { resource, id, record } = write;
      const isLast = last.get(recordPath(resource, id)) === write;
      const pages = isLast ? pageETags(this.#connection, resource, id) : undefined;
      return { ...write, etag: record.details ? pages?.withDetails : pages?.plain };
    });
  }

  /** Carries out the writes in their order, in the caller's transaction. @throws Refused */
  #commitAll(request: AnyRequest, members: readonly BatchMember[]): CommittedAll {
    const pages = this.#pagesToMatch(members);
    const refusals = new Map<number, WriteError>();
    const unsettled = new Unsettled();
    const writes: Omit<Committed, 'etag'>[] = [];
    for (const [position, member] of members.entries()) {
      const outcome = 'problem' in member ? member : this.#commit(member, pages, unsettled);
      if (outcome && !('problem' in outcome)) writes.push(outcome);
      else if (!('problem' in member)) unsettled.add(member);
      if (outcome && 'problem' in outcome) refusals.set(position, outcome);
    }
    if (refusals.size > 0) throw new Refused(refusals);
    if ('resource' in request) return { group: undefined, writes: this.#withETags(writes) };
    // After the faults of the writes, as for a single write.
    if (request.ifMatch !== undefined) throw new Refused(conditionOfBatch);
    const receipts = writes.flatMap(({ receipt }) => receipt ?? []);
    return { group: groupReceipts(this.#connection, receipts), writes: this.#withETags(writes) };
  }

  /** @returns undefined for a valid write that needs an earlier one, which is refused */
  #commit(
    request: WriteRequest,
    pages: KnownPages,
    unsettled: Unsettled,
  ): Omit<Committed, 'etag'> | WriteError | undefined {
    const { resource, id, ifMatch } = request;
    const checked = checkBody(resource, id === undefined ? 'create' : 'update', request.body);
    const showsDetails = checked.record.details !== undefined;
    const before = id === undefined ? undefined : this.#read(resource, id, showsDetails);
    const rules = checkRules(resource, id, checked.record, before, unsettled.lookup(this.#lookup));
    const faults = [...checked.faults, ...rules];
    if (faults.length > 0) return { problem: 'invalid-record', detail: summaryOf(faults), faults };
    if (unsettled.concerns(request, checked.record)) return undefined;
    if (id === undefined) return this.#create(request, checked.record);
    if (before === undefined) return { problem: 'no-such-record', detail: `there is no record ${id}` };
    if (ifMatch !== undefined) {
      const { plain, withDetails: detailed } = pages.get(request) ?? {};
      const isMatch = (etag: string | undefined) => etag !== undefined && matchesStrongly(ifMatch, etag);
      if (!isMatch(plain) && !isMatch(detailed))
        return {
          problem: 'precondition-failed',
          detail: `If-Match does not list the current strong ETag of ${recordPath(resource, id)}; read the record again`,
        };
    }
    const change = { resource, id, before, fields: checked.record, key: request.key, at: new Date() };
    return { created: false, resource, id, ...changeRecord(this.#connection, change) };
  }

  #create(
    { resource, key, ifMatch }: WriteRequest,
    record: RecordFields,
  ): Omit<Committed, 'etag'> | WriteError {
    const id = (record.id as number | undefined) ?? nextId(this.#connection, resource);
    if (recordExists(this.#connection, resource, id))
      return { problem: 'record-exists', detail: `there is a record ${id} already; PATCH changes it` };
    if (ifMatch !== undefined)
      return { problem: 'precondition-failed', detail: 'a POST adds a record, so it cannot have If-Match' };
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
