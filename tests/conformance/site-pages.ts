/** What every host must answer at the addresses of the site, and the differences of a host that answers. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  contentSecurityPolicy,
  contentTypeOf,
  explorerPage,
  fileHeaders,
  isCompletedByServer,
  pageAddresses,
} from '../../build/site/shared/hosting.ts';
import { fileSource, nodeDigest } from '../../api/read/node-source.ts';
import { Resolver } from '../../api/read/resolve.ts';
import { SitePages } from '../../build/site/explorer/site-pages.ts';
import { readTree } from '../snapshot/tree.ts';
import { resourceNames } from '../../api/contract/names.ts';
import { readMethods } from '../../api/contract/routes.ts';
import type { Runtime } from './expectation.ts';

/** Paths of the site and its record below the root, ascending, without host rules and hidden files; of the shards, one. */
function fileAddresses(out: string): string[] {
  const paths = [...readTree(out).keys()].filter((path) => !/^[._]|\/\.|^(api|edit)\//.test(path)).sort();
  const shard = paths.find((path) => path.startsWith('shards/'))!;
  return [...paths.filter((path) => !path.startsWith('shards/')), shard];
}

interface Shown {
  target: string;
  /** Below the root. */
  file: string;
}

/** Every page at an address of each kind, and every file of the site. */
const shownBy = (out: string): Shown[] => [
  ...[...pageAddresses].map(([address, file]) => ({ target: address.replaceAll(/\{\w+\}/g, '7'), file })),
  { target: '/movies?genre=drama&page=2', file: 'index.html' },
  { target: '/docs/', file: 'docs/index.html' },
  { target: '/movies/27/', file: 'index.html' },
  ...fileAddresses(out).map((file) => ({ target: `/${file}`, file })),
];

/** Every kind of page of the explorer, redirects, unknown records, and what crawlers read. */
const htmlTargets: readonly string[] = [
  ...[...pageAddresses]
    .filter(([, file]) => file === explorerPage)
    .map(([address]) => address.replaceAll(/\{\w+\}/g, '1')),
  ...resourceNames.flatMap((resource) => [2, 3, 999_999].map((id) => `/${resource}/${id}`)),
  ...[
    '/search?q=the',
    '/search?q=the&part=options',
    '/search?q=zzzz',
    '/movies?sort=-entries&limit=10',
    '/movies?genre=&title=',
    '/movies/',
  ],
  ...['/nominations?year=x', '/movies/foo', '/movies/1-wrong?a=b', '/rankings/without-win', '/rankings/none'],
  ...[
    '/songs/by-year',
    '/compare/movies?ids=1,2',
    '/compare/nominees?ids=2,999999',
    '/categories/1?decade=1990',
  ],
  ...['/robots.txt', '/sitemap.xml', '/sitemap-1.xml', '/sitemap-2.xml'],
];

/**
 * Compares the answers of a host that completes pages with those of SitePages over the folder, byte for byte, and follows
 * redirects.
 * @param replaces404 whether the host sends an answer of its own where SitePages has 404
 * @returns the differences, a line each
 */
export async function htmlDifferences(
  runtime: Runtime,
  out: string,
  origin: string,
  replaces404 = false,
): Promise<string[]> {
  const source = fileSource(out);
  const resolver = new Resolver(source);
  const file = (path: string) => source.file(path);
  const pages = new SitePages({ resolver, file, digest: nodeDigest, cacheBytes: 0 });
  const found: string[] = [];
  const statuses = new Set<number>();
  const targets = new Set(htmlTargets);
  for (const target of targets) {
    const { pathname, search } = new URL(target, origin);
    const asked = { method: 'GET', path: pathname, queryString: search.slice(1) };
    const expected = (await pages.answer(asked, origin))!;
    const { status, headers, body } = await runtime({ method: 'GET', target });
    statuses.add(expected.status);
    if (status !== expected.status) found.push(`${target}: status ${status}, not ${expected.status}`);
    if (replaces404 && status === 404) continue;
    if (!Buffer.from(expected.body!).equals(body)) found.push(`${target}: other bytes`);
    for (const [name, value] of Object.entries(expected.headers))
      if (headers.get(name) !== value && !dependsOnHost.has(name))
        found.push(`${target}: ${name} is ${headers.get(name)}, not ${value}`);
    // A place on a page is left to the browser.
    if (expected.headers.Location) targets.add(expected.headers.Location.split('#')[0]!);
    const etag = expected.headers.ETag;
    const again = etag && (await runtime({ method: 'GET', target, ifNoneMatch: etag }));
    if (again && again.status !== 304) found.push(`${target}: status ${again.status} for its ETag`);
  }
  for (const [method, expected] of Object.entries({ OPTIONS: 204, DELETE: 405 }))
    for (const target of ['/', '/movies/27', '/sitemap.xml']) {
      const { status, headers } = await runtime({ method, target });
      const allow = headers.get('Allow');
      if (status !== expected || allow !== readMethods.join(', '))
        found.push(`${method} ${target}: status ${status}, Allow: ${allow}`);
    }
  if ([200, 301, 404].some((status) => !statuses.has(status)))
    found.push(`statuses: ${[...statuses].join()}`);
  return found;
}

/** A runtime may leave it out, or compress. */
const dependsOnHost: ReadonlySet<string> = new Set(['Content-Length', 'Vary']);

/**
 * Requests everything. @param completes whether the host completes the pages of the explorer: htmlDifferences() compares them
 * @returns the differences, a line each
 */
export async function pageDifferences(runtime: Runtime, out: string, completes: boolean): Promise<string[]> {
  const found: string[] = [];
  for (const { target, file } of shownBy(out)) {
    if (completes && isCompletedByServer(target.split('?')[0]!)) continue;
    const { status, headers, body } = await runtime({ method: 'GET', target });
    if (status !== 200) found.push(`${target}: status ${status}`);
    if (!readFileSync(join(out, file)).equals(body)) found.push(`${target}: not the bytes of ${file}`);
    const type = headers.get('content-type')?.split(';')[0];
    if (type !== contentTypeOf(file).split(';')[0]) found.push(`${target}: of type ${type}`);
    for (const [name, value] of Object.entries(wantedHeaders(file)))
      if (headers.get(name) !== value) found.push(`${target}: ${name} is ${headers.get(name)}, not ${value}`);
  }
  return found;
}

/** Hosts of plain files have rules for pages, immutable files, and files that other origins may read. */
function wantedHeaders(file: string): Readonly<Record<string, string>> {
  if (file.endsWith('.html'))
    return { 'Content-Security-Policy': contentSecurityPolicy([]), ...fileHeaders(file, []) };
  return /^(assets|shards)\//.test(file) || file === 'manifest.json' ? fileHeaders(file, []) : {};
}
