/** Notices that a newer snapshot is available, without asking on every request. */
export class SnapshotWatch {
  readonly #look: () => Promise<unknown> | undefined;
  readonly #intervalMs: number;
  #lookedAt = Number.NEGATIVE_INFINITY;
  #active: Promise<unknown> | undefined;

  /**
   * @param look takes up a newer snapshot, if there is one; must not reject
   * @param intervalMs how long a look stays valid: an answer is at most that much older than its request
   */
  constructor(look: () => Promise<unknown> | undefined, intervalMs: number) {
    this.#look = look;
    this.#intervalMs = intervalMs;
  }

  /**
   * Looks if the last look is too old. Concurrent callers share one look.
   * @returns what to wait for before answering; undefined if there is nothing to wait for
   */
  check(): Promise<unknown> | undefined {
    if (this.#active || performance.now() - this.#lookedAt < this.#intervalMs) return this.#active;
    this.#lookedAt = performance.now();
    this.#active = this.#look()?.finally(() => {
      this.#active = undefined;
    });
    return this.#active;
  }
}
