/** What a request asks for, and how its answer is sent: plain, or in an encoding that the client accepts. */
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { FastifyReply, FastifyRequest, onSendHookHandler } from 'fastify';
import { LRUCache } from 'lru-cache';
import Negotiator from 'negotiator';
import { type Encoding, encodedETag, encodings } from '../contract/etag.ts';
import { splitTarget, type Target } from '../contract/target.ts';
import type { Answer } from '../read/answer.ts';

/** The target of a request, after targetToRoute(). */
export const targetOf = ({ raw }: FastifyRequest): Target => splitTarget(raw.url ?? '/');

/**
 * Fastify's `rewriteUrl`: the path and the query of a target, which may be an absolute URL (RFC 9112 section 3.2.2). Encodes
 * characters that HTTP lets through but a URL must not have, as browsers do.
 */
export function targetToRoute({ url = '/' }: { url?: string | undefined }): string {
  if (url.startsWith('/') && !/["<>]/.test(url)) return url;
  const target = url.replace(/^https?:\/\/[^/?#]*/i, '').replace(/["<>]/g, encodeURIComponent);
  return target.startsWith('/') ? target : `/${target}`;
}

/** @returns the reply, for an async handler: to await a reply waits until it is sent */
export function sendAnswer(reply: FastifyReply, { status, headers, body }: Answer): FastifyReply {
  // Fastify sends null as JSON.
  return reply
    .code(status)
    .headers(headers)
    .send(body ?? undefined);
}

/** Smaller bodies stay plain: they fit into one packet either way. */
const minEncodedBytes = 1024;
/** What an entry of the cache costs besides its bytes. */
const entryBytes = 512;

/** How hard to compress. `fast` is for answers, which a client waits for; `small` for files, which seldom change. */
type Effort = 'fast' | 'small';

/** Quality 9: a higher one takes seconds for the largest files. */
const levels: Record<Effort, Record<Encoding, number>> = {
  fast: { br: 5, gzip: 6 },
  small: { br: 9, gzip: 8 },
};

/**
 * Bits of the window of brotli. With more, even a body of 1 KB takes milliseconds of the thread pool, which also reads files,
 * and gets no smaller.
 */
const windowBits = 16;

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

/** The encoded forms of bodies, cached by the ETag of the plain form: a hash of the body, so a form stays valid for good. */
export class EncodedForms {
  /** `null` for a form that is not smaller than the body. */
  readonly #forms: LRUCache<string, { bytes: Buffer | null }>;
  /** Parallel requests share one compression. */
  readonly #pending = new Map<string, Promise<Buffer | undefined>>();

  /** @param cacheBytes limit of the forms in memory; 0 keeps none */
  constructor(cacheBytes: number) {
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
  of(
    etag: string,
    body: Uint8Array,
    encoding: Encoding,
    effort: Effort,
  ): Buffer | undefined | Promise<Buffer | undefined> {
    if (body.length < minEncodedBytes) return undefined;
    const key = encoding + etag;
    const form = this.#forms.get(key);
    if (form) return form.bytes ?? undefined;
    const compressing = this.#pending.get(key) ?? this.#compress(key, body, encoding, effort);
    this.#pending.set(key, compressing);
    return compressing;
  }

  async #compress(
    key: string,
    body: Uint8Array,
    encoding: Encoding,
    effort: Effort,
  ): Promise<Buffer | undefined> {
    try {
      const compressed = await compressors[encoding](body, levels[effort][encoding]);
      const bytes = compressed.length < body.length ? compressed : null;
      this.#forms.set(key, { bytes });
      return bytes ?? undefined;
    } finally {
      this.#pending.delete(key);
    }
  }
}

/**
 * The hook that sends an answer in the encoding that the client takes, with an ETag of its own. `Vary: Accept-Encoding`
 * marks the answers that have encoded forms.
 */
export const encodeBodies =
  (forms: EncodedForms): onSendHookHandler<unknown> =>
  (request, reply, payload, done) => {
    const etag = reply.getHeader('etag');
    const hasForms = reply.statusCode === 200 && reply.getHeader('vary') === 'Accept-Encoding';
    if (!hasForms || typeof etag !== 'string' || !Buffer.isBuffer(payload)) return done(null, payload);
    const encoding = acceptedEncoding(request.headers['accept-encoding']);
    if (encoding === undefined) return done(null, payload);
    const finish = (form: Buffer | undefined) => {
      if (form)
        reply.headers({
          ETag: encodedETag(etag, encoding),
          'Content-Encoding': encoding,
          'Content-Length': form.length,
        });
      done(null, form ?? payload);
    };
    const effort = request.routeOptions.config.kind === 'file' ? 'small' : 'fast';
    const form = forms.of(etag, payload, encoding, effort);
    if (form instanceof Promise) form.then(finish, done);
    else finish(form);
  };

/** Accept-Encoding of recent requests → the encoding. Clients send few different values. */
const negotiated = new LRUCache<string, Encoding | 'identity'>({ max: 64 });
/** Longer values are read each time. */
const maxHeaderLength = 128;

/** The first of our encodings that the client accepts. Of its weights only 0 counts: it refuses an encoding. */
function acceptedEncoding(header: string | string[] | undefined): Encoding | undefined {
  if (typeof header !== 'string') return undefined;
  let found = negotiated.get(header);
  if (found === undefined) {
    const accepted = new Negotiator({ headers: { 'accept-encoding': header } }).encodings([...encodings]);
    found = encodings.find((encoding) => accepted.includes(encoding)) ?? 'identity';
    if (header.length <= maxHeaderLength) negotiated.set(header, found);
  }
  return found === 'identity' ? undefined : found;
}
