/** The addresses of all pages that search engines should know. */
import type { Honor } from '../../../api/contract/resources.ts';
import { listPath } from '../../../api/contract/routes.ts';
import { textsOf } from '../../../api/read/nominations.ts';
import type { Resolver } from '../../../api/read/resolve.ts';
import { everyPage, readDocument } from '../shared/api.ts';
import { hrefOf, rankingHref, recordHref } from './addresses.ts';

const pages = [
  '/',
  ...['/movies', '/nominees', '/timeline', '/categories', '/songs', '/nominations', '/honors', '/years'],
  rankingHref('top-nominees'),
  rankingHref('top-movies'),
  '/rankings/without-win',
  '/downloads',
];

/** Paths of all pages, records in the order of their ids. @throws SnapshotUnavailable */
export async function pageAddressesOf(resolver: Resolver): Promise<string[]> {
  const snapshot = await resolver.snapshot();
  const { table, titles, names, songs } = await textsOf(snapshot);
  const { categories, ceremonies } = table;
  const honors = await everyPage<Honor>((address) => readDocument(resolver, address), listPath('honors'));
  return [
    ...pages,
    ...titles.text.values.map((title, row) => recordHref('movies', titles.id(row), title ?? undefined)),
    ...names.text.values.map((name, row) => recordHref('nominees', names.id(row), name ?? undefined)),
    ...categories.name.values.map((name, row) =>
      recordHref('categories', categories.id(row), name ?? undefined),
    ),
    ...Array.from(ceremonies.year, (year, row) => recordHref('ceremonies', ceremonies.id(row), year)),
    ...songs.title.values.map((title, row) => recordHref('songs', songs.id(row), title ?? undefined)),
    ...honors.map((honor) => hrefOf('honors', honor)),
  ];
}
