/** Node's own SHA-256, several times faster than the portable one and, of course, equal to it. */
import { hash } from 'node:crypto';
import type { Sha256 } from '../contract/snapshot.ts';

export const nodeDigest: Sha256 = (bytes) => hash('sha256', bytes, 'buffer');
