/**
 * Brings the snapshot up to date after writes: writes that arrive while one build is at work share the next. A build that
 * fails is tried again until it succeeds, whether or not anybody still waits for it.
 */
import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';
import type { ResourceName } from '../contract/names.ts';

/** What builds, one build at a time. */
export interface SnapshotBuilder {
  /** Sees to it that GET answers from what is committed by now. @returns the id of that snapshot */
  show(): Promise<string>;
  /**
   * Does what show() left to do, or some of it, and the rest after the next.
   * @param timeLeft milliseconds until the next show(), Infinity if none is waited for
   */
  finish(timeLeft: () => number): Promise<unknown>;
  /** The ETag of a record's page; undefined if there is none. Not while show() is at work. */
  pageETag(resource: ResourceName, id: number): Promise<string | undefined>;
}

/** A record as the snapshot shows it. */
export interface Shown {
  snapshot: string;
  /** undefined if the snapshot has no such record. */
  etag: string | undefined;
}

interface Waiter {
  resource: ResourceName;
  id: number;
  resolve: (shown: Shown | undefined) => void;
}

/**
 * Milliseconds from one build to the next while writes keep coming: more of them share it, and whoever reads has the processor
 * in between. Who writes alone waits for none of it.
 */
const pace = 60;
/** Milliseconds until a failed build is tried again: the first time, and at most. */
const minPauseMs = 500;
const maxPauseMs = 30_000;

export class SnapshotQueue {
  readonly #builder: SnapshotBuilder;
  readonly #onError: (error: unknown) => void;
  #waiting: Waiter[] = [];
  #working: Promise<void> | undefined;
  /** When the next build may begin. */
  #next = 0;
  #retry: NodeJS.Timeout | undefined;
  #pause = minPauseMs;
  #closed = false;

  /** @param onError told of every build that failed */
  constructor(builder: SnapshotBuilder, onError: (error: unknown) => void) {
    this.#builder = builder;
    this.#onError = onError;
  }

  /**
   * Waits for a build that begins after this call, so it holds whatever is committed by now.
   * @returns how the snapshot shows a record then; undefined if the build failed
   */
  show(resource: ResourceName, id: number): Promise<Shown | undefined> {
    return new Promise((resolve) => {
      this.#waiting.push({ resource, id, resolve });
      this.#work();
    });
  }

  /** Builds until nobody waits. @returns whether the last build, if there was one, succeeded */
  async settled(): Promise<boolean> {
    this.#work();
    await this.#working;
    return this.#retry === undefined;
  }

  /** Lets the build at work finish, and begins no other. */
  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#retry);
    await this.#working;
  }

  #work(): void {
    this.#working ??= this.#buildWhileWaitedFor().finally(() => {
      this.#working = undefined;
      if (this.#waiting.length > 0) this.#work();
    });
  }

  async #buildWhileWaitedFor(): Promise<void> {
    do {
      const rest = this.#next - performance.now();
      // Whoever arrives by then is in this build.
      await (rest > 0 ? pause(rest) : nextTurn());
      await this.#buildFor(this.#waiting.splice(0));
    } while (this.#waiting.length > 0);
  }

  async #buildFor(waiters: readonly Waiter[]): Promise<void> {
    if (this.#closed) {
      for (const { resolve } of waiters) resolve(undefined);
      return;
    }
    const began = performance.now();
    try {
      const snapshot = await this.#builder.show();
      for (const { resource, id, resolve } of waiters)
        resolve({ snapshot, etag: await this.#builder.pageETag(resource, id) });
      // They hear it before the rest takes this thread up.
      await nextTurn();
      // Whoever waits by now wrote while this build was at work: others will follow, and share the next one.
      this.#next = this.#waiting.length > 0 ? began + pace : 0;
      await this.#builder.finish(() =>
        this.#waiting.length > 0 && !this.#closed ? this.#next - performance.now() : Infinity,
      );
      clearTimeout(this.#retry);
      this.#retry = undefined;
      this.#pause = minPauseMs;
    } catch (error) {
      this.#onError(error);
      for (const { resolve } of waiters) resolve(undefined);
      this.#tryAgain();
    }
  }

  #tryAgain(): void {
    clearTimeout(this.#retry);
    if (this.#closed) return;
    this.#retry = setTimeout(() => this.#work(), this.#pause);
    this.#pause = Math.min(2 * this.#pause, maxPauseMs);
  }
}
