/** The folder of a snapshot as a Source, and SHA-256, for Node. The only file of api/read that needs Node. */
import { hash } from 'node:crypto';
import { type BigIntStats, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { manifestPath, parseManifest, type Sha256 } from '../contract/snapshot.ts';
import type { Source } from './source.ts';

/** SHA-256 by Node, several times faster than the portable implementation. */
export const nodeDigest: Sha256 = (bytes) => hash('sha256', bytes, 'buffer');

/**
 * Reads synchronously: the files are small and in the page cache, and the thread pool would take longer than
 * the read.
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

/**
 * Whether a file operation failed because there is no such file: nothing, a folder, a socket, or links that
 * lead nowhere.
 */
export function isMissing(error: unknown): boolean {
  return /^(ENOENT|ENOTDIR|EISDIR|ELOOP|ENXIO|ENAMETOOLONG)$/.test(
    (error as NodeJS.ErrnoException).code ?? '',
  );
}

/**
 * Makes a function that long answers await between two of their parts. Node polls the sockets before each
 * promise resolves, so other requests are served. Callers are resolved one at a time, in their order. Timers
 * would not do: Node can run several of them without polling.
 */
export function takingTurns(): () => Promise<void> {
  let last = Promise.resolve();
  return () => {
    last = last.then(() => new Promise<void>((resolve) => setImmediate(resolve)));
    return last;
  };
}

/**
 * Differs between two states of a file. The time of its last change cannot be set, unlike that of its last
 * modification.
 */
export const fileState = ({ ino, ctimeNs, size }: BigIntStats): string => `${ino} ${ctimeNs} ${size}`;

/** A version of a file: as long as the file is not replaced, changed, added or removed. */
export interface FileVersion<T> {
  /**
   * What the file says; undefined if there is none, or not a valid one. Read when it is first asked for.
   * @throws the error of the system if the file cannot be read
   */
  readonly content: T | undefined;
  readonly isThere: boolean;
  /** When the file was changed last, or found missing. */
  readonly modified: Date;
}

/**
 * Watches a file.
 * @returns a look at it, which takes microseconds: it gives the same version until there is another one
 */
export function watchedFile<T>(
  path: string,
  parse: (bytes: Uint8Array) => T | undefined,
): () => FileVersion<T> {
  let state: string | undefined;
  let version: FileVersion<T> | undefined;
  return () => {
    let stats: BigIntStats | undefined;
    try {
      stats = statSync(path, { bigint: true });
    } catch {
      // Reading it reports the reason.
    }
    const now = stats && fileState(stats);
    if (version === undefined || now !== state)
      version = versionOf(stats, () => {
        const bytes = readIfPresent(path);
        return bytes && parse(bytes);
      });
    state = now;
    return version;
  };
}

function versionOf<T>(stats: BigIntStats | undefined, read: () => T | undefined): FileVersion<T> {
  let found: { content: T | undefined } | undefined;
  return {
    isThere: stats !== undefined,
    modified: stats?.mtime ?? new Date(),
    get content() {
      found ??= { content: read() };
      return found.content;
    },
  };
}

/** Watches the manifest in a folder: the id of its snapshot. */
export const watchedManifest = (root: string): (() => FileVersion<string>) =>
  watchedFile(join(root, manifestPath), (bytes) => parseManifest(bytes, nodeDigest)?.snapshot);
