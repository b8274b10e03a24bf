/**
 * Public files of the snapshot folder, small ones cached in memory. A file is sent as it is on the disk:
 * builds replace files by renaming, and damage is found by the checks of builds and of the updater
 * (docs/decisions/0011-check-derived-files.md).
 */
import { createHash } from 'node:crypto';
import { statSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { join } from 'node:path';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import { knownETag } from '../contract/etag.ts';
import {
  apiCatalogPath,
  contentTypeOf,
  editorPageAt,
  fileHeaders,
  isImmutable,
  pageAt,
} from '../../build/site/shared/hosting.ts';
import { contentHash, nameOfDigest } from '../contract/snapshot.ts';
import { problemAnswer } from '../read/answer.ts';
import { isMissing, nodeDigest, fileState } from '../read/node-source.ts';
import { sendAnswer } from './sending.ts';

interface FilesOptions {
  /** Folder of the snapshot. */
  root: string;
  /** Other hosts that pages may show posters of. */
  imageOrigins: readonly string[];
  /** The snapshot that a file was made from; undefined for a file that is the same for all. */
  snapshotOf: (path: string) => string | undefined;
}

/** A file of one moment: its size, time and content come from one open file. */
interface PublicFile {
  /** Below the root. */
  path: string;
  /** See fileState(). */
  state: string;
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
/** ETags of large files kept in memory. */
const maxETags = 256;

/**
 * The path of the file at an address, from its name alone; undefined for what is not public: files of the
 * build, rules for other hosts, addresses that the API answers, and names that no build gives.
 */
export function filePathOf(address: string): string | undefined {
  const page = pageAt(address) ?? editorPageAt(address);
  if (page !== undefined) return page;
  if (address.startsWith('/api/')) return undefined;
  if (address === apiCatalogPath) return address.slice(1);
  // Precomputed API documents are also available as plain files.
  const path = address.startsWith('/pages/api/') ? address.slice('/pages'.length) : address;
  return /^(\/(?![._])[\w.~-]+)+$/.test(path) ? path.slice(1) : undefined;
}

export class Files {
  readonly #options: FilesOptions;
  /** Small files, valid while the file on the disk has the same state. */
  readonly #cache = new LRUCache<string, PublicFile>({
    maxSize: cacheBytes,
    sizeCalculation: ({ size }) => size + 1024,
  });
  /** ETags of large files by path and state. */
  readonly #etags = new LRUCache<string, string>({ max: maxETags });

  constructor(options: FilesOptions) {
    this.#options = options;
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
    try {
      return statSync(this.#at(path)).isFile();
    } catch (error) {
      if (isMissing(error)) return false;
      throw error;
    }
  }

  /**
   * Answers GET or HEAD of a file, with conditions and ranges (RFC 9110).
   * @returns whether there is such a file; else it sends nothing
   */
  async send(path: string, request: FastifyRequest, reply: FastifyReply): Promise<boolean> {
    const file = await this.#find(path);
    if (file === undefined) return false;
    const { content, size } = file;
    if (!Buffer.isBuffer(content)) {
      const close = () => void content.close().catch(() => {});
      reply.raw.once('close', close);
      // The connection was lost while the file was opened: there is nothing to send, and no event comes.
      if (reply.raw.closed || request.raw.socket?.destroyed) {
        close();
        return true;
      }
    }
    const snapshot = this.#options.snapshotOf(path);
    reply.headers({ ...this.#headersOf(file), ...(snapshot !== undefined && { Snapshot: snapshot }) });
    const unchanged = unchangedETag(request, file);
    const { first, last, isPart } = rangeOf(request, file);
    if (unchanged !== undefined) reply.code(304).header('ETag', unchanged).send();
    else if (isPart && first > last) {
      const headers = { 'Content-Range': `bytes */${size}` };
      sendAnswer(reply, problemAnswer('range-not-satisfiable', `the file has ${size} bytes`, headers));
    } else {
      if (isPart) reply.code(206).header('Content-Range', `bytes ${first}-${last}/${size}`);
      reply.header('Content-Length', last - first + 1);
      if (Buffer.isBuffer(content)) reply.send(content.subarray(first, last + 1));
      else if (request.method === 'HEAD') reply.send();
      else reply.send(content.createReadStream({ start: first, end: last }));
    }
    return true;
  }

  #headersOf({ path, etag, modified }: PublicFile) {
    const type = contentTypeOf(path);
    const isCompressible = /^text\/|json|javascript|svg|xml/.test(type);
    return {
      'Content-Type': type,
      ...fileHeaders(path, this.#options.imageOrigins),
      ETag: etag,
      'Last-Modified': modified.toUTCString(),
      'Accept-Ranges': 'bytes',
      ...(isCompressible && { Vary: 'Accept-Encoding' }),
    };
  }

  async #find(path: string): Promise<PublicFile | undefined> {
    const cached = this.#cache.get(path);
    if (cached && (isImmutable(path) || cached.state === this.#stateAt(path))) return cached;
    let handle: FileHandle | undefined;
    let file: PublicFile | undefined;
    try {
      handle = await open(this.#at(path));
      file = await this.#read(path, handle);
      return file;
    } catch (error) {
      if (isMissing(error)) return undefined;
      throw error;
    } finally {
      if (file === undefined || Buffer.isBuffer(file.content)) await handle?.close();
    }
  }

  /**
   * Takes size, time and content from one open file: a build may replace the file under its name at any time.
   */
  async #read(path: string, handle: FileHandle): Promise<PublicFile | undefined> {
    const stats = await handle.stat({ bigint: true });
    if (!stats.isFile()) return undefined;
    const state = fileState(stats);
    const size = Number(stats.size);
    if (size > maxCachedBytes) {
      const key = `${path} ${state}`;
      const etag = this.#etags.get(key) ?? `"${await hashOf(handle)}"`;
      this.#etags.set(key, etag);
      return { path, state, size, etag, modified: stats.mtime, content: handle };
    }
    const content = await handle.readFile();
    const etag = `"${contentHash(content, nodeDigest)}"`;
    const file = { path, state, size: content.length, etag, modified: stats.mtime, content };
    this.#cache.set(path, file);
    return file;
  }

  #stateAt(path: string): string | undefined {
    const stats = statSync(this.#at(path), { bigint: true, throwIfNoEntry: false });
    return stats && fileState(stats);
  }

  #at(path: string): string {
    return join(this.#options.root, path);
  }
}

async function hashOf(handle: FileHandle): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of handle.createReadStream({ start: 0, autoClose: false })) hash.update(chunk);
  return nameOfDigest(hash.digest());
}

/** The ETag of the client's copy if that copy is current, in any encoding; undefined if not. */
function unchangedETag({ headers }: FastifyRequest, file: PublicFile): string | undefined {
  const known = headers['if-none-match'];
  if (known !== undefined) return knownETag(known, file.etag);
  const since = Date.parse(headers['if-modified-since'] ?? '');
  // HTTP dates have no fractions of a second.
  return Math.floor(file.modified.getTime() / 1000) * 1000 <= since ? file.etag : undefined;
}

/**
 * The range of bytes that a request asks for. The whole file for HEAD, without a range, with a malformed one
 * or several, or if If-Range names another version. For a range beyond the end, `first` is greater than
 * `last`.
 */
function rangeOf({ method, headers }: FastifyRequest, { size, etag }: PublicFile) {
  const whole = { first: 0, last: size - 1, isPart: false };
  const [, from = '', to = ''] = /^bytes=([0-9]*)-([0-9]*)$/.exec(headers.range ?? '') ?? [];
  if (method !== 'GET' || from + to === '') return whole;
  const condition = headers['if-range'];
  // A date is only a weak validator: the file may have changed twice within a second.
  if (condition !== undefined && condition !== etag) return whole;
  if (from !== '' && to !== '' && Number(to) < Number(from)) return whole;
  const first = from === '' ? Math.max(0, size - Number(to)) : Number(from);
  const last = from === '' || to === '' ? size - 1 : Math.min(Number(to), size - 1);
  return { first, last, isPart: true };
}
