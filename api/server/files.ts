/**
 * Public files of the snapshot folder, small ones cached in memory. A file is sent as it is on the disk: builds replace files by
 * renaming, and damage is found by the checks of builds and of the updater (docs/decisions/0011-check-derived-files.md).
 */
import { createHash } from 'node:crypto';
import { statSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { join } from 'node:path';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import { knownETag } from '../contract/etag.ts';
import { problems } from '../contract/problems.ts';
import {
  contentTypeOf,
  fileHeaders,
  isImmutable,
  notFoundPage,
  pageAt,
} from '../../build/site/shared/hosting.ts';
import { contentHash, nameOfDigest } from '../contract/snapshot.ts';
import { problemAnswer } from '../read/answer.ts';
import { isMissing, nodeDigest, stateOf } from '../read/node-source.ts';
import { sendAnswer } from './sending.ts';

/** A file of one moment: its size, time and content come from one open file. */
interface PublicFile {
  /** Below the root. */
  path: string;
  size: number;
  /** Strong: a hash of the content. */
  etag: string;
  modified: Date;
  /** The bytes of a small file. A large file is open: its user reads it and closes it. */
  content: Buffer | FileHandle;
}

/** Larger files are not cached and not compressed. */
const maxCachedBytes = 2 * 1024 * 1024;
/** Limit of cached files. Their encoded forms have a cache of their own. */
const cacheBytes = 16 * 1024 * 1024;
/** Hashes of large files kept in memory. */
const maxHashes = 256;

/**
 * The path of the file at an address, from its name alone; undefined for what is not public: files of the build, rules for other
 * hosts, addresses that the API answers, and names that no build gives.
 */
export function filePathOf(address: string): string | undefined {
  const page = pageAt(address);
  if (page !== undefined) return page;
  if (address.startsWith('/api/')) return undefined;
  // Precomputed API documents are also available as plain files.
  const path = address.startsWith('/pages/api/') ? address.slice('/pages'.length) : address;
  return /^(\/(?![._])[\w.~-]+)+$/.test(path) ? path.slice(1) : undefined;
}

export class Files {
  readonly #root: string;
  readonly #imageOrigins: readonly string[];
  readonly #snapshotOf: (path: string) => string | undefined;
  /** Small files, valid while the file on the disk has the same state. */
  readonly #cache = new LRUCache<string, { file: PublicFile & { content: Buffer }; state: string }>({
    maxSize: cacheBytes,
    sizeCalculation: ({ file }) => file.size + 1024,
  });
  /** Hashes of large files by path and state. */
  readonly #hashes = new LRUCache<string, Promise<string>>({ max: maxHashes });

  /**
   * @param root folder of the snapshot
   * @param imageOrigins other hosts that pages may show posters of
   * @param snapshotOf the snapshot that a file was made from; undefined for a file that is the same for all
   */
  constructor(
    root: string,
    imageOrigins: readonly string[],
    snapshotOf: (path: string) => string | undefined,
  ) {
    this.#root = root;
    this.#imageOrigins = imageOrigins;
    this.#snapshotOf = snapshotOf;
  }

  /** The bytes of a small file; undefined if there is none. */
  async bytes(path: string): Promise<Buffer | undefined> {
    const content = (await this.#find(path))?.content;
    if (content === undefined || Buffer.isBuffer(content)) return content;
    await content.close();
    return undefined;
  }

  /** Whether a path is that of a file. */
  has(path: string): boolean {
    return statSync(join(this.#root, path), { throwIfNoEntry: false })?.isFile() ?? false;
  }

  /**
   * Answers GET or HEAD of a file, with conditions and ranges (RFC 9110).
   * @returns whether there is such a file; else it sends nothing
   */
  async send(path: string, request: FastifyRequest, reply: FastifyReply): Promise<boolean> {
    const file = await this.#find(path);
    if (file === undefined) return false;
    await this.#sendFile(file, request, reply);
    return true;
  }

  async #sendFile(file: PublicFile, request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const { path } = file;
    const snapshot = this.#snapshotOf(path);
    reply.headers({ ...this.#headersOf(file), ...(snapshot !== undefined && { Snapshot: snapshot }) });
    const unchanged = unchangedETag(request, file);
    if (unchanged !== undefined) {
      await closed(file);
      reply.code(304).header('ETag', unchanged).send();
      return;
    }
    const range = rangeOf(request, file);
    if (range === 'unsatisfiable') {
      await closed(file);
      const headers = { 'Content-Range': `bytes */${file.size}` };
      const detail = `the file has ${file.size} bytes`;
      sendAnswer(reply, problemAnswer('range-not-satisfiable', detail, headers));
      return;
    }
    const { first, last } = range ?? { first: 0, last: file.size - 1 };
    if (range) reply.code(206).header('Content-Range', `bytes ${first}-${last}/${file.size}`);
    reply.header('Content-Length', last - first + 1);
    if (Buffer.isBuffer(file.content)) reply.send(file.content.subarray(first, last + 1));
    else if (request.method === 'HEAD') {
      await closed(file);
      reply.send();
    } else reply.send(file.content.createReadStream({ start: first, end: last }));
  }

  /** Answers with the page for unknown addresses. @returns whether there is one; else it sends nothing */
  async sendNotFound(reply: FastifyReply): Promise<boolean> {
    const file = await this.#find(notFoundPage);
    if (file === undefined) return false;
    const { 'Accept-Ranges': _ranges, ...headers } = this.#headersOf(file);
    reply.code(problems['unknown-address'].status).headers({ ...headers, 'Cache-Control': 'no-store' });
    reply.send(file.content);
    return true;
  }

  #headersOf(file: PublicFile) {
    return {
      'Content-Type': contentTypeOf(file.path),
      ...fileHeaders(file.path, this.#imageOrigins),
      ETag: file.etag,
      'Last-Modified': file.modified.toUTCString(),
      'Accept-Ranges': 'bytes',
      ...(isCompressible(file.path) && { Vary: 'Accept-Encoding' }),
    };
  }

  async #find(path: string): Promise<PublicFile | undefined> {
    const cached = this.#cache.get(path);
    if (cached && (isImmutable(path) || cached.state === this.#stateAt(path))) return cached.file;
    let handle: FileHandle | undefined;
    let file: PublicFile | undefined;
    try {
      handle = await open(join(this.#root, path));
      file = await this.#read(path, handle);
      return file;
    } catch (error) {
      if (isMissing(error) || (error as NodeJS.ErrnoException).code === 'ENAMETOOLONG') return undefined;
      throw error;
    } finally {
      if (file === undefined || Buffer.isBuffer(file.content)) await handle?.close();
    }
  }

  /** Takes size, time and content from one open file: a build may replace the file under its name at any time. */
  async #read(path: string, handle: FileHandle): Promise<PublicFile | undefined> {
    const stats = await handle.stat({ bigint: true });
    if (!stats.isFile()) return undefined;
    const state = stateOf(stats);
    const facts = { path, modified: stats.mtime };
    if (Number(stats.size) > maxCachedBytes)
      return {
        ...facts,
        size: Number(stats.size),
        etag: `"${await this.#hashOf(path, state, handle)}"`,
        content: handle,
      };
    const content = await handle.readFile();
    const file = { ...facts, size: content.length, etag: `"${contentHash(content, nodeDigest)}"`, content };
    this.#cache.set(path, { file, state });
    return file;
  }

  #stateAt(path: string): string | undefined {
    const stats = statSync(join(this.#root, path), { bigint: true, throwIfNoEntry: false });
    return stats && stateOf(stats);
  }

  /** The hash of a large file. Concurrent requests share one reading. */
  #hashOf(path: string, state: string, handle: FileHandle): Promise<string> {
    const key = `${path} ${state}`;
    const hashing = this.#hashes.get(key) ?? hashOf(handle);
    this.#hashes.set(key, hashing);
    hashing.catch(() => this.#hashes.delete(key));
    return hashing;
  }
}

async function hashOf(handle: FileHandle): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of handle.createReadStream({ start: 0, autoClose: false })) hash.update(chunk);
  return nameOfDigest(hash.digest());
}

async function closed({ content }: PublicFile): Promise<void> {
  if (!Buffer.isBuffer(content)) await content.close();
}

const isCompressible = (path: string): boolean => /^text\/|json|javascript|svg|xml/.test(contentTypeOf(path));

/** The ETag of the client's copy if that copy is current, in any encoding; undefined if not. */
function unchangedETag({ headers }: FastifyRequest, file: PublicFile): string | undefined {
  const known = headers['if-none-match'];
  if (known !== undefined) return knownETag(known, file.etag);
  const since = Date.parse(headers['if-modified-since'] ?? '');
  // HTTP dates have no fractions of a second.
  return Math.floor(file.modified.getTime() / 1000) * 1000 <= since ? file.etag : undefined;
}

/** undefined for the whole file: HEAD, no range, a malformed one, several ranges, or If-Range names another version. */
function rangeOf(
  { method, headers }: FastifyRequest,
  { size, etag }: PublicFile,
): { first: number; last: number } | 'unsatisfiable' | undefined {
  const [, from = '', to = ''] = /^bytes=([0-9]*)-([0-9]*)$/.exec(headers.range ?? '') ?? [];
  if (method !== 'GET' || from + to === '') return undefined;
  const condition = headers['if-range'];
  // A date is only a weak validator: the file may have changed twice within a second.
  if (condition !== undefined && condition !== etag) return undefined;
  if (from !== '' && to !== '' && Number(to) < Number(from)) return undefined;
  const first = from === '' ? Math.max(0, size - Number(to)) : Number(from);
  const last = from === '' || to === '' ? size - 1 : Math.min(Number(to), size - 1);
  return first > last ? 'unsatisfiable' : { first, last };
}
