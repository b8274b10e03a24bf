/** The view of a single record, by its resource. */
import type { ResourceName } from '../../../api/contract/names.ts';
import type { Page, Visit } from './parts.tsx';
import { categoryPage } from './views/category.tsx';
import { ceremonyPage } from './views/ceremony.tsx';
import { filmPage } from './views/film.tsx';
import { personPage } from './views/person.tsx';
import { honorPage, songPage } from './views/songs-honors.tsx';

/** @throws Refusal for no such record */
type RecordView = (visit: Visit, id: number) => Promise<Page>;

/** A nomination has no page of its own: its place is on the page of its ceremony. */
export const recordViews: Partial<Record<ResourceName, RecordView>> = {
  movies: filmPage,
  nominees: personPage,
  ceremonies: ceremonyPage,
  categories: categoryPage,
  songs: songPage,
  honors: honorPage,
};
