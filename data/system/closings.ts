/** What a program has opened and must close at its end. */

export class Closings {
  /** Newest last. */
  readonly #all: (() => unknown)[] = [];

  /** @param close may return a promise, which is awaited */
  add(close: () => unknown): void {
    this.#all.push(close);
  }

  /**
   * Closes everything, the newest first. One that fails keeps no other open.
   * @param onError receives each failure
   */
  async close(onError: (error: unknown) => void): Promise<void> {
    for (let next = this.#all.pop(); next; next = this.#all.pop())
      try {
        await next();
      } catch (error) {
        onError(error);
      }
  }
}
