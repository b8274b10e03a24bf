/** SHA-256 by Node, several times faster than the portable implementation. */
import { hash } from 'node:crypto';
import type { Sha256 } from '../contract/snapshot.ts';

export const nodeDigest: Sha256 = (bytes) => hash('sha256', bytes, 'buffer');
