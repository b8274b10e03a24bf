/**
 * A disk that fails: the Nth change to a folder is not made, or half made if it writes a file. It stands below everything the
 * build does, in place of the functions of node:fs, so that it need not know how the build goes about its work.
 */
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { basename } from 'node:path';
import { snapshotLockName as lockName } from '../../build/snapshot/output-folder.ts';

/** The functions that change files and are in use; the first parameter is the path. */
const changing = ['writeFileSync', 'renameSync', 'rmSync', 'mkdirSync'] as const;
type Change = (path: string, ...rest: unknown[]) => unknown;

export interface FailingDisk {
  /** Changes attempted so far. */
  attempts: number;
  /** Makes it a disk like any other again. */
  repair(): void;
}

/**
 * @param last number of changes that still succeed
 * @param fail what happens then, once; throws or ends the process
 * @param forGood no change succeeds any more then, as if whoever makes them were gone
 */
export function installFailingDisk(
  folder: string,
  last: number,
  fail: () => never,
  forGood = false,
): FailingDisk {
  const functions = fs as unknown as Record<string, Change>;
  const originals = new Map(changing.map((name) => [name, functions[name]!]));
  const disk: FailingDisk = {
    attempts: 0,
    repair() {
      for (const [name, original] of originals) functions[name] = original;
      syncBuiltinESMExports();
    },
  };
  for (const [name, original] of originals) {
    functions[name] = (path, ...rest) => {
      if (!String(path).startsWith(folder) || basename(path) === lockName) return original(path, ...rest);
      disk.attempts += 1;
      if (disk.attempts <= last) return original(path, ...rest);
      if (disk.attempts > last + 1) return forGood ? fail() : original(path, ...rest);
      if (name === 'writeFileSync') original(path, halfOf(rest[0] as string | Uint8Array));
      return fail();
    };
  }
  syncBuiltinESMExports();
  return disk;
}

const halfOf = (bytes: string | Uint8Array) => bytes.slice(0, bytes.length >> 1);

/** What a full disk says. */
export function noSpaceLeft(): never {
  throw Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });
}
