/** Decides how much of a snapshot must be built, and why. */
import type { BuildState } from '../../data/builds.ts';
import { type Change, changesSince } from '../../data/changes.ts';
import type { Connection } from '../../data/open.ts';
import { snapshotIn } from './current-snapshot.ts';

export interface Plan {
  scope: 'nothing' | 'changes' | 'everything';
  /** Why that much. */
  reason: string;
  /** The snapshot that is there, for scope "nothing". */
  snapshot?: string;
  /** For scope "changes". */
  changes?: readonly Change[];
}

export interface Circumstances {
  /** Whether everything was asked for. */
  full: boolean;
  /** The last build of this database into this folder. */
  last: BuildState | undefined;
  /** Whether the folder was left unfinished. */
  isInterrupted: boolean;
  /** Of the code that would build now. */
  fingerprint: string;
}

/** More changed records than this are cheaper to build with everything than to follow one by one. */
const maxChanges = 2000;

export const everything = (reason: string): Plan => ({ scope: 'everything', reason });

/**
 * @param root folder of the snapshot
 * @param current revision of the database
 */
export function planOf(
  connection: Connection,
  root: string,
  current: number,
  { full, last, isInterrupted, fingerprint }: Circumstances,
): Plan {
  if (full) return everything('--full was asked for');
  if (last === undefined) return everything('this database was never built into this folder');
  if (isInterrupted) return everything('the last build was cut short');
  if (last.fingerprint !== fingerprint) return everything('the program changed since the last build');
  if (snapshotIn(root) !== last.snapshot)
    return everything('the folder does not hold the snapshot of the last build');
  if (last.revision === current)
    return { scope: 'nothing', reason: 'nothing changed since the last build', snapshot: last.snapshot };
  const changes = changesSince(connection, last.revision, maxChanges);
  if (changes === undefined)
    return everything(`more than ${maxChanges} records changed, or the change log was cut`);
  return {
    scope: 'changes',
    reason: changes.length === 1 ? '1 record changed' : `${changes.length} records changed`,
    changes,
  };
}
