/** Folders that tests write into. setup.ts removes them after the last test of each file. */
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const made: string[] = [];

/** Makes an empty folder. @param below default the system's folder for temporary files */
export function temporaryFolder(below = tmpdir()): string {
  const folder = mkdtempSync(join(below, 'awards-test-'));
  made.push(folder);
  return folder;
}

export function removeTemporaryFolders(): void {
  for (const folder of made.splice(0)) rmSync(folder, { recursive: true, force: true });
}

/** A folder that is made at first use. @returns maps a name to its path in the folder; nothing exists there yet */
export function useWorkspace(): (name: string) => string {
  let root: string | undefined;
  return (name) => {
    root ??= temporaryFolder();
    return join(root, name);
  };
}

/** Like useWorkspace(), in memory where the system has it: a killed process leaves the same files as on a disk. */
export function useMemoryFolder(): (name: string) => string {
  const root = temporaryFolder(existsSync('/dev/shm') ? '/dev/shm' : tmpdir());
  return (name) => join(root, name);
}
