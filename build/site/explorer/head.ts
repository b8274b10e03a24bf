/** The head of a page: canonical address, Open Graph, and schema.org as JSON-LD. */
import type { ResourceName } from '../../../api/contract/names.ts';
import { recordPath } from '../../../api/contract/routes.ts';
import { escapedHtml } from '../shared/hosting.ts';
import { siteName } from './frame.tsx';
import type { Page } from './parts.tsx';

const element = (name: string, attributes: Readonly<Record<string, string>>): string =>
  `<${name}${Object.entries(attributes)
    .map(([own, value]) => ` ${own}="${escapedHtml(value)}"`)
    .join('')}>\n`;

interface Described {
  title: string;
  description: string;
  origin: string;
  /** Under which search engines list the page. */
  url: string;
  /** The record that the page is of: its document in the API is another form of the page. */
  record: { resource: ResourceName; id: number } | undefined;
}

export function headOf(
  { type, thing, isIndexed }: Page,
  { title, description, origin, url, record }: Described,
): string {
  const robots = isIndexed !== false ? '' : element('meta', { name: 'robots', content: 'noindex' });
  const properties = {
    'og:site_name': siteName,
    'og:type': type ?? 'website',
    'og:title': title,
    'og:description': description,
    // Readers of these take no relative address.
    ...(origin && {
      'og:url': url,
      'og:image': `${origin}/share.png`,
      'og:image:width': '1200',
      'og:image:height': '630',
      'og:image:alt': siteName,
    }),
  };
  return [
    element('link', { rel: 'canonical', href: url }),
    record
      ? element('link', {
          rel: 'alternate',
          type: 'application/json',
          href: recordPath(record.resource, record.id),
        })
      : '',
    robots,
    ...Object.entries(properties).map(([property, content]) => element('meta', { property, content })),
    element('meta', { name: 'twitter:card', content: 'summary_large_image' }),
    thing ? `<script type="application/ld+json">${linkedData(thing, url)}</script>\n` : '',
  ].join('');
}

/** JSON-LD as the text of a script element. Members without a value are left out. */
function linkedData(thing: object, url: string): string {
  const isEmpty = (member: unknown) => !member || (Array.isArray(member) && member.length === 0);
  const members = Object.entries({ '@context': 'https://schema.org', '@id': url, url, ...thing });
  const known = members.filter(([, member]) => !isEmpty(member));
  return JSON.stringify(Object.fromEntries(known)).replaceAll('<', '\\u003c');
}
