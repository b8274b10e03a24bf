/** Notices that a folder holds another snapshot than before. */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { manifestPath } from '../contract/snapshot.ts';

/** Milliseconds for which a look at the manifest is good enough. */
const interval = 100;

/**
 * @returns a function that calls `changed` when the manifest in the folder was replaced, came or went, and then returns what
 *   to wait for; undefined while nothing changed
 */
export function snapshotWatch(root: string, changed: () => Promise<void>): () => Promise<void> | undefined {
  const file = join(root, manifestPath);
  const look = () => {
    try {
      const { ino, mtimeNs, size } = statSync(file, { bigint: true });
      return `${ino} ${mtimeNs} ${size}`;
    } catch {
      return undefined; // Whatever keeps it from being looked at, reading it will tell.
    }
  };
  let seen = look();
  let lookedAt = performance.now();
  let changing: Promise<void> | undefined;
  return () => {
    if (changing || performance.now() - lookedAt < interval) return changing;
    lookedAt = performance.now();
    const now = look();
    if (now === seen) return undefined;
    seen = now;
    changing = changed().finally(() => {
      changing = undefined;
    });
    return changing;
  };
}
