/**
 * Answers to what was asked lately. An answer depends on the snapshot and the address alone, so a kept one is right until
 * the snapshot changes, and then all of them go.
 */
import { LRUCache } from 'lru-cache';
import type { Snapshot } from './snapshot.ts';

/** An answer that was found, ready for any method and condition. */
export interface PreparedAnswer {
  etag: string;
  body: Uint8Array;
  headers: Readonly<Record<string, string>>;
  /** The same with Content-Length. */
  withLength: Readonly<Record<string, string>>;
}

interface Address {
  path: string;
  queryString: string;
}

export class AnswerCache {
  readonly #answers: LRUCache<string, PreparedAnswer> | undefined;
  #snapshot: Snapshot | undefined;

  /** @param bytes of bodies kept; the least recently used go first */
  constructor(bytes: number) {
    if (bytes > 0)
      this.#answers = new LRUCache({
        maxSize: bytes,
        sizeCalculation: ({ body, headers }, key) =>
          body.length + key.length + (headers.Link?.length ?? 0) + 1,
      });
  }

  get(snapshot: Snapshot, address: Address): PreparedAnswer | undefined {
    this.#follow(snapshot);
    return this.#answers?.get(keyOf(address));
  }

  /** @returns the answer given */
  keep(snapshot: Snapshot, address: Address, answer: PreparedAnswer): PreparedAnswer {
    // One that was begun before the snapshot changed is late.
    if (this.#snapshot === snapshot) this.#answers?.set(keyOf(address), answer);
    return answer;
  }

  #follow(snapshot: Snapshot): void {
    if (this.#snapshot === snapshot) return;
    this.#snapshot = snapshot;
    if (this.#answers?.size) this.#answers.clear();
  }
}

const keyOf = ({ path, queryString }: Address): string => `${path}?${queryString}`;
