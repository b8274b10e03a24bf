/**
 * A temporary folder for the tests of one file, in memory where the system has a file system there: what a process leaves
 * behind when it is killed is the same as on a disk, and nobody waits for one.
 */
import { accessSync, constants, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';

const inMemory = '/dev/shm';

/**
 * Call it once, at the top of a test file.
 * @returns a function from a name to the path of that name in the temporary folder; nothing is there yet
 */
export function useMemoryFolder(): (name: string) => string {
  const root = mkdtempSync(join(isWritable(inMemory) ? inMemory : tmpdir(), 'awards-durability-'));
  afterAll(() => rmSync(root, { recursive: true, force: true }));
  return (name) => join(root, name);
}

function isWritable(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}
