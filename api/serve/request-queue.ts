/**
 * Starts requests for some milliseconds in each turn of the event loop. Without it, many requests at once delay everything else
 * until all of them are answered; a new connection needs three turns: to be accepted, read and answered.
 */
export class RequestQueue {
  readonly #first: (() => void)[] = [];
  readonly #pipelined: (() => void)[] = [];
  /** When the requests of this turn began; undefined before the first one. */
  #begin: number | undefined;
  #budgetMs = turnMs;
  #isShort = false;

  /**
   * Starts a request now or in a later turn.
   * @param isPipelined whether it was sent before the answer to another one: it waits for all others
   */
  add(start: () => void, isPipelined: boolean): void {
    if (this.#isEmpty && this.#hasTime()) start();
    else (isPipelined ? this.#pipelined : this.#first).push(start);
  }

  /** Makes the next turn short, for one request only. Node accepts one connection in a turn, and more may be waiting. */
  shorten(): void {
    this.#isShort = true;
  }

  get #isEmpty(): boolean {
    return this.#first.length + this.#pipelined.length === 0;
  }

  #hasTime(): boolean {
    if (this.#begin !== undefined) return performance.now() - this.#begin < this.#budgetMs;
    this.#begin = performance.now();
    this.#budgetMs = this.#isShort ? 0 : turnMs;
    this.#isShort = false;
    setImmediate(() => {
      this.#begin = undefined;
      this.#continue();
    });
    return true;
  }

  #continue(): void {
    if (this.#isEmpty || !this.#hasTime()) return;
    (this.#first.shift() ?? this.#pipelined.shift())!();
    // An answer from memory is computed in microtasks: they are part of the time of this request.
    queueMicrotask(() => process.nextTick(() => this.#continue()));
  }
}

const turnMs = 5;
