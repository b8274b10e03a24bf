/** Intercepts the functions of node:fs that change files: to fail, or to look at the folder between two changes. */
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

/** The functions in use. The first parameter is a path of the changed file. */
const changing = [
  'writeFileSync',
  'renameSync',
  'rmSync',
  'unlinkSync',
  'linkSync',
  'utimesSync',
  'mkdirSync',
  'mkdtempSync',
  'rmdirSync',
  'copyFileSync',
] as const;
type Change = (path: string, ...rest: unknown[]) => unknown;

/** A change that was not made yet. */
interface Attempt {
  proceed(): unknown;
  /** Makes the change in part, if it writes a file. @returns whether it does */
  half(): boolean;
}

/**
 * Calls `act` in place of every change to a folder.
 * @returns a function that ends the interception
 */
export function interceptChanges(folder: string, act: (attempt: Attempt) => unknown): () => void {
  const functions = fs as unknown as Record<string, Change>;
  const originals = new Map(changing.map((name) => [name, functions[name]!]));
  /** A function of node:fs may call another one. */
  let isWithin = false;
  for (const [name, original] of originals)
    functions[name] = (path, ...rest) => {
      if (isWithin || !String(path).startsWith(folder)) return original(path, ...rest);
      isWithin = true;
      let isHalf = false;
      const half = () => {
        if (name === 'writeFileSync')
          isHalf = writesHalf(() => original(path, halfOf(rest[0] as string), ...rest.slice(1)));
        return isHalf;
      };
      const proceed = () => {
        // The flag "wx" refuses a file that exists.
        if (isHalf) originals.get('rmSync')!(path);
        return original(path, ...rest);
      };
      try {
        return act({ proceed, half });
      } finally {
        isWithin = false;
      }
    };
  syncBuiltinESMExports();
  return () => {
    for (const [name, original] of originals) functions[name] = original;
    syncBuiltinESMExports();
  };
}

export interface FailingDisk {
  /** Changes attempted so far. */
  attempts: number;
  /** Ends the failures. */
  repair(): void;
}

/**
 * Lets the Nth change to a folder fail for lack of space. If it writes a file, half of the file is written.
 * @param last number of changes that still succeed
 * @param forGood whether all later changes fail too, as if the process had ended
 */
export function installFailingDisk(folder: string, last: number, forGood = false): FailingDisk {
  const disk: FailingDisk = {
    attempts: 0,
    repair: interceptChanges(folder, ({ proceed, half }) => {
      disk.attempts += 1;
      if (disk.attempts <= last) return proceed();
      if (disk.attempts > last + 1) return forGood ? noSpaceLeft() : proceed();
      half();
      return noSpaceLeft();
    }),
  };
  return disk;
}

/** The flag "wx" refuses a file that exists: the write then changes nothing, as it would whole. */
function writesHalf(write: () => unknown): boolean {
  try {
    write();
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    return false;
  }
}

const halfOf = (bytes: string | Uint8Array) => bytes.slice(0, bytes.length >> 1);

/** The error of a full disk. */
function noSpaceLeft(): never {
  throw Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });
}
