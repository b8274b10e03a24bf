/** Answers the addresses of the explorer with complete HTML, and crawlers with robots.txt and the sitemap. The same bytes on every host. */
import { problems } from '../../../api/contract/problems.ts';
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
import { AnswerCache } from '../../../api/read/answer-cache.ts';
import { type Hash, type Hashing, hashBy, SnapshotUnavailable } from '../../../api/read/source.ts';
import { textsOf } from '../../../api/read/nominations.ts';
import type { ReadRequest, Resolver } from '../../../api/read/resolve.ts';
import type { Snapshot } from '../../../api/read/snapshot.ts';
import {
  contentTypeOf,
  escapedHtml,
  explorerPage,
  fileHeaders,
  imageOriginsMeta,
  pageAt,
  robotsPath,
  robotsRules,
  shellClass,
  sitemapIndexPath,
  sitemapPartAt,
} from '../shared/hosting.ts';
import { knownQuery, rankingHref, recordHref } from './addresses.ts';
import { messageBody, render, type RenderedPage } from './render.tsx';
import { SearchRefused } from './record.ts';

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

export interface Message {
  title: string;
  text: string;
}

const unreadable: Message = {
  title: 'The record cannot be read',
  text: 'Some of its files cannot be read at the moment. Try again in a few seconds.',
};
const tooMany: Message = {
  title: 'Too many requests',
  text: 'This address sent too many requests in the last minute. Try again in a minute.',
};

interface PageRequest extends ReadRequest {
  origin: string;
  mayFind: () => Promise<boolean>;
}

/** index.html as a host of plain files sends it. A page is this document with another head and body. */
interface Shell {
  bytes: Uint8Array;
  text: string;
  imageOrigins: string[];
  /** Pages made with it. */
  pages: AnswerCache;
  /** The page for a client beyond a limit. It must cost less than the pages that it refuses. */
  refusal?: Answer;
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
   * @param origin scheme and host of the site; '' makes relative addresses, and no sitemap. It must not come from an unchecked
   *   header: a cache would give it to others
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
    if (bytes === undefined) return undefined;
    if (this.#shell && isSame(this.#shell.bytes, bytes)) return this.#shell;
    const text = new TextDecoder().decode(bytes);
    // A host may answer with a page of its own.
    if (!bodyPattern.test(text)) throw new SnapshotUnavailable(`${explorerPage} is damaged`);
    const pages = new AnswerCache(this.#options.cacheBytes);
    this.#shell = { bytes, text, imageOrigins: imageOriginsIn(text), pages };
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

const encoder = new TextEncoder();

const pageHeaders = ({ imageOrigins }: Shell) => ({
  'Content-Type': contentTypeOf(explorerPage),
  ...fileHeaders(explorerPage, imageOrigins),
});

const tooManyAnswer = (shell: Shell): Answer =>
  (shell.refusal ??= messageAnswer(shell, 'too-many-requests', tooMany, {}));

/** A page that says why there is no other one. */
function messageAnswer(
  shell: Shell,
  code: 'snapshot-unavailable' | 'too-many-requests',
  { title, text }: Message,
  headers: Readonly<Record<string, string>>,
): Answer {
  const head = '<meta name="robots" content="noindex">\n';
  const body = encoder.encode(
    filled(shell, { title, description: text, head, body: messageBody(title, text) }),
  );
  const own = { ...pageHeaders(shell), 'Cache-Control': 'no-store', 'Content-Length': String(body.length) };
  return { status: problems[code].status, headers: { ...own, ...headers }, body };
}

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
  const query = queryString
    .split('&')
    .filter((part) => !/^[^=]*=?$/.test(part))
    .join('&');
  if (cleanPath === path && query === queryString) return undefined;
  return query === '' ? cleanPath : `${cleanPath}?${query}`;
}

const isSame = (one: Uint8Array, other: Uint8Array): boolean =>
  one === other || (one.length === other.length && one.every((byte, i) => byte === other[i]));

const bodyPattern = new RegExp(`<body class="${shellClass}">[\\s\\S]*</body>`);

/** Other hosts that the pages of a shell may show posters of. */
function imageOriginsIn(shell: string): string[] {
  const content = new RegExp(`<meta name="${imageOriginsMeta}" content="([^"]*)">`).exec(shell)?.[1] ?? '';
  return content
    .replaceAll(/&#(\d+);/g, (_all, code: string) => String.fromCharCode(Number(code)))
    .split(' ')
    .filter(Boolean);
}

/** The page as HTML. */
function filled(
  { text }: Shell,
  { title, description, head, body }: Pick<RenderedPage, 'title' | 'description' | 'head' | 'body'>,
): string {
  return text
    .replace(/<title>[^<]*<\/title>/, () => `<title>${escapedHtml(title)}</title>`)
    .replace(
      /<meta name="description" content="[^"]*">/,
      () => `<meta name="description" content="${escapedHtml(description)}">`,
    )
    .replace('</head>', () => `${head}</head>`)
    .replace(bodyPattern, () => `<body>${body}</body>`);
}

/** robots.txt, which names the sitemap, by an absolute address. */
const robots = (origin: string): string =>
  origin === '' ? robotsRules : `${robotsRules}\nSitemap: ${origin}${sitemapIndexPath}\n`;

/** Limit of the sitemap protocol. */
const maxAddresses = 50_000;

/**
 * Path → text: the sitemap, or its index and its parts. None without an origin: a sitemap has absolute addresses.
 */
async function sitemaps(snapshot: Snapshot, origin: string): Promise<[path: string, text: string][]> {
  if (origin === '') return [];
  const addresses = (await pagePaths(snapshot)).map((path) => origin + path);
  const parts = Array.from(
    { length: Math.ceil(addresses.length / maxAddresses) },
    (_, i): [string, string] => [
      `/sitemap-${i + 1}.xml`,
      sitemapDocument('urlset', 'url', addresses.slice(i * maxAddresses, (i + 1) * maxAddresses)),
    ],
  );
  if (parts.length === 1) return [[sitemapIndexPath, parts[0]![1]], ...parts];
  const own = parts.map(([path]) => origin + path);
  return [[sitemapIndexPath, sitemapDocument('sitemapindex', 'sitemap', own)], ...parts];
}

/** Paths of this site are ASCII without characters of XML. */
const sitemapDocument = (root: string, entry: string, addresses: readonly string[]): string =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<${root} xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${addresses
    .map((address) => `<${entry}><loc>${address}</loc></${entry}>\n`)
    .join('')}</${root}>\n`;

const lists = [
  'movies',
  'nominees',
  'timeline',
  'categories',
  'songs',
  'nominations',
  'honors',
  'years',
  'downloads',
];

/** Paths of all pages that search engines should know, records in the order of their ids. @throws SnapshotUnavailable */
async function pagePaths(snapshot: Snapshot): Promise<string[]> {
  const { table, titles, names, songs } = await textsOf(snapshot);
  const { categories, ceremonies } = table;
  const honors = await snapshot.table('honors');
  const text = (value: string | null | undefined) => value ?? undefined;
  return [
    '/',
    ...lists.map((name) => `/${name}`),
    ...(['top-nominees', 'top-movies', 'countries'] as const).map((name) => rankingHref(name)),
    ...titles.text.values.map((title, row) => recordHref('movies', titles.id(row), text(title))),
    ...names.text.values.map((name, row) => recordHref('nominees', names.id(row), text(name))),
    ...categories.name.values.map((name, row) => recordHref('categories', categories.id(row), text(name))),
    ...Array.from(ceremonies.year, (year, row) => recordHref('ceremonies', ceremonies.id(row), year)),
    ...songs.title.values.map((title, row) => recordHref('songs', songs.id(row), text(title))),
    ...honors.recipients.values.map((recipients, row) =>
      recordHref('honors', honors.id(row), recipients ?? honors.category.values[row]!),
    ),
  ];
}
