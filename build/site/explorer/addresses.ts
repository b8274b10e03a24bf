/** Addresses of the pages. Records and lists have the address of the API, less "/api". */
import { type ResourceName, resourceNames } from '../../../api/contract/names.ts';
import { parseId } from '../../../api/contract/query-string.ts';
import type { RankingName } from '../../../api/contract/routes.ts';

export type View =
  /** "elsewhere" is a page with another program. */
  | { kind: 'home' | 'timeline' | 'years' | 'search' | 'songs' | 'downloads' | 'elsewhere' | 'unknown' }
  | { kind: 'list'; resource: ResourceName }
  | { kind: 'record'; resource: ResourceName; id: number }
  | { kind: 'ranking'; ranking: RankingName }
  /** Most nominated without a win. */
  | { kind: 'unrewarded' }
  | { kind: 'compare'; resource: Compared };

/** Records that a page compares. */
export type Compared = 'movies' | 'nominees';
const compared: readonly Compared[] = ['movies', 'nominees'];

const simpleViews = ['timeline', 'years', 'search', 'downloads'] as const;
const rankings: readonly RankingName[] = ['top-nominees', 'top-movies'];

export const recordHref = (resource: ResourceName, id: number): string => `/${resource}/${id}`;
/** Songs by the year of their films. */
export const songYearsPath = '/songs/by-year';
export const rankingHref = (ranking: RankingName, query = ''): string =>
  withQuery(`/rankings/${ranking}`, query);
/** Films or people side by side. */
export const compareHref = (resource: Compared, ids: readonly number[]): string =>
  withQuery(`/compare/${resource}`, ids.length === 0 ? '' : `ids=${ids.join()}`);
/** A category on the page of a ceremony. */
export const awardHref = (ceremony: number, category: number): string =>
  `/ceremonies/${ceremony}#category-${category}`;

export function withQuery(path: string, query: string | URLSearchParams): string {
  const text = String(query);
  return text === '' ? path : `${path}?${text}`;
}

export function viewOf(path: string): View {
  const [first = '', second, ...more] = path.replace(/\/$/, '').slice(1).split('/');
  if (more.length > 0) return { kind: 'unknown' };
  if (first === '') return { kind: 'home' };
  if (first === 'docs') return { kind: 'elsewhere' };
  if (first === 'rankings') {
    if (second === 'without-win') return { kind: 'unrewarded' };
    const ranking = rankings.find((name) => name === (second ?? rankings[0]));
    return ranking ? { kind: 'ranking', ranking } : { kind: 'unknown' };
  }
  if (first === 'compare') {
    const resource = compared.find((name) => name === second);
    return resource ? { kind: 'compare', resource } : { kind: 'unknown' };
  }
  if (path.replace(/\/$/, '') === songYearsPath) return { kind: 'songs' };
  const resource = resourceNames.find((name) => name === first);
  if (second === undefined) {
    const kind = simpleViews.find((name) => name === first);
    return resource ? { kind: 'list', resource } : { kind: kind ?? 'unknown' };
  }
  const id = parseId(second);
  return resource && id !== undefined ? { kind: 'record', resource, id } : { kind: 'unknown' };
}
