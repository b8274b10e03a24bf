/**
 * Carries out writes: commits them with their receipts, and waits for the snapshot that holds them. An acknowledged write is
 * durable, even if the snapshot cannot be built.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { touchKey } from '../../data/keys.ts';
import type { Connection } from '../../data/open.ts';
import { groupReceipts } from '../../data/receipts.ts';
import { backoffMs } from '../../data/retry-policy.ts';
import { writeTransaction } from '../../data/transaction.ts';
import { carryOut, meetsCondition, pageETags } from './record-write.ts';
import {
  type BatchRequest,
  readBatch,
  Refusal,
  refusalAt,
  type WriteOutcome,
  type WriteRequest,
  type Written,
  writeErrorOf,
} from './requests.ts';

/** The id of a snapshot; undefined if its build failed. Never rejects. */
type Build = Promise<string | undefined>;

/** Milliseconds between two attempts of a build that fails. */
const retry = { minMs: 500, maxMs: 5000 };

export class Writer {
  readonly #connection: Connection;
  readonly #build: () => Promise<string>;
  readonly #onError: (error: unknown) => void;
  /** The build that has begun last. */
  #current: Build | undefined;
  /** The build after it; undefined if none is wanted. */
  #next: Build | undefined;
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

  async write(request: WriteRequest | BatchRequest): Promise<WriteOutcome> {
    try {
      if (this.#failures > 0)
        throw new Refusal(
          'writing-unavailable',
          'the snapshot cannot be built at the moment, so that a write would not be shown; nothing was changed',
        );
      this.#noteUse(request.key);
      const { group, data } = writeTransaction(this.#connection, () => this.#commit(request));
      const snapshot = await this.published();
      if (snapshot === undefined) for (const done of data) done.etag = null;
      return { group, data, snapshot };
    } catch (error) {
      if (!(error instanceof Refusal)) this.#onError(error);
      return writeErrorOf(error);
    }
  }

  /** Waits for a build that starts after this call, so that it holds everything committed before. Other calls share it. */
  published(): Build {
    this.#next ??= this.#buildAfter(this.#current);
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
    await (this.#next ?? this.#current);
  }

  /** The key is valid even if its use cannot be recorded. */
  #noteUse(key: string): void {
    try {
      touchKey(this.#connection, key, new Date());
    } catch {
      // If the database still fails, the commit that follows reports the error.
    }
  }

  /** Carries out the writes in their order, up to the first that is refused. @throws Refusal */
  #commit(request: WriteRequest | BatchRequest): Omit<Written, 'snapshot'> {
    const connection = this.#connection;
    const isBatch = !('resource' in request);
    const members = isBatch ? readBatch(request) : [request];
    // Conditions are about the records before the batch.
    const met = members.map((member) => member instanceof Refusal || meetsCondition(connection, member));
    const data = members.map((member, position) => {
      try {
        if (member instanceof Refusal) throw member;
        return carryOut(connection, member, met[position]!);
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
    const lastOfEach = new Map(data.map(({ path }, position) => [path, position]));
    for (const position of lastOfEach.values()) {
      const { resource } = members[position] as WriteRequest;
      const { id, details } = data[position]!.record;
      data[position]!.etag = pageETags(connection, resource, Number(id))[details ? 1 : 0] ?? null;
    }
    const receipts = data.flatMap(({ receipt }) => receipt ?? []);
    return { group: (isBatch && groupReceipts(connection, receipts)) || null, data };
  }

  async #buildAfter(current: Build | undefined): Build {
    await current;
    // Writes that have arrived by now share the build.
    await nextTurn();
    this.#current = this.#next;
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
      if (!this.#closed) this.#retry = setTimeout(() => this.published(), backoffMs(this.#failures, retry));
      return undefined;
    }
  }
}
