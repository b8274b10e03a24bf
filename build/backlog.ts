/**
 * What builds still owe a folder when the snapshot is shown: pages, which no answer is made from, and the removal of shards
 * that nothing names any more. Builds in a row share it, so a page that each of them renders anew is written once: a total
 * stands on hundreds of pages, and replacing those takes longer than all the rest of a build.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Output } from './output.ts';

/** Milliseconds for which files may be owed while others wait, and bytes that may be. */
const longestDelay = 1000;
const mostBytes = 32 * 1024 * 1024;
/** Files between two looks at whether somebody waits: a few milliseconds. */
const filesPerTurn = 16;

export class Backlog {
  /** By path; undefined for a file to be removed. */
  readonly #files = new Map<string, Uint8Array | undefined>();
  #bytes = 0;
  #since = 0;

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
    this.#bytes -= this.#files.get(path)?.length ?? 0;
    this.#files.delete(path);
  }

  /** Nothing is owed at all. */
  clear(): void {
    this.#files.clear();
    this.#bytes = 0;
  }

  /** Whether it is to be worked off even though somebody waits. */
  get isOverdue(): boolean {
    return (
      this.#files.size > 0 && (performance.now() - this.#since > longestDelay || this.#bytes > mostBytes)
    );
  }

  /**
   * Does what is owed, letting other work in between; not to be added to meanwhile.
   * @param isWaitedFor somebody waits for the next build: unless it is overdue, the rest is left for later
   * @returns whether nothing is owed any more
   */
  async workOff(output: Output, isWaitedFor: () => boolean): Promise<boolean> {
    let done = 0;
    for (const [path, bytes] of this.#files) {
      if (done % filesPerTurn === 0) {
        await nextTurn();
        if (isWaitedFor() && !this.isOverdue) return false;
      }
      if (bytes) output.put(path, bytes);
      else output.remove(path);
      this.forget(path);
      done += 1;
    }
    return true;
  }

  #set(path: string, bytes: Uint8Array | undefined): void {
    if (this.#files.size === 0) this.#since = performance.now();
    this.forget(path);
    this.#files.set(path, bytes);
    this.#bytes += bytes?.length ?? 0;
  }
}
