/** The view of each kind of page: from a visit to what the page shows. */
import { recordViews } from './record-views.ts';
import { singleViews } from './single-views.ts';
import { comparePage } from './views/compare.tsx';
import { homePage } from './views/home.tsx';
import { listPage } from './views/lists.tsx';
import { rankingPageOf } from './views/rankings.tsx';
import { searchOptions } from './views/search.tsx';

export const views = {
  record: recordViews,
  list: listPage,
  ranking: rankingPageOf,
  compare: comparePage,
  home: homePage,
  ...singleViews,
  searchOptions,
};
