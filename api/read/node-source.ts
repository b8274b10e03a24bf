/** The folder of a snapshot as a Source, and SHA-256, for Node. The only file of api/read that needs Node. */
import { hash } from 'node:crypto';
import { type BigIntStats, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { manifestPath, type Sha256 } from '../contract/snapshot.ts';
import type { Source } from './source.ts';

/** SHA-256 by Node, several times faster than the portable implementation. */
export const nodeDigest: Sha256 = (bytes) => hash('sha256', bytes, 'buffer');

/**
 * Reads synchronously: the files are small and in the page cache, and the thread pool would take longer than the read.
 * @param root the folder that holds manifest.json
 * @example
 * const resolver = new Resolver(fileSource('dist'), { digest: nodeDigest });
 */
export function fileSource(root: string): Source {
  const read = async (path: string) => readIfPresent(join(root, path));
  return { file: read, shard: read };
}

/** The bytes of a file; undefined if there is no such file. */
export function readIfPresent(file: string): Buffer | undefined {
  try {
    return readFileSync(file);
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

/** Whether a file operation failed because there is no such file: nothing, a folder, a socket, or links that lead nowhere. */
export function isMissing(error: unknown): boolean {
  return /^(ENOENT|ENOTDIR|EISDIR|ELOOP|ENXIO|ENAMETOOLONG)$/.test(
    (error as NodeJS.ErrnoException).code ?? '',
  );
}

/**
 * The turns of long answers: one part of one of them between two looks at the sockets, in the order in which
 * they ask. A timer is no way to that: Node can run one after another without a look.
 */
export function takingTurns(): () => Promise<void> {
  let last = Promise.resolve();
  return () => {
    last = last.then(() => new Promise<void>((resolve) => setImmediate(resolve)));
    return last;
  };
}

/** Differs between two states of a file. The time of its last change cannot be set, unlike that of its last modification. */
export const stateOf = ({ ino, ctimeNs, size }: BigIntStats): string => `${ino} ${ctimeNs} ${size}`;

/** A function that tells whether a file was replaced, changed, added or removed since its last call. */
function fileChanges(file: string): () => boolean {
  const state = () => {
    try {
      return stateOf(statSync(file, { bigint: true }));
    } catch {
      return undefined; // The next read reports the reason.
    }
  };
  let seen: string | undefined;
  return () => {
    const now = state();
    const changed = now !== seen;
    seen = now;
    return changed;
  };
}

/** A function that tells whether the manifest in a folder was replaced, changed, added or removed since its last call. */
export const manifestChanges = (root: string): (() => boolean) => fileChanges(join(root, manifestPath));
