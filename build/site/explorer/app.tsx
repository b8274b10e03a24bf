/** @jsxRuntime automatic @jsxImportSource preact */
/** The explorer: the frame of every page, and the page of the address. */
import { sampleNotice } from '../../../api/contract/sample.ts';
import { type View, viewOf } from './addresses.ts';
import { usePlace } from './page-context.ts';
import { CeremonyPage } from './pages/ceremony.tsx';
import { CategoryPage } from './pages/category.tsx';
import { ComparePage } from './pages/compare.tsx';
import { DownloadsPage } from './pages/downloads.tsx';
import { HomePage, TimelinePage } from './pages/home.tsx';
import { ListPage } from './pages/list.tsx';
import { RankingPage, UnrewardedPage } from './pages/ranking.tsx';
import { HonorPage } from './pages/honor.tsx';
import { FilmPage, NominationPage, PersonPage, SongPage } from './pages/records.tsx';
import { SongYearsPage } from './pages/songs.tsx';
import { YearsPage } from './pages/years.tsx';
import { Heading, siteName, useAnswer, useIsSample } from './parts/page.tsx';
import { SearchField } from './search/search-field.tsx';

const recordPages = {
  movies: FilmPage,
  nominees: PersonPage,
  categories: CategoryPage,
  ceremonies: CeremonyPage,
  songs: SongPage,
  nominations: NominationPage,
  honors: HonorPage,
};

const message = (title: string, text: string) => () => (
  <>
    <Heading title={title} />
    <p>{text}</p>
  </>
);

const simplePages = {
  home: HomePage,
  timeline: TimelinePage,
  years: YearsPage,
  songs: SongYearsPage,
  downloads: DownloadsPage,
  unrewarded: UnrewardedPage,
  // The service worker answers with this page when another page is not cached.
  elsewhere: message(
    'You are offline',
    'This page is not on your device yet. Once it was opened with a network, it works without one.',
  ),
  unknown: message(
    'There is nothing here',
    'The address is mistyped, or what was here is gone. The search above finds what there is.',
  ),
};

function Page({ view }: { view: View }) {
  if (view.kind === 'search') return <ListPage key="search" list="search" />;
  if (view.kind === 'list') return <ListPage key={view.resource} list={view.resource} />;
  if (view.kind === 'ranking') return <RankingPage key={view.ranking} ranking={view.ranking} />;
  if (view.kind === 'compare')
    return <ComparePage key={`compare/${view.resource}`} resource={view.resource} />;
  if (view.kind === 'record') {
    const RecordPage = recordPages[view.resource];
    return <RecordPage key={`${view.resource}/${view.id}`} id={view.id} />;
  }
  const SimplePage = simplePages[view.kind];
  return <SimplePage />;
}

const sections: readonly (readonly [text: string, href: string])[] = [
  ['Films', '/movies'],
  ['People', '/nominees'],
  ['Ceremonies', '/timeline'],
  ['Categories', '/categories'],
  ['Songs', '/songs'],
  ['Nominations', '/nominations'],
  ['Honors', '/honors'],
  ['Rankings', '/rankings/top-nominees'],
  ['Years', '/years'],
];

const isWithin = (path: string, href: string): boolean =>
  path.split('/')[1] === href.split('/')[1] || (href === '/timeline' && path.startsWith('/ceremonies'));

function SampleNotice() {
  return useIsSample() ? <p class="sample">{sampleNotice}</p> : null;
}

/** Notices that sources of the record demand. */
function Notices() {
  // The page itself reports a snapshot that cannot be read.
  const found = useAnswer('notices', ({ notices }) => notices());
  return found.value?.map((text) => (
    <p key={text} class="notice">
      {text}
    </p>
  ));
}

export function App() {
  const { path } = usePlace();
  return (
    <>
      <a class="skip" href="#content">
        Skip to the content
      </a>
      <header class="site">
        <a class="name" href="/">
          {siteName}
        </a>
        <SearchField />
        <nav aria-label="Sections">
          {sections.map(([text, href]) => (
            <a key={href} href={href} aria-current={isWithin(path, href) ? 'page' : undefined}>
              {text}
            </a>
          ))}
        </nav>
      </header>
      <main id="content" tabIndex={-1}>
        <SampleNotice />
        <Page view={viewOf(path)} />
      </main>
      <footer class="site">
        <Notices />
        <a href="/downloads">Downloads</a>
        <a href="/docs">For developers</a>
        <a href="/edit">Edit the record</a>
      </footer>
    </>
  );
}
