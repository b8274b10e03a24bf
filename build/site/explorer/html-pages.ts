/** Answers the addresses of the explorer with complete HTML. The same bytes on every host. */
import { problems } from '../../../api/contract/problems.ts';
import {
  contentTypeOf,
  escapedHtml,
  explorerPage,
  fileHeaders,
  imageOriginsMeta,
  pageDataId,
  robotsPath,
  sitemapPartAt,
} from '../shared/hosting.ts';
import {
  type Answer,
  nothingThere,
  otherMethod,
  problemAnswer,
  withoutBody,
} from '../../../api/read/answer.ts';
import { AnswerCache, conditionalAnswer } from '../../../api/read/answer-cache.ts';
import { type Hash, type Hashing, hashBy } from '../../../api/read/hashing.ts';
import type { HtmlParts, HtmlRenderer } from '../../../api/read/html.ts';
import type { ReadRequest, Resolver } from '../../../api/read/resolve.ts';
import type { Snapshot } from '../../../api/read/snapshot.ts';
import { SnapshotUnavailable } from '../../../api/read/source.ts';
import { robots, sitemap } from './crawler-files.ts';

interface HtmlPagesOptions extends Hashing {
  resolver: Resolver;
  render: HtmlRenderer;
  /** Reads a file of the folder, by its path below the root. */
  file: (path: string) => Promise<Uint8Array | undefined>;
  /** Bytes of pages kept in memory. */
  cacheBytes: number;
  onError?: ((error: unknown) => void) | undefined;
}

/** The shell as it is now: index.html as a host of plain files serves it, into which a server puts the parts of a page. */
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

  /**
   * The answer to a request; undefined if there is no shell. Never rejects.
   * @param request for a path that isCompletedByServer() accepts
   * @param origin scheme and host of the site. It must not come from an unchecked header: a cache would give it to others
   */
  async answer(request: ReadRequest, origin: string): Promise<Answer | undefined> {
    const { method } = request;
    let shell: Shell | undefined;
    try {
      shell = await this.#readShell();
      if (shell === undefined) return undefined;
      if (method !== 'GET' && method !== 'HEAD') return otherMethod(method);
      const answer = await this.#answer(request, origin, shell);
      return method === 'HEAD' ? withoutBody(answer) : answer;
    } catch (error) {
      this.#options.onError?.(error);
      const headers = { 'Retry-After': '2' };
      return shell
        ? this.#shellAnswer(shell.bytes, 'snapshot-unavailable', headers)
        : problemAnswer('snapshot-unavailable', 'the page cannot be read', headers);
    }
  }

  /** The bare shell: the program of the browser makes the page, or says why it cannot. */
  #shellAnswer(
    body: Uint8Array,
    code: 'snapshot-unavailable' | 'too-many-requests',
    headers: Readonly<Record<string, string>>,
  ): Answer {
    const own = { ...htmlHeaders([]), 'Cache-Control': 'no-store', 'Content-Length': String(body.length) };
    return { status: problems[code].status, headers: { ...own, ...headers }, body };
  }

  /** The answer to a client beyond its rate limit; undefined if there is no shell. */
  async refusal(): Promise<Answer | undefined> {
    const shell = await this.#readShell();
    return shell && this.#shellAnswer(shell.bytes, 'too-many-requests', {});
  }

  async #readShell(): Promise<Shell | undefined> {
    const bytes = await this.#options.file(explorerPage);
    if (bytes === undefined) return undefined;
    if (this.#shell && isSame(this.#shell.bytes, bytes)) return this.#shell;
    const text = new TextDecoder().decode(bytes);
    if (!isShell(text)) throw new SnapshotUnavailable(`${explorerPage} is damaged`);
    this.#shell = { bytes, text, imageOrigins: imageOriginsIn(text) };
    this.#pages = new AnswerCache(this.#options.cacheBytes);
    return this.#shell;
  }

  async #answer(request: ReadRequest, origin: string, shell: Shell): Promise<Answer> {
    const clean = isPage(request.path) ? cleanAddress(request) : undefined;
    if (clean !== undefined) return movedTo(clean);
    const { resolver, render, file } = this.#options;
    const { path, queryString: query, ifNoneMatch } = request;
    const snapshot = await resolver.snapshot();
    const address = { path: `${origin}${path}`, queryString: query };
    const known = this.#pages.get(snapshot, address);
    if (known) return conditionalAnswer(known, ifNoneMatch);
    if (!isPage(path))
      return (await this.#crawlerFile(path, origin, snapshot, ifNoneMatch)) ?? nothingThere(path);
    const page = await render.page({
      path,
      query,
      origin,
      imageOrigins: shell.imageOrigins,
      resolver,
      file,
    });
    if ('location' in page) return movedTo(page.location);
    const body = encoder.encode(filledShell(shell.text, page));
    const headers = {
      ...htmlHeaders(shell.imageOrigins),
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
    return conditionalAnswer(prepared, ifNoneMatch);
  }

  /** robots.txt or a part of the sitemap; undefined if there is no such part. */
  async #crawlerFile(
    path: string,
    origin: string,
    snapshot: Snapshot,
    ifNoneMatch: string | null | undefined,
  ): Promise<Answer | undefined> {
    const { resolver, render } = this.#options;
    const part = sitemapPartAt(path);
    const text =
      part === undefined ? robots(origin) : sitemap(part, await render.addresses(resolver), origin);
    if (text === undefined) return undefined;
    const body = encoder.encode(text);
    const etag = `"${await this.#hash(body)}"`;
    const headers = {
      'Content-Type': contentTypeOf(path),
      ...fileHeaders(path.slice(1), []),
      Vary: 'Accept-Encoding',
      'Content-Length': String(body.length),
      ETag: etag,
    };
    return conditionalAnswer(
      this.#pages.keep(snapshot, { path: `${origin}${path}`, queryString: '' }, { etag, body, headers }),
      ifNoneMatch,
    );
  }
}

const encoder = new TextEncoder();

const isPage = (path: string): boolean => path !== robotsPath && sitemapPartAt(path) === undefined;

const htmlHeaders = (imageOrigins: readonly string[]) => ({
  'Content-Type': contentTypeOf(explorerPage),
  ...fileHeaders(explorerPage, imageOrigins),
});

/**
 * A permanent redirect. Browsers ask again each time: a title that was changed and changed back would else lead from one stored
 * redirect to the other, in a loop. @param location path and query of this site
 */
const movedTo = (location: string): Answer => ({
  status: 301,
  headers: { Location: location, 'Cache-Control': 'no-cache', 'Content-Length': '0' },
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

const titlePattern = /<title>[^<]*<\/title>/;
const descriptionPattern = /<meta name="description" content="[^"]*">/;
const bodyPattern = /<div id="app">[\s\S]*<\/div>(?=<\/body>)/;
const originsPattern = new RegExp(`<meta name="${imageOriginsMeta}" content="([^"]*)">`);

/** Whether a text is a shell. A host may answer with a page of its own. */
const isShell = (text: string): boolean => bodyPattern.test(text);

/** Other hosts that the pages of a shell may show posters of. */
function imageOriginsIn(shell: string): string[] {
  const content = originsPattern.exec(shell)?.[1] ?? '';
  return content
    .replaceAll(/&#(\d+);/g, (_all, code: string) => String.fromCharCode(Number(code)))
    .split(' ')
    .filter(Boolean);
}

/** The page as HTML. */
function filledShell(shell: string, { title, description, head, body, data }: HtmlParts): string {
  const put = (text: string, pattern: RegExp, value: string) => text.replace(pattern, () => value);
  let html = shell;
  html = put(html, titlePattern, `<title>${escapedHtml(title)}</title>`);
  html = put(html, descriptionPattern, `<meta name="description" content="${escapedHtml(description)}">`);
  html = put(html, /<\/head>/, `${head}</head>`);
  return put(
    html,
    bodyPattern,
    `<div id="app">${body}</div><script type="application/json" id="${pageDataId}">${data}</script>`,
  );
}
