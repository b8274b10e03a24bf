/** Encoded forms of answers and files: which one a client accepts, and the bytes, cached by the ETag of the plain form. */
import type { IncomingMessage } from 'node:http';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { LRUCache } from 'lru-cache';
import Negotiator from 'negotiator';
import { type Encoding, encodedETag, encodings } from '../contract/etag.ts';

/** Smaller bodies stay plain: they fit into one packet either way. */
const minCompressedBytes = 1024;
/** What an entry costs besides its bytes. */
const entryBytes = 512;

/** How hard to compress. `fast` is for answers, which a client waits for; `small` for files, which seldom change. */
type Effort = 'fast' | 'small';

/**
 * Bits of the window of brotli. With more, even a body of 1 KB takes milliseconds of the thread pool, which also reads files,
 * and gets no smaller.
 */
const windowBits = 16;

/** Quality 9: a higher one takes seconds for the largest files. */
const levels: Record<Effort, Record<Encoding, number>> = {
  fast: { br: 5, gzip: 6 },
  small: { br: 9, gzip: 8 },
};

const compressors: Record<Encoding, (bytes: Uint8Array, level: number) => Promise<Buffer>> = {
  br: (bytes, level) =>
    promisify(brotliCompress)(bytes, {
      params: {
        [constants.BROTLI_PARAM_QUALITY]: level,
        [constants.BROTLI_PARAM_LGWIN]: windowBits,
        [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
      },
    }),
  gzip: (bytes, level) => promisify(gzip)(bytes, { level }),
};

/** Accept-Encoding of recent requests → the encoding. Clients send few different values. */
const negotiated = new LRUCache<string, Encoding | 'identity'>({ max: 64 });
/** Longer values are read each time. */
const maxHeaderLength = 128;

/** The first of our encodings that the client accepts. Of its weights only 0 counts: it refuses an encoding. */
export function acceptedEncoding(request: IncomingMessage): Encoding | undefined {
  const header = request.headers['accept-encoding'];
  if (typeof header !== 'string') return undefined;
  let found = negotiated.get(header);
  if (found === undefined) {
    const accepted = new Negotiator(request).encodings([...encodings]);
    found = encodings.find((encoding) => accepted.includes(encoding)) ?? 'identity';
    if (header.length <= maxHeaderLength) negotiated.set(header, found);
  }
  return found === 'identity' ? undefined : found;
}

/** The headers that an encoded form has instead of those of the plain one. @param etag of the plain one */
export const encodedHeaders = (etag: string, encoding: Encoding, bytes: Buffer) => ({
  ETag: encodedETag(etag, encoding),
  'Content-Encoding': encoding,
  'Content-Length': String(bytes.length),
});

/**
 * The encoded forms of bodies. The ETag of a body is a hash of its bytes, so a form stays valid when a new snapshot has the
 * same body.
 */
export class EncodedForms {
  /** `null` for a form that is not smaller than the body. */
  readonly #forms: LRUCache<string, { bytes: Buffer | null }>;
  /** Parallel requests share one compression. */
  readonly #pending = new Map<string, Promise<Buffer | undefined>>();
  readonly #effort: Effort;

  /** @param cacheBytes limit of the forms in memory; 0 keeps none */
  constructor(cacheBytes: number, effort: Effort) {
    this.#effort = effort;
    this.#forms = new LRUCache({
      maxSize: Math.max(1, cacheBytes),
      sizeCalculation: ({ bytes }) => entryBytes + (bytes?.length ?? 0),
    });
  }

  /** Bytes of forms in memory. */
  get bytes(): number {
    return this.#forms.calculatedSize;
  }

  /**
   * A body in an encoding; undefined if that is not smaller, or the body is small. Synchronous if the form is in memory.
   * @param etag strong ETag of the body
   */
  of(etag: string, body: Uint8Array, encoding: Encoding): Buffer | undefined | Promise<Buffer | undefined> {
    if (body.length < minCompressedBytes) return undefined;
    const key = encoding + etag;
    const form = this.#forms.get(key);
    if (form) return form.bytes ?? undefined;
    const compressing = this.#pending.get(key) ?? this.#compress(key, body, encoding);
    this.#pending.set(key, compressing);
    return compressing;
  }

  async #compress(key: string, body: Uint8Array, encoding: Encoding): Promise<Buffer | undefined> {
    try {
      const compressed = await compressors[encoding](body, levels[this.#effort][encoding]);
      const bytes = compressed.length < body.length ? compressed : null;
      this.#forms.set(key, { bytes });
      return bytes ?? undefined;
    } finally {
      this.#pending.delete(key);
    }
  }
}
