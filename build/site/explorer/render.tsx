/** @jsxRuntime automatic @jsxImportSource preact */
/** Renders a page: from a request over the snapshot to HTML. It runs in the server, at the edge and in the service worker. */
import { renderToString } from 'preact-render-to-string';
import type { ComponentChildren } from 'preact';
import { sampleNotice } from '../../../api/contract/sample.ts';
import { noticesOf } from '../../../api/read/restricted.ts';
import type { ResourceName } from '../../../api/contract/names.ts';
import type { Snapshot } from '../../../api/read/snapshot.ts';
import { yearAt } from '../../../api/read/tables.ts';
import { nouns } from '../shared/format.ts';
import { escapedHtml } from '../shared/hosting.ts';
import { awardHref, changed, knownQuery, viewOf, type View, withQuery } from './addresses.ts';
import { Heading, type Page, Rows, type Visit } from './parts.tsx';
import { Refusal, SearchRefused } from './record.ts';
import { findRecords } from './search.ts';
import { views } from './views.ts';

const siteName = 'Film Awards';

interface PageRequest {
  snapshot: Snapshot;
  /** Without a slash at its end. */
  path: string;
  /** Without the leading `?`. */
  query: string;
  /** Scheme and host of the site, for absolute addresses; '' for relative ones. */
  origin: string;
  /** Other hosts that pages may show posters of. */
  imageOrigins: readonly string[];
  isWritable: boolean;
  /** Reads a file of the folder, by its path below the root. */
  file: (path: string) => Promise<Uint8Array | undefined>;
  /** Whether the client has a search left. */
  mayFind: () => Promise<boolean>;
}

/** The parts of a page that its shell lacks, as HTML; title and description are texts. */
export interface RenderedPage {
  status: 200 | 404;
  title: string;
  description: string;
  /** More elements of the head. */
  head: string;
  body: string;
  /** Whether the page depends on the snapshot alone. */
  isOfSnapshot: boolean;
  /** Whether the body is all: a part of a page, which the script puts into another one. */
  isPart: boolean;
}

/** A page, or the address that the page has. @throws SnapshotUnavailable */
export async function render(request: PageRequest): Promise<RenderedPage | { location: string }> {
  const { snapshot, path, origin, imageOrigins, isWritable, file, mayFind } = request;
  const view = viewOf(path);
  const query = new URLSearchParams(knownQuery(request.query));
  if (view.kind === 'moved')
    return { location: changed(view.to, query, view.sort ? { sort: view.sort } : {}) };
  const isSample = snapshot.manifest.sample === true;
  const origins = new Set([origin, ...imageOrigins]);
  const find = async (typed: string) => {
    if (!(await mayFind())) throw new SearchRefused();
    return findRecords(snapshot, typed);
  };
  const host = { origin, imageOrigins: origins, isWritable, file };
  const visit: Visit = { snapshot, path, query, isSample, find, ...host };
  if (view.kind === 'search' && query.get('part') === 'options')
    return partOf(renderToString(await views.searchOptions(visit)));
  if (view.kind === 'record' && view.resource === 'nominations') {
    const location = await placeOf(visit, view.id);
    if (location !== undefined) return { location };
  }
  const page = await pageOf(visit, view);
  const { canonical } = page;
  if (view.kind === 'record' && canonical !== undefined && canonical !== path)
    return { location: withQuery(canonical, request.query) };
  const notices = await noticesOf(snapshot);
  const body = renderToString(
    <Frame path={path} typed={query.get('q') ?? ''} isSample={isSample} notices={notices}>
      {page.body}
    </Frame>,
  );
  const title = page.title === siteName ? siteName : `${page.title} · ${siteName}`;
  const description = shortened(isSample ? `${page.description} This is a sample.` : page.description);
  const own = canonical ?? withQuery(path, query);
  return {
    status: page.status ?? 200,
    title,
    description,
    head: headOf(page, { title, description, origin, url: origin + own }),
    body,
    isOfSnapshot: !page.isOfFiles,
    isPart: false,
  };
}

const partOf = (body: string): RenderedPage => ({
  status: 200,
  title: '',
  description: '',
  head: '',
  body,
  isOfSnapshot: true,
  isPart: true,
});

/** The place of a nomination on the page of its ceremony; undefined if there is none. */
async function placeOf({ snapshot }: Visit, id: number): Promise<string | undefined> {
  const table = await snapshot.table('nominations');
  const row = table.row(id);
  if (row < 0) return undefined;
  const ceremony = { id: table.ceremony.idAt(row), ceremony_year: yearAt(table, row) };
  return awardHref(ceremony, table.category.idAt(row));
}

async function pageOf(visit: Visit, view: Exclude<View, { kind: 'moved' }>): Promise<Page> {
  try {
    if (view.kind === 'record') {
      const page = views.record[view.resource];
      return page ? await page(visit, view.id) : await notFound(visit, view.resource);
    }
    if (view.kind === 'list') return await views.list(visit, view.resource);
    if (view.kind === 'ranking') return await views.ranking(visit, view.ranking);
    if (view.kind === 'compare') return await views.compare(visit, view.resource);
    if (view.kind === 'unknown') return await notFound(visit);
    return await views[view.kind](visit);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return notFound(visit, view.kind === 'record' ? view.resource : undefined);
  }
}

/** For an address of nothing: a search for its words. */
async function notFound(visit: Visit, resource?: ResourceName): Promise<Page> {
  const words = decoded(visit.path)
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
  const asked = resource ? words.replace(/^\w+ \d* ?/, '') : words;
  const groups = asked.length > 1 ? (await visit.find(asked)).groups : [];
  const title = resource ? `There is no such ${nouns[resource].one}` : 'There is no page at this address';
  const body = (
    <>
      <Heading title={title} />
      <p>
        The address may be mistyped, or the record was removed. Search for it above
        {resource && [
          ', or look through the ',
          <a key="list" href={`/${resource}`}>
            {nouns[resource].many}
          </a>,
        ]}
        .
      </p>
      {groups.length > 0 && (
        <section aria-label="Records with a similar name">
          <h2>Records with a similar name</h2>
          <Rows rows={groups.flatMap(({ hits }) => hits).slice(0, 5)} />
        </section>
      )}
    </>
  );
  return { title, description: 'There is nothing at this address.', body, status: 404, isIndexed: false };
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

const sections: readonly (readonly [text: string, href: string])[] = [
  ['Films', '/movies'],
  ['People', '/nominees'],
  ['Ceremonies', '/timeline'],
  ['Categories', '/categories'],
  ['Songs', '/songs'],
  ['Honors', '/honors'],
  ['Rankings', '/rankings/top-nominees'],
  ['Years', '/years'],
];
const more: readonly (readonly [text: string, href: string])[] = [
  ['All nominations', '/nominations'],
  ['Compare films', '/compare/movies'],
  ['Compare people', '/compare/nominees'],
  ['Downloads', '/downloads'],
  ['API reference', '/docs'],
];

interface FrameProps {
  path: string;
  typed: string;
  isSample: boolean;
  notices: readonly string[];
  children: ComponentChildren;
}

/** What is around every page: name, search, sections, notices. */
function Frame({ path, typed, isSample, notices, children }: FrameProps) {
  const first = path.split('/')[1];
  const section = first === 'ceremonies' ? 'timeline' : first;
  const isCurrent = (href: string) => section === href.split('/')[1];
  return (
    <>
      <a class="skip" href="#content">
        Skip to the content
      </a>
      <header class="site">
        <a class="name" href="/">
          {siteName}
        </a>
        <search class="search">
          <form action="/search">
            <input
              type="search"
              name="q"
              id="search"
              aria-label="Search films, people, songs and ceremonies"
              placeholder="Search films, people, songs…"
              autocomplete="off"
              spellcheck={false}
              value={typed}
            />
            <button type="submit">Search</button>
          </form>
          <div id="search-results" class="results" hidden />
        </search>
        <nav aria-label="Sections">
          {sections.map(([text, href]) => (
            <a key={href} href={href} aria-current={isCurrent(href) ? 'page' : undefined}>
              {text}
            </a>
          ))}
        </nav>
      </header>
      {isSample && (
        <aside class="sample soft" aria-label="About this record">
          {sampleNotice}
        </aside>
      )}
      <main id="content" tabIndex={-1}>
        {children}
      </main>
      <footer class="site">
        {more.map(([text, href]) => (
          <a key={href} href={href}>
            {text}
          </a>
        ))}
        {notices.map((notice) => (
          <p key={notice} class="notice soft">
            {notice}
          </p>
        ))}
      </footer>
    </>
  );
}

/** A page without the record: a message, and links that work on a host of plain files. */
export const messageBody = (title: string, text: string): string =>
  renderToString(
    <Frame path="" typed="" isSample={false} notices={[]}>
      <Heading title={title} />
      <p class="message">{text}</p>
      <p>
        The <a href="/downloads/index.json">downloads</a> and the <a href="/manifest.json">snapshot</a> are
        plain files, and the <a href="/docs">API reference</a> describes them.
      </p>
    </Frame>,
  );

/** Search engines show about as much. */
const maxDescription = 160;

/** A text that ends after a whole word. */
const shortened = (text: string): string =>
  text.length <= maxDescription ? text : `${text.slice(0, maxDescription).replace(/[\s,;:]+\S*$/, '')}…`;

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
}

/** Canonical address, Open Graph, and schema.org as JSON-LD. */
function headOf({ type, thing, isIndexed }: Page, { title, description, origin, url }: Described): string {
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
