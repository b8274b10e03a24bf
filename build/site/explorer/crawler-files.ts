/** What crawlers read besides pages: the sitemap in parts of 50,000 addresses, and robots.txt, which names it. */
import { robotsRules, sitemapIndexPath } from '../shared/hosting.ts';

/** Limit of the sitemap protocol. */
const maxAddresses = 50_000;

const declaration = '<?xml version="1.0" encoding="UTF-8"?>\n';
const namespace = 'http://www.sitemaps.org/schemas/sitemap/0.9';

/** Paths of this site are ASCII without characters of XML. */
const document = (root: string, entry: string, addresses: readonly string[]): string =>
  `${declaration}<${root} xmlns="${namespace}">\n${addresses
    .map((address) => `<${entry}><loc>${address}</loc></${entry}>\n`)
    .join('')}</${root}>\n`;

/**
 * The sitemap, or its index if it has several parts.
 * @param part as sitemapPartAt() gives it
 * @param paths of all pages
 * @returns undefined if there is no such part
 */
export function sitemap(part: number, paths: readonly string[], origin: string): string | undefined {
  const parts = Math.ceil(paths.length / maxAddresses);
  if (part === 0 && parts > 1) {
    const addresses = Array.from({ length: parts }, (_, i) => `${origin}/sitemap-${i + 1}.xml`);
    return document('sitemapindex', 'sitemap', addresses);
  }
  const first = Math.max(0, part - 1) * maxAddresses;
  const own = paths.slice(first, first + maxAddresses).map((path) => origin + path);
  return own.length === 0 ? undefined : document('urlset', 'url', own);
}

export const robots = (origin: string): string => `${robotsRules}\nSitemap: ${origin}${sitemapIndexPath}\n`;
