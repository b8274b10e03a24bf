/**
 * State between two publishes of a folder: the last deploy and the SHA-1 of each content. It lies beside the folder, in
 * `.dist.publish/` for `dist`, because the folder itself may be deleted at any time. A lost or damaged state costs time only.
 */
import { createHash } from 'node:crypto';
import { basename, dirname, join, resolve } from 'node:path';
import { contentHash } from '../../api/contract/snapshot.ts';
import { nodeDigest, readIfPresent } from '../../api/read/node-source.ts';
import { makeFolders, writeDurably } from '../system/files.ts';
import { lockFile } from '../system/file-lock.ts';
import { UserError } from '../system/user-error.ts';
import type { RetryPolicy } from '../system/retry-policy.ts';
import type { SnapshotFolder } from './snapshot-folder.ts';

interface DeployNotes {
  /** Start of the last deploy, in milliseconds since 1970. */
  lastDeploy?: number;
  /** A deploy that did not end: its site, and the hash of its title and files. */
  unfinished?: { site: string; deploy: string; proposal: string } | undefined;
}

const notesName = 'notes.json';
const digestsName = 'digests';

export class PublishState {
  readonly #folder: string;
  readonly #out: string;

  /** @param out folder of the snapshot */
  constructor(out: string) {
    const root = resolve(out);
    this.#out = out;
    this.#folder = join(dirname(root), `.${basename(root)}.publish`);
  }

  /** Takes the lock of the publisher. @returns a function that releases it @throws UserError after `timeoutMs` */
  async lock(timeoutMs: number, retry: RetryPolicy): Promise<() => void> {
    makeFolders(this.#folder);
    const unlock = await retry.poll(
      'waiting for another publish',
      () => lockFile(join(this.#folder, 'lock'), 0),
      { maxPauseMs: 100, timeoutMs },
    );
    if (unlock) return unlock;
    throw new UserError(`another publish of ${this.#out} is running; try again when it is done`);
  }

  readNotes(): DeployNotes {
    try {
      return JSON.parse(this.#read(notesName)?.toString() ?? '{}') as DeployNotes;
    } catch {
      return {}; // The file is damaged.
    }
  }

  writeNotes(notes: DeployNotes): void {
    this.#write(notesName, `${JSON.stringify(notes)}\n`);
  }

  /**
   * The known pairs of contentHash and SHA-1. None if the file is damaged: a wrong SHA-1 would name content that does not
   * exist.
   */
  readDigests(): Map<string, string> {
    const bytes = this.#read(digestsName) ?? Buffer.alloc(0);
    const lines = bytes.subarray(hashLength + 1);
    if (bytes.toString('latin1', 0, hashLength) !== contentHash(lines, nodeDigest)) return new Map();
    const pairs = lines.toString('latin1').matchAll(/^(\S+) (\S+)$/gm);
    return new Map(Array.from(pairs, ([, hash, digest]) => [hash!, digest!]));
  }

  /** The file begins with the contentHash of its other lines. */
  writeDigests(digests: ReadonlyMap<string, string>): void {
    const lines = [...digests].map(([hash, digest]) => `${hash} ${digest}\n`).join('');
    this.#write(digestsName, `${contentHash(Buffer.from(lines), nodeDigest)}\n${lines}`);
  }

  #read(name: string): Buffer | undefined {
    return readIfPresent(join(this.#folder, name));
  }

  #write(name: string, content: string): void {
    makeFolders(this.#folder);
    writeDurably(join(this.#folder, name), content);
  }
}

const hashLength = 20;
const concurrentReads = 16;
/** Limit of the bytes that are read once and kept for the upload. */
const maxHeldBytes = 128 * 1024 * 1024;

interface Digests {
  /** Path → SHA-1. */
  digests: Map<string, string>;
  /** SHA-1 → bytes of files that had to be read. An upload from memory does not depend on later builds. */
  held: Map<string, Buffer>;
}

/** Netlify identifies a file by this digest, in hexadecimal. */
export const sha1 = (bytes: Uint8Array): string => createHash('sha1').update(bytes).digest('hex');

/**
 * The SHA-1 of every file. Only files with a new contentHash are read.
 * @throws SnapshotChanged, UserError like SnapshotFolder.read()
 */
export async function digestsOf(
  folder: SnapshotFolder,
  state: PublishState,
  onProgress?: (done: number, total: number) => void,
): Promise<Digests> {
  const known = state.readDigests();
  const missing = new Map<string, string>();
  for (const [path, hash] of folder.files)
    if (!known.has(hash) && !missing.has(hash)) missing.set(hash, path);
  const held = new Map<string, Buffer>();
  let [done, room] = [0, maxHeldBytes];
  await inParallel(concurrentReads, [...missing], async ([hash, path]) => {
    const bytes = await folder.read(path);
    const digest = sha1(bytes);
    known.set(hash, digest);
    room -= bytes.length;
    if (room >= 0) held.set(digest, bytes);
    done += 1;
    if (done % 512 === 0) onProgress?.(done, missing.size);
  });
  const files = [...folder.files];
  const used = new Map(files.map(([, hash]) => [hash, known.get(hash)!]));
  if (missing.size > 0 || used.size !== known.size) state.writeDigests(used);
  return { digests: new Map(files.map(([path, hash]) => [path, used.get(hash)!])), held };
}

/** Calls `work` with every item, `workers` at a time. @throws the first error, when all running calls have ended */
export async function inParallel<T>(
  workers: number,
  items: readonly T[],
  work: (item: T) => Promise<void>,
): Promise<void> {
  const queue = [...items];
  const worker = async () => {
    while (queue.length > 0)
      await work(queue.pop()!).catch((error: unknown) => {
        queue.length = 0;
        throw error;
      });
  };
  const results = await Promise.allSettled(Array.from({ length: workers }, worker));
  for (const result of results) if (result.status === 'rejected') throw result.reason;
}
