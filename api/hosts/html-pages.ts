/** Answers the addresses of the explorer with complete HTML. The same bytes on every host. */
import { knownETag } from '../contract/etag.ts';
import { problems } from '../contract/problems.ts';
import { contentTypeOf, explorerPage, pageAt, pageHeaders } from '../contract/site.ts';
import { type Answer, problemAnswer } from '../read/answer.ts';
import { AnswerCache, type PreparedAnswer } from '../read/answer-cache.ts';
import { base64Hash, type Hash, type Hashing, hashBy } from '../read/hashing.ts';
import type { HtmlRenderer } from '../read/html.ts';
import type { ReadRequest, Resolver } from '../read/resolve.ts';
import { extractStyles, filledShell, imageOriginsIn } from './shell.ts';

export interface HtmlPagesOptions extends Hashing {
  resolver: Resolver;
  render: HtmlRenderer;
  /** Reads a file of the folder, by its path below the root. */
  file: (path: string) => Promise<Uint8Array | undefined>;
  /** Scheme and host of the site. It never comes from an unchecked header of a request: a cache would give it to others. */
  origin: () => string;
  /** Bytes of pages kept in memory. */
  cacheBytes: number;
  onError?: ((error: unknown) => void) | undefined;
}

/** The shell as it is now. */
interface Shell {
  bytes: Uint8Array;
  text: string;
  imageOrigins: string[];
}

export class HtmlPages {
  readonly #options: HtmlPagesOptions;
  readonly #hash: Hash;
  #shell: Shell | undefined;
  #pages: AnswerCache;

  constructor(options: HtmlPagesOptions) {
    this.#options = options;
    this.#hash = hashBy(options);
    this.#pages = new AnswerCache(options.cacheBytes);
  }

  /** Whether an address is one of the explorer. */
  covers(path: string): boolean {
    return pageAt(path) === explorerPage;
  }

  /** The answer to GET or HEAD; undefined if there is no shell. Never rejects. @param request for a path that is covered */
  async answer(request: ReadRequest): Promise<Answer | undefined> {
    const { method } = request;
    if (method !== 'GET' && method !== 'HEAD')
      return problemAnswer('method-not-allowed', `${method} is not allowed here`, {
        Allow: 'GET, HEAD, OPTIONS',
      });
    let shell: Shell | undefined;
    try {
      shell = await this.#readShell();
      if (shell === undefined) return undefined;
      const answer = await this.#answer(request, shell);
      return method === 'HEAD' ? { ...answer, body: null } : answer;
    } catch (error) {
      this.#options.onError?.(error);
      return shell && this.shellAnswer(shell.bytes, 'snapshot-unavailable', { 'Retry-After': '2' });
    }
  }

  /** The bare shell: the program of the browser makes the page, or says why it cannot. */
  shellAnswer(
    body: Uint8Array,
    code: 'snapshot-unavailable' | 'too-many-requests',
    headers: Readonly<Record<string, string>>,
  ): Answer {
    const own = { ...htmlHeaders([]), 'Cache-Control': 'no-store', 'Content-Length': String(body.length) };
    return { status: problems[code].status, headers: { ...own, ...headers }, body };
  }

  /** The bytes of the shell; undefined if there is none. */
  async shellBytes(): Promise<Uint8Array | undefined> {
    return (await this.#readShell())?.bytes;
  }

  async #readShell(): Promise<Shell | undefined> {
    const bytes = await this.#options.file(explorerPage);
    if (bytes === undefined) return undefined;
    if (this.#shell && isSame(this.#shell.bytes, bytes)) return this.#shell;
    const text = new TextDecoder().decode(bytes);
    this.#shell = { bytes, text, imageOrigins: imageOriginsIn(text) };
    this.#pages = new AnswerCache(this.#options.cacheBytes);
    return this.#shell;
  }

  async #answer(request: ReadRequest, shell: Shell): Promise<Answer> {
    const clean = cleanAddress(request);
    if (clean !== undefined) return movedTo(clean);
    const { resolver, render, file, origin } = this.#options;
    const { path, queryString: query, ifNoneMatch } = request;
    const snapshot = await resolver.snapshot();
    const address = { path: `${origin()}${path}`, queryString: query };
    const known = this.#pages.get(snapshot, address);
    if (known) return conditional(known, ifNoneMatch);
    const page = await render({
      path,
      query,
      origin: origin(),
      imageOrigins: shell.imageOrigins,
      resolver,
      file,
    });
    if ('location' in page) return movedTo(page.location);
    const styles = extractStyles(page.body);
    const styleHash = styles.css === '' ? undefined : await base64Hash(styles.css, this.#options);
    const body = encoder.encode(filledShell(shell.text, page, styles, styleHash));
    const headers = {
      ...htmlHeaders(shell.imageOrigins, styleHash),
      Vary: 'Accept-Encoding',
      'Content-Length': String(body.length),
    };
    if (!page.isFound)
      return {
        status: problems['no-such-record'].status,
        headers: { ...headers, 'Cache-Control': 'no-store' },
        body,
      };
    const etag = `"${await this.#hash(body)}"`;
    const prepared = { etag, body, headers: { ...headers, ETag: etag } };
    if (page.isOfSnapshot) this.#pages.keep(snapshot, address, prepared);
    return conditional(prepared, ifNoneMatch);
  }
}

const encoder = new TextEncoder();

const htmlHeaders = (imageOrigins: readonly string[], styleHash?: string) => ({
  'Content-Type': contentTypeOf(explorerPage),
  ...pageHeaders(imageOrigins, styleHash),
});

function conditional(
  { etag, headers, body }: PreparedAnswer,
  ifNoneMatch: string | null | undefined,
): Answer {
  const known = knownETag(ifNoneMatch, etag);
  if (known === undefined) return { status: 200, headers, body };
  const { 'Content-Length': _length, ...others } = headers;
  return { status: 304, headers: { ...others, ETag: known }, body: null };
}

/** A permanent redirect. @param location path and query of this site */
const movedTo = (location: string): Answer => ({
  status: 301,
  headers: { Location: location, 'Cache-Control': 'public, max-age=3600', 'Content-Length': '0' },
  body: new Uint8Array(),
});

/** The address without a slash at its end and without the empty fields of a form; undefined if it has neither. */
function cleanAddress({ path, queryString }: ReadRequest): string | undefined {
  const cleanPath = path.replace(/(?<=[^/])\/$/, '');
  const parts = queryString.split('&').filter((part) => !/^[^=]*=?$/.test(part));
  const query = parts.join('&');
  if (cleanPath === path && query === queryString) return undefined;
  return query === '' ? cleanPath : `${cleanPath}?${query}`;
}

function isSame(one: Uint8Array, other: Uint8Array): boolean {
  return one === other || (one.length === other.length && one.every((byte, i) => byte === other[i]));
}
