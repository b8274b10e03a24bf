/**
 * Addresses of the pages. Lists have the address of the API, less "/api". Those of records have the words of
 * their title too.
 */
import { type ResourceName, resourceNames } from '../../../api/contract/names.ts';
import { parseId } from '../../../api/contract/query-string.ts';
import { routes } from '../../../api/contract/routes.ts';
import type { RecordOf } from '../../../api/contract/resources.ts';
import { fold, withoutApostrophes } from '../../../api/contract/text.ts';
import { singlePages } from '../shared/hosting.ts';
import type { RankedResource } from './record.ts';
import { rangeFields } from './year-range.ts';

/** The rankings that have a page, the usual one first. */
export const rankings = ['top-nominees', 'top-movies', 'countries'] as const;
export type RankingPage = (typeof rankings)[number];

export type View =
  | { kind: 'home' | (typeof singlePages)[number] | 'unknown' }
  | { kind: 'list'; resource: ResourceName }
  | { kind: 'record'; resource: ResourceName; id: number }
  | { kind: 'ranking'; ranking: RankingPage }
  | { kind: 'compare'; resource: RankedResource }
  /** A page that was at this address before. */
  | { kind: 'moved'; to: string; sort?: string };

const rankedResources: readonly RankedResource[] = ['movies', 'nominees'];
const moved: Readonly<Record<string, readonly [to: string, sort?: string]>> = {
  '/songs/by-year': ['/songs'],
  '/rankings/without-win': ['/rankings/top-nominees', 'unrewarded'],
};

/** What a record is called in its address; undefined for a nomination, which has no title of its own. */
const titles: { readonly [R in ResourceName]?: (record: RecordOf[R]) => string } = {
  movies: ({ title }) => title,
  nominees: ({ name }) => name,
  categories: ({ category_name }) => category_name,
  ceremonies: ({ ceremony_year }) => String(ceremony_year),
  songs: ({ original_title }) => original_title,
  honors: ({ recipients, category }) => recipients ?? category,
};

/**
 * The address of the page of a record, such as `/movies/3669-titanic`. An address without the title, or with
 * another one, leads to this one.
 * @param title as `titles` has it; undefined where it is not known
 */
export function recordHref(resource: ResourceName, id: number, title?: string | number): string {
  const slug = title === undefined || !titles[resource] ? '' : slugOf(String(title));
  return `/${resource}/${id}${slug === '' ? '' : `-${slug}`}`;
}

export const hrefOf = <R extends ResourceName>(resource: R, record: RecordOf[R] & { id: number }): string =>
  recordHref(resource, record.id, titles[resource]?.(record));
export const rankingHref = (ranking: RankingPage, query = ''): string =>
  withQuery(`/rankings/${ranking}`, query);
export const searchHref = (words: string): string =>
  withQuery('/search', new URLSearchParams({ q: words.trim() }));
/** Films or people side by side. */
export const compareHref = (resource: RankedResource, ids: readonly number[]): string =>
  withQuery(`/compare/${resource}`, ids.length === 0 ? '' : `ids=${ids.join()}`);
/** A category on the page of a ceremony. */
export const awardHref = (ceremony: { id: number; ceremony_year: number }, category: number): string =>
  `${recordHref('ceremonies', ceremony.id, ceremony.ceremony_year)}#category-${category}`;

/**
 * An address with other values of some parameters, on its first page.
 * @param values undefined removes a parameter
 */
export function changed(
  path: string,
  query: URLSearchParams,
  values: Readonly<Record<string, string | undefined>>,
): string {
  const parameters = new URLSearchParams(query);
  for (const [name, value] of Object.entries({ page: undefined, ...values }))
    if (value === undefined) parameters.delete(name);
    else parameters.set(name, value);
  return withQuery(path, parameters);
}

const imdbKinds: Readonly<Record<string, string>> = { tt: 'title', nm: 'name', co: 'company' };

/** The pages of a film, person or company at IMDb and TMDB, from the ids on record. */
export function pagesElsewhere(
  imdb: string | null,
  [tmdbKind, tmdb]: readonly ['movie' | 'person', number | null],
): (readonly [site: string, address: string])[] {
  const imdbKind = imdbKinds[imdb?.slice(0, 2) ?? ''];
  return [
    ...(imdbKind ? [['IMDb', `https://www.imdb.com/${imdbKind}/${imdb}/`] as const] : []),
    ...(tmdb === null ? [] : [['TMDB', `https://www.themoviedb.org/${tmdbKind}/${tmdb}`] as const]),
  ];
}

/** Parameters that give an answer of the API another shape. A page has one shape. */
const shapes: readonly string[] = ['format', 'bom', 'fields', 'include', 'by', 'fuzzy'];
/**
 * The parameters of pages: those of the API that select and order records, and some that the API does not
 * have.
 */
const pageParameters: ReadonlySet<string> = new Set([
  ...[...routes.values()]
    .flatMap((route) => (route.kind !== 'changes' && 'parameters' in route ? route.parameters : []))
    .filter((name) => !shapes.includes(name)),
  'count',
  ...Object.values(rangeFields),
  'decade',
  'add',
  'words',
  'part',
]);

/**
 * A query less the parameters that no page has, such as those that other sites add to shared links. A page
 * ignores them: it shows the list that the rest of the query asks for.
 */
export function knownQuery(query: string): string {
  const isKnown = (name: string) => pageParameters.has(name);
  const isKept = (pair: string) => [...new URLSearchParams(pair).keys()].every(isKnown);
  return query.split('&').filter(isKept).join('&');
}

export function withQuery(path: string, query: string | URLSearchParams): string {
  const text = String(query);
  return text === '' ? path : `${path}?${text}`;
}

export function viewOf(path: string): View {
  const [to, sort] = moved[path] ?? [];
  if (to !== undefined) return { kind: 'moved', to, ...(sort && { sort }) };
  const [first = '', second, ...more] = path.replace(/\/$/, '').slice(1).split('/');
  if (more.length > 0) return { kind: 'unknown' };
  if (first === '') return { kind: second === undefined ? 'home' : 'unknown' };
  if (first === 'rankings') {
    const ranking = rankings.find((name) => name === (second ?? rankings[0]));
    return ranking ? { kind: 'ranking', ranking } : { kind: 'unknown' };
  }
  if (first === 'compare') {
    const resource = rankedResources.find((name) => name === second);
    return resource ? { kind: 'compare', resource } : { kind: 'unknown' };
  }
  const resource = resourceNames.find((name) => name === first);
  if (second === undefined) {
    const kind = singlePages.find((name) => name === first);
    return resource ? { kind: 'list', resource } : { kind: kind ?? 'unknown' };
  }
  const id = parseId(second.split('-', 1)[0]!);
  return resource && id !== undefined ? { kind: 'record', resource, id } : { kind: 'unknown' };
}

/** Letters that have no accent to remove. */
const spelledOut: Readonly<Record<string, string>> = {
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ß: 'ss',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ı: 'i',
};

/** Longer slugs end after a whole word. */
const maxSlugLength = 60;

/**
 * Words of a title in an address: lower-case ASCII letters and digits, joined by hyphens. `slugOf('Amélie &
 * Schindler’s List')` is "amelie-schindlers-list". Empty for a text without Latin letters and digits.
 */
function slugOf(text: string): string {
  const plain = withoutApostrophes(fold(text)).replace(/[æœøßłđðþı]/g, (letter) => spelledOut[letter]!);
  const words = plain.match(/[a-z0-9]+/g) ?? [];
  let slug = (words[0] ?? '').slice(0, maxSlugLength);
  for (const word of words.slice(1)) {
    if (slug.length + 1 + word.length > maxSlugLength) break;
    slug += `-${word}`;
  }
  return slug;
}
