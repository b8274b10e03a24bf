/**
 * Answers the addresses of the explorer with complete HTML, and crawlers with robots.txt and the sitemap. The
 * same bytes on every host.
 */
import {
  type Answer,
  conditional,
  type Found,
  foundAnswer,
  nothingThere,
  otherMethod,
  problemAnswer,
  withoutBody,
} from '../../../api/read/answer.ts';
import { type Hash, type Hashing, hashBy } from '../../../api/read/source.ts';
import type { ReadRequest, Resolver } from '../../../api/read/resolve.ts';
import type { Snapshot } from '../../../api/read/snapshot.ts';
import {
  contentTypeOf,
  explorerPage,
  fileHeaders,
  pageAt,
  robotsPath,
  sitemapPartAt,
  openerPolicy,
} from '../shared/hosting.ts';
import { knownQuery } from './addresses.ts';
import { SearchRefused } from './ask.ts';
import { render } from './render.tsx';
import {
  encoder,
  filled,
  type Message,
  messageAnswer,
  pageHeaders,
  type Shell,
  shellOf,
  tooManyAnswer,
} from './shell.ts';
import { robots, sitemaps } from './sitemap.ts';

interface SitePagesOptions extends Hashing {
  resolver: Resolver;
  /** Reads a file of the folder, by its path below the root. */
  file: (path: string) => Promise<Uint8Array | undefined>;
  /** Bytes of pages kept in memory. */
  cacheBytes: number;
  /** Whether the host has the editor. Default false. */
  isWritable?: boolean | undefined;
  /** Says why there is no page when the snapshot cannot be read. */
  unavailable?: Message | undefined;
  onError?: ((error: unknown) => void) | undefined;
}

const unreadable: Message = {
  title: 'The record cannot be read',
  text: 'Some of its files cannot be read at the moment. Try again in a few seconds.',
};
interface PageRequest extends ReadRequest {
  origin: string;
  mayFind: () => Promise<boolean>;
}

interface Sitemaps {
  snapshot: Snapshot;
  origin: string;
  files: Promise<ReadonlyMap<string, Found>>;
}

export class SitePages {
  readonly #options: SitePagesOptions;
  readonly #hash: Hash;
  /** The shell of the last request. */
  #shell: Shell | undefined;
  /** Of the last request for one. */
  #sitemaps: Sitemaps | undefined;

  constructor(options: SitePagesOptions) {
    this.#options = options;
    this.#hash = hashBy(options);
  }

  /**
   * The answer to a request; undefined if there is no shell. Never rejects.
   * @param request for a path that isCompletedByServer() accepts
   * @param origin scheme and host of the site; '' makes relative addresses, and no sitemap. It must not come
   *   from an unchecked header: a cache would give it to others
   * @param mayFind asked before each search for records; without one left, the answer is that of refusal()
   */
  async answer(
    request: ReadRequest,
    origin: string,
    mayFind: () => Promise<boolean> = async () => true,
  ): Promise<Answer | undefined> {
    const { method } = request;
    let shell: Shell | undefined;
    try {
      shell = await this.#readShell();
      if (shell === undefined) return undefined;
      if (method !== 'GET' && method !== 'HEAD') return otherMethod(method);
      const own = shell;
      const answer = await this.#options.resolver.answered((snapshot) =>
        this.#answer({ ...request, origin, mayFind }, own, snapshot),
      );
      return method === 'HEAD' ? withoutBody(answer) : answer;
    } catch (error) {
      if (error instanceof SearchRefused && shell) return tooManyAnswer(shell);
      this.#options.onError?.(error);
      const headers = { 'Retry-After': '2' };
      return shell
        ? messageAnswer(shell, 'snapshot-unavailable', this.#options.unavailable ?? unreadable, headers)
        : problemAnswer('snapshot-unavailable', 'the page cannot be read', headers);
    }
  }

  /** The answer to a client beyond its rate limit; undefined if there is no shell. */
  async refusal(): Promise<Answer | undefined> {
    const shell = await this.#readShell();
    return shell && tooManyAnswer(shell);
  }

  async #readShell(): Promise<Shell | undefined> {
    const bytes = await this.#options.file(explorerPage);
    this.#shell = bytes && shellOf(bytes, this.#options.cacheBytes, this.#shell);
    return this.#shell;
  }

  async #answer(request: PageRequest, shell: Shell, snapshot: Snapshot): Promise<Answer> {
    const { path, queryString, ifNoneMatch, origin, mayFind } = request;
    const isPage = path !== robotsPath && sitemapPartAt(path) === undefined;
    // Of known pages alone: a browser takes "//name" for another host.
    const clean = pageAt(path) === explorerPage ? cleanAddress(request) : undefined;
    if (clean !== undefined) return movedTo(clean);
    const address = { path: `${origin}${path}`, queryString: isPage ? knownQuery(queryString) : '' };
    const known = shell.pages.get(snapshot, address);
    if (known) return conditional(known, ifNoneMatch);
    if (path === robotsPath) {
      const prepared = await this.#preparedFile(path, robots(origin));
      return conditional(shell.pages.keep(snapshot, address, prepared), ifNoneMatch);
    }
    if (!isPage) {
      const prepared = (await this.#sitemapsOf(snapshot, origin)).get(path);
      return prepared ? conditional(prepared, ifNoneMatch) : nothingThere(path);
    }
    const { file, isWritable = false } = this.#options;
    const { imageOrigins } = shell;
    const asked = { snapshot, path, query: queryString, origin, imageOrigins, isWritable, file, mayFind };
    const page = await render(asked);
    if ('location' in page) return movedTo(page.location);
    const html = page.isPart ? page.body : filled(shell, page);
    const prepared = await this.#prepared(html, pageHeaders(shell));
    if (page.status === 404) {
      const { ETag: _, ...headers } = prepared.headers;
      return { status: 404, headers: { ...headers, 'Cache-Control': 'no-store' }, body: prepared.body };
    }
    if (page.isOfSnapshot) shell.pages.keep(snapshot, address, prepared);
    return conditional(prepared, ifNoneMatch);
  }

  /** The sitemaps of a snapshot, by path. They are larger than any page, so they have their own place. */
  #sitemapsOf(snapshot: Snapshot, origin: string): Sitemaps['files'] {
    const last = this.#sitemaps;
    if (last?.snapshot === snapshot && last.origin === origin) return last.files;
    const own = { snapshot, origin, files: this.#makeSitemaps(snapshot, origin) };
    this.#sitemaps = own;
    own.files.catch(() => {
      if (this.#sitemaps === own) this.#sitemaps = undefined;
    });
    return own.files;
  }

  async #makeSitemaps(snapshot: Snapshot, origin: string): Promise<Map<string, Found>> {
    const files = new Map<string, Found>();
    for (const [path, text] of await sitemaps(snapshot, origin))
      files.set(path, await this.#preparedFile(path, text));
    return files;
  }

  #preparedFile(path: string, text: string): Promise<Found> {
    return this.#prepared(text, { 'Content-Type': contentTypeOf(path), ...fileHeaders(path.slice(1), []) });
  }

  async #prepared(text: string, headers: Readonly<Record<string, string>>): Promise<Found> {
    const body = encoder.encode(text);
    return foundAnswer(body, await this.#hash(body), headers);
  }
}

/**
 * A permanent redirect. Browsers ask again each time: a title that was changed and changed back would else
 * lead from one stored redirect to the other, in a loop. @param location path and query of this site
 */
const movedTo = (location: string): Answer => ({
  status: 301,
  headers: { Location: location, 'Cache-Control': 'no-cache', 'Content-Length': '0', ...openerPolicy },
  body: new Uint8Array(),
});

/**
 * The address without a slash at its end and without the empty fields of a form; undefined if it has neither.
 */
function cleanAddress({ path, queryString }: ReadRequest): string | undefined {
  const cleanPath = path.replace(/(?<=[^/])\/$/, '');
  const query = queryString
    .split('&')
    .filter((part) => !/^[^=]*=?$/.test(part))
    .join('&');
  if (cleanPath === path && query === queryString) return undefined;
  return query === '' ? cleanPath : `${cleanPath}?${query}`;
}
