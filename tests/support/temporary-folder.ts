/** Folders that tests write into. setup.ts removes them after the last test of each file. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const made: string[] = [];

/** Makes an empty folder in the system's folder for temporary files, which vitest.config.ts chooses. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'awards-test-'));
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
