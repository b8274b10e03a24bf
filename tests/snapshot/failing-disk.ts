/** A disk that fails at a change to a folder. */
import { interceptCalls, isChange, writeHalf } from '../durability/intercepted-calls.ts';

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
    repair: interceptCalls(folder, (call, proceed) => {
      if (!isChange(call)) return proceed();
      disk.attempts += 1;
      if (disk.attempts <= last) return proceed();
      if (disk.attempts > last + 1) return forGood ? noSpaceLeft() : proceed();
      writeHalf(call);
      return noSpaceLeft();
    }).end,
  };
  return disk;
}

/** The error of a full disk. */
function noSpaceLeft(): never {
  throw Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });
}
