/** The view of each kind of page: from a visit to what the page shows. */
import type { ResourceName } from '../../../api/contract/names.ts';
import type { Page, Visit } from './parts.tsx';
import { categoryPage, ceremonyPage, timelinePage } from './views/awards.tsx';
import { comparePage } from './views/compare.tsx';
import { downloadsPage, homePage } from './views/home.tsx';
import { listPage, searchOptions, searchResults } from './views/lists.tsx';
import { rankingPageOf, yearsPage } from './views/rankings.tsx';
import { filmPage, honorPage, personPage, songPage } from './views/records.tsx';

/** @throws Refusal for no such record */
type RecordView = (visit: Visit, id: number) => Promise<Page>;

/** A nomination has no page of its own: its place is on the page of its ceremony. */
const record: Partial<Record<ResourceName, RecordView>> = {
  movies: filmPage,
  nominees: personPage,
  ceremonies: ceremonyPage,
  categories: categoryPage,
  songs: songPage,
  honors: honorPage,
};

export const views = {
  record,
  list: listPage,
  ranking: rankingPageOf,
  compare: comparePage,
  home: homePage,
  timeline: timelinePage,
  years: yearsPage,
  search: searchResults,
  searchOptions,
  downloads: downloadsPage,
};
