/** The view of each kind of page: from a visit to what the page shows. */
import { recordViews } from './record-views.ts';
import { comparePage } from './views/compare.tsx';
import { downloadsPage } from './views/downloads.tsx';
import { homePage } from './views/home.tsx';
import { listPage } from './views/lists.tsx';
import { rankingPageOf } from './views/rankings.tsx';
import { recordsPage } from './views/records.tsx';
import { searchOptions, searchResults } from './views/search.tsx';
import { timelinePage } from './views/timeline.tsx';
import { yearsPage } from './views/years.tsx';

export const views = {
  record: recordViews,
  list: listPage,
  ranking: rankingPageOf,
  compare: comparePage,
  home: homePage,
  timeline: timelinePage,
  years: yearsPage,
  records: recordsPage,
  search: searchResults,
  searchOptions,
  downloads: downloadsPage,
};
