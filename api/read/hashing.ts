/** Content hashes by the SHA-256 of the runtime, or by portable code where it has none: a page without TLS has no Web Crypto. */
import { contentHash, nameOfDigest, type Sha256 } from '../contract/snapshot.ts';

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
