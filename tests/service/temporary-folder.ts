/** Folders that tests write into: below the system's folder for temporary files, and gone when the test file is through. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';

const made: string[] = [];

/** Makes an empty folder. Call `removeTemporaryFolders` at the top of the test file. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'awards-test-'));
  made.push(folder);
  return folder;
}

/** Sees to it that the folders are removed after the last test of the file. */
export function removeTemporaryFolders(): void {
  afterAll(() => {
    for (const folder of made.splice(0)) rmSync(folder, { recursive: true, force: true });
  });
}
