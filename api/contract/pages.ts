/**
 * The names of pages: the file a precomputed document stands in, and the group its hash is listed under (family "pages" of
 * the snapshot). A page lies at the address it answers, so that a host of plain files can serve it there.
 */
import type { ResourceName } from './names.ts';
import type { ParameterName } from './parameters.ts';
import type { RankingName } from './routes.ts';

export interface PageName {
  /** File below the root. */
  path: string;
  /** Pages of a group share a shard of hashes; groups are cut so that they stay small and a change reaches few. */
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

/** The page group of files that stand for no record. */
export const documentGroup = 'documents';

/** A file that stands for no record. @param address of it */
export function documentPageName(address: string): PageName {
  return { path: address.slice(1), group: documentGroup };
}

/** The filters of which a ranking has a page for each value, one at a time. */
export const rankingFilters = {
  'top-movies': ['genre'],
  'top-nominees': ['known_for_department', 'category', 'category_group'],
} as const satisfies Record<RankingName, readonly ParameterName[]>;
export type RankingFilter = (typeof rankingFilters)[RankingName][number];

/** Longer values have no page: file names end at 255 bytes. The resolver answers them all the same. */
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
  // Half a surrogate pair, which JSON can hold, has no bytes of its own to tell it from another.
  if (filter && (name!.length > maxNameLength || /\p{Surrogate}/u.test(filter.value))) return undefined;
  return {
    path: `${address.slice(1)}/${sort}${filter ? `/${filter.name}/${name}` : ''}.json`,
    group: `stats/${ranking}`,
  };
}

/** A file name for a folded value, different for different values: space becomes "-", whatever is no letter or digit of ASCII "_" and its bytes. */
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
