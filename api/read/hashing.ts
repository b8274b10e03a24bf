/** Content hashes by the fastest SHA-256 of the runtime. */
import { contentHash, nameOfDigest, type Sha256 } from '../contract/snapshot.ts';

export type AsyncSha256 = (bytes: Uint8Array) => Promise<Uint8Array>;

export interface Hashing {
  /** Synchronous SHA-256. Default: a portable one, which is slow at cold start. */
  digest?: Sha256 | undefined;
  /** Asynchronous SHA-256, preferred if given. */
  asyncDigest?: AsyncSha256 | undefined;
}

/** Like `contentHash`. */
export type Hash = (bytes: Uint8Array) => string | Promise<string>;

export function hashBy({ digest, asyncDigest }: Hashing): Hash {
  return asyncDigest
    ? async (bytes) => nameOfDigest(await asyncDigest(bytes))
    : (bytes) => contentHash(bytes, digest);
}

/** SHA-256 of Web Crypto; undefined if the runtime has none, such as a page without TLS. */
export const webDigest: AsyncSha256 | undefined =
  globalThis.crypto?.subtle &&
  (async (bytes) => new Uint8Array(await crypto.subtle.digest('SHA-256', bytes as Uint8Array<ArrayBuffer>)));
