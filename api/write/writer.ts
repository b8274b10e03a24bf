/**
 * Carries out writes: checks them against the record, commits them with their receipts, and waits for the snapshot that
 * holds them. An acknowledged write is durable, even if the snapshot cannot be built.
 */
import { revision } from '../../data/changes.ts';
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
import { matchesStrongly, type PageETags } from '../contract/etag.ts';
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
import { checkRules, type RecordLookup } from './rules.ts';
import type { SnapshotQueue } from './snapshot-queue.ts';

type AnyRequest = WriteRequest | BatchRequest;

type Committed = Omit<WriteDone, 'published'>;

/** The ETags of the pages that If-Match is compared with, and the revision of the database that they belong to. */
interface KnownPages {
  etags: ReadonlyMap<WriteRequest, PageETags | undefined>;
  revision: number;
}

/** Another process wrote after the ETags were read. */
const outdated = Symbol('outdated');

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
      hadEntry: (id, entry, place) => hadEntry(connection, id, entry, place),
    };
  }

  /** See Write. Rejects only on an internal error. */
  async write(request: AnyRequest): Promise<WriteOutcome> {
    const isBatch = !('resource' in request);
    const members = isBatch ? readBatch(request.body, request.key) : [request];
    if ('problem' in members) return members;
    const committed = await this.#inTurn(request, members);
    if (committed instanceof Map) return isBatch ? refusalOfBatch(members, committed) : committed.get(0)!;
    if ('problem' in committed) return committed;
    // All wait for the same build.
    const writes = await Promise.all(committed.writes.map((one) => this.#published(one)));
    return isBatch ? { group: committed.group, writes } : writes[0]!;
  }

  /** Adds the snapshot that holds a write, and the ETag of the record there. */
  async #published(committed: Committed): Promise<WriteDone> {
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

  #read(resource: WritableResource, id: number, showsDetails: boolean): RecordFields | undefined {
    const record = readRecord(this.#connection, resource, id) as RecordFields | undefined;
    return record && showsDetails ? withDetails(this.#connection, resource, record) : record;
  }

  /**
   * Commits writes in one transaction, after all that were sent before.
   * @returns the writes, or the refusals by position, or an error of the database
   */
  #inTurn(request: AnyRequest, members: readonly BatchMember[]): Promise<CommittedAll | Refusal> {
    const committing = this.#turn.then(() => this.#commitInTurn(request, members));
    this.#turn = committing.catch(() => {});
    return committing;
  }

  async #commitInTurn(request: AnyRequest, members: readonly BatchMember[]): Promise<CommittedAll | Refusal> {
    if (this.#queue.isFailing) return unseen;
    try {
      this.#noteUse(request.key);
      for (let attempts = 0; attempts < maxAttempts; attempts += 1) {
        const pages = await this.#pagesToMatch(members);
        if (pages && 'problem' in pages) return pages;
        const committed = writeTransaction(this.#connection, () =>
          pages && pages.revision !== revision(this.#connection)
            ? outdated
            : this.#commitAll(request, members, pages),
        );
        if (committed !== outdated) return committed;
      }
      return {
        problem: 'writing-unavailable',
        detail: 'other writes came first each time; nothing was changed, send the request again in a moment',
      };
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

  /** The current ETags for If-Match, from a snapshot that holds everything committed; undefined if no write has If-Match. */
  async #pagesToMatch(members: readonly BatchMember[]): Promise<KnownPages | WriteError | undefined> {
    const requests = members.flatMap((member) =>
      'problem' in member || member.ifMatch === undefined || member.id === undefined ? [] : [member],
    );
    if (requests.length === 0) return undefined;
    const known = revision(this.#connection);
    const etags = new Map<WriteRequest, PageETags | undefined>();
    const published = requests.map(async (request) => {
      const found = await this.#queue.published(request.resource, request.id!);
      if (found) etags.set(request, found.etags);
    });
    await Promise.all(published);
    return etags.size === requests.length
      ? { etags, revision: known }
      : {
          problem: 'writing-unavailable',
          detail: 'If-Match cannot be checked while the snapshot cannot be rebuilt; nothing was changed',
        };
  }

  /** Carries out the writes in their order, in the caller's transaction. @throws Refused */
  #commitAll(
    request: AnyRequest,
    members: readonly BatchMember[],
    pages: KnownPages | undefined,
  ): CommittedAll {
    const refusals = new Map<number, WriteError>();
    const unsettled = new Unsettled();
    const writes: Committed[] = [];
    for (const [position, member] of members.entries()) {
      const outcome = 'problem' in member ? member : this.#commit(member, pages, unsettled);
      if (outcome && !('problem' in outcome)) writes.push(outcome);
      else if (!('problem' in member)) unsettled.add(member);
      if (outcome && 'problem' in outcome) refusals.set(position, outcome);
    }
    if (refusals.size > 0) throw new Refused(refusals);
    if ('resource' in request) return { group: undefined, writes };
    // After the faults of the writes, as for a single write.
    if (request.ifMatch !== undefined) throw new Refused(conditionOfBatch);
    const receipts = writes.flatMap(({ receipt }) => receipt ?? []);
    return { group: groupReceipts(this.#connection, receipts), writes };
  }

  /** @returns undefined for a valid write that needs an earlier one, which is refused */
  #commit(
    request: WriteRequest,
    pages: KnownPages | undefined,
    unsettled: Unsettled,
  ): Committed | WriteError | undefined {
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
      const { plain, withDetails: detailed } = pages?.etags.get(request) ?? {};
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

  #create({ resource, key, ifMatch }: WriteRequest, record: RecordFields): Committed | WriteError {
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
