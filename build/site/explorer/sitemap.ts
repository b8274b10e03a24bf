/** What crawlers read: robots.txt and the sitemap. */
import { resourceNames } from '../../../api/contract/names.ts';
import { textsOf } from '../../../api/read/nominations.ts';
import type { Snapshot } from '../../../api/read/snapshot.ts';
import { robotsRules, singlePages, sitemapIndexPath } from '../shared/hosting.ts';
import { rankingHref, rankings, recordHref } from './addresses.ts';

/** robots.txt, which names the sitemap, by an absolute address. */
export const robots = (origin: string): string =>
  origin === '' ? robotsRules : `${robotsRules}\nSitemap: ${origin}${sitemapIndexPath}\n`;

/** Limit of the sitemap protocol. */
const maxAddresses = 50_000;

/**
 * Path → text: the sitemap, or its index and its parts. None without an origin: a sitemap has absolute
 * addresses.
 */
export async function sitemaps(snapshot: Snapshot, origin: string): Promise<[path: string, text: string][]> {
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

/** The list of ceremonies is the timeline. A search without words has no page worth finding. */
const lists = [...resourceNames, ...singlePages].filter((name) => name !== 'ceremonies' && name !== 'search');

/**
 * Paths of all pages that search engines should know, records in the order of their ids.
 * @throws SnapshotUnavailable
 */
async function pagePaths(snapshot: Snapshot): Promise<string[]> {
  const { table, titles, names, songs } = await textsOf(snapshot);
  const { categories, ceremonies } = table;
  const honors = await snapshot.table('honors');
  const text = (value: string | null | undefined) => value ?? undefined;
  return [
    '/',
    ...lists.map((name) => `/${name}`),
    ...rankings.map((name) => rankingHref(name)),
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
