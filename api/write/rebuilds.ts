/**
 * Brings the snapshot up to date after writes: writes that arrive while one build is at work share the next. A build that
 * fails is tried again until it succeeds, whether or not anybody still waits for it.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ResourceName } from '../contract/names.ts';

/** What builds, one build at a time. */
export interface SnapshotBuilder {
  /**
   * Brings the folder up to date with what is committed by now. @returns the id of its snapshot
   * @param onShown to be called, and waited for, as soon as GET answers from it, if that is before the end
   */
  build(onShown: (snapshot: string) => Promise<void>): Promise<string>;
  /** The ETag of a record's page; undefined if there is none. Within onShown, or while build() is not at work. */
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

/** Milliseconds until a failed build is tried again: the first time, and at most. */
const firstPause = 500;
const longestPause = 30_000;

export class Rebuilds {
  readonly #builder: SnapshotBuilder;
  readonly #onError: (error: unknown) => void;
  #waiting: Waiter[] = [];
  #working: Promise<void> | undefined;
  #retry: NodeJS.Timeout | undefined;
  #pause = firstPause;
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
      // Whoever arrived by now is in this build.
      await nextTurn();
      await this.#buildFor(this.#waiting.splice(0));
    } while (this.#waiting.length > 0);
  }

  async #buildFor(waiters: readonly Waiter[]): Promise<void> {
    if (this.#closed) {
      for (const { resolve } of waiters) resolve(undefined);
      return;
    }
    try {
      let isShown = false;
      const onShown = async (snapshot: string) => {
        isShown = true;
        for (const { resource, id, resolve } of waiters)
          resolve({ snapshot, etag: await this.#builder.pageETag(resource, id) });
        // They hear it before the rest of the build takes this thread up.
        await nextTurn();
      };
      const snapshot = await this.#builder.build(onShown);
      if (!isShown) await onShown(snapshot);
      clearTimeout(this.#retry);
      this.#retry = undefined;
      this.#pause = firstPause;
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
    this.#pause = Math.min(2 * this.#pause, longestPause);
  }
}
