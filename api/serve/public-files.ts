/** The public files of the snapshot folder: found by address, cached in memory with their compressed forms. */
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

/** In order of preference. */
export const encodings = ['br', 'gzip'] as const;
export type Encoding = (typeof encodings)[number];

interface FileFacts {
  /** Below the root. */
  path: string;
  size: number;
  /** Strong: a hash of the content; for a large file made of inode, size and time. */
  etag: string;
  modified: Date;
}

interface CachedFile extends FileFacts {
  bytes: Buffer;
  /** Inode, size and time: another state means another file. */
  state: string;
  /** One promise per encoding, so that parallel requests share one compression. */
  compressed: Map<Encoding, Promise<Buffer>>;
}

/** A large file. The caller reads the content from the handle and closes it. */
interface OpenFile extends FileFacts {
  bytes: undefined;
  handle: FileHandle;
}

export type PublicFile = CachedFile | OpenFile;

/** Larger files are not cached and not compressed. */
const maxCachedBytes = 2 * 1024 * 1024;
const minCompressedBytes = 512;

const compressors: Record<Encoding, (bytes: Buffer) => Promise<Buffer>> = {
  // Quality 9: a higher one takes seconds for the largest files.
  br: (bytes) =>
    promisify(brotliCompress)(bytes, {
      params: {
        [constants.BROTLI_PARAM_QUALITY]: 9,
        [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
      },
    }),
  gzip: (bytes) => promisify(gzip)(bytes, { level: 8 }),
};

/**
 * The path of the file at an address, from its name alone. undefined for what is not public: files of the build, rules for
 * other hosts, addresses that the API answers, and names that no build gives.
 */
export function filePathOf(address: string): string | undefined {
  const page = pageAt(address);
  if (page !== undefined) return page;
  if (address.startsWith('/api/')) return undefined;
  // Precomputed API documents are also available as plain files.
  const path = address.startsWith('/pages/api/') ? address.slice('/pages'.length) : address;
  return /^(\/(?![._])[\w.~-]+)+$/.test(path) ? path.slice(1) : undefined;
}

export class PublicFiles {
  readonly #root: string;
  readonly #cache: LRUCache<string, CachedFile>;

  /**
   * @param root folder of the snapshot
   * @param cacheBytes limit for cached files and their compressed forms
   */
  constructor(root: string, cacheBytes: number) {
    this.#root = root;
    // The two compressed forms together are about as large as the file.
    this.#cache = new LRUCache({ maxSize: cacheBytes, sizeCalculation: ({ size }) => 2 * size + 1024 });
  }

  /** The file at a path below the root; undefined if there is none. */
  async find(path: string): Promise<PublicFile | undefined> {
    const cached = this.#cache.get(path);
    if (cached && isImmutable(path)) return cached;
    const found = await unlessMissing(this.#locate(path));
    if (found === undefined) return undefined;
    if (cached?.state === stateOf(found.stats)) return cached;
    const handle = await unlessMissing(open(found.location));
    if (handle === undefined) return undefined;
    let file: PublicFile | undefined;
    try {
      file = await this.#read(path, handle);
      return file;
    } finally {
      if (file === undefined || file.bytes) await handle.close();
    }
  }

  /** Takes size, time and content from one open file: a build may replace the file under its name at any time. */
  async #read(path: string, handle: FileHandle): Promise<PublicFile> {
    const stats = await handle.stat();
    const { size, mtime: modified } = stats;
    const state = stateOf(stats);
    if (size > maxCachedBytes) return { path, size, etag: `"${state}"`, modified, bytes: undefined, handle };
    const bytes = await handle.readFile();
    const etag = `"${contentHash(bytes, nodeDigest)}"`;
    const file = { path, size: bytes.length, etag, modified, bytes, state, compressed: new Map() };
    this.#cache.set(path, file);
    return file;
  }

  /** The content in an encoding; undefined if that is not smaller. */
  async encoded(file: PublicFile, encoding: Encoding): Promise<Buffer | undefined> {
    if (file.bytes === undefined || file.size < minCompressedBytes) return undefined;
    const compressing = file.compressed.get(encoding) ?? compressors[encoding](file.bytes);
    file.compressed.set(encoding, compressing);
    const compressed = await compressing;
    return compressed.length < file.size ? compressed : undefined;
  }

  /** Resolves links; undefined if the target is not a file or lies outside the folder. */
  async #locate(path: string): Promise<{ location: string; stats: Stats } | undefined> {
    const [root, location] = await Promise.all([realpath(this.#root), realpath(join(this.#root, path))]);
    if (!location.startsWith(root + sep)) return undefined;
    const stats = await stat(location);
    return stats.isFile() ? { location, stats } : undefined;
  }
}

const stateOf = ({ ino, size, mtimeMs }: Stats): string =>
  `${ino.toString(16)}-${size.toString(16)}-${mtimeMs.toString(16)}`;

async function unlessMissing<T>(operation: Promise<T>): Promise<T | undefined> {
  try {
    return await operation;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (isMissing(error) || code === 'ELOOP' || code === 'ENAMETOOLONG') return undefined;
    throw error;
  }
}
