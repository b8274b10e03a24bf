/**
 * What builds still owe a folder when the snapshot is shown: pages, which no answer is made from, and the removal of shards
 * that nothing names any more. Builds in a row share it, so a page that each of them renders anew is written once: a total
 * stands on hundreds of pages, and replacing those takes longer than all the rest of a build.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Output } from './output.ts';

/** Milliseconds for which a file is left to be owed anew while writes keep coming, and bytes that may be owed. */
const maxDelayMs = 5000;
const maxBytes = 32 * 1024 * 1024;
/** Files between two looks at what comes next: a few milliseconds. */
const filesPerTurn = 16;

interface Owed {
  /** undefined for a file to be removed. */
  bytes: Uint8Array | undefined;
  /** When something was first owed for its path. */
  since: number;
}

export class Backlog {
  /** By path, the oldest first. */
  readonly #files = new Map<string, Owed>();
  #bytes = 0;

  /** Owes a file, in place of what was owed for its path. The bytes are the caller's again afterwards. */
  put(path: string, bytes: Uint8Array): void {
    this.#set(path, bytes.slice());
  }

  /** Owes that there be no such file. */
  remove(path: string): void {
    this.#set(path, undefined);
  }

  /** Nothing is owed for this path: it has been seen to. */
  forget(path: string): void {
    this.#bytes -= this.#files.get(path)?.bytes?.length ?? 0;
    this.#files.delete(path);
  }

  /** Nothing is owed at all. */
  clear(): void {
    this.#files.clear();
    this.#bytes = 0;
  }

  /** Whether so much is owed that it should not become more. */
  get isFull(): boolean {
    return this.#bytes > maxBytes;
  }

  /**
   * Does what is owed, letting other work in between; not to be added to meanwhile.
   * @param timeLeft milliseconds until the next build begins, Infinity if none is waited for: until then only what has been
   *   owed for long is done, as the next build may owe the rest anew
   * @returns whether nothing is owed any more
   */
  async workOff(output: Output, timeLeft: () => number): Promise<boolean> {
    let done = 0;
    for (const [path, { bytes, since }] of this.#files) {
      if (done % filesPerTurn === 0) {
        await nextTurn();
        const left = timeLeft();
        if (left <= 0) return false;
        if (left < Infinity && performance.now() - since < maxDelayMs) return false;
      }
      if (bytes) output.put(path, bytes);
      else output.remove(path);
      this.forget(path);
      done += 1;
    }
    return true;
  }

  #set(path: string, bytes: Uint8Array | undefined): void {
    const before = this.#files.get(path);
    this.#bytes += (bytes?.length ?? 0) - (before?.bytes?.length ?? 0);
    this.#files.set(path, { bytes, since: before?.since ?? performance.now() });
  }
}
