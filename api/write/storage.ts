/** Whether there is room for writes: what the last ones met, and how much is free. */
import { freeBytes, shortageOf } from '../../data/system/files.ts';
import { type ProblemCode, problems } from '../contract/problems.ts';
import type { WriteOutcome } from './requests.ts';

/** @param places what is on a disk, in words → a file or folder on it */
export function storageWatch(places: Readonly<Record<string, string>>) {
  /**
   * Failed writes since the start, by the code of their problem. A write that is wrong in itself has not
   * failed.
   */
  const failedWrites = new Map<ProblemCode, number>();
  /** Whether a write failed for lack of room, and no later one shows that there is room again. */
  let lacksRoom = false;
  const shortages = () =>
    Object.entries(places)
      .map(([what, path]) => shortageOf(what, path))
      .filter((each) => each !== undefined);
  return {
    failedWrites,
    /** Notes what became of a write. */
    note(outcome: WriteOutcome): void {
      // A write that needs few bytes succeeds on a full disk, too.
      if (!('problem' in outcome)) lacksRoom &&= shortages().length > 0;
      else if (problems[outcome.problem].status >= problems['internal-error'].status) {
        failedWrites.set(outcome.problem, (failedWrites.get(outcome.problem) ?? 0) + 1);
        lacksRoom ||= outcome.problem === 'storage-full';
      }
    },
    /** What is on a disk → its free bytes. @throws the error of the system */
    free: (): Record<string, number> =>
      Object.fromEntries(Object.entries(places).map(([what, path]) => [what, freeBytes(path)])),
    /** What is wrong, a line each. */
    problems(): string[] {
      const lack = lacksRoom ? ['there was no room to store a write; make room on its disk'] : [];
      return [...lack, ...shortages()];
    },
  };
}
