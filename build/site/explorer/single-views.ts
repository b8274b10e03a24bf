/** The view of each page that has an address of its own. */
import type { singlePages } from '../shared/hosting.ts';
import type { Page, Visit } from './parts.tsx';
import { downloadsPage } from './views/downloads.tsx';
import { recordsPage } from './views/records.tsx';
import { searchResults } from './views/search.tsx';
import { timelinePage } from './views/timeline.tsx';
import { yearsPage } from './views/years.tsx';

export const singleViews: Record<(typeof singlePages)[number], (visit: Visit) => Promise<Page>> = {
  search: searchResults,
  timeline: timelinePage,
  years: yearsPage,
  records: recordsPage,
  downloads: downloadsPage,
};
