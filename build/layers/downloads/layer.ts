/**
 * The downloads layer: each resource as NDJSON and CSV, and the whole record as one SQLite database, with an index of them.
 * Every file has two names: a stable one, and an immutable one that contains its hash.
 */
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { lockFile } from '../../system/file-lock.ts';
import { codeFingerprint } from '../../snapshot/fingerprint.ts';
import type { Layer } from '../layer.ts';

const downloadsCode = (): string =>
  codeFingerprint(import.meta.url, './layer.ts', '../../../api/read/snapshot.ts');

/** Folders for unfinished files begin with this. Each contains a lock that its process holds. */
const workPrefix = '.awards.downloads-';
const workLock = (folder: string): string => join(folder, '.lock');

/**
 * @param root folder of the snapshot: the files are made below it, so that moving them copies nothing
 * @param includeRestricted whether values that may not be passed on are in the files
 */
export function downloadsLayer(root: string, includeRestricted: boolean): Layer {
  let work: string | undefined;
  let unlock: (() => void) | undefined;
  return {
    name: 'downloads',
    // Files with and without the restricted values have different makers.
    code: () => downloadsCode() + (includeRestricted ? '+restricted' : ''),
    // Each shard is read once.
    cacheBytes: 1024 * 1024,
    async *all(snapshot) {
      const { downloadFiles } = await import('./downloads.ts');
      mkdirSync(root, { recursive: true });
      removeAbandoned(root);
      work = mkdtempSync(join(root, workPrefix));
      unlock = lockFile(workLock(work), 0);
      yield* downloadFiles(snapshot, work, downloadsCode().slice(0, 20), includeRestricted);
    },
    close() {
      unlock?.();
      if (work !== undefined) rmSync(work, { recursive: true, force: true });
      work = unlock = undefined;
    },
  };
}

/** Removes the unfinished files of killed processes. */
function removeAbandoned(root: string): void {
  for (const name of readdirSync(root)) {
    if (!name.startsWith(workPrefix)) continue;
    const release = lockFile(workLock(join(root, name)), 0);
    release?.();
    if (release) rmSync(join(root, name), { recursive: true, force: true });
  }
}
