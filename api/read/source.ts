/** Where the bytes of a snapshot come from, how they are hashed, and when a newer snapshot is looked for. */
import { contentHash, nameOfDigest, type Sha256 } from '../contract/snapshot.ts';

/** The resolver reads every file through a Source. */
export interface Source {
  /**
   * The bytes of a mutable file now: manifest.json, a layer index, a document. Undefined if it is missing;
   * rejects if that is not known.
   */
  file(path: string): Promise<Uint8Array | undefined>;
  /** The bytes of an immutable file, named by its hash. Undefined if it is missing. */
  shard(path: string): Promise<Uint8Array | undefined>;
}

/** A part of the snapshot is missing or damaged. */
export class SnapshotUnavailable extends Error {
  override readonly name = 'SnapshotUnavailable';
}

/**
 * A Source over HTTP, for the edge and the browser: the snapshot as static files below an address.
 * @param root address of the snapshot's root
 * @param documents address below which documents at `api/…` are read, where the program itself answers at
 * their own addresses
 * @example
 * const resolver = new Resolver(fetchSource('https://awards.example/'));
 */
export function fetchSource(root: string, fetchFile: typeof fetch = fetch, documents = root): Source {
  const read = async (folder: string, path: string, cache: RequestCache) => {
    const address = `${folder.replace(/\/$/, '')}/${path}`;
    const response = await fetchFile(address, { cache });
    if (response.ok) return new Uint8Array(await response.arrayBuffer());
    await response.body?.cancel();
    // A host that fails or limits its clients says nothing about the file.
    if (response.status >= 500 || response.status === 429)
      throw new Error(`${address} is answered with ${response.status}`);
    return undefined;
  };
  return {
    file: (path) => read(path.startsWith('api/') ? documents : root, path, 'no-cache'),
    shard: (path) => read(root, path, 'default'),
  };
}

/**
 * Content hashes are made by the SHA-256 of the runtime, or by portable code where it has none: a page
 * without TLS has no Web Crypto.
 */
export interface Hashing {
  /** Synchronous SHA-256, instead of Web Crypto, which is asynchronous. */
  digest?: Sha256 | undefined;
}

/** Like `contentHash`. */
export type Hash = (bytes: Uint8Array) => string | Promise<string>;

export function hashBy({ digest }: Hashing): Hash {
  if (digest || !globalThis.crypto?.subtle) return (bytes) => contentHash(bytes, digest);
  return async (bytes) =>
    nameOfDigest(new Uint8Array(await crypto.subtle.digest('SHA-256', bytes as Uint8Array<ArrayBuffer>)));
}

/** Notices that a newer snapshot is available, without asking on every request. */
export class SnapshotWatch {
  readonly #look: () => Promise<unknown> | undefined;
  readonly #intervalMs: number;
  #lookedAt = Number.NEGATIVE_INFINITY;
  #active: Promise<unknown> | undefined;

  /**
   * @param look takes up a newer snapshot, if there is one; must not reject
   * @param intervalMs how long a look stays valid: an answer is at most that much older than its request
   */
  constructor(look: () => Promise<unknown> | undefined, intervalMs: number) {
    this.#look = look;
    this.#intervalMs = intervalMs;
  }

  /**
   * Looks if the last look is too old. Concurrent callers share one look.
   * @returns what to wait for before answering; undefined if there is nothing to wait for
   */
  check(): Promise<unknown> | undefined {
    if (this.#active || performance.now() - this.#lookedAt < this.#intervalMs) return this.#active;
    this.#lookedAt = performance.now();
    this.#active = this.#look()?.finally(() => {
      this.#active = undefined;
    });
    return this.#active;
  }
}

/**
 * Calls a function at the first use and keeps what it loads. A load that fails is tried again by the next
 * use.
 */
export function loadOnce<T>(load: () => Promise<T>): () => Promise<T> {
  let loaded: Promise<T> | undefined;
  return () =>
    (loaded ??= load().catch((error: unknown) => {
      loaded = undefined;
      throw error;
    }));
}
