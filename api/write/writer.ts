/**
 * Carries out writes: checks them against the record, commits them with their receipts, and waits for the snapshot that
 * holds them. An acknowledged write is durable, even if the snapshot cannot be built.
 */
import {
  changeRecord,
  deleteRecord,
  insertRecord,
  nextId,
  readRecord,
  recordExists,
  referrersOf,
  withDetails,
} from '../../data/edits.ts';
import { touchKey } from '../../data/keys.ts';
import { counted } from '../../data/numbers.ts';
import type { Connection } from '../../data/open.ts';
import { addReceipt, groupReceipts } from '../../data/receipts.ts';
import { writeTransaction } from '../../data/transaction.ts';
import { checkBody, type RecordFields } from '../../data/validation.ts';
import type { WritableResource } from '../contract/names.ts';
import { matchesStrongly } from '../contract/etag.ts';
import { summaryOf } from '../contract/problems.ts';
import { recordPath } from '../contract/routes.ts';
import { readBatch, refusalAt } from './batch.ts';
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
import { checkRules } from './rules.ts';
import type { SnapshotQueue } from './snapshot-queue.ts';

/** A write without the ETag of its page. */
type Made = Omit<WriteDone, 'published'>;

interface Committed extends Made {
  /** Of the record's page after the transaction; undefined if there is none, or a later write of the batch changed the record. */
  etag: string | undefined;
}

interface CommittedBatch extends Omit<BatchDone, 'writes'> {
  writes: Committed[];
}

/** Rolls a transaction back, because a write in it is refused. */
class Refused extends Error {
  readonly refusal: WriteError;

  constructor(refusal: WriteError) {
    super('refused');
    this.refusal = refusal;
  }
}

const conditionOfBatch: WriteError = {
  problem: 'precondition-failed',
  detail: 'a batch cannot have If-Match; each write of a record in it can have if_match',
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

  /**
   * @param connection for this writer alone
   * @param onError called with every error but a refusal
   */
  constructor(connection: Connection, queue: SnapshotQueue, onError: (error: unknown) => void) {
    this.#connection = connection;
    this.#queue = queue;
    this.#onError = onError;
  }

  async write(request: WriteRequest | BatchRequest): Promise<WriteOutcome> {
    const committed = this.#transact<Committed | CommittedBatch>(request.key, () =>
      'resource' in request ? this.#commitSingle(request) : this.#commitBatch(request),
    );
    if ('problem' in committed) return committed;
    const snapshot = await this.#queue.published();
    const published = ({ etag, ...made }: Committed): WriteDone => ({
      ...made,
      published: snapshot === undefined ? undefined : { snapshot, etag },
    });
    return 'writes' in committed
      ? { group: committed.group, writes: committed.writes.map(published) }
      : published(committed);
  }

  #read(resource: WritableResource, id: number, showsDetails: boolean): RecordFields | undefined {
    const record = readRecord(this.#connection, resource, id) as RecordFields | undefined;
    return record && showsDetails ? withDetails(this.#connection, resource, record) : record;
  }

  /** Carries out work in one transaction. @returns its result, its refusal, or that of the database */
  #transact<T>(key: string, work: () => T): T | WriteError {
    if (this.#queue.isFailing) return unseen;
    try {
      this.#noteUse(key);
      return writeTransaction(this.#connection, work);
    } catch (error) {
      if (error instanceof Refused) return error.refusal;
      this.#onError(error);
      return writeErrorOf(error);
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

  /** @throws Refused */
  #commitSingle(request: WriteRequest): Committed {
    const made = this.#carryOut(request, this.#pageToMatch(request));
    if ('problem' in made) throw new Refused(made);
    return { ...made, etag: this.#etagOf(made) };
  }

  /** Carries out the writes of a batch in their order, up to the first that is refused. @throws Refused */
  #commitBatch({ body, key, ifMatch }: BatchRequest): CommittedBatch {
    const members = readBatch(body, key);
    if ('problem' in members) throw new Refused(members);
    const pages = members.map((member) => ('problem' in member ? undefined : this.#pageToMatch(member)));
    const writes = members.map((member, position) => {
      const made = 'problem' in member ? member : this.#carryOut(member, pages[position]);
      if ('problem' in made) throw new Refused(refusalAt(position, member, made));
      return made;
    });
    // After the faults of the writes, as for a single write.
    if (ifMatch !== undefined) throw new Refused(conditionOfBatch);
    const last = new Map(writes.map((made) => [recordPath(made.resource, made.id), made]));
    const isLast = (made: Made) => last.get(recordPath(made.resource, made.id)) === made;
    return {
      group: groupReceipts(
        this.#connection,
        writes.flatMap(({ receipt }) => receipt ?? []),
      ),
      writes: writes.map((made) => ({ ...made, etag: isLast(made) ? this.#etagOf(made) : undefined })),
    };
  }

  /** The ETags that the If-Match of a PATCH or DELETE is compared with. */
  #pageToMatch({ resource, id, ifMatch }: WriteRequest): PageETags | undefined {
    return ifMatch === undefined || id === undefined ? undefined : pageETags(this.#connection, resource, id);
  }

  #etagOf({ resource, id, record }: Made): string | undefined {
    const pages = pageETags(this.#connection, resource, id);
    return record.details ? pages?.withDetails : pages?.plain;
  }

  /** Carries out a write in the caller's transaction. @param page see #pageToMatch() */
  #carryOut(request: WriteRequest, page: PageETags | undefined): Made | WriteError {
    const { resource, id, body } = request;
    if (body === undefined) return this.#delete(request, id!, page);
    const checked = checkBody(resource, id === undefined ? 'create' : 'update', body);
    const showsDetails = checked.record.details !== undefined;
    const before = id === undefined ? undefined : this.#read(resource, id, showsDetails);
    const rules = checkRules(this.#connection, resource, id, checked.record, before);
    const faults = [...checked.faults, ...rules];
    if (faults.length > 0) return { problem: 'invalid-record', detail: summaryOf(faults), faults };
    if (id === undefined) return this.#create(request, checked.record);
    if (before === undefined) return noRecord(id);
    const unmet = unmetCondition(request, id, page);
    if (unmet) return unmet;
    const change = { resource, id, before, fields: checked.record, key: request.key, at: new Date() };
    return { created: false, resource, id, ...changeRecord(this.#connection, change) };
  }

  #delete(request: WriteRequest, id: number, page: PageETags | undefined): Made | WriteError {
    const { resource, key } = request;
    const record = this.#read(resource, id, false);
    if (record === undefined) return noRecord(id);
    const referrers = referrersOf(this.#connection, resource, id);
    if (referrers.length > 0) {
      const named = referrers.map(({ resource: name, count }) => counted(count, name.slice(0, -1)));
      return {
        problem: 'still-referenced',
        detail: `${recordPath(resource, id)} is still referred to by ${named.join(' and ')}`,
      };
    }
    const unmet = unmetCondition(request, id, page);
    if (unmet) return unmet;
    const { receipt } = deleteRecord(this.#connection, { resource, id, key, at: new Date() });
    return { created: false, resource, id, record, receipt };
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

const noRecord = (id: number): WriteError => ({
  problem: 'no-such-record',
  detail: `there is no record ${id}`,
});

/** The refusal of a write whose If-Match lists no ETag of the page. */
function unmetCondition(
  { resource, ifMatch }: WriteRequest,
  id: number,
  page: PageETags | undefined,
): WriteError | undefined {
  if (ifMatch === undefined) return undefined;
  const etags = [page?.plain, page?.withDetails];
  if (etags.some((etag) => etag !== undefined && matchesStrongly(ifMatch, etag))) return undefined;
  return {
    problem: 'precondition-failed',
    detail: `If-Match does not list the current strong ETag of ${recordPath(resource, id)}; read the record again`,
  };
}
