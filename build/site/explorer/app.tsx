/** The frame of every page, and the page that the address shows. */
import { useEffect } from 'preact/hooks';
import { type View, viewOf } from './addresses.ts';
import { usePlace } from './navigation.ts';
import { CategoryPage } from './pages/category.tsx';
import { CeremonyPage } from './pages/ceremony.tsx';
import { DownloadsPage } from './pages/downloads.tsx';
import { FilmPage } from './pages/film.tsx';
import { HomePage } from './pages/home.tsx';
import { ListPage } from './pages/list.tsx';
import { NominationPage } from './pages/nomination.tsx';
import { PersonPage } from './pages/person.tsx';
import { RankingPage } from './pages/ranking.tsx';
import { SongPage } from './pages/song.tsx';
import { TimelinePage } from './pages/timeline.tsx';
import { YearsPage } from './pages/years.tsx';
import { Heading, siteName } from './parts/page.tsx';
import { lookForChanges } from './record.ts';
import { SearchField } from './search-field.tsx';

const records = {
  movies: FilmPage,
  nominees: PersonPage,
  categories: CategoryPage,
  ceremonies: CeremonyPage,
  songs: SongPage,
  nominations: NominationPage,
};

function Page({ view }: { view: View }) {
  switch (view.kind) {
    case 'home':
      return <HomePage />;
    case 'timeline':
      return <TimelinePage />;
    case 'years':
      return <YearsPage />;
    case 'downloads':
      return <DownloadsPage />;
    case 'search':
      return <ListPage key="search" list="search" />;
    case 'list':
      return <ListPage key={view.resource} list={view.resource} />;
    case 'ranking':
      return <RankingPage key={view.ranking} ranking={view.ranking} />;
    case 'record': {
      const RecordPage = records[view.resource];
      return <RecordPage key={`${view.resource}/${view.id}`} id={view.id} />;
    }
    case 'elsewhere':
      // Only a visit without a network comes here: this page stands in for another one.
      return (
        <>
          <Heading title="You are offline" />
          <p>This page is not on your device yet. Once it was opened with a network, it works without one.</p>
        </>
      );
    case 'unknown':
      return (
        <>
          <Heading title="There is nothing here" />
          <p>The address is mistyped, or what was here is gone. The search above finds what there is.</p>
        </>
      );
  }
}

const sections: readonly (readonly [text: string, href: string])[] = [
  ['Films', '/movies'],
  ['People', '/nominees'],
  ['Ceremonies', '/timeline'],
  ['Categories', '/categories'],
  ['Songs', '/songs'],
  ['Nominations', '/nominations'],
  ['Rankings', '/rankings/top-nominees'],
  ['Years', '/years'],
];

/** Whether a section is where the reader is, or leads there. */
const isWithin = (path: string, href: string): boolean =>
  path.split('/')[1] === href.split('/')[1] || (href === '/timeline' && path.startsWith('/ceremonies'));

export function App() {
  const { path } = usePlace();
  // Whoever comes back to the window sees the record as it is now.
  useEffect(() => {
    const look = () => void (document.visibilityState === 'visible' && lookForChanges());
    document.addEventListener('visibilitychange', look);
    // A window beside another one is never hidden.
    addEventListener('focus', look);
    return () => {
      document.removeEventListener('visibilitychange', look);
      removeEventListener('focus', look);
    };
  }, []);
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
        <Page view={viewOf(path)} />
      </main>
      <footer class="site">
        <a href="/downloads">Downloads</a>
        <a href="/docs">For developers</a>
        <a href="/edit">Edit the record</a>
      </footer>
    </>
  );
}
