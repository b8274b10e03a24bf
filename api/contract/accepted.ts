/** What each address takes: its parameters, and the values of `include`, `sort` and `fields`. */
import { fieldNames } from './fields.ts';
import { receiptsPerPage } from './limits.ts';
import type { ResourceName } from './names.ts';
import type { Accepted, IncludeName, ParameterName, Sort, SortName } from './parameters.ts';

const paging = ['page', 'limit'] as const;
/** Parameters that select a page. */
export const pagingParameters: ReadonlySet<ParameterName> = new Set<ParameterName>(paging);
const shaping = [...paging, 'include', 'sort', 'fields', 'format'] as const;
/** Parameters that select no records: all others are filters. */
export const shapingParameters: ReadonlySet<ParameterName> = new Set<ParameterName>(shaping);
const years = ['year', 'yearStart', 'yearEnd'] as const;
const filmYears = ['filmYear', 'filmYearStart', 'filmYearEnd'] as const;

const listParameters = {
  nominations: [
    ...filmYears,
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
  movies: [...filmYears, 'title', 'moviedb_id', 'filmindex_id', 'filmindex_ids', 'genre'],
  nominees: ['name', 'moviedb_person_id', 'filmindex_id', 'filmindex_ids', 'known_for_department'],
  categories: ['category_name', 'category_group'],
  songs: ['title', 'artist'],
  honors: ['class', 'category', 'recipient', 'movie', 'nominee_ids', 'movie_ids'],
} as const satisfies Record<ResourceName, readonly ParameterName[]>;

/** What `include` adds to the records of a list, and to the page of a record. */
const includes = {
  nominations: { list: ['details'], record: ['details'] },
  ceremonies: { list: ['counts'], record: ['counts'] },
  movies: {
    list: ['details', 'nominations', 'counts', 'film_year'],
    record: ['details', 'counts', 'film_year'],
  },
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

const searchParameters = ['q', 'fuzzy', 'winner', 'official', ...years, ...shaping] as const;
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
} as const satisfies Record<string, readonly ParameterName[]>;
export type RankingName = keyof typeof rankingParameters;
export const rankingNames = /* @__PURE__ */ Object.keys(rankingParameters) as RankingName[];
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

export const acceptedByList = (resource: ResourceName): Accepted => ({
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
export const acceptedByRecord = (resource: ResourceName): Accepted => ({
  parameters: [...(includes[resource].record.length > 0 ? ['include' as const] : []), 'fields'],
  includes: includes[resource].record,
  fields: pageFields(resource),
});
export const acceptedBySearch = (): Accepted => ({
  parameters: searchParameters,
  includes: includes.nominations.list,
  sorts: bothWays(searchSorts),
  fields: listFields('nominations'),
});
export const acceptedByRanking = (ranking: RankingName): Accepted => ({
  parameters: rankingParameters[ranking],
  includes: [],
  sorts: rankingSorts,
});
export const acceptedByCounts: Accepted = { parameters: countsParameters, includes: [] };

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

export const acceptedByReceipts: Accepted = {
  parameters: receiptParameters,
  includes: [],
  limit: receiptsPerPage,
};
