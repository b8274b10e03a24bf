/**
 * LRU cache of answers. An answer depends only on the snapshot and the address, so a new snapshot clears the
 * cache.
 */
import { LRUCache } from 'lru-cache';
import type { Target } from '../contract/target.ts';
import type { Found } from './answer.ts';
import type { Snapshot } from './snapshot.ts';

/**
 * Memory of an entry besides its texts and its body: the objects, the entry of the map, the overhead of a
 * small buffer. The process grows by about this much per answer of 100 bytes; the part "abuse" of the bench
 * measures it.
 */
const entryBytes = 1536;

/**
 * An entry that is larger than this share of the cache is not kept: one export would displace thousands of
 * answers.
 */
const maxShare = 1 / 16;

export class AnswerCache {
  readonly #answers: LRUCache<string, Found> | undefined;
  #snapshot: Snapshot | undefined;
  #hits = 0;

  /** @param bytes capacity; 0 disables the cache */
  constructor(bytes: number) {
    if (bytes > 0)
      this.#answers = new LRUCache({
        maxSize: bytes,
        maxEntrySize: Math.ceil(bytes * maxShare),
        sizeCalculation: ({ body, headers }, key) =>
          entryBytes + body.length + key.length + (headers.Link?.length ?? 0),
      });
  }

  get(snapshot: Snapshot, address: Target): Found | undefined {
    if (this.#snapshot !== snapshot) {
      this.#snapshot = snapshot;
      this.#answers?.clear();
    }
    const found = this.#answers?.get(keyOf(address));
    if (found) this.#hits += 1;
    return found;
  }

  /** How full the cache is, and how many requests were answered from it. */
  get state(): AnswerCacheState {
    return {
      hits: this.#hits,
      answers: this.#answers?.size ?? 0,
      bytes: this.#answers?.calculatedSize ?? 0,
    };
  }

  /** Keeps an answer, unless it is large or from an older snapshot. @returns the answer */
  keep(snapshot: Snapshot, address: Target, answer: Found): Found {
    if (this.#snapshot === snapshot) this.#answers?.set(keyOf(address), answer);
    return answer;
  }
}

export interface AnswerCacheState {
  hits: number;
  answers: number;
  bytes: number;
}

const keyOf = ({ path, queryString }: Target): string => `${path}?${queryString}`;
