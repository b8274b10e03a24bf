/** Fingerprint of the program. Files that were made by another program are made again. */
import { createHash } from 'node:crypto';
import { hashOfSources } from '../../data/system/sources.mjs';

/** What hashOfSources() gave when this was compiled. Sources do not have it. */
declare const compiledFrom: string | undefined;

let code: string | undefined;

/**
 * A fingerprint of the sources that this process runs, and of its packages. Computed once: if sources change
 * later, this process still runs the old code.
 * @returns hexadecimal SHA-256
 */
export function productCode(): string {
  code ??= createHash('sha256')
    // Case folding and word boundaries follow the Unicode version of the engine.
    .update(`unicode ${process.versions.unicode}\0`)
    .update(
      typeof compiledFrom === 'string' ? compiledFrom : hashOfSources(new URL('../../', import.meta.url)),
    )
    .digest('hex');
  return code;
}
