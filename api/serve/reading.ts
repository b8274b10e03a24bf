/** Answers reads of the API and pages of the explorer from the snapshot, in the encoding that the client takes. */
import type { IncomingMessage } from 'node:http';
import type { Encoding } from '../contract/etag.ts';
import type { LayerName } from '../contract/layers.ts';
import { filesPerRead } from '../contract/limits.ts';
import { isApiPath } from '../contract/site.ts';
import type { Target } from '../contract/target.ts';
import { fileSource, manifestChanges } from '../hosts/file-source.ts';
import { HtmlPages } from '../hosts/html-pages.ts';
import { nodeDigest } from '../hosts/node-digest.ts';
import { type Answer, isWhole, problemAnswer, withoutBody } from '../read/answer.ts';
import type { AnswerCacheState } from '../read/answer-cache.ts';
import { loadOnce } from '../read/load-once.ts';
import { type ReadRequest, Resolver } from '../read/resolve.ts';
import { SnapshotUnavailable } from '../read/source.ts';
import { SnapshotWatch } from '../read/watch.ts';
import type { RequestLimit, Verdict } from '../write/service.ts';
import type { ClientKey } from './client-address.ts';
import { acceptedEncoding, EncodedForms, encodedHeaders } from './compression.ts';
import type { PublicFiles } from './public-files.ts';
import { rateLimit } from './rate-limit.ts';
import type { ServeOptions } from './server.ts';
import { send, sendPieces, type ServiceResponse } from './service-response.ts';

/** What the resolver reads: the snapshot, and documents of the site. */
const damageable: readonly (LayerName | undefined)[] = [undefined, 'site'];
/** Milliseconds for which a look at the manifest is valid. */
const watchIntervalMs = 100;
/** Bytes of pages of the explorer kept in memory. */
const pageBytes = 12 * 1024 * 1024;

export interface ReadingOptions extends ServeOptions {
  origin: () => string;
}

/** A limit of reads, and the answer to those beyond it. */
interface ReadLimit {
  /** undefined for no limit. */
  requests: RequestLimit | undefined;
  refusal: Answer;
}

const limitOf = (perMinute: number): ReadLimit => ({
  requests: rateLimit(perMinute),
  refusal: problemAnswer('too-many-requests', `no more than ${perMinute} requests a minute; try again later`),
});

export class Reading {
  readonly #resolver: Resolver;
  readonly #pages: () => Promise<HtmlPages>;
  readonly #origin: () => string;
  readonly #forms: EncodedForms;
  readonly #watch: SnapshotWatch;
  readonly #refreshIfChanged: () => Promise<void> | undefined;
  /** Whether the last look at the manifest succeeded. */
  #isCurrent = true;
  readonly #apiLimit: ReadLimit;
  /** Of files and pages. */
  readonly #fileLimit: ReadLimit;
  readonly #clientOf: ClientKey;

  constructor(options: ReadingOptions, clientOf: ClientKey, files: PublicFiles) {
    const { out, onError, onDamage, readLimit, answerBytes = 96 * 1024 * 1024, writing } = options;
    const resolver = new Resolver(fileSource(out), {
      digest: nodeDigest,
      onError(error) {
        onError(error);
        if (error instanceof SnapshotUnavailable) for (const layer of damageable) onDamage?.(layer);
      },
      answerBytes,
      writable: writing !== undefined,
    });
    this.#resolver = resolver;
    this.#pages = loadOnce(async () => {
      const { renderer: render } = await import('../../build/site/explorer/render.tsx');
      const file = (path: string) => files.bytes(path);
      return new HtmlPages({ resolver, render, file, cacheBytes: pageBytes, onError, digest: nodeDigest });
    });
    this.#origin = options.origin;
    this.#forms = new EncodedForms(answerBytes / 4, 'fast');
    const hasChanged = manifestChanges(out);
    // A look that failed is repeated: the file need not change again.
    this.#refreshIfChanged = () => (hasChanged() || !this.#isCurrent ? this.refresh() : undefined);
    this.#watch = new SnapshotWatch(this.#refreshIfChanged, watchIntervalMs);
    this.#apiLimit = limitOf(readLimit);
    this.#fileLimit = limitOf(readLimit * filesPerRead);
    this.#clientOf = clientOf;
  }

  /** Loads a new snapshot at once. */
  async refresh(): Promise<void> {
    this.#isCurrent = await this.#resolver.refresh();
  }

  /** The id of the snapshot that is answered from now. @throws SnapshotUnavailable */
  async snapshot(): Promise<string> {
    // A look under way first, then one of now.
    await this.#watch.check();
    await this.#refreshIfChanged();
    return (await this.#resolver.snapshot()).manifest.snapshot;
  }

  /** How full the caches of answers are, and how often they were used. */
  get answerCache(): AnswerCacheState {
    const { bytes, ...rest } = this.#resolver.answerCache;
    return { ...rest, bytes: bytes + this.#forms.bytes };
  }

  /** Counts a request. Reads alone are counted: those of the API, and of everything else. */
  verdictOn(request: IncomingMessage, { path }: Target): Verdict | undefined {
    const { method } = request;
    if (method !== 'GET' && method !== 'HEAD') return undefined;
    return this.#limitAt(path).requests?.count(this.#clientOf(request));
  }

  #limitAt(path: string): ReadLimit {
    return isApiPath(path) ? this.#apiLimit : this.#fileLimit;
  }

  /** Answers any method at an address of the API, and where there is nothing. */
  async answer(
    request: IncomingMessage,
    response: ServiceResponse,
    target: Target,
    verdict: Verdict | undefined,
  ): Promise<void> {
    // To await a settled value would cost as much as an answer from memory.
    const changing = this.#watch.check();
    if (changing) await changing;
    if (verdict?.allowed === false) {
      send(response, this.#limitAt(target.path).refusal, verdict.headers);
      return;
    }
    const asked = askedBy(request, target);
    const found = this.#resolver.cached(asked) ?? (await this.#resolver.answerInPieces(asked));
    if (!isWhole(found)) {
      // Of an export that is only asked about, the first piece alone is made.
      if (request.method === 'HEAD') send(response, withoutBody(found), verdict?.headers);
      else await sendPieces(response, found, verdict?.headers);
      return;
    }
    const sending = this.#sendInEncoding(request, response, found, verdict?.headers);
    if (sending) await sending;
  }

  /** Answers at the address of a page of the explorer. @returns false if there is no site */
  async answerPage(
    request: IncomingMessage,
    response: ServiceResponse,
    target: Target,
    verdict: Verdict | undefined,
  ): Promise<boolean> {
    await this.#watch.check();
    const pages = await this.#pages();
    const found =
      verdict?.allowed === false
        ? await pages.refusal()
        : await pages.answer(askedBy(request, target), this.#origin());
    if (found === undefined) return false;
    await this.#sendInEncoding(request, response, found, verdict?.headers);
    return true;
  }

  #sendInEncoding(
    request: IncomingMessage,
    response: ServiceResponse,
    found: Answer,
    headers?: Readonly<Record<string, string>>,
  ): void | Promise<void> {
    const encoding = found.headers.ETag === undefined ? undefined : acceptedEncoding(request);
    const encoded = encoding && encodedForm(found, encoding, this.#forms);
    if (encoded instanceof Promise) return encoded.then((form) => send(response, form ?? found, headers));
    send(response, encoded ?? found, headers);
  }
}

/** What a request asks for. The headers of HEAD are those of GET, also of an encoded form. */
function askedBy({ method = 'GET', headers }: IncomingMessage, { path, queryString }: Target): ReadRequest {
  const ifNoneMatch = headers['if-none-match'];
  return { method: method === 'HEAD' ? 'GET' : method, path, queryString, ifNoneMatch };
}

/** An answer with an ETag in an encoding; undefined if it stays plain. Synchronous if the form is in memory. */
function encodedForm(
  { status, headers, body }: Answer,
  encoding: Encoding,
  forms: EncodedForms,
): Answer | undefined | Promise<Answer | undefined> {
  const etag = headers.ETag;
  if (body === null || etag === undefined) return undefined;
  const answerOf = (bytes: Buffer | undefined): Answer | undefined =>
    bytes && { status, headers: { ...headers, ...encodedHeaders(etag, encoding, bytes) }, body: bytes };
  const bytes = forms.of(etag, body, encoding);
  return bytes instanceof Promise ? bytes.then(answerOf) : answerOf(bytes);
}
