/** The route table: every address of the service, its kind and its parameters. */
import { fieldNames } from './fields.ts';
import { receiptsPerPage } from './limits.ts';
import { isWritable, type ResourceName, resourceNames } from './names.ts';
import type { Accepted, IncludeName, ParameterName, Sort, SortName } from './parameters.ts';
import { parseId } from './query-string.ts';

export type RankingName = 'top-movies' | 'top-nominees';

export interface ListRoute extends Accepted {
  kind: 'list';
  resource: ResourceName;
  /** False for ceremonies and categories: their lists are one document with a count. */
  paginated: boolean;
}
/** Only its own parameters count; others are ignored. */
export interface RecordRoute extends Accepted {
  kind: 'record';
  resource: ResourceName;
}
export interface SearchRoute extends Accepted {
  kind: 'search';
}
export interface RankingRoute extends Accepted {
  kind: 'ranking';
  ranking: RankingName;
}
/** Totals of the nominations that pass the filters, in groups. */
export interface CountsRoute extends Accepted {
  kind: 'counts';
}
/** A fixed file of the snapshot. */
export interface DocumentRoute {
  kind: 'document';
}
/** Takes several writes at once, and has nothing to read. */
export interface BatchRoute {
  kind: 'batch';
}
export type Route =
  | ListRoute
  | RecordRoute
  | SearchRoute
  | RankingRoute
  | CountsRoute
  | DocumentRoute
  | BatchRoute;

const paging = ['page', 'limit'] as const;
/** Parameters that select a page. */
export const pagingParameters: ReadonlySet<ParameterName> = new Set<ParameterName>(paging);
/** Parameters that select no records: all others are filters. */
export const shapingParameters: ReadonlySet<ParameterName> = new Set<ParameterName>([
  ...paging,
  'include',
  'sort',
  'fields',
  'format',
]);
const years = ['year', 'yearStart', 'yearEnd'] as const;

const listParameters = {
  nominations: [
    'nominee',
    'movie',
    'category',
    'winner',
    'official',
    'is_song',
    'ceremony_ids',
    'category_ids',
    'movie_ids',
    'nominee_ids',
  ],
  ceremonies: [],
  movies: ['title', 'moviedb_id', 'filmindex_id', 'filmindex_ids', 'genre'],
  nominees: ['name', 'moviedb_person_id', 'filmindex_id', 'filmindex_ids', 'known_for_department'],
  categories: ['category_name', 'category_group'],
  songs: ['title', 'artist'],
  honors: ['class', 'category', 'recipient', 'movie', 'nominee_ids', 'movie_ids'],
} as const satisfies Record<ResourceName, readonly ParameterName[]>;

/** What `include` adds to the records of a list, and to the page of a record. */
const includes = {
  nominations: { list: ['details'], record: ['details'] },
  ceremonies: { list: ['counts'], record: ['counts'] },
  movies: { list: ['details', 'nominations', 'counts'], record: ['details', 'counts'] },
  nominees: { list: ['details', 'nominations', 'counts'], record: ['details', 'counts'] },
  categories: { list: [], record: ['details'] },
  songs: { list: ['details', 'nominations'], record: ['details'] },
  honors: { list: [], record: [] },
} as const satisfies Record<ResourceName, Record<'list' | 'record', readonly IncludeName[]>>;

/** What the page of a record always has besides its fields. */
const pageMembers = {
  nominations: ['ceremony', 'song'],
  ceremonies: [],
  movies: ['nominations'],
  nominees: ['nominations'],
  categories: ['nominations'],
  songs: ['nominations'],
  honors: [],
} as const satisfies Record<ResourceName, readonly string[]>;

/** Details of another resource than nominations are members of its nominations. */
type MemberOf<R extends ResourceName, I> = R extends 'nominations' ? I : Exclude<I, 'details'>;
/** The names that `fields` takes in the list of a resource. */
export type ListField<R extends ResourceName> =
  | (typeof fieldNames)[R][number]
  | MemberOf<R, (typeof includes)[R]['list'][number]>;
/** The names that `fields` takes at the page of a record. */
export type RecordField<R extends ResourceName> =
  | (typeof fieldNames)[R][number]
  | (typeof pageMembers)[R][number]
  | MemberOf<R, (typeof includes)[R]['record'][number]>;

/** The names that `fields` takes in a list. */
const listFields = (resource: ResourceName): string[] => [
  ...fieldNames[resource],
  ...includes[resource].list.filter((name) => resource === 'nominations' || name !== 'details'),
];
/** The names that `fields` takes at the page of a record. */
const pageFields = (resource: ResourceName): string[] => [
  ...fieldNames[resource],
  ...pageMembers[resource],
  ...includes[resource].record.filter((name) => resource === 'nominations' || name !== 'details'),
];

/** The keys of `sort`, the default first. Lists without keys have a fixed order. */
const sorts = {
  nominations: ['id', 'year', 'category', 'movie', 'nominee'],
  ceremonies: [],
  movies: ['id', 'title', 'release_date', 'runtime', 'entries', 'wins'],
  nominees: ['id', 'name', 'birthday', 'entries', 'wins'],
  categories: [],
  songs: ['id', 'title', 'artist', 'year'],
  honors: [],
} as const satisfies Record<ResourceName, readonly SortName[]>;
const searchSorts = ['relevance', 'year', 'id'] as const;
/** Rankings are always descending. */
export const rankingSorts = ['nominations', 'wins'] as const;

/** The resources whose lists can be sorted. */
export type SortedResource = {
  [R in ResourceName]: (typeof sorts)[R] extends readonly [] ? never : R;
}[ResourceName];
type Directed<K extends string> = K | `-${K}`;
/** The values of `sort` in the list of a resource. */
export type ListSort<R extends ResourceName> = Directed<(typeof sorts)[R][number]>;
export type SearchSort = Directed<(typeof searchSorts)[number]>;
export type RankingSort = (typeof rankingSorts)[number];

/** Each key ascending and descending. */
const bothWays = (keys: readonly SortName[]): Sort[] => keys.flatMap((key): Sort[] => [key, `-${key}`]);

const searchParameters = [
  'q',
  'winner',
  'official',
  ...years,
  ...paging,
  'include',
  'sort',
  'fields',
  'format',
] as const;
const rankingParameters = {
  'top-movies': ['sort', 'genre', 'official', ...years, 'limit'],
  'top-nominees': [
    'sort',
    'known_for_department',
    'category',
    'category_group',
    'official',
    ...years,
    'limit',
  ],
} as const satisfies Record<RankingName, readonly ParameterName[]>;
const countsParameters = ['by', 'ids', ...years, ...listParameters.nominations] as const;

/** The parameters of the list of a resource. */
export type ListParameter<R extends ResourceName> =
  | ((typeof includes)[R]['list'] extends readonly [] ? never : 'include')
  | ((typeof sorts)[R] extends readonly [] ? never : 'sort')
  | (typeof paging)[number]
  | 'ids'
  | 'fields'
  | 'format'
  | (typeof years)[number]
  | (typeof listParameters)[R][number];
/** What `include` takes in the list of a resource. */
export type ListInclude<R extends ResourceName> = (typeof includes)[R]['list'][number];
/** What `include` takes at the page of a record. */
export type RecordInclude<R extends ResourceName> = (typeof includes)[R]['record'][number];
export type SearchParameter = (typeof searchParameters)[number];
export type CountsParameter = (typeof countsParameters)[number];
export type RankingParameter<K extends RankingName> = (typeof rankingParameters)[K][number];

const listRoute = (resource: ResourceName): ListRoute => ({
  kind: 'list',
  resource,
  paginated: resource !== 'ceremonies' && resource !== 'categories',
  parameters: [
    ...paging,
    'ids',
    ...years,
    ...listParameters[resource],
    ...(includes[resource].list.length > 0 ? ['include' as const] : []),
    ...(sorts[resource].length > 0 ? ['sort' as const] : []),
    'fields',
    'format',
  ],
  includes: includes[resource].list,
  fields: listFields(resource),
  sorts: bothWays(sorts[resource]),
});
const recordRoute = (resource: ResourceName): RecordRoute => ({
  kind: 'record',
  resource,
  parameters: [...(includes[resource].record.length > 0 ? ['include' as const] : []), 'fields'],
  includes: includes[resource].record,
  fields: pageFields(resource),
});

/** Path of the OpenAPI 3.1 document. */
export const openapiPath = '/api/openapi.json';
export const searchPath = '/api/search';
export const countsPath = '/api/stats/counts';
/** Path of a POST of several writes. */
export const batchPath = '/api/batch';
export const listPath = (resource: ResourceName): string => `/api/${resource}`;
export const recordPath = (resource: ResourceName, id: number): string => `${listPath(resource)}/${id}`;
export const rankingPath = (ranking: RankingName): string => `/api/stats/${ranking}`;

/** Address pattern → route. `{id}` stands for a record id. */
export const routes: ReadonlyMap<string, Route> = /* @__PURE__ */ routeTable();

function routeTable(): Map<string, Route> {
  const rankings = Object.keys(rankingParameters) as RankingName[];
  return new Map<string, Route>([
    ...resourceNames.flatMap((resource): [string, Route][] => [
      [listPath(resource), listRoute(resource)],
      [`${listPath(resource)}/{id}`, recordRoute(resource)],
    ]),
    [
      searchPath,
      {
        kind: 'search',
        parameters: searchParameters,
        includes: ['details'],
        sorts: bothWays(searchSorts),
        fields: listFields('nominations'),
      },
    ],
    ...rankings.map((ranking): [string, Route] => [
      rankingPath(ranking),
      {
        kind: 'ranking',
        ranking,
        parameters: rankingParameters[ranking],
        includes: [],
        sorts: rankingSorts,
      },
    ]),
    [countsPath, { kind: 'counts', parameters: countsParameters, includes: [] }],
    [batchPath, { kind: 'batch' }],
    [openapiPath, { kind: 'document' }],
  ]);
}

/** The methods of every address with something to read. */
export const readMethods = ['GET', 'HEAD', 'OPTIONS'] as const;

/** The methods of a route on a service without writes. */
export const readMethodsOf = (route: Route): readonly string[] =>
  route.kind === 'batch' ? ['OPTIONS'] : readMethods;

/** The write method of a route: POST for a list and for a batch, PATCH for a record, undefined for a read-only route. */
export function writeMethod(route: Route): 'POST' | 'PATCH' | undefined {
  if (route.kind === 'batch') return 'POST';
  if (!('resource' in route && isWritable(route.resource))) return undefined;
  return route.kind === 'list' ? 'POST' : 'PATCH';
}

export function methodsOf(route: Route): readonly string[] {
  const write = writeMethod(route);
  return write ? [...readMethodsOf(route), write] : readMethodsOf(route);
}

/** The route of a path. For a record, `id` is undefined if the last segment is not a valid id. */
export interface RouteMatch {
  route: Route;
  id?: number | undefined;
}

/** Finds the route of a path. Case-sensitive; a trailing slash is not ignored. */
export function matchRoute(path: string): RouteMatch | undefined {
  const exact = routes.get(path);
  if (exact !== undefined && !path.includes('{')) return { route: exact };
  const slash = path.lastIndexOf('/');
  const segment = path.slice(slash + 1);
  const route = routes.get(`${path.slice(0, slash)}/{id}`);
  if (route === undefined || segment === '') return undefined;
  return { route, id: parseId(segment) };
}

/** Path of the list of receipts. Only a service with writes answers it; receipts are not part of the snapshot. */
export const receiptsPath = '/receipts';

const receiptParameters = [
  'resource',
  'record_id',
  'key',
  'since',
  'until',
  'group',
  'before',
  'limit',
] as const satisfies readonly ParameterName[];
export type ReceiptParameter = (typeof receiptParameters)[number];

/** What the list of receipts takes. */
export const receiptQuery: Accepted = { parameters: receiptParameters, includes: [], limit: receiptsPerPage };

export const receiptPath = (id: number): string => `${receiptsPath}/${id}`;

/** The id in the path of a receipt, no id for the path of the list, undefined for any other path. */
export function matchReceipt(path: string): { id?: number } | undefined {
  if (path === receiptsPath) return {};
  if (!path.startsWith(`${receiptsPath}/`)) return undefined;
  const id = parseId(path.slice(receiptsPath.length + 1));
  return id === undefined ? undefined : { id };
}

/** The address pattern of a path, including receipts, as the OpenAPI document names it. Undefined for an unknown path. */
export function addressPattern(path: string): string | undefined {
  const receipt = matchReceipt(path);
  if (receipt) return receipt.id === undefined ? receiptsPath : `${receiptsPath}/{id}`;
  const route = matchRoute(path)?.route;
  return [...routes].find(([, own]) => own === route)?.[0];
}
