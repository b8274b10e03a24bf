/**
 * Starts requests for some milliseconds in each turn of the event loop. Many requests at once would otherwise delay everything
 * else by the time of all of them, at each of the three turns that a new connection needs: to be accepted, read and answered.
 */
export class RequestQueue {
  readonly #first: (() => void)[] = [];
  readonly #pipelined: (() => void)[] = [];
  /** When the requests of this turn began; undefined before the first one. */
  #begin: number | undefined;

  /**
   * Starts a request now or in a later turn.
   * @param isPipelined whether it was sent before the answer to another one: it waits for all others
   */
  add(start: () => void, isPipelined: boolean): void {
    if (this.#first.length + this.#pipelined.length === 0 && this.#hasTime()) start();
    else (isPipelined ? this.#pipelined : this.#first).push(start);
  }

  #hasTime(): boolean {
    if (this.#begin !== undefined) return performance.now() - this.#begin < turnMs;
    this.#begin = performance.now();
    setImmediate(() => {
      this.#begin = undefined;
      this.#continue();
    });
    return true;
  }

  #continue(): void {
    if (this.#first.length + this.#pipelined.length === 0 || !this.#hasTime()) return;
    (this.#first.shift() ?? this.#pipelined.shift())!();
    // An answer from memory is computed in microtasks: they are part of the time of this request.
    queueMicrotask(() => process.nextTick(() => this.#continue()));
  }
}

const turnMs = 5;
