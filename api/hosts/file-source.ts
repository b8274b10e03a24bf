/** A snapshot's folder as a Source. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { manifestPath } from '../contract/snapshot.ts';
import type { Source } from '../read/source.ts';

/**
 * Reads without the detour through the thread pool, which takes longer than reading these small files does: they were written
 * or read a moment ago, as a rule, and the system still has them.
 * @param root the folder that holds manifest.json
 */
export function fileSource(root: string): Source {
  const read = async (path: string): Promise<Uint8Array | undefined> => {
    try {
      return readFileSync(join(root, path));
    } catch (error) {
      if (isMissing(error)) return undefined;
      throw error;
    }
  };
  return { manifest: () => read(manifestPath), shard: read };
}

/** Whether a file operation failed because there is no such file or folder. */
export function isMissing(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException;
  return code === 'ENOENT' || code === 'ENOTDIR';
}
