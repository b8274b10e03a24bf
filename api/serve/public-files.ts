/** The public files of the snapshot folder: found by address, cached in memory with their encoded forms. */
import { createHash } from 'node:crypto';
import type { BigIntStats } from 'node:fs';
import { type FileHandle, open, realpath, stat } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { LRUCache } from 'lru-cache';
import type { Encoding } from '../contract/etag.ts';
import type { LayerName } from '../contract/layers.ts';
import { isImmutable, pageAt } from '../contract/site.ts';
import { contentHash, nameOfDigest } from '../contract/snapshot.ts';
import { isMissing, stateOf } from '../hosts/file-source.ts';
import { nodeDigest } from '../hosts/node-digest.ts';
import { SnapshotUnavailable } from '../read/source.ts';
import { EncodedForms } from './compression.ts';
import { NamedFiles, type Verdict } from './named-files.ts';

interface FileFacts {
  /** Below the root. */
  path: string;
  size: number;
  /** Strong: a hash of the content. */
  etag: string;
  modified: Date;
}

interface CachedFile extends FileFacts {
  bytes: Buffer;
  /** See stateOf(). */
  state: string;
}

/** A large file. The caller reads the content from the handle and closes it. */
interface OpenFile extends FileFacts {
  bytes: undefined;
  handle: FileHandle;
}

export type PublicFile = CachedFile | OpenFile;

/** Larger files are not cached and not compressed. */
const maxCachedBytes = 2 * 1024 * 1024;

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

interface PublicFilesOptions {
  /** Layers that the folder must have. */
  layers: readonly LayerName[];
  /** Called with the path of a file that is missing or damaged. */
  onDamage: (path: string) => void;
}

/** Limit for cached files and their encoded forms, half for each. */
const cacheBytes = 32 * 1024 * 1024;
/** Hashes of large files kept in memory. */
const maxHashes = 256;

export class PublicFiles {
  readonly #root: string;
  readonly #named: NamedFiles;
  readonly #onDamage: (path: string) => void;
  readonly #cache: LRUCache<string, CachedFile>;
  readonly #forms: EncodedForms;
  /** Hashes of large files by path and state. */
  readonly #hashes = new LRUCache<string, Promise<string>>({ max: maxHashes });

  /** @param root folder of the snapshot */
  constructor(root: string, { layers, onDamage }: PublicFilesOptions) {
    this.#root = root;
    this.#named = new NamedFiles(root, layers);
    this.#onDamage = onDamage;
    // The encoded forms of a file together are about as large as the file.
    this.#cache = new LRUCache({ maxSize: cacheBytes / 2, sizeCalculation: ({ size }) => size + 1024 });
    this.#forms = new EncodedForms(cacheBytes / 2, 'small');
  }

  /**
   * The file at a path below the root; undefined if there is none.
   * @throws SnapshotUnavailable if an index names the file, and it is missing or damaged
   */
  async find(path: string): Promise<PublicFile | undefined> {
    const cached = this.#cache.get(path);
    if (cached && isImmutable(path)) return cached;
    const found = await unlessMissing(this.#locate(path));
    if (found && cached?.state === stateOf(found.stats)) return cached;
    const handle = found && (await unlessMissing(open(found.location)));
    if (handle === undefined) {
      await this.#judge(path, undefined);
      return undefined;
    }
    let file: PublicFile | undefined;
    try {
      file = await this.#read(path, handle);
      return file;
    } finally {
      if (file === undefined || file.bytes) await handle.close();
    }
  }

  /** The bytes of a file that is not large; undefined if there is none. @throws SnapshotUnavailable as find() does */
  async bytes(path: string): Promise<Buffer | undefined> {
    const file = await this.find(path);
    if (file && file.bytes === undefined) await file.handle.close();
    return file?.bytes;
  }

  /** Takes size, time and content from one open file: a build may replace the file under its name at any time. */
  async #read(path: string, handle: FileHandle): Promise<PublicFile | undefined> {
    const stats = await handle.stat({ bigint: true });
    const size = Number(stats.size);
    const state = stateOf(stats);
    const bytes = size > maxCachedBytes ? undefined : await handle.readFile();
    const hash = bytes ? contentHash(bytes, nodeDigest) : await this.#hashOf(path, state, handle);
    if ((await this.#judge(path, hash, bytes)) !== 'intact') return undefined;
    const facts = { path, etag: `"${hash}"`, modified: stats.mtime };
    if (bytes === undefined) return { ...facts, size, bytes, handle };
    const file = { ...facts, size: bytes.length, bytes, state };
    this.#cache.set(path, file);
    return file;
  }

  /** Reports damage. @throws SnapshotUnavailable if the file must not be sent */
  async #judge(path: string, hash: string | undefined, bytes?: Uint8Array): Promise<Verdict> {
    const verdict = await this.#named.judge(path, hash, bytes);
    if (verdict === 'damaged') {
      this.#onDamage(path);
      throw new SnapshotUnavailable(`${path} is missing or damaged`);
    }
    return verdict;
  }

  /** The hash of a large file. Concurrent requests share one reading. */
  #hashOf(path: string, state: string, handle: FileHandle): Promise<string> {
    const key = `${path} ${state}`;
    const hashing = this.#hashes.get(key) ?? hashOf(handle);
    this.#hashes.set(key, hashing);
    hashing.catch(() => this.#hashes.delete(key));
    return hashing;
  }

  /** The snapshot of the layer that a file belongs to; undefined for other files, and for the site: it is the same for all. */
  snapshotOf({ path }: PublicFile): Promise<string | undefined> {
    return this.#named.snapshotOf(path);
  }

  /** The content in an encoding; undefined if that is not smaller, or the file is large. */
  async encoded({ etag, bytes }: PublicFile, encoding: Encoding): Promise<Buffer | undefined> {
    return bytes && this.#forms.of(etag, bytes, encoding);
  }

  /** Resolves links; undefined if the target is not a file or lies outside the folder. */
  async #locate(path: string): Promise<{ location: string; stats: BigIntStats } | undefined> {
    const [root, location] = await Promise.all([realpath(this.#root), realpath(join(this.#root, path))]);
    if (!location.startsWith(root + sep)) return undefined;
    const stats = await stat(location, { bigint: true });
    return stats.isFile() ? { location, stats } : undefined;
  }
}

async function hashOf(handle: FileHandle): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of handle.createReadStream({ start: 0, autoClose: false })) hash.update(chunk);
  return nameOfDigest(hash.digest());
}

async function unlessMissing<T>(operation: Promise<T>): Promise<T | undefined> {
  try {
    return await operation;
  } catch (error) {
    if (isMissing(error) || (error as NodeJS.ErrnoException).code === 'ENAMETOOLONG') return undefined;
    throw error;
  }
}
