/** Temporary folders in memory. */
import { accessSync, constants, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';

const inMemory = '/dev/shm';

/**
 * A temporary folder of one test file, in memory where the system has it: a killed process leaves the same files as on a disk.
 * @returns maps a name to its path in the folder; nothing exists there yet
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
