/**
 * The addresses of the site and the headers of plain files: the table that serve, Netlify and Cloudflare
 * follow.
 */
import { editorFolder } from '../../../api/contract/layers.ts';
import { resourceNames, writableResources } from '../../../api/contract/names.ts';
import { openapiPath } from '../../../api/contract/routes.ts';
import { manifestPath } from '../../../api/contract/snapshot.ts';

/** The shell of the explorer. Servers complete it; a host of plain files sends it as it is. */
export const explorerPage = 'index.html';
/** The API reference, which names records of the snapshot. */
export const referenceFile = 'docs/index.html';
/** What assistants read first: the addresses of the site, and the sources of the record. */
export const summaryFile = 'llms.txt';
/**
 * The page of the editor, which only `serve` has: it is not published, and no rule of another host names it.
 */
const editor = `${editorFolder}/index.html`;

/** The pages of the explorer at one address each, `/search` and so on, besides those of resources. */
export const singlePages = ['search', 'timeline', 'years', 'records', 'downloads'] as const;

/** Address of a page → its file. `{…}` stands for one segment, which the page interprets. */
export const pageAddresses: ReadonlyMap<string, string> = new Map([
  ['/', explorerPage],
  ...resourceNames.flatMap((resource): [string, string][] => [
    [`/${resource}`, explorerPage],
    [`/${resource}/{id}`, explorerPage],
  ]),
  ['/rankings', explorerPage],
  ['/rankings/{name}', explorerPage],
  ['/compare/{resource}', explorerPage],
  ...singlePages.map((name): [string, string] => [`/${name}`, explorerPage]),
  ['/docs', referenceFile],
]);

const editorAddress = new RegExp(
  `^/edit(/receipts|/(${writableResources.join('|')})/([1-9]\\d*|new)|/(movies|nominees|songs)/[1-9]\\d*/merge|/ceremonies/[1-9]\\d*/(winners|sheet|honors|categories/[1-9]\\d*))?/?$`,
);
/** The file of the editor's page at one of its addresses; undefined for others. */
export const editorPageAt = (path: string): string | undefined =>
  editorAddress.test(path) ? editor : undefined;

export const robotsPath = '/robots.txt';
/** What crawlers may read; a server adds the address of the sitemap. */
export const robotsRules = 'User-agent: *\nAllow: /\n';
export const sitemapIndexPath = '/sitemap.xml';

/** The part of the sitemap at an address, from 1; 0 for the sitemap itself; undefined for other addresses. */
export function sitemapPartAt(path: string): number | undefined {
  if (path === sitemapIndexPath) return 0;
  const part = /^\/sitemap-([1-9][0-9]{0,3})\.xml$/.exec(path)?.[1];
  return part === undefined ? undefined : Number(part);
}

/** Whether a server completes the answer at an address: a page of the explorer, or what crawlers read. */
export const isCompletedByServer = (path: string): boolean =>
  pageAt(path) === explorerPage || path === robotsPath || sitemapPartAt(path) !== undefined;

/** Whether the API answers at an address. */
export const isApiPath = (path: string): boolean => path === '/api' || path.startsWith('/api/');

/** The list of the APIs of a host (RFC 9727). */
export const apiCatalogPath = '/.well-known/api-catalog';
export const apiCatalogType = 'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"';

/** The files of the site whose names stay, but those that only hosts of plain files read. */
export const fixedFiles: ReadonlySet<string> = new Set([
  ...[explorerPage, referenceFile, editor, summaryFile],
  ...[openapiPath, robotsPath, apiCatalogPath].map((path) => path.slice(1)),
  ...['app.webmanifest', 'service-worker.js', 'share.png'],
  ...['icon.svg', 'icon-192.png', 'icon-512.png', 'icon-maskable-512.png'],
]);

/** Where programs speak the Model Context Protocol. */
export const mcpPath = '/mcp';
/** Whether a path is that of messages, also with a slash at its end. */
export const isMcpPath = (path: string): boolean => path === mcpPath || path === `${mcpPath}/`;

/** Whether a host with edge code answers by it, and not with a file. */
export const isAnsweredByCode = (path: string): boolean =>
  isApiPath(path) || isCompletedByServer(path) || isMcpPath(path);

/** The page for unknown addresses. Programs get a problem document instead. */
export const notFoundPage = '404.html';

/** Whether a browser asks for a page. @param accept the Accept header */
export const wantsPage = (method: string | undefined, accept: string | null | undefined): boolean =>
  (method === 'GET' || method === 'HEAD') && /\btext\/html\b/.test(accept ?? '');

/** The file of the public page at a path, with or without a trailing slash; undefined if there is no page. */
export function pageAt(path: string): string | undefined {
  const segments = path.replace(/(?<=[^/])\/$/, '').split('/');
  return pagePatterns.find(({ pattern }) => fits(segments, pattern))?.file;
}

const pagePatterns = [...pageAddresses].map(([address, file]) => ({ pattern: address.split('/'), file }));

function fits(segments: readonly string[], pattern: readonly string[]): boolean {
  return (
    segments.length === pattern.length &&
    pattern.every((own, i) => (own.startsWith('{') ? segments[i] !== '' : own === segments[i]))
  );
}

/**
 * Content Security Policy: pages load from their own host only, without inline scripts and styles. Posters
 * may come from other hosts if the operator allows these.
 */
const policy = (imageOrigins: readonly string[]) => [
  "default-src 'self'",
  ["img-src 'self' data:", ...imageOrigins].join(' '),
  "object-src 'none'",
  "base-uri 'none'",
  "form-action 'self'",
];
/** For the page itself, where `frame-ancestors` has no effect. */
const pagePolicy = (imageOrigins: readonly string[]): string => policy(imageOrigins).join('; ');
export const contentSecurityPolicy = (imageOrigins: readonly string[]): string =>
  [...policy(imageOrigins), "frame-ancestors 'none'"].join('; ');

/** Class of the body of the shell, by which a program tells it from a page that a server has made. */
export const shellClass = 'shell';
/** Message to the service worker: keep the whole record. */
export const keepRecordMessage = 'keep-record';

/** A text as HTML, also within an attribute. */
export const escapedHtml = (text: string): string =>
  text.replaceAll(/[&<>"']/g, (it) => `&#${it.charCodeAt(0)};`);

/** Name of the `meta` element of a page that lists the origins of posters, separated by spaces. */
export const imageOriginsMeta = 'image-origins';

type FileHeaders = Readonly<Record<string, string>>;

const everyFile: FileHeaders = { 'X-Content-Type-Options': 'nosniff' };
/** Of pages and of redirects to them: where one lacks it, the browser forgets the session between them. */
export const openerPolicy: FileHeaders = { 'Cross-Origin-Opener-Policy': 'same-origin' };
const pageHeaders = (imageOrigins: readonly string[]): FileHeaders => ({
  ...everyFile,
  ...revalidated,
  'Content-Security-Policy': contentSecurityPolicy(imageOrigins),
  'Referrer-Policy': 'same-origin',
  ...openerPolicy,
});
const anyOrigin: FileHeaders = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Expose-Headers': 'Content-Range, ETag, Snapshot',
};
const immutable: FileHeaders = { 'Cache-Control': 'public, max-age=31536000, immutable' };
const revalidated: FileHeaders = { 'Cache-Control': 'public, max-age=0, must-revalidate' };

/**
 * Headers by the prefix of a file's path; the first match counts. Only assets and shards get the immutable
 * header.
 */
const headersByPrefix: readonly (readonly [prefix: string, headers: FileHeaders])[] = [
  ['assets/', { ...everyFile, ...immutable }],
  ['shards/', { ...everyFile, ...immutable, ...anyOrigin }],
  ['downloads/', { ...everyFile, ...revalidated, ...anyOrigin }],
  ['lists/', { ...everyFile, ...revalidated, ...anyOrigin }],
  ['changes/', { ...everyFile, ...revalidated, ...anyOrigin }],
  ['by-imdb/', { ...everyFile, ...revalidated, ...anyOrigin }],
  ['layers/', { ...everyFile, ...revalidated, ...anyOrigin }],
  ['pages/', { ...everyFile, ...revalidated, ...anyOrigin }],
  [manifestPath, { ...everyFile, ...revalidated, ...anyOrigin }],
  [
    apiCatalogPath.slice(1),
    {
      ...everyFile,
      ...revalidated,
      ...anyOrigin,
      'Content-Type': apiCatalogType,
      Link: `<${apiCatalogPath}>; rel="api-catalog"`,
    },
  ],
  [summaryFile, { ...everyFile, ...revalidated, ...anyOrigin }],
];
const headersOfOthers: FileHeaders = { ...everyFile, ...revalidated };

/** Page files under their own names, if no address pattern matches them: a host would apply both rules. */
const ownAddresses = [...new Set(pageAddresses.values()), notFoundPage]
  .map((file) => `/${file}`)
  .filter((address) => pageAt(address) === undefined);

/**
 * Header rules for hosts: an address pattern and its headers. `:name` is one segment, a trailing `*` is
 * everything below.
 */
const headerRules = (
  imageOrigins: readonly string[],
): readonly (readonly [pattern: string, headers: FileHeaders])[] => [
  ...headersByPrefix.map(
    ([prefix, headers]) => [`/${prefix}${prefix.endsWith('/') ? '*' : ''}`, headers] as const,
  ),
  ...[...pageAddresses.keys(), ...ownAddresses].map(
    (address) => [address.replaceAll(/\{(\w+)\}/g, ':$1'), pageHeaders(imageOrigins)] as const,
  ),
];

/** The policy of a page, and the origins of posters for its program. */
export const policyElement = (imageOrigins: readonly string[]): string =>
  [
    `<meta http-equiv="Content-Security-Policy" content="${escapedHtml(pagePolicy(imageOrigins))}">`,
    ...(imageOrigins.length === 0
      ? []
      : [`<meta name="${imageOriginsMeta}" content="${escapedHtml(imageOrigins.join(' '))}">`]),
  ].join('\n');

/**
 * `_headers` and `_redirects`, which Netlify and Cloudflare both read, and `.assetsignore`: what Cloudflare
 * must not upload.
 * @returns path below the root → bytes
 */
export function hostRules(imageOrigins: readonly string[]): Map<string, Uint8Array> {
  const encoder = new TextEncoder();
  const pages = new Map(
    [...pageAddresses].map(([address, file]) => [address.replaceAll(/\{(\w+)\}/g, ':$1'), file]),
  );
  // Cloudflare distinguishes an address with a slash at the end.
  const spellings = (address: string) =>
    pages.has(address) && address !== '/' ? [address, `${address}/`] : [address];
  const headers = headerRules(imageOrigins).flatMap(([pattern, fields]) => {
    const lines = Object.entries(fields).map(([name, value]) => `  ${name}: ${value}\n`);
    return spellings(pattern).map((own) => `${own}\n${lines.join('')}`);
  });
  // Status 200 shows the page at its address, without a redirect.
  const redirects = [...pages].flatMap(([address, file]) =>
    spellings(address).map((own) => `${own} /${file} 200\n`),
  );
  return new Map([
    ['_headers', encoder.encode(headers.join('\n'))],
    ['_redirects', encoder.encode(redirects.join(''))],
    // Locks and unfinished work of a build, and the editor.
    ['.assetsignore', encoder.encode(`.awards.*\n${editorFolder}/\n`)],
  ]);
}

/** The headers of a file. @param path below the root */
export function fileHeaders(path: string, imageOrigins: readonly string[]): FileHeaders {
  if (path.endsWith('.html')) return pageHeaders(imageOrigins);
  if (path.startsWith(`${editorFolder}/`)) return { ...everyFile, ...immutable };
  // Precomputed answers are plain files below /pages.
  if (path.startsWith('api/')) return fileHeaders(`pages/${path}`, imageOrigins);
  return headersByPrefix.find(([prefix]) => path.startsWith(prefix))?.[1] ?? headersOfOthers;
}

/** Whether a file is cached as immutable: assets and shards, and what the editor's page loads. */
export const isImmutable = (path: string): boolean =>
  /^(assets|shards)\//.test(path) || (path.startsWith(`${editorFolder}/`) && path !== editor);

/** File extension → media type. */
const contentTypes: Readonly<Record<string, string>> = {
  atom: 'application/atom+xml; charset=utf-8',
  css: 'text/css; charset=utf-8',
  csv: 'text/csv; charset=utf-8',
  db: 'application/vnd.sqlite3',
  gz: 'application/gzip',
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  json: 'application/json; charset=utf-8',
  ndjson: 'application/x-ndjson; charset=utf-8',
  parquet: 'application/vnd.apache.parquet',
  png: 'image/png',
  rss: 'application/rss+xml; charset=utf-8',
  sqlite: 'application/vnd.sqlite3',
  svg: 'image/svg+xml',
  txt: 'text/plain; charset=utf-8',
  xml: 'application/xml; charset=utf-8',
  webmanifest: 'application/manifest+json; charset=utf-8',
  woff2: 'font/woff2',
  zip: 'application/zip',
};

/** The media type of a file by its name. */
export function contentTypeOf(path: string): string {
  return contentTypes[path.slice(path.lastIndexOf('.') + 1)] ?? 'application/octet-stream';
}
