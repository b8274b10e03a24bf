/** What a request asks for, and how its answer is sent: plain, or in an encoding that the client accepts. */
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { FastifyReply, FastifyRequest, onSendHookHandler } from 'fastify';
import { LRUCache } from 'lru-cache';
import Negotiator from 'negotiator';
import { type Encoding, encodedETag, encodings } from '../contract/etag.ts';
import { splitTarget, type Target } from '../contract/target.ts';
import type { Answer } from '../read/answer.ts';
import type { ReadRequest } from '../read/resolve.ts';

/** The target of a request, after targetToRoute(). */
export const targetOf = ({ raw }: FastifyRequest): Target => splitTarget(raw.url ?? '/');

/**
 * Fastify's `rewriteUrl`: the path and the query of a target, which may be an absolute URL (RFC 9112 section
 * 3.2.2). Encodes characters that HTTP lets through but a URL must not have, as browsers do.
 */
export function targetToRoute({ url = '/' }: { url?: string | undefined }): string {
  if (url.startsWith('/') && !/["<>]/.test(url)) return url;
  const target = url.replace(/^https?:\/\/[^/?#]*/i, '').replace(/["<>]/g, encodeURIComponent);
  return target.startsWith('/') ? target : `/${target}`;
}

/** What a request asks for. The headers of HEAD are those of GET, also of an encoded form. */
export function readRequestOf(request: FastifyRequest): ReadRequest {
  const { method, headers } = request;
  const { path, queryString } = targetOf(request);
  return {
    path,
    queryString,
    method: method === 'HEAD' ? 'GET' : method,
    ifNoneMatch: headers['if-none-match'],
  };
}

/** Sends an answer. @returns the reply, for an async handler to return: to await it waits until it is sent */
export const sendAnswer = (reply: FastifyReply, { status, headers, body }: Answer): FastifyReply =>
  // Fastify sends null as JSON.
  reply
    .code(status)
    .headers(headers)
    .send(body ?? undefined);

/** Finds the answer to a request; undefined if it has sent one itself. */
export type Handler = (
  request: FastifyRequest,
  reply: FastifyReply,
) => Answer | undefined | Promise<Answer | undefined>;

/**
 * Sends what a handler finds. Not as an async handler of Fastify: that one waits for the reply, and sends an
 * error as a second answer if the client goes while the first one is compressed.
 */
export const sending =
  (handler: Handler) =>
  (request: FastifyRequest, reply: FastifyReply): void => {
    const found = handler(request, reply);
    if (found instanceof Promise) sendLater(reply, found);
    else if (found) sendAnswer(reply, found);
  };

function sendLater(reply: FastifyReply, found: Promise<Answer | undefined>): void {
  const send = (answer: Answer | undefined) => {
    if (answer) sendAnswer(reply, answer);
  };
  found.then(send).catch((error: unknown) => void reply.send(error));
}

/** Smaller bodies stay plain: they fit into one packet either way. */
const minEncodedBytes = 1024;
/** What an entry of the cache costs besides its bytes. */
const entryBytes = 512;

/** A higher quality takes longer, and saves less than a percent. */
const quality = { br: 5, gzip: 6 };
/**
 * Bits of the window of brotli. With more, even a body of 1 KB takes milliseconds of the thread pool, which
 * also reads files, and gets no smaller.
 */
const windowBits = 16;

const compressors: Record<Encoding, (bytes: Uint8Array) => Promise<Buffer>> = {
  br: (bytes) =>
    promisify(brotliCompress)(bytes, {
      params: {
        [constants.BROTLI_PARAM_QUALITY]: quality.br,
        [constants.BROTLI_PARAM_LGWIN]: windowBits,
        [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
      },
    }),
  gzip: (bytes) => promisify(gzip)(bytes, { level: quality.gzip }),
};

/** An encoded form. */
interface Form {
  /** undefined if it is not smaller than the body. */
  bytes: Buffer | undefined;
}

/**
 * The encoded forms of bodies, cached by the ETag of the plain form: a hash of the body, so a form stays
 * valid for good.
 */
export class EncodedForms {
  readonly #forms: LRUCache<string, Form, { body: Uint8Array; encoding: Encoding }>;

  /** @param cacheBytes limit of the forms in memory; 0 keeps none */
  constructor(cacheBytes: number) {
    this.#forms = new LRUCache({
      maxSize: Math.max(1, cacheBytes),
      sizeCalculation: ({ bytes }) => entryBytes + (bytes?.length ?? 0),
      // Parallel requests share one compression, also one that does not fit into the cache any more.
      ignoreFetchAbort: true,
      async fetchMethod(_key, _stale, { context: { body, encoding } }) {
        const compressed = await compressors[encoding](body);
        return { bytes: compressed.length < body.length ? compressed : undefined };
      },
    });
  }

  /** Bytes of forms in memory. */
  get bytes(): number {
    return this.#forms.calculatedSize;
  }

  /**
   * A body in an encoding; undefined if that is not smaller, or the body is small. Synchronous if the form is
   * in memory.
   * @param etag strong ETag of the body
   */
  of(etag: string, body: Uint8Array, encoding: Encoding): Buffer | undefined | Promise<Buffer | undefined> {
    if (body.length < minEncodedBytes) return undefined;
    const key = encoding + etag;
    const form = this.#forms.get(key);
    if (form) return form.bytes;
    return this.#forms.fetch(key, { context: { body, encoding } }).then((made) => made?.bytes);
  }
}

/**
 * The hook that sends an answer in the encoding that the client takes, with an ETag of its own. `Vary:
 * Accept-Encoding` marks the answers that have encoded forms.
 */
export const encodeBodies =
  (forms: EncodedForms): onSendHookHandler<unknown> =>
  (request, reply, payload, done) => {
    const etag = reply.getHeader('etag');
    const hasForms = reply.statusCode === 200 && reply.getHeader('vary') === 'Accept-Encoding';
    if (!hasForms || typeof etag !== 'string' || !Buffer.isBuffer(payload)) return done(null, payload);
    const encoding = acceptedEncoding(request.headers['accept-encoding']);
    if (encoding === undefined) return done(null, payload);
    const form = forms.of(etag, payload, encoding);
    if (form === undefined) return done(null, payload);
    const sendForm = (bytes: Buffer | undefined) => {
      if (bytes)
        reply.headers({
          ETag: encodedETag(etag, encoding),
          'Content-Encoding': encoding,
          'Content-Length': bytes.length,
        });
      done(null, bytes ?? payload);
    };
    if (form instanceof Promise) form.then(sendForm, done);
    else sendForm(form);
  };

/** Accept-Encoding of recent requests → the encoding. Clients send few different values. */
const negotiated = new LRUCache<string, Encoding | 'identity'>({ max: 64 });

/**
 * The first of our encodings that the client accepts. Of its weights only 0 counts: it refuses an encoding.
 */
function acceptedEncoding(header: string | string[] | undefined): Encoding | undefined {
  if (typeof header !== 'string') return undefined;
  let found = negotiated.get(header);
  if (found === undefined) {
    const accepted = new Negotiator({ headers: { 'accept-encoding': header } }).encodings([...encodings]);
    found = encodings.find((encoding) => accepted.includes(encoding)) ?? 'identity';
    negotiated.set(header, found);
  }
  return found === 'identity' ? undefined : found;
}
