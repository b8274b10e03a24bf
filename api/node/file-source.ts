/** A snapshot's folder as a Source. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { manifestPath } from '../contract/snapshot.ts';
import type { Source } from '../read/source.ts';

/** @param root the folder that holds manifest.json */
export function fileSource(root: string): Source {
  const read = async (path: string) => {
    try {
      return await readFile(join(root, path));
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
