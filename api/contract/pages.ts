/** Names of pages: the file of a precomputed document, and its group in the layer index. A page lies at the address it answers. */
import type { ResourceName } from './names.ts';
import type { ParameterName } from './parameters.ts';
import type { RankingName } from './routes.ts';

export interface PageName {
  /** File below the root. */
  path: string;
  /** The group in the layer index. Groups are small, so that a change affects few bytes. */
  group: string;
}

/** Ids or page numbers per group. */
const groupSpan = 256;

/** The page of a record. @param address of its list */
export function recordPageName(address: string, resource: ResourceName, id: number): PageName {
  return { path: `${address.slice(1)}/${id}.json`, group: `${resource}/${Math.floor(id / groupSpan)}` };
}

/** One page of an unfiltered list at the default limit. @param address of the list */
export function listPageName(address: string, resource: ResourceName, page: number): PageName {
  return {
    path: `${address.slice(1)}${page === 1 ? '' : `/pages/${page}`}.json`,
    group: `lists/${resource}/${Math.floor(page / groupSpan)}`,
  };
}

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
export function rankingPageName(
  address: string,
  ranking: RankingName,
  sort: string,
  filter?: { name: RankingFilter; value: string },
): PageName | undefined {
  const name = filter && fileNameOf(filter.value);
  // A lone surrogate has no UTF-8 bytes.
  if (filter && (name!.length > maxNameLength || /\p{Surrogate}/u.test(filter.value))) return undefined;
  return {
    path: `${address.slice(1)}/${sort}${filter ? `/${filter.name}/${name}` : ''}.json`,
    group: `stats/${ranking}`,
  };
}

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
