/** LRU cache of answers. An answer depends only on the snapshot and the address, so a new snapshot clears the cache. */
import { LRUCache } from 'lru-cache';
import { knownETag } from '../contract/etag.ts';
import type { Target } from '../contract/target.ts';
import { type Answer, commonHeaders } from './answer.ts';
import { type Document, linkHeader } from './documents.ts';
import type { Snapshot } from './snapshot.ts';

/** The answer to GET or HEAD, before conditional headers are evaluated. */
interface PreparedAnswer {
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

export interface HashedDocument extends Omit<Document, 'text'> {
  body: Uint8Array;
  /** contentHash of the body. */
  hash: string;
}

const foundHeaders = {
  ...commonHeaders,
  'Cache-Control': 'public, max-age=0, must-revalidate',
  // The service compresses, and so do CDNs.
  Vary: 'Accept-Encoding',
};

/** The answer with a document, before conditional headers are evaluated. */
export function preparedAnswer(
  request: Target,
  { body, hash, pagination, file }: HashedDocument,
): PreparedAnswer {
  const etag = `"${hash}"`;
  const link = pagination && linkHeader(request, pagination);
  const headers = {
    ...foundHeaders,
    ETag: etag,
    'Content-Length': String(body.length),
    ...(link && { Link: link }),
    ...(file && {
      'Content-Type': file.type,
      'Content-Disposition': `attachment; filename="${file.name}"`,
      'Access-Control-Expose-Headers': `${foundHeaders['Access-Control-Expose-Headers']}, Content-Disposition`,
    }),
  };
  return { etag, body, headers };
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

/** An entry that is larger than this share of the cache is not kept: one export would displace thousands of answers. */
const maxShare = 1 / 16;

export class AnswerCache {
  readonly #answers: LRUCache<string, PreparedAnswer> | undefined;
  #snapshot: Snapshot | undefined;
  #hits = 0;

  /** @param bytes capacity; 0 disables the cache */
  constructor(bytes: number) {
    if (bytes > 0)
      this.#answers = new LRUCache({
        maxSize: bytes,
        maxEntrySize: Math.ceil(bytes * maxShare),
        sizeCalculation: sizeOf,
      });
  }

  get(snapshot: Snapshot, address: Target): PreparedAnswer | undefined {
    if (this.#snapshot !== snapshot) {
      this.#snapshot = snapshot;
      this.#answers?.clear();
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

  /** Keeps an answer, unless it is large or from an older snapshot. @returns the answer */
  keep(snapshot: Snapshot, address: Target, answer: PreparedAnswer): PreparedAnswer {
    if (this.#snapshot === snapshot) this.#answers?.set(keyOf(address), answer);
    return answer;
  }
}

const keyOf = ({ path, queryString }: Target): string => `${path}?${queryString}`;
