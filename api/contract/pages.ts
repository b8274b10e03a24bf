/** Paths of pages: the files of precomputed documents, below the root. A page lies at the address it answers. */
import type { ResourceName } from './names.ts';
import type { CountKey, ParameterName, Sort } from './parameters.ts';
import type { RankingName } from './accepted.ts';

/** The page of a record. @param address of its list */
export const recordPagePath = (address: string, id: number): string => `${address.slice(1)}/${id}.json`;

/** One page of an unfiltered list at the default limit. @param address of the list */
export const listPagePath = (address: string, page: number): string =>
  `${address.slice(1)}${page === 1 ? '' : `/pages/${page}`}.json`;

/**
 * Lists with pages per value of one filter, at the largest limit: what the page of a ceremony shows. The values are numbers.
 */
export const filteredLists = {
  nominations: 'ceremony_ids',
  honors: 'year',
} as const satisfies Partial<Record<ResourceName, ParameterName>>;
export type FilteredList = keyof typeof filteredLists;

/** One page of a list with one filter. */
export const filteredPagePath = (resource: FilteredList, value: number, page: number): string =>
  listPagePath(`/api/${resource}/${filteredLists[resource]}/${value}`, page);

/** Lists whose first page, at the default limit and with counts, is there in this order too. */
export const sortedLists = ['movies', 'nominees'] as const satisfies readonly ResourceName[];
export const listOrder = '-entries' satisfies Sort;

/** The first page of a list in the order of `listOrder`. */
export const sortedPagePath = (resource: (typeof sortedLists)[number]): string =>
  `api/${resource}/sort/${listOrder}.json`;

/** Filters with a ranking page per value. */
export const rankingFilters = {
  'top-movies': ['genre'],
  'top-nominees': ['known_for_department', 'category', 'category_group'],
} as const satisfies Record<RankingName, readonly ParameterName[]>;
export type RankingFilter = (typeof rankingFilters)[RankingName][number];

/** Longer values have no page: a file name has at most 255 bytes. The resolver computes these answers. */
const maxNameLength = 200;

/**
 * A ranking at the default limit, over all years.
 * @param address of the ranking
 * @param filter the one filter, with its folded value
 * @returns undefined where that value has no page
 */
export function rankingPagePath(
  address: string,
  sort: string,
  filter?: { name: RankingFilter; value: string },
): string | undefined {
  const name = filter && fileNameOf(filter.value);
  // A lone surrogate has no UTF-8 bytes.
  if (filter && (name!.length > maxNameLength || /\p{Surrogate}/u.test(filter.value))) return undefined;
  return `${address.slice(1)}/${sort}${filter ? `/${filter.name}/${name}` : ''}.json`;
}

/** Unfiltered counts. @param address of counts @param by what they are grouped by */
export const countsPagePath = (address: string, by: CountKey): string => `${address.slice(1)}/${by}.json`;

/** An injective file name for a folded value: a space becomes "-", any other character than a-z and 0-9 becomes "_" and its bytes. */
function fileNameOf(value: string): string {
  let name = '';
  for (const character of value) {
    if (/[a-z0-9]/.test(character)) name += character;
    else if (character === ' ') name += '-';
    else
      for (const byte of new TextEncoder().encode(character))
        name += `_${byte.toString(16).padStart(2, '0')}`;
  }
  return name;
}

/** Which pages are published: all, those of lists and rankings, or none. The host computes the other answers. */
export const pageChoices = ['all', 'lists', 'none'] as const;
export type PageChoice = (typeof pageChoices)[number];
