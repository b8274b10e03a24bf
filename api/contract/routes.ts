/** The route table: every address of the service, what answers it and which parameters it takes. */
import { isWritable, type ResourceName, resourceNames } from './names.ts';
import type { ParameterName } from './parameters.ts';

export type RankingName = 'top-movies' | 'top-nominees';

interface Taking {
  /** What a request may send, in the order in which documentation and messages name them. */
  parameters: readonly ParameterName[];
}
export interface ListRoute extends Taking {
  kind: 'list';
  resource: ResourceName;
  /** False for ceremonies and categories: always all of them, with a count. */
  paginated: boolean;
}
export interface RecordRoute {
  kind: 'record';
  resource: ResourceName;
}
export interface SearchRoute extends Taking {
  kind: 'search';
}
export interface RankingRoute extends Taking {
  kind: 'ranking';
  ranking: RankingName;
}
/** A file of the snapshot that stands for no record. */
export interface DocumentRoute {
  kind: 'document';
}
export type Route = ListRoute | RecordRoute | SearchRoute | RankingRoute | DocumentRoute;

const paging = ['page', 'limit'] as const;
/** Parameters that pick a page of a list; all others pick records. */
export const pagingParameters: ReadonlySet<ParameterName> = new Set<ParameterName>(paging);
const years = ['year', 'yearStart', 'yearEnd'] as const;

const listParameters = {
  nominations: [
    'nominee',
    'movie',
    'category',
    'winner',
    'is_song',
    'ceremony_ids',
    'category_ids',
    'movie_ids',
    'nominee_ids',
  ],
  ceremonies: [],
  movies: ['title', 'moviedb_id', 'filmindex_id', 'genre'],
  nominees: ['name', 'moviedb_person_id', 'filmindex_id', 'known_for_department'],
  categories: ['category_name', 'category_group'],
  songs: ['title', 'artist'],
} as const satisfies Record<ResourceName, readonly ParameterName[]>;

const searchParameters = ['q', 'winner', ...years, ...paging] as const;
const rankingParameters = {
  'top-movies': ['sort', 'genre', ...years, 'limit'],
  'top-nominees': ['sort', 'known_for_department', 'category', 'category_group', ...years, 'limit'],
} as const satisfies Record<RankingName, readonly ParameterName[]>;

/** The parameters of a list. */
export type ListParameter<R extends ResourceName> =
  | (typeof paging)[number]
  | 'ids'
  | (typeof years)[number]
  | (typeof listParameters)[R][number];
export type SearchParameter = (typeof searchParameters)[number];
export type RankingParameter<K extends RankingName> = (typeof rankingParameters)[K][number];

const unpaginated: ReadonlySet<ResourceName> = new Set<ResourceName>(['ceremonies', 'categories']);

const listRoute = (resource: ResourceName): ListRoute => ({
  kind: 'list',
  resource,
  paginated: !unpaginated.has(resource),
  parameters: [...paging, 'ids', ...years, ...listParameters[resource]],
});

/** The description of the service for programs (OpenAPI 3.1). */
export const openapiPath = '/api/openapi.json';

/** Address of a list. */
export const listPath = (resource: ResourceName): string => `/api/${resource}`;

/** Address of a record. */
export const recordPath = (resource: ResourceName, id: number): string => `${listPath(resource)}/${id}`;

export const searchPath = '/api/search';

/** Address of a ranking. */
export const rankingPath = (ranking: RankingName): string => `/api/stats/${ranking}`;

/** Address pattern → route; `{id}` stands for a positive whole number. */
export const routes: ReadonlyMap<string, Route> = /* @__PURE__ */ routeTable();

function routeTable(): Map<string, Route> {
  const rankings = Object.keys(rankingParameters) as RankingName[];
  return new Map<string, Route>([
    ...resourceNames.flatMap((resource): [string, Route][] => [
      [listPath(resource), listRoute(resource)],
      [`${listPath(resource)}/{id}`, { kind: 'record', resource }],
    ]),
    [searchPath, { kind: 'search', parameters: searchParameters }],
    ...rankings.map((ranking): [string, Route] => [
      rankingPath(ranking),
      { kind: 'ranking', ranking, parameters: rankingParameters[ranking] },
    ]),
    [openapiPath, { kind: 'document' }],
  ]);
}

/** The methods every address answers. */
export const readMethods = ['GET', 'HEAD', 'OPTIONS'] as const;

/** The method that writes at a route, undefined where there is only reading: POST adds to a list, PATCH changes a record. */
export function writeMethod(route: Route): 'POST' | 'PATCH' | undefined {
  if (!('resource' in route && isWritable(route.resource))) return undefined;
  return route.kind === 'list' ? 'POST' : 'PATCH';
}

/** All methods of a route: those of every address, and the one that writes. */
export function methodsOf(route: Route): readonly string[] {
  const write = writeMethod(route);
  return write ? [...readMethods, write] : readMethods;
}

/** What a path leads to: a route, and for a record its id (undefined where the last segment is no id at all). */
export interface RouteMatch {
  route: Route;
  id?: number | undefined;
}

/** Finds the route of a path; undefined where there is none. The path is taken to the letter: no trailing slash, no other case. */
export function matchRoute(path: string): RouteMatch | undefined {
  const exact = routes.get(path);
  if (exact !== undefined && !path.includes('{')) return { route: exact };
  const slash = path.lastIndexOf('/');
  const segment = path.slice(slash + 1);
  const route = routes.get(`${path.slice(0, slash)}/{id}`);
  if (route === undefined || segment === '') return undefined;
  return { route, id: parseId(segment) };
}

/** A record id in its only spelling (no sign, no leading zero, safe as a JavaScript number), or undefined. */
export function parseId(segment: string): number | undefined {
  if (!/^[1-9][0-9]{0,15}$/.test(segment)) return undefined;
  const id = Number(segment);
  return Number.isSafeInteger(id) ? id : undefined;
}

/**
 * The list of receipts, one for each accepted write. GET only, and answered by the service alone: a receipt tells of the
 * rebuild that a write caused, which no file of a snapshot can.
 */
export const receiptsPath = '/receipts';

/** Address of one receipt. */
export const receiptPath = (id: number): string => `${receiptsPath}/${id}`;

/** Which receipt a path leads to, without id the list of them; undefined for any other path. */
export function matchReceipt(path: string): { id?: number } | undefined {
  if (path === receiptsPath) return {};
  if (!path.startsWith(`${receiptsPath}/`)) return undefined;
  const id = parseId(path.slice(receiptsPath.length + 1));
  return id === undefined ? undefined : { id };
}
