/** The naming of content by its hash, with whatever SHA-256 a runtime offers. */
import { contentHash, nameOfDigest, type Sha256 } from '../contract/snapshot.ts';

/** SHA-256 that is told later, such as that of the web's crypto. */
export type AsyncSha256 = (bytes: Uint8Array) => Promise<Uint8Array>;

export interface Hashing {
  /** For what must be known at once; without it, the portable one. */
  digest?: Sha256 | undefined;
  /** For whatever can wait. Where code has just started, the portable one takes most of the time of a first answer. */
  asyncDigest?: AsyncSha256 | undefined;
}

/** contentHash by the best means there is. */
export type Hash = (bytes: Uint8Array) => string | Promise<string>;

export function hashBy({ digest, asyncDigest }: Hashing): Hash {
  return asyncDigest
    ? async (bytes) => nameOfDigest(await asyncDigest(bytes))
    : (bytes) => contentHash(bytes, digest);
}

/** The runtime's own SHA-256; undefined where there is none, as on a page without TLS. */
export const webDigest: AsyncSha256 | undefined =
  globalThis.crypto?.subtle &&
  (async (bytes) => new Uint8Array(await crypto.subtle.digest('SHA-256', bytes as Uint8Array<ArrayBuffer>)));
