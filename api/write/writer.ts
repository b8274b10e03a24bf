/**
 * Carries out writes: checks them against the records, commits them with their receipts, and waits for the
 * snapshot that holds them. An acknowledged write is durable, even if the snapshot cannot be built.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Connection } from '../../data/database/open.ts';
import { refuseMoved, refuseMovedSince } from '../../data/database/place.ts';
import { writeTransaction } from '../../data/database/transaction.ts';
import { isRevoked, touchKey } from '../../data/record/keys.ts';
import { groupReceipts } from '../../data/record/receipts.ts';
import { matchesStrongly } from '../contract/etag.ts';
import { recordPath } from '../contract/routes.ts';
import { pageETagOf, pageETags } from './page-etags.ts';
import {
  type BatchRequest,
  readBatch,
  Refusal,
  refusalAt,
  refusalOf,
  type WriteOutcome,
  type WriteRequest,
  type Written,
} from './requests.ts';
import { writeRecord } from './write-record.ts';

/** Milliseconds between two attempts of a build that fails. */
const retryMs = (failures: number): number => Math.min(5000, 250 * 2 ** failures);

export class Writer {
  readonly #connection: Connection;
  readonly #build: () => Promise<string>;
  readonly #onError: (error: unknown) => void;
  /** The build that was asked for last; see published(). It never rejects. */
  #last: Promise<string | undefined> | undefined;
  /** The same build until it starts; undefined afterwards. */
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
        // The key is valid even if its use cannot be noted. If the database still fails, the commit reports
        // the error.
      }
      const { group, data } = writeTransaction(this.#connection, () => this.#commit(request));
      const snapshot = await this.published();
      // Checked last, before the answer: if the file was moved or deleted, the next start would not find the
      // write.
      refuseMovedSince(this.#connection);
      if (snapshot === undefined) for (const done of data) done.etag = null;
      return { group, data, snapshot };
    } catch (error) {
      if (!(error instanceof Refusal)) this.#onError(error);
      return refusalOf(error).reason;
    }
  }

  /**
   * Waits for a build that starts after this call, so that it holds everything committed before. Other calls
   * share it.
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
        return { ...writeRecord(connection, member, met[position]!), resource: member.resource };
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
      const etag = (isLast && pageETagOf(connection, resource, record)) || null;
      return { status, path, etag, receipt, record };
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
