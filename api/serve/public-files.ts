/** The files of a snapshot's folder that anyone may have: found by address, and kept in memory with their compressed forms. */
import type { Stats } from 'node:fs';
import { type FileHandle, open, realpath, stat } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { LRUCache } from 'lru-cache';
import { isImmutable, pageAt } from '../contract/site.ts';
import { contentHash } from '../contract/snapshot.ts';
import { isMissing } from '../hosts/file-source.ts';
import { nodeDigest } from '../hosts/node-digest.ts';

export type Encoding = 'br' | 'gzip';

/** One file as it is now. */
interface Found {
  /** Below the root. */
  path: string;
  size: number;
  /** Strong: of the bytes, or where they are too many for that, of when and what was written. */
  etag: string;
  modified: Date;
}

interface KeptFile extends Found {
  bytes: Buffer;
  /** Tells whether the file is still the same. */
  state: string;
  /** Begun once, however many ask for it at the same time. */
  compressed: Map<Encoding, Promise<Buffer>>;
}

/** A file too large to be kept. */
interface OpenFile extends Found {
  bytes: undefined;
  /** These very bytes, whatever the name leads to by now; to be closed by who asked for the file. */
  handle: FileHandle;
}

export type PublicFile = KeptFile | OpenFile;

/** Larger files are not kept in memory, but sent from the disk, and as they are. */
const maxKept = 2 * 1024 * 1024;
/** Smaller ones gain nothing from compression. */
const minCompressedBytes = 512;

const compress = {
  br: (bytes: Buffer) =>
    promisify(brotliCompress)(bytes, {
      params: {
        // Each file is compressed once; more would take seconds for the largest.
        [constants.BROTLI_PARAM_QUALITY]: 9,
        [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
      },
    }),
  gzip: (bytes: Buffer) => promisify(gzip)(bytes, { level: 8 }),
} as const satisfies Record<Encoding, (bytes: Buffer) => Promise<Buffer>>;

/**
 * The file that an address leads to, by name alone: a page's, or the one of the same path. undefined for what is not public:
 * the build's own files, rules for other hosts, whatever the API answers itself, and names that no build gives.
 */
export function filePathOf(address: string): string | undefined {
  const page = pageAt(address);
  if (page !== undefined) return page;
  if (address.startsWith(precomputed)) return pathOf(address.slice(precomputed.length - '/api/'.length));
  if (address.startsWith('/api/')) return undefined;
  return pathOf(address);
}

/** Where precomputed documents can be had as the files they are, on every host. */
const precomputed = '/pages/api/';

const pathOf = (address: string): string | undefined =>
  /^(\/(?![._])[\w.~-]+)+$/.test(address) ? address.slice(1) : undefined;

export class PublicFiles {
  readonly #root: string;
  readonly #kept: LRUCache<string, KeptFile>;

  /** @param root folder of the snapshot */
  constructor(root: string, keptBytes: number) {
    this.#root = root;
    // What a file takes is its own bytes and, later, about as much again in both compressed forms.
    this.#kept = new LRUCache({ maxSize: keptBytes, sizeCalculation: ({ size }) => 2 * size + 1024 });
  }

  /** A file by its path below the root; undefined where there is none. */
  async find(path: string): Promise<PublicFile | undefined> {
    const kept = this.#kept.get(path);
    if (kept && isImmutable(path)) return kept;
    const there = await unlessMissing(this.#locate(path));
    if (there === undefined) return undefined;
    if (kept?.state === stateOf(there.stats)) return kept;
    const handle = await unlessMissing(open(there.location));
    if (handle === undefined) return undefined;
    let file: PublicFile | undefined;
    try {
      file = await this.#read(path, handle);
      return file;
    } finally {
      if (file === undefined || file.bytes) await handle.close();
    }
  }

  /** Asks the open file for all it tells: a build may put another one under its name at any moment. */
  async #read(path: string, handle: FileHandle): Promise<PublicFile> {
    const stats = await handle.stat();
    const { size, mtime: modified } = stats;
    const state = stateOf(stats);
    if (size > maxKept) return { path, size, etag: `"${state}"`, modified, bytes: undefined, handle };
    const bytes = await handle.readFile();
    const etag = `"${contentHash(bytes, nodeDigest)}"`;
    const compressed: KeptFile['compressed'] = new Map();
    const file = { path, size: bytes.length, etag, modified, bytes, state, compressed };
    this.#kept.set(path, file);
    return file;
  }

  /** The bytes of a file in an encoding; undefined where that would not make it smaller. */
  async encoded(file: PublicFile, encoding: Encoding): Promise<Buffer | undefined> {
    if (file.bytes === undefined || file.size < minCompressedBytes) return undefined;
    const known = file.compressed.get(encoding);
    const compressing = known ?? compress[encoding](file.bytes);
    if (known === undefined) file.compressed.set(encoding, compressing);
    const compressed = await compressing;
    return compressed.length < file.size ? compressed : undefined;
  }

  /** Where a file lies, with every link followed; undefined if it is no file, or a link leads out of the folder. */
  async #locate(path: string): Promise<{ location: string; stats: Stats } | undefined> {
    const [root, location] = await Promise.all([realpath(this.#root), realpath(join(this.#root, path))]);
    if (!location.startsWith(root + sep)) return undefined;
    const stats = await stat(location);
    return stats.isFile() ? { location, stats } : undefined;
  }
}

const stateOf = ({ ino, size, mtimeMs }: Stats): string =>
  `${ino.toString(16)}-${size.toString(16)}-${mtimeMs.toString(16)}`;

/** undefined where there is nothing under a name, or nothing any more. */
async function unlessMissing<T>(looking: Promise<T>): Promise<T | undefined> {
  try {
    return await looking;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (isMissing(error) || code === 'ELOOP' || code === 'ENAMETOOLONG') return undefined;
    throw error;
  }
}
