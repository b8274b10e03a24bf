/** SHA-256 for runtimes without Web Crypto. */
import { sha256 } from '@noble/hashes/sha2.js';
import type { Sha256 } from '../contract/snapshot.ts';

/** Undefined where Web Crypto is there: a page without TLS has none. */
export const fallbackDigest: Sha256 | undefined = globalThis.crypto?.subtle ? undefined : sha256;
