/**
 * The table of addresses: what is at each, which methods and parameters it takes, and which column a filter
 * looks at. Routing, `Allow`, query parsing, predicates, the OpenAPI document, `/api`, forms, the tools of
 * /mcp and the client's types follow from it. answers.ts has the words and the schema of each answer,
 * parameters.ts what a parameter means.
 */
import { fieldNames, membersOf } from './fields.ts';
import { receiptsPerPage } from './limits.ts';
import { isWritable, type ResourceName } from './names.ts';
import { type Bound, type ParameterName, parameterRows, parameters } from './parameters.ts';

/** The methods of every address with something to read. */
export const readMethods = ['GET', 'HEAD', 'OPTIONS'] as const;
export type WriteMethod = 'POST' | 'PATCH' | 'DELETE';
type Method = (typeof readMethods)[number] | WriteMethod;

/**
 * The parameters of an address, in the order in which messages list them. A filter has the column that its
 * value is compared with, as the tables of a snapshot call it: of the records themselves, or of others that
 * they refer to. A film, nominee, category or song passes a column of others if one of its nominations passes
 * all such filters. `include` and `sort` have their values, the default first.
 */
type Takes = { readonly [P in ParameterName]?: true | string | readonly string[] };

interface Block {
  kind: string;
  methods: readonly Method[];
  /** Left out where the query string is ignored. */
  takes?: Takes;
  /** The resource of the records of the answer. */
  resource?: ResourceName;
  /** What the page of a record always has besides its fields. */
  members?: readonly string[];
  /** Of a list: false if it is one document with a count. */
  paginated?: boolean;
  ranking?: string;
  /** The default of `limit`, if it is not `defaultLimit`. */
  limit?: number;
  /** Whether parameters of the kind `time` also take the id of a snapshot. */
  snapshots?: boolean;
}

const ofYears = {
  year: 'ceremonies.year',
  yearStart: 'ceremonies.year',
  yearEnd: 'ceremonies.year',
} as const;
const ofFilmYears = {
  // A film can have two years, such as 1927/28. It matches a range that has one of them.
  filmYear: 'films.filmYears',
  filmYearStart: 'films.filmYear',
  filmYearEnd: 'films.firstFilmYear',
} as const;
const ofNominations = {
  ...ofYears,
  ...ofFilmYears,
  nominee: 'names.text',
  movie: 'titles.text',
  category: 'categories.knownName',
  winner: 'nominations.winner',
  official: 'nominations.official',
  is_song: 'nominations.song',
  ceremony_ids: 'ids.ceremonies',
  category_ids: 'ids.categories',
  movie_ids: 'ids.movies',
  nominee_ids: 'ids.nominees',
} as const;
const ofRankings = { official: 'nominations.official', ...ofYears, limit: true } as const;
const paged = { page: true, limit: true, ids: true } as const;
const shaped = { fields: true, format: true, bom: true } as const;

/** Keys of `sort`, each ascending and descending. */
const bothWays = <const K extends string>(...keys: K[]): readonly (K | `-${K}`)[] =>
  keys.flatMap((key) => [key, `-${key}`] as const);
/** Rankings are always descending. */
export const rankingSorts = ['nominations', 'wins'] as const;

function listOf<const R extends ResourceName, const T extends Takes>(
  resource: R,
  takes: T,
  paginated = true,
) {
  const methods: readonly Method[] = isWritable(resource) ? [...readMethods, 'POST'] : readMethods;
  return { kind: 'list', methods, resource, paginated, takes } as const;
}

function recordOf<const R extends ResourceName, const T extends Takes, const M extends string>(
  resource: R,
  takes: T,
  members: readonly M[] = [],
) {
  const methods: readonly Method[] = isWritable(resource) ? [...readMethods, 'PATCH', 'DELETE'] : readMethods;
  return { kind: 'record', methods, resource, members, takes } as const;
}

function rankingOf<const N extends string, const T extends Takes>(ranking: N, takes: T) {
  return {
    kind: 'ranking',
    methods: readMethods,
    ranking,
    takes: { sort: rankingSorts, ...takes, ...ofRankings },
  } as const;
}

/** Address → what is there. `{id}` stands for the id of a record. */
export const addresses = {
  '/api': { kind: 'root', methods: readMethods },
  '/api/nominations': listOf('nominations', {
    ...paged,
    ...ofNominations,
    include: ['details'],
    sort: bothWays('id', 'year', 'category', 'movie', 'nominee'),
    ...shaped,
  }),
  '/api/nominations/{id}': recordOf('nominations', { include: ['details'], fields: true }, [
    'ceremony',
    'song',
  ]),
  '/api/ceremonies': listOf(
    'ceremonies',
    { ...paged, ...ofYears, include: ['counts', 'film_years', 'honors'], ...shaped },
    false,
  ),
  '/api/ceremonies/{id}': recordOf('ceremonies', {
    include: ['counts', 'film_years', 'honors'],
    fields: true,
  }),
  '/api/categories': listOf(
    'categories',
    {
      ...paged,
      ...ofYears,
      category_name: 'categories.name',
      category_group: 'categories.group',
      ...shaped,
    },
    false,
  ),
  '/api/categories/{id}': recordOf('categories', { include: ['details'], fields: true }, ['nominations']),
  '/api/movies': listOf('movies', {
    ...paged,
    ...ofYears,
    ...ofFilmYears,
    title: 'titles.text',
    moviedb_id: 'films.moviedb_id',
    filmindex_id: 'films.filmindex_id',
    filmindex_ids: 'films.filmindex_id',
    genre: 'films.genres',
    include: ['details', 'nominations', 'counts', 'film_year', 'honors', 'other_names'],
    sort: bothWays('id', 'title', 'release_date', 'runtime', 'film_year', 'entries', 'wins'),
    ...shaped,
  }),
  '/api/movies/{id}': recordOf(
    'movies',
    { include: ['details', 'counts', 'film_year', 'honors', 'other_names'], fields: true },
    ['nominations'],
  ),
  '/api/nominees': listOf('nominees', {
    ...paged,
    ...ofYears,
    name: 'names.text',
    moviedb_person_id: 'people.moviedb_person_id',
    filmindex_id: 'people.filmindex_id',
    filmindex_ids: 'people.filmindex_id',
    known_for_department: 'people.department',
    kind: 'people.kind',
    include: ['details', 'nominations', 'counts', 'honors', 'other_names'],
    sort: bothWays('id', 'name', 'birthday', 'entries', 'wins'),
    ...shaped,
  }),
  '/api/nominees/{id}': recordOf(
    'nominees',
    { include: ['details', 'counts', 'honors', 'other_names'], fields: true },
    ['nominations'],
  ),
  '/api/songs': listOf('songs', {
    ...paged,
    year: 'songs.year',
    yearStart: 'songs.year',
    yearEnd: 'songs.year',
    ...ofFilmYears,
    title: 'songs.title',
    artist: 'songs.artist',
    movie: 'titles.text',
    winner: 'nominations.winner',
    ceremony_ids: 'ids.ceremonies',
    movie_ids: 'ids.movies',
    include: ['details', 'nominations'],
    sort: bothWays('id', 'title', 'artist', 'year'),
    ...shaped,
  }),
  '/api/songs/{id}': recordOf('songs', { include: ['details'], fields: true }, ['nominations']),
  '/api/honors': listOf('honors', {
    ...paged,
    ...ofYears,
    class: 'honors.class',
    winner: 'honors.winner',
    category: 'honors.category',
    recipient: 'honors.recipients',
    movie: 'titles.text',
    nominee_ids: 'honors.nominees',
    movie_ids: 'ids.movies',
    ...shaped,
  }),
  '/api/honors/{id}': recordOf('honors', { fields: true }),
  '/api/search': {
    kind: 'search',
    methods: readMethods,
    resource: 'nominations',
    takes: {
      q: true,
      fuzzy: true,
      winner: 'nominations.winner',
      official: 'nominations.official',
      ...ofYears,
      page: true,
      limit: true,
      include: ['details'],
      sort: bothWays('relevance', 'year', 'id'),
      ...shaped,
    },
  },
  '/api/stats/top-movies': rankingOf('top-movies', { genre: 'films.genres' }),
  '/api/stats/top-nominees': rankingOf('top-nominees', {
    known_for_department: 'people.department',
    category: 'categories.knownName',
    category_group: 'categories.group',
  }),
  '/api/stats/counts': {
    kind: 'counts',
    methods: readMethods,
    takes: { by: true, ids: true, ...ofNominations },
  },
  '/api/changes': { kind: 'changes', methods: readMethods, takes: { since: true }, snapshots: true },
  '/api/batch': { kind: 'batch', methods: ['OPTIONS', 'POST'] },
  '/api/openapi.json': { kind: 'document', methods: readMethods },
  // Of the log of writes: only a service with writes answers them, and they are not part of a snapshot.
  '/receipts': {
    kind: 'receipts',
    methods: readMethods,
    takes: {
      resource: true,
      record_id: true,
      key: true,
      since: true,
      until: true,
      group: true,
      before: true,
      limit: true,
    },
    limit: receiptsPerPage,
  },
  '/receipts/{id}': { kind: 'receipt', methods: readMethods },
} as const satisfies Record<string, Block>;

export type Addresses = typeof addresses;
export type Address = keyof Addresses;
/** The addresses of a kind. */
export type AddressOf<K extends Addresses[Address]['kind']> = {
  [A in Address]: Addresses[A]['kind'] extends K ? A : never;
}[Address];

type TakenAt<A extends Address> = Addresses[A] extends { takes: infer T } ? T : unknown;
/** The parameters of an address. */
export type ParameterAt<A extends Address> = keyof TakenAt<A> & ParameterName;
/** The values of `include` or `sort` at an address. */
export type ValueAt<P extends 'include' | 'sort', A> = A extends Address
  ? TakenAt<A> extends { readonly [K in P]: readonly (infer V)[] }
    ? V
    : never
  : never;
/** What `include` can add to records. */
export type IncludeName = ValueAt<'include', Address>;
/** A key of `sort`; descending with `-`. */
export type Sort = ValueAt<'sort', Address>;
/** The resources whose lists can be sorted. */
export type SortedResource = {
  [A in AddressOf<'list'>]: ValueAt<'sort', A> extends never ? never : Addresses[A]['resource'];
}[AddressOf<'list'>];
/** `details` adds members to nominations only: in other records, to the nominations that they embed. */
type MemberAt<A extends Address> =
  | (Addresses[A] extends { members: readonly (infer M)[] } ? M : never)
  | (Addresses[A] extends { resource: 'nominations' }
      ? ValueAt<'include', A>
      : Exclude<ValueAt<'include', A>, 'details'>)
  | ('film_year' extends ValueAt<'include', A> ? 'film_years' : never);
/** The names that `fields` takes at an address. */
export type FieldAt<A> = A extends Address
  ? Addresses[A] extends { resource: infer R extends ResourceName }
    ? (typeof fieldNames)[R][number] | MemberAt<A>
    : never
  : never;

export type RankingName = Addresses[AddressOf<'ranking'>]['ranking'];
export const rankingNames = /* @__PURE__ */ Object.values(addresses).flatMap((block) =>
  block.kind === 'ranking' ? [block.ranking] : [],
) as readonly RankingName[];

/** What an address has for a parameter. */
type Taken = { [A in Address]: TakenAt<A>[keyof TakenAt<A>] }[Address];
/** A parameter that selects records by a column. */
export interface Filter {
  name: ParameterName;
  column: Extract<Taken, string>;
  bound: Bound | undefined;
}

/** The filters of an address. */
export function filtersAt(address: Address): Filter[] {
  const { takes = {} }: Block = addresses[address];
  return (Object.entries(takes) as [ParameterName, Taken][]).flatMap(([name, column]) =>
    typeof column === 'string' ? [{ name, column, bound: parameterRows[name].bound }] : [],
  );
}

/**
 * What an address takes: its parameters in the order in which messages list them, and the names that some of
 * them take.
 */
export interface Accepted {
  parameters: readonly ParameterName[];
  includes: readonly IncludeName[];
  /** The values of `sort`, the default first. */
  sorts?: readonly Sort[];
  /** The members of a record, in its order, with those that `include` adds. */
  fields?: readonly string[];
  /** The default of `limit`, if it is not `defaultLimit`. */
  limit?: number;
  /** Whether parameters of the kind `time` also take the id of a snapshot. */
  snapshots?: boolean;
  /** Whether other parameters are ignored: those of a record say how it is shown. */
  ignoresOthers?: boolean;
}

/** What an address takes; undefined where the query string is ignored. */
export function acceptedAt(address: Address): Accepted | undefined {
  const { kind, takes, resource, members = [], limit, snapshots }: Block = addresses[address];
  if (takes === undefined) return undefined;
  const names = Object.keys(takes) as ParameterName[];
  const includes = (takes.include ?? []) as readonly IncludeName[];
  const accepted: Accepted = { parameters: names, includes, sorts: (takes.sort ?? []) as readonly Sort[] };
  if (limit !== undefined) accepted.limit = limit;
  if (snapshots !== undefined) accepted.snapshots = snapshots;
  if (kind === 'record') accepted.ignoresOthers = true;
  if (resource === undefined) return accepted;
  const added = includes.filter((name) => resource === 'nominations' || name !== 'details');
  return { ...accepted, fields: [...fieldNames[resource], ...members, ...added.flatMap(membersOf)] };
}

/** Parameters that select no records: all others are filters. */
export const shapingParameters: ReadonlySet<ParameterName> = new Set<ParameterName>([
  'page',
  'limit',
  'include',
  'sort',
  'fields',
  'format',
  'bom',
]);

type Value<K> = K extends { kind: 'integer' | 'id' }
  ? number
  : K extends { kind: 'keys' }
    ? readonly IncludeName[]
    : K extends { kind: 'sort' }
      ? Sort
      : K extends { kind: 'texts' | 'fields' }
        ? readonly string[]
        : K extends { kind: 'ids' }
          ? readonly number[]
          : K extends { kind: 'boolean' }
            ? boolean
            : K extends { kind: 'choice' | 'name'; values: readonly (infer V)[] }
              ? V
              : string;

/** The type of a parameter's parsed value. */
export type ParameterValue<P extends ParameterName> = Value<(typeof parameters)[P]>;

/**
 * A parsed query string. `page` and `limit` always have a value. Ids are ascending and unique, texts unique.
 */
export type Query = { [P in ParameterName]?: ParameterValue<P> } & {
  page: number;
  limit: number;
};

/** The query of an empty query string. */
export const defaultQuery: Query = {
  page: parameters.page.default,
  limit: parameters.limit.default,
};
