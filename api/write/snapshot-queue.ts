/**
 * Brings the snapshot up to date after writes. Writes that arrive during a build share the next build. A failed build is
 * repeated until it succeeds, even if no request waits for it.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { backoffMs } from '../../data/retry-policy.ts';

/** The id of a snapshot; undefined if its build failed. Never rejects. */
type Result = Promise<string | undefined>;

/** Milliseconds between two attempts of a build that fails. */
const retry = { minMs: 500, maxMs: 5000 };

export class SnapshotQueue {
  readonly #build: () => Promise<string>;
  readonly #onError: (error: unknown) => void;
  /** The build that has begun last. */
  #current: Result | undefined;
  /** The build after it; undefined if none is wanted. */
  #next: Result | undefined;
  #failures = 0;
  #retry: NodeJS.Timeout | undefined;
  #closed = false;

  /**
   * @param build builds a snapshot of everything committed, and returns its id; called one at a time
   * @param onError called with the error of every failed build
   */
  constructor(build: () => Promise<string>, onError: (error: unknown) => void) {
    this.#build = build;
    this.#onError = onError;
  }

  /** Whether the last build failed, so that readers do not see what was committed since. */
  get isFailing(): boolean {
    return this.#failures > 0;
  }

  /** Waits for a build that starts after this call, so that it holds everything committed before. */
  published(): Result {
    this.#next ??= this.#buildAfter(this.#current);
    return this.#next;
  }

  /** Starts a build that begins after this call. A build that failed is repeated at its own time. */
  request(): void {
    if (!this.isFailing) void this.published();
  }

  /** Waits for the active build. No other build starts. */
  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#retry);
    await (this.#next ?? this.#current);
  }

  async #buildAfter(current: Result | undefined): Result {
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
