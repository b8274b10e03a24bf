/** @jsxRuntime automatic @jsxImportSource preact */
/** What is around every page: name, search, sections, notices. */
import type { ComponentChildren } from 'preact';
import { renderToString } from 'preact-render-to-string';
import type { Source } from '../../../api/contract/resources.ts';
import { termsOf } from '../../../api/contract/enrichment.ts';
import { sampleNotice } from '../../../api/contract/sample.ts';
import { Heading } from './parts.tsx';

export const siteName = 'Film Awards';

const sections: readonly (readonly [text: string, href: string])[] = [
  ['Films', '/movies'],
  ['People', '/nominees'],
  ['Ceremonies', '/timeline'],
  ['Categories', '/categories'],
  ['Songs', '/songs'],
  ['Honors', '/honors'],
  ['Rankings', '/rankings/top-nominees'],
  ['Records', '/records'],
];
const more: readonly (readonly [text: string, href: string])[] = [
  ['All nominations', '/nominations'],
  ['Nominations by year', '/years'],
  ['Compare films', '/compare/movies'],
  ['Compare people', '/compare/nominees'],
  ['Downloads', '/downloads'],
  ['API reference', '/docs'],
];

interface FrameProps {
  path: string;
  typed: string;
  isSample: boolean;
  sources: readonly Source[];
  children: ComponentChildren;
}

/** The name of the site, its search and its sections. */
function SiteHeader({ path, typed }: Pick<FrameProps, 'path' | 'typed'>) {
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
    </>
  );
}

/** Where the record comes from, with the licences, and what the terms of a source require. */
function Sources({ sources }: Pick<FrameProps, 'sources'>) {
  const notices = sources.flatMap(({ name }) => termsOf(name)?.notice ?? []);
  return (
    <>
      {sources.length > 0 && (
        <p class="sources soft">
          Sources:{' '}
          {sources.map(({ name, title, holder, licence, address }, i) => (
            <span key={name}>
              {i > 0 && '; '}
              {address === null ? title : <a href={address}>{title}</a>} (
              {[holder, licence ?? 'licence not stated'].filter((term) => term !== null).join(', ')})
            </span>
          ))}
        </p>
      )}
      {notices.map((notice) => (
        <p key={notice} class="notice soft">
          {notice}
        </p>
      ))}
    </>
  );
}

export function Frame({ path, typed, isSample, sources, children }: FrameProps) {
  return (
    <>
      <SiteHeader path={path} typed={typed} />
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
        <p class="key soft">
          <span class="key-won" aria-hidden="true" /> Gold marks what won.{' '}
          <span class="key-nominated" aria-hidden="true" /> Grey bars count nominations.{' '}
          <span class="key-decade decade-1950" aria-hidden="true" />
          <span class="key-decade decade-1980" aria-hidden="true" />
          <span class="key-decade decade-2010" aria-hidden="true" /> Each decade of films has its own colour.
        </p>
        <Sources sources={sources} />
      </footer>
    </>
  );
}

/**
 * A page without the record: a message, and links that work on a host of plain files.
 * @param later what is shown where the page stays for three seconds, and at once without the style sheet
 */
export const messageBody = (title: string, text: string, later?: string): string =>
  renderToString(
    <Frame path="" typed="" isSample={false} sources={[]}>
      <Heading title={title} />
      <p class="message">{text}</p>
      {later !== undefined && <p class="later">{later}</p>}
      <p>
        The <a href="/downloads/index.json">downloads</a> and the <a href="/manifest.json">snapshot</a> are
        plain files, and the <a href="/docs">API reference</a> describes them.
      </p>
    </Frame>,
  );

/** The header of the site on a page without the record. */
export const siteHeaderHtml = (path: string): string => renderToString(<SiteHeader path={path} typed="" />);

/** The page of the editor, before its program runs: the header of the site, and a place for the editor. */
export const editorBody = (): string =>
  renderToString(
    <>
      <SiteHeader path="/edit" typed="" />
      <div id="app">
        <noscript>
          <main>
            <p>
              The editor needs JavaScript. <a href="/docs">The API reference</a> describes the requests for
              writing.
            </p>
          </main>
        </noscript>
      </div>
    </>,
  );
