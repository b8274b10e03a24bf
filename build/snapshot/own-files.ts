/** The files of a folder that are its own: reached without links. A link may lead to a file of something else. */
import { closeSync, constants, lstatSync, mkdirSync, openSync, readSync, rmSync, type Stats } from 'node:fs';
import { dirname, join } from 'node:path';
import { contentHash } from '../../api/contract/snapshot.ts';
import { isMissing, nodeDigest } from '../../api/read/node-source.ts';
import { contentHashOf, measureFile } from '../system/files.ts';

/** Opens files, and no links. Without O_NONBLOCK, a named pipe would wait for a writer. */
const openFlags = constants.O_RDONLY | constants.O_NONBLOCK | (constants.O_NOFOLLOW ?? 0);
/** Larger files are hashed in pieces. */
const maxBytesAtOnce = 256 * 1024;

/** Paths are below the root; '.' is the root, which may be a link. */
export class OwnFiles {
  readonly #root: string;
  /** Holds one file at a time: thousands of buffers would take longer than reading. */
  readonly #buffer = Buffer.allocUnsafeSlow(maxBytesAtOnce);
  /** Folders that exist and are no links. */
  readonly #folders = new Set<string>();

  constructor(root: string) {
    this.#root = root;
  }

  /** Bytes of a file; undefined if it is missing, or anything but a file. */
  size(path: string): number | undefined {
    const entry = this.#isOwn(dirname(path)) ? this.#entry(path) : undefined;
    return entry?.isFile() ? entry.size : undefined;
  }

  /** The contentHash of a file; undefined as for size(). */
  hash(path: string): string | undefined {
    // Windows has no O_NOFOLLOW.
    const isReadable = constants.O_NOFOLLOW ? this.#isOwn(dirname(path)) : this.size(path) !== undefined;
    if (!isReadable) return undefined;
    const file = join(this.#root, path);
    try {
      const bytes = this.#read(file);
      return bytes ? contentHash(bytes, nodeDigest) : contentHashOf(measureFile(file).sha256);
    } catch (error) {
      // It was removed meanwhile, or is anything but a file.
      if (isMissing(error)) return undefined;
      throw error;
    }
  }

  /** The bytes of a file, valid until the next call; undefined if there are more than maxBytesAtOnce. */
  #read(file: string): Uint8Array | undefined {
    const descriptor = openSync(file, openFlags);
    try {
      const length = readSync(descriptor, this.#buffer);
      return length < maxBytesAtOnce ? this.#buffer.subarray(0, length) : undefined;
    } finally {
      closeSync(descriptor);
    }
  }

  /** Makes a folder, in the place of anything else. */
  makeFolder(folder: string): void {
    if (this.#folders.has(folder)) return;
    if (folder !== '.') {
      this.makeFolder(dirname(folder));
      if (this.#entry(folder)?.isDirectory() === false) rmSync(join(this.#root, folder));
    }
    mkdirSync(join(this.#root, folder), { recursive: true });
    this.#folders.add(folder);
  }

  /** Notes that a folder was removed. */
  forgetFolder(folder: string): void {
    this.#folders.delete(folder);
  }

  #isOwn(folder: string): boolean {
    if (folder === '.' || this.#folders.has(folder)) return true;
    if (!this.#isOwn(dirname(folder)) || !this.#entry(folder)?.isDirectory()) return false;
    this.#folders.add(folder);
    return true;
  }

  #entry(path: string): Stats | undefined {
    return lstatSync(join(this.#root, path), { throwIfNoEntry: false });
  }
}
