/**
 * Carries out writes: commits them with their receipts, and waits for the snapshot that holds them. An acknowledged write is
 * durable, even if the snapshot cannot be built.
 */
import { touchKey } from '../../data/keys.ts';
import type { Connection } from '../../data/open.ts';
import { groupReceipts } from '../../data/receipts.ts';
import { writeTransaction } from '../../data/transaction.ts';
import { recordPath } from '../contract/routes.ts';
import { readBatch, refusalAt } from './batch.ts';
import {
  type BatchRequest,
  type WriteError,
  type WriteOutcome,
  type WriteRequest,
  type Written,
  writeErrorOf,
} from './outcomes.ts';
import { carryOut, pageETags } from './record-write.ts';
import type { SnapshotQueue } from './snapshot-queue.ts';

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
    'the snapshot cannot be built at the moment, so that a write would not be shown; nothing was changed',
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
    if (this.#queue.isFailing) return unseen;
    try {
      this.#noteUse(request.key);
      const committed = writeTransaction(this.#connection, () => this.#commit(request));
      return { ...committed, snapshot: await this.#queue.published() };
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

  /** Carries out the writes in their order, up to the first that is refused. @throws Refused */
  #commit(request: WriteRequest | BatchRequest): Omit<Written, 'snapshot'> {
    const connection = this.#connection;
    const isBatch = !('resource' in request);
    const members = isBatch ? readBatch(request) : [request];
    if ('problem' in members) throw new Refused(members);
    // Conditions are about the records before the batch.
    const etags = members.map((member) => {
      if ('problem' in member || member.ifMatch === undefined || member.id === undefined) return [];
      return pageETags(connection, member.resource, member.id);
    });
    const writes = members.map((member, position) => {
      const made = 'problem' in member ? member : carryOut(connection, member, etags[position]!);
      if ('problem' in made) throw new Refused(isBatch ? refusalAt(position, member, made) : made);
      return made;
    });
    // After the faults of the writes, as for a single write.
    if (isBatch && request.ifMatch !== undefined) throw new Refused(conditionOfBatch);
    const lastOfEach = new Map(writes.map((made) => [recordPath(made.resource, made.id), made]));
    for (const made of lastOfEach.values())
      made.etag = pageETags(connection, made.resource, made.id)[made.record.details ? 1 : 0];
    const receipts = writes.flatMap(({ receipt }) => receipt ?? []);
    return { writes, group: isBatch ? groupReceipts(connection, receipts) : undefined };
  }
}
