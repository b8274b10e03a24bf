/** The addresses of the pages, and which page an address shows. Records and lists stand where the interface has them, less "/api". */
import { type ResourceName, resourceNames } from '../../../api/contract/names.ts';
import { parseId, type RankingName } from '../../../api/contract/routes.ts';

export type View =
  | { kind: 'home' | 'timeline' | 'years' | 'search' | 'downloads' | 'unknown' }
  /** A page with a program of its own. */
  | { kind: 'elsewhere' }
  | { kind: 'list'; resource: ResourceName }
  | { kind: 'record'; resource: ResourceName; id: number }
  | { kind: 'ranking'; ranking: RankingName };

const single = ['timeline', 'years', 'search', 'downloads'] as const;
const rankings: readonly RankingName[] = ['top-nominees', 'top-movies'];

export const recordHref = (resource: ResourceName, id: number): string => `/${resource}/${id}`;
export const editHref = (resource: ResourceName, id: number): string => `/edit/${resource}/${id}`;
export const rankingHref = (ranking: RankingName, query = ''): string =>
  `/rankings/${ranking}${query && `?${query}`}`;
/** A ceremony, at one of its categories. */
export const awardHref = (ceremony: number, category: number): string =>
  `/ceremonies/${ceremony}#category-${category}`;

/** The page at a path. */
export function viewOf(path: string): View {
  const [first = '', second, ...more] = path.replace(/\/$/, '').slice(1).split('/');
  if (more.length > 0) return { kind: 'unknown' };
  if (first === '') return { kind: 'home' };
  if (first === 'docs') return { kind: 'elsewhere' };
  if (first === 'rankings') {
    const ranking = rankings.find((name) => name === (second ?? rankings[0]));
    return ranking ? { kind: 'ranking', ranking } : { kind: 'unknown' };
  }
  const resource = resourceNames.find((name) => name === first);
  if (second === undefined) {
    const kind = single.find((name) => name === first);
    return resource ? { kind: 'list', resource } : { kind: kind ?? 'unknown' };
  }
  const id = parseId(second);
  return resource && id !== undefined ? { kind: 'record', resource, id } : { kind: 'unknown' };
}

/** Whether a path of this site is shown by these pages; files and the other tools are left to the browser. */
export const isOwn = (path: string): boolean => !['unknown', 'elsewhere'].includes(viewOf(path).kind);
