/** Content hashes by the SHA-256 of the runtime. */
import { nameOfDigest, type Sha256 } from '../contract/snapshot.ts';

export interface Hashing {
  /** Synchronous SHA-256. Default: that of Web Crypto, which is asynchronous, and missing in pages without TLS. */
  digest?: Sha256 | undefined;
}

/** Like `contentHash`. */
export type Hash = (bytes: Uint8Array) => string | Promise<string>;

export function hashBy({ digest }: Hashing): Hash {
  if (digest) return (bytes) => nameOfDigest(digest(bytes));
  return async (bytes) =>
    nameOfDigest(new Uint8Array(await crypto.subtle.digest('SHA-256', bytes as Uint8Array<ArrayBuffer>)));
}
