/** The files of a folder that are its own: reached without links. A link may lead to a file of something else. */
import { lstatSync, mkdirSync, readFileSync, rmSync, type Stats } from 'node:fs';
import { dirname, join } from 'node:path';
import { contentHash } from '../../api/contract/snapshot.ts';
import { isMissing } from '../../api/hosts/file-source.ts';
import { nodeDigest } from '../../api/hosts/node-digest.ts';
import { contentHashOf, measureFile } from '../../data/checksum.ts';

/** Paths are below the root; '.' is the root, which may be a link. */
export class OwnFiles {
  readonly #root: string;
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
    try {
      const size = this.size(path);
      return size === undefined ? undefined : fileHash(join(this.#root, path), size);
    } catch (error) {
      // It was removed meanwhile.
      if (isMissing(error)) return undefined;
      throw error;
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

/** Larger files are hashed in pieces. */
const maxBytesAtOnce = 8 * 1024 * 1024;

/** The contentHash of a file of any size. */
function fileHash(file: string, size: number): string {
  return size > maxBytesAtOnce
    ? contentHashOf(measureFile(file).sha256)
    : contentHash(readFileSync(file), nodeDigest);
}
