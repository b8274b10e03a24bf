/** Writes a file in pieces and computes its size and hash. The file is never in memory as a whole. */
import { createHash } from 'node:crypto';
import { closeSync, openSync, readFileSync, writeSync } from 'node:fs';
import { contentHash } from '../../api/contract/snapshot.ts';
import { nodeDigest } from '../../api/hosts/node-digest.ts';
import { type Measure, measureFile } from '../../data/checksum.ts';

/** Characters buffered before a write. */
const bufferedCharacters = 64 * 1024;

export class HashedFile {
  readonly #descriptor: number;
  readonly #hash = createHash('sha256');
  #bytes = 0;
  #text = '';

  constructor(file: string) {
    this.#descriptor = openSync(file, 'w');
  }

  write(text: string): void {
    this.#text += text;
    if (this.#text.length > bufferedCharacters) this.#flush();
  }

  /** Completes the file. @returns its size and hash */
  finish(): Measure {
    this.#flush();
    return { bytes: this.#bytes, sha256: this.#hash.digest('hex') };
  }

  close(): void {
    closeSync(this.#descriptor);
  }

  #flush(): void {
    const bytes = Buffer.from(this.#text);
    for (let at = 0; at < bytes.length; ) at += writeSync(this.#descriptor, bytes, at);
    this.#hash.update(bytes);
    this.#bytes += bytes.length;
    this.#text = '';
  }
}

/** Larger files are hashed in pieces. */
const maxBytesAtOnce = 8 * 1024 * 1024;

/** A contentHash is the beginning of the SHA-256. */
export const contentHashOf = (sha256: string): string => sha256.slice(0, 20);

/** The contentHash of a file of any size. */
export function fileHash(file: string, size: number): string {
  return size > maxBytesAtOnce
    ? contentHashOf(measureFile(file).sha256)
    : contentHash(readFileSync(file), nodeDigest);
}
