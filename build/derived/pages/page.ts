/** The pages of the API: which answers have one besides the records and the unfiltered lists, and the path of its file. */
import { pagingParameters } from '../../../api/contract/accepted.ts';
import type { ResourceName } from '../../../api/contract/names.ts';
import {
  defaultQuery,
  type Filter,
  filtersAt,
  maxLimit,
  type ParameterName,
  parameters,
  type Query,
  type RankingName,
  rankingSorts,
  type Sort,
} from '../../../api/contract/parameters.ts';
import { type ListRoute, type Route, routes } from '../../../api/contract/routes.ts';
import { fold } from '../../../api/contract/text.ts';
import type { Question } from '../../../api/read/question.ts';

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

/** Filters with a ranking page per value: those by a text. */
export const rankingFilters = (ranking: RankingName): Filter[] =>
  filtersAt(ranking).filter(({ name }) => parameters[name].kind === 'text');

/** A question whose answer may have a page. */
export type PageQuestion = Exclude<Question, { kind: 'document' }>;

export interface Page {
  path: string;
  question: PageQuestion;
  cause: string;
  /** False if the page is gone in the new snapshot. */
  exists: boolean;
}

/** The page of a question, none where its answer is computed. @param address that asks the question, without its query */
export function* pageOf(
  address: string,
  question: PageQuestion,
  cause: string,
  exists = true,
): Generator<Page> {
  const path = pagePathOf(address, question);
  if (path !== undefined) yield { path, question, cause, exists };
}

/** @param query what differs from the default */
export function* queryPage(
  address: string,
  query: Partial<Query>,
  cause: string,
  exists = true,
): Generator<Page> {
  const route = routes.get(address) as Route & (PageQuestion & { kind: 'query' })['route'];
  yield* pageOf(address, { kind: 'query', route, query: { ...defaultQuery, ...query } }, cause, exists);
}

/**
 * The path of the page that answers a question; undefined if the answer must be computed.
 * @param address that asks the question, without its query
 */
function pagePathOf(address: string, question: PageQuestion): string | undefined {
  const page = pageBelow(address, question);
  return page && `${page.slice(1)}.json`;
}

function pageBelow(address: string, question: PageQuestion): string | undefined {
  if (question.kind === 'record') return question.include || question.fields ? undefined : address;
  const { route, query } = question;
  if (route.kind === 'search') return undefined;
  const sent = route.parameters.filter((name) => query[name] !== defaultQuery[name]);
  if (route.kind === 'list') return listPage(address, route, query, sent);
  if (route.kind === 'counts') return sent.length === 1 ? `${address}/${query.by}` : undefined;
  const [name, ...more] = sent.filter((parameter) => parameter !== 'sort');
  const page = `${address}/${query.sort ?? rankingSorts[0]}`;
  if (name === undefined) return page;
  const filter = rankingFilters(route.ranking).find((own) => own.name === name);
  const value = filter && more.length === 0 ? fileNameOf(fold(query[filter.name] as string)) : undefined;
  return value && `${page}/${name}/${value}`;
}

/** @param sent parameters that differ from the default */
function listPage(
  address: string,
  { resource, paginated }: ListRoute,
  query: Query,
  sent: readonly ParameterName[],
): string | undefined {
  if (!paginated) return sent.every((name) => pagingParameters.has(name)) ? address : undefined;
  const numbered = (list: string) => (query.page === 1 ? list : `${list}/pages/${query.page}`);
  if (sent.every((name) => name === 'page')) return numbered(address);
  if (resource in filteredLists) {
    const filter = filteredLists[resource as FilteredList];
    const others = sent.filter((name) => !pagingParameters.has(name));
    const [value, ...more] = [query[filter]].flat();
    const hasPage = query.limit === maxLimit && others.join() === filter && more.length === 0;
    return hasPage ? numbered(`${address}/${filter}/${value}`) : undefined;
  }
  const isSorted = query.sort === listOrder && query.include?.join() === 'counts' && sent.length === 2;
  return isSorted && sortedLists.some((name) => name === resource)
    ? `${address}/sort/${listOrder}`
    : undefined;
}

/** Longer values have no page: a file name has at most 255 bytes. */
const maxNameLength = 200;

/**
 * An injective file name for a folded value: a space becomes "-", any other character than a-z and 0-9 becomes "_" and its bytes.
 * @returns undefined where that value has no page
 */
function fileNameOf(value: string): string | undefined {
  // A lone surrogate has no UTF-8 bytes.
  if (/\p{Surrogate}/u.test(value)) return undefined;
  let name = '';
  for (const character of value) {
    if (/[a-z0-9]/.test(character)) name += character;
    else if (character === ' ') name += '-';
    else
      for (const byte of new TextEncoder().encode(character))
        name += `_${byte.toString(16).padStart(2, '0')}`;
  }
  return name.length > maxNameLength ? undefined : name;
}
