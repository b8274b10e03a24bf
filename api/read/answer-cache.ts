/** LRU cache of answers. An answer depends only on the snapshot and the address, so a new snapshot clears the cache. */
import { LRUCache } from 'lru-cache';
import { knownETag } from '../contract/etag.ts';
import type { Target } from '../contract/target.ts';
import type { Answer } from './answer.ts';
import type { Snapshot } from './snapshot.ts';

/** The answer to GET or HEAD, before conditional headers are evaluated. */
export interface PreparedAnswer {
  etag: string;
  body: Uint8Array;
  headers: Readonly<Record<string, string>>;
}

/** The answer to a request: 304 if `If-None-Match` has the ETag of the answer or of an encoded form. @param ifNoneMatch the header */
export function conditionalAnswer(
  { etag, body, headers }: PreparedAnswer,
  ifNoneMatch: string | null | undefined,
): Answer {
  const known = knownETag(ifNoneMatch, etag);
  if (known === undefined) return { status: 200, headers, body };
  const { 'Content-Length': _length, ...others } = headers;
  return { status: 304, headers: { ...others, ETag: known }, body: null };
}

export interface AnswerCacheState {
  /** Requests that were answered from the cache. */
  hits: number;
  answers: number;
  bytes: number;
}

/**
 * Memory of an entry besides its texts and its body: the objects, the entry of the map, the overhead of a small buffer. The
 * process grows by about this much per answer of 100 bytes; the part "abuse" of the bench measures it.
 */
const entryBytes = 1536;

const sizeOf = ({ body, headers }: PreparedAnswer, key: string): number =>
  entryBytes + body.length + key.length + (headers.Link?.length ?? 0);

/**
 * Keeps an answer only if its address was requested recently. Requests that come once, from a crawler or an attack, do not
 * displace other answers, and their memory is freed at once.
 */
export class AnswerCache {
  readonly #answers: LRUCache<string, PreparedAnswer> | undefined;
  readonly #capacity: number;
  /** Hashes of the addresses that were answered lately, in two generations. */
  #recent = new Set<number>();
  #older = new Set<number>();
  /** Bytes of the answers to the recent addresses. */
  #recentBytes = 0;
  #snapshot: Snapshot | undefined;
  #hits = 0;

  /** @param bytes capacity; 0 disables the cache */
  constructor(bytes: number) {
    this.#capacity = bytes;
    if (bytes > 0) this.#answers = new LRUCache({ maxSize: bytes, sizeCalculation: sizeOf });
  }

  get(snapshot: Snapshot, address: Target): PreparedAnswer | undefined {
    if (this.#snapshot !== snapshot) {
      this.#snapshot = snapshot;
      if (this.#answers?.size) this.#answers.clear();
    }
    const found = this.#answers?.get(keyOf(address));
    if (found) this.#hits += 1;
    return found;
  }

  get state(): AnswerCacheState {
    return {
      hits: this.#hits,
      answers: this.#answers?.size ?? 0,
      bytes: this.#answers?.calculatedSize ?? 0,
    };
  }

  /** Keeps the answer if its address was requested recently. @returns the answer, kept or not */
  keep(snapshot: Snapshot, address: Target, answer: PreparedAnswer): PreparedAnswer {
    // Ignore an answer from an older snapshot.
    if (this.#answers && this.#snapshot === snapshot) {
      const key = keyOf(address);
      if (this.#recordRepeat(key, sizeOf(answer, key))) this.#answers.set(key, answer);
    }
    return answer;
  }

  /**
   * Records an address. Repeats are known for half to a whole capacity of answers: longer, the cache would not have held the
   * answer either. @returns whether it was recorded already
   */
  #recordRepeat(key: string, bytes: number): boolean {
    const hash = hashOf(key);
    if (this.#recent.has(hash) || this.#older.has(hash)) return true;
    this.#recent.add(hash);
    this.#recentBytes += bytes;
    if (this.#recentBytes > this.#capacity / 2) {
      this.#older = this.#recent;
      this.#recent = new Set();
      this.#recentBytes = 0;
    }
    return false;
  }
}

const keyOf = ({ path, queryString }: Target): string => `${path}?${queryString}`;

/** FNV-1a, 32 bits. Two addresses with one hash do no harm: an answer is kept too early. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i += 1) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return hash;
}
