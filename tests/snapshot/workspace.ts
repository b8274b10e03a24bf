/** A temporary folder for the tests of one file, made at first use and removed after the last test. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';

/**
 * Call it once, at the top of a test file.
 * @returns a function from a name to its path in the temporary folder; nothing exists there yet
 */
export function useWorkspace(): (name: string) => string {
  let root: string | undefined;
  afterAll(() => {
    if (root !== undefined) rmSync(root, { recursive: true, force: true });
  });
  return (name) => {
    root ??= mkdtempSync(join(tmpdir(), 'awards-snapshot-'));
    return join(root, name);
  };
}
