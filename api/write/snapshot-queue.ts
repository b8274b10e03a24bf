/**
 * Brings the snapshot up to date after writes. Writes that arrive during a build share the next build. A failed build is
 * repeated until it succeeds, even if no request waits for it.
 */
import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';
import { backoffMs } from '../../data/retry-policy.ts';

/** Builds a snapshot of everything committed. @returns its id */
type Build = () => Promise<string>;

/** Takes the id of a snapshot; undefined if its build failed. */
type Waiter = (snapshot: string | undefined) => void;

/** Milliseconds between the starts of two builds while writes keep coming, so that more writes share a build. */
const paceMs = 60;
const retry = { minMs: 500, maxMs: 5000 };

export class SnapshotQueue {
  readonly #build: Build;
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

  /** @param build called one at a time @param onError called with the error of every failed build */
  constructor(build: Build, onError: (error: unknown) => void) {
    this.#build = build;
    this.#onError = onError;
  }

  /** Whether the last build failed, so that readers do not see what was committed since. */
  get isFailing(): boolean {
    return this.#retry !== undefined;
  }

  /**
   * Waits for a build that starts after this call, so that it holds everything committed before.
   * @returns the id of the new snapshot; undefined if the build failed
   */
  published(): Promise<string | undefined> {
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
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
      for (const resolve of waiters) resolve(undefined);
      return;
    }
    const start = performance.now();
    try {
      const snapshot = await this.#build();
      for (const resolve of waiters) resolve(snapshot);
      await nextTurn();
      // A write that waits by now arrived during this build: more will follow. A single editor never waits.
      this.#notBefore = this.#waiting.length > 0 ? start + paceMs : 0;
      clearTimeout(this.#retry);
      this.#retry = undefined;
      this.#failures = 0;
    } catch (error) {
      this.#onError(error);
      for (const resolve of waiters) resolve(undefined);
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
