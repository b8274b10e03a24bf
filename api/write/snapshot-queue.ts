/**
 * Brings the snapshot up to date after writes. Writes that arrive during a build share the next build. A failed build is
 * repeated until it succeeds, even if no request waits for it.
 */
import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';
import { backoffMs } from '../../data/retry-policy.ts';
import type { PageETags } from '../contract/etag.ts';
import type { ResourceName } from '../contract/names.ts';

/** Builds snapshots, one call at a time. */
interface SnapshotSource {
  /** Builds a snapshot of everything committed. @returns its id */
  build(): Promise<string>;
  /** The ETags of a record's page in the current snapshot; undefined if there is no such record. */
  recordETags(resource: ResourceName, id: number): Promise<PageETags | undefined>;
}

/** A record in the snapshot that holds a write. */
interface PublishedRecord {
  snapshot: string;
  /** undefined if the snapshot has no such record. */
  etags: PageETags | undefined;
}

interface Waiter {
  resource: ResourceName;
  id: number;
  resolve: (published: PublishedRecord | undefined) => void;
}

/** Milliseconds between the starts of two builds while writes keep coming, so that more writes share a build. */
const paceMs = 60;
const retry = { minMs: 500, maxMs: 5000 };

export class SnapshotQueue {
  readonly #source: SnapshotSource;
  readonly #onError: (error: unknown) => void;
  #waiting: Waiter[] = [];
  /** Whether a build must follow although no request waits for it. */
  #isWanted = false;
  #active: Promise<void> | undefined;
  /** When the next build may start. */
  #notBefore = 0;
  #retry: NodeJS.Timeout | undefined;
  #failures = 0;
  #closed = false;

  /** @param onError called with the error of every failed build */
  constructor(source: SnapshotSource, onError: (error: unknown) => void) {
    this.#source = source;
    this.#onError = onError;
  }

  /** Whether the last build failed, so that readers do not see what was committed since. */
  get isFailing(): boolean {
    return this.#retry !== undefined;
  }

  /**
   * Waits for a build that starts after this call, so that it holds everything committed before.
   * @returns the record in the new snapshot; undefined if the build failed
   */
  published(resource: ResourceName, id: number): Promise<PublishedRecord | undefined> {
    return new Promise((resolve) => {
      this.#waiting.push({ resource, id, resolve });
      this.#start();
    });
  }

  /** Starts a build that begins after this call. A build that failed is repeated at its own time. */
  request(): void {
    if (this.#closed || this.#retry) return;
    this.#isWanted = true;
    this.#start();
  }

  /** Builds what was committed before this call, and until no request waits. @returns whether the snapshot is up to date */
  async settled(): Promise<boolean> {
    // An active build may have begun before the latest commit.
    this.#isWanted = true;
    this.#start();
    await this.#active;
    return !this.isFailing;
  }

  /** Waits for the active build. No other build starts. */
  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#retry);
    await this.#active;
  }

  #start(): void {
    this.#active ??= this.#buildWhileWaiting().finally(() => {
      this.#active = undefined;
      if (this.#hasWork()) this.#start();
    });
  }

  async #buildWhileWaiting(): Promise<void> {
    do {
      const rest = this.#notBefore - performance.now();
      await (rest > 0 ? pause(rest) : nextTurn());
      this.#isWanted = false;
      await this.#buildFor(this.#waiting.splice(0));
    } while (this.#hasWork());
  }

  #hasWork(): boolean {
    return this.#waiting.length > 0 || this.#isWanted;
  }

  async #buildFor(waiters: readonly Waiter[]): Promise<void> {
    if (this.#closed) {
      for (const { resolve } of waiters) resolve(undefined);
      return;
    }
    const start = performance.now();
    try {
      const snapshot = await this.#source.build();
      for (const { resource, id, resolve } of waiters)
        resolve({ snapshot, etags: await this.#source.recordETags(resource, id) });
      await nextTurn();
      // A write that waits by now arrived during this build: more will follow. A single editor never waits.
      this.#notBefore = this.#waiting.length > 0 ? start + paceMs : 0;
      clearTimeout(this.#retry);
      this.#retry = undefined;
      this.#failures = 0;
    } catch (error) {
      this.#onError(error);
      for (const { resolve } of waiters) resolve(undefined);
      this.#retryLater();
    }
  }

  #retryLater(): void {
    clearTimeout(this.#retry);
    if (this.#closed) return;
    this.#failures += 1;
    this.#retry = setTimeout(() => this.#start(), backoffMs(this.#failures, retry));
  }
}
