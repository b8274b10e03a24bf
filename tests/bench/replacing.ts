/** The floor under a rebuild: nothing is rendered, the files that one wrote are put in their places once more. */
import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { RewrittenFile } from './editor.ts';

/**
 * Puts files into a folder in one step each, as a rebuild does.
 * @param root a build of the same record: as in a rebuild, pages take the place of others, and shards are new
 * @returns milliseconds
 */
export function replaceFiles(root: string, files: readonly RewrittenFile[]): number {
  for (const { path } of files) mkdirSync(dirname(join(root, path)), { recursive: true });
  const began = performance.now();
  for (const { path, bytes } of files) {
    const file = join(root, path);
    const temporary = join(dirname(file), '.unfinished');
    writeFileSync(temporary, bytes);
    renameSync(temporary, file);
  }
  return performance.now() - began;
}
