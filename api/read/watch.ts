/** Notices that a newer snapshot is available, without asking on every request. */
export class SnapshotWatch {
  readonly #look: () => Promise<void> | undefined;
  readonly #intervalMs: number;
  #lookedAt = Number.NEGATIVE_INFINITY;
  #active: Promise<void> | undefined;

  /**
   * @param look takes up a newer snapshot, if there is one; must not reject
   * @param intervalMs how long a look stays valid: an answer is at most that much older than its request
   */
  constructor(look: () => Promise<void> | undefined, intervalMs: number) {
    this.#look = look;
    this.#intervalMs = intervalMs;
  }

  /**
   * Looks if the last look is too old. Concurrent callers share one look.
   * @returns what to wait for before answering; undefined if there is nothing to wait for
   */
  check(): Promise<void> | undefined {
    if (this.#active || performance.now() - this.#lookedAt < this.#intervalMs) return this.#active;
    this.#lookedAt = performance.now();
    this.#active = this.#look()?.finally(() => {
      this.#active = undefined;
    });
    return this.#active;
  }
}
