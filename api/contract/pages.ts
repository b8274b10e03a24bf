/** Which answers have precomputed pages besides the records and the unfiltered lists. build/layers/pages/page.ts has their paths. */
import type { ResourceName } from './names.ts';
import type { ParameterName, Sort } from './parameters.ts';
import type { RankingName } from './accepted.ts';

/**
 * Lists with pages per value of one filter, at the largest limit: what the page of a ceremony shows. The values are numbers.
 */
export const filteredLists = {
  nominations: 'ceremony_ids',
  honors: 'year',
} as const satisfies Partial<Record<ResourceName, ParameterName>>;
export type FilteredList = keyof typeof filteredLists;

/** Lists whose first page, at the default limit and with counts, is there in this order too. */
export const sortedLists = ['movies', 'nominees'] as const satisfies readonly ResourceName[];
export const listOrder = '-entries' satisfies Sort;

/** Filters with a ranking page per value. */
export const rankingFilters = {
  'top-movies': ['genre'],
  'top-nominees': ['known_for_department', 'category', 'category_group'],
} as const satisfies Record<RankingName, readonly ParameterName[]>;
export type RankingFilter = (typeof rankingFilters)[RankingName][number];

/** Which pages are published: all, those of lists and rankings, or none. The host computes the other answers. */
export const pageChoices = ['all', 'lists', 'none'] as const;
export type PageChoice = (typeof pageChoices)[number];
