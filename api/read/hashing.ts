/** Content hashes by the fastest SHA-256 of the runtime. */
import { sha256 } from '@noble/hashes/sha2.js';
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

/** SHA-256 in base64, as a Content Security Policy names it. */
export async function base64Hash(text: string, { digest = sha256, asyncDigest }: Hashing): Promise<string> {
  const bytes = new TextEncoder().encode(text);
  const hash = asyncDigest ? await asyncDigest(bytes) : digest(bytes);
  return btoa(String.fromCharCode(...hash));
}

/** SHA-256 of Web Crypto; undefined if the runtime has none, such as a page without TLS. */
export const webDigest: AsyncSha256 | undefined =
  globalThis.crypto?.subtle &&
  (async (bytes) => new Uint8Array(await crypto.subtle.digest('SHA-256', bytes as Uint8Array<ArrayBuffer>)));
