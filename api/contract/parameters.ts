/**
 * The table of query parameters: how each is read, what it means, which addresses take it, and which column a filter looks at.
 * Query parsing, the OpenAPI document, forms and the predicates of api/read/selection.ts follow from it.
 */
import { honorClasses, type ResourceName, resourceNames } from './names.ts';

export const defaultLimit = 25;
export const maxLimit = 100;
/** Longer than any text of the record; bounds the work of a request. */
export const maxTextLength = 500;
export const maxIds = 1000;
/** IMDb ids in one request. */
const maxFilmindexIds = 100;
/** Similar queries in the answer of a search that finds nothing. */
export const maxSuggestions = 5;

/**
 * How a value is read. ids, texts: lists separated by commas. time: a date or a time. search: words to search for. choice, name: one
 * of some values; the fault of a name suggests the nearest one. keys, sort, fields: names that depend on the address.
 */
export type Kind =
  | { kind: 'integer'; minimum: number; maximum: number; clamp?: number; default?: number }
  | { kind: 'ids' }
  | { kind: 'texts'; maximum: number }
  | { kind: 'id' }
  | { kind: 'time' }
  | { kind: 'boolean' }
  | { kind: 'text' }
  | { kind: 'search' }
  | { kind: 'choice'; values: readonly string[] }
  | { kind: 'keys' }
  | { kind: 'sort' }
  | { kind: 'name'; values: readonly string[]; default?: string }
  | { kind: 'fields' };

/** Of a parameter that must be sent. */
interface Required {
  /** A value to show in the OpenAPI document. */
  example: string;
}

const externalId = { kind: 'integer', minimum: 0, maximum: Number.MAX_SAFE_INTEGER } as const;
const anyYear = { kind: 'integer', minimum: 1, maximum: 9999 } as const;
const text = { kind: 'text' } as const;
const ids = { kind: 'ids' } as const;
const id = { kind: 'id' } as const;
const time = { kind: 'time' } as const;

/** What counts can be grouped by. */
export const countKeys = [
  'year',
  'decade',
  'category',
  'category_group',
  'genre',
  'department',
  'country',
] as const;
export type CountKey = (typeof countKeys)[number];

export const rankingNames = ['top-movies', 'top-nominees'] as const;
export type RankingName = (typeof rankingNames)[number];

/** What takes parameters: the lists, the pages of their records, and the other addresses. */
export type Address =
  | ResourceName
  | `${ResourceName}/{id}`
  | RankingName
  | 'search'
  | 'counts'
  | 'changes'
  | 'receipts';

/** The addresses with lists of records. */
const lists = [...resourceNames, 'search'] as const;
const recordPages = resourceNames.map((resource) => `${resource}/{id}` as const);
const receipts = ['receipts'] as const;

/** A filter on nominations, by a column of theirs or of the records that they refer to. */
const ofNominations = <const C extends string>(column: C) => ({ nominations: column, counts: column });
/** The same at every address that selects nominations. */
const ofAllNominations = <const C extends string>(column: C) => ({
  ...ofNominations(column),
  search: column,
  'top-movies': column,
  'top-nominees': column,
});
const years = {
  ...ofAllNominations('ceremonies.year'),
  ceremonies: 'ceremonies.year',
  movies: 'ceremonies.year',
  nominees: 'ceremonies.year',
  categories: 'ceremonies.year',
  songs: 'songs.year',
  honors: 'ceremonies.year',
} as const;
const filmYears = { ...ofNominations('films.filmYear'), movies: 'films.filmYear' } as const;

/** Keys of `sort`, each ascending and descending. */
const bothWays = <const K extends string>(...keys: K[]): readonly (K | `-${K}`)[] =>
  keys.flatMap((key) => [key, `-${key}`] as const);
/** Rankings are always descending. */
export const rankingSorts = ['nominations', 'wins'] as const;

type Row = Kind & {
  required?: Required;
  description: string;
  /**
   * The addresses that take it. Those of `include` and `sort` have their values, the default first. Those of a filter have the
   * column that its value is compared with, as the tables of api/read/tables.ts call it: of the records themselves, or of others
   * that they refer to. A film, nominee or category passes a column of others if one of its nominations passes all such filters.
   */
  at: readonly Address[] | { readonly [A in Address]?: string | readonly string[] };
  /** The value of a filter is the first or the last of a range; else the only one. */
  bound?: Bound;
};
type Bound = 'first' | 'last';

/** The parameters, in the order in which the OpenAPI document and messages list them; `listedFirst` has the exceptions. */
export const parameters = {
  page: {
    kind: 'integer',
    minimum: 1,
    maximum: 1_000_000,
    default: 1,
    description: 'Page number.',
    at: lists,
  },
  limit: {
    kind: 'integer',
    minimum: 1,
    maximum: Number.POSITIVE_INFINITY,
    clamp: maxLimit,
    default: defaultLimit,
    description: `Results per page. A value above ${maxLimit} means ${maxLimit}.`,
    at: [...lists, ...rankingNames, 'receipts'],
  },
  ids: {
    ...ids,
    description: 'Only records with these ids, separated by commas.',
    at: [...resourceNames, 'counts'],
  },
  year: {
    ...anyYear,
    description: 'Ceremony year; for songs the release year at the streaming service.',
    at: years,
  },
  yearStart: { ...anyYear, description: 'First year, inclusive.', at: years, bound: 'first' },
  yearEnd: { ...anyYear, description: 'Last year, inclusive.', at: years, bound: 'last' },
  filmYear: {
    ...anyYear,
    description: 'Year of the film: the last one that its first ceremony was for.',
    at: filmYears,
  },
  filmYearStart: {
    ...anyYear,
    description: 'First year of the films, inclusive.',
    at: filmYears,
    bound: 'first',
  },
  filmYearEnd: {
    ...anyYear,
    description: 'Last year of the films, inclusive.',
    at: filmYears,
    bound: 'last',
  },
  nominee: { ...text, description: 'Part of the nominee’s name.', at: ofNominations('names.text') },
  movie: {
    ...text,
    description: 'Part of the film’s title.',
    at: { ...ofNominations('titles.text'), honors: 'titles.text' },
  },
  category: {
    ...text,
    description:
      'Part of the category’s name. Of nominations, a name that no category contains can be an earlier or common one as a whole: "best actor", "foreign language film", "art direction".',
    at: {
      ...ofNominations('categories.knownName'),
      'top-nominees': 'categories.knownName',
      honors: 'honors.category',
    },
  },
  winner: {
    kind: 'boolean',
    description: 'true: only winners; false: only nominations that did not win.',
    at: { ...ofNominations('nominations.winner'), search: 'nominations.winner' },
  },
  official: {
    kind: 'boolean',
    description: 'true: only official nominations; false: only the others.',
    at: ofAllNominations('nominations.official'),
  },
  is_song: {
    kind: 'boolean',
    description: 'true: only song nominations; false: only the others.',
    at: ofNominations('nominations.song'),
  },
  ceremony_ids: {
    ...ids,
    description: 'Ceremony ids, separated by commas.',
    at: ofNominations('ids.ceremonies'),
  },
  category_ids: {
    ...ids,
    description: 'Category ids, separated by commas.',
    at: ofNominations('ids.categories'),
  },
  movie_ids: {
    ...ids,
    description: 'Film ids, separated by commas.',
    at: { ...ofNominations('ids.movies'), honors: 'ids.movies' },
  },
  nominee_ids: {
    ...ids,
    description: 'Nominee ids, separated by commas.',
    at: { ...ofNominations('ids.nominees'), honors: 'honors.nominees' },
  },
  title: { ...text, description: 'Part of the title.', at: { movies: 'titles.text', songs: 'songs.title' } },
  moviedb_id: { ...externalId, description: 'Exact TMDB id.', at: { movies: 'films.moviedbId' } },
  moviedb_person_id: {
    ...externalId,
    description: 'Exact TMDB id of the person.',
    at: { nominees: 'people.moviedbPersonId' },
  },
  filmindex_id: {
    ...text,
    description: 'Exact IMDb id: tt… of a film, nm… of a person, co… of a company.',
    at: { movies: 'films.filmindexId', nominees: 'people.filmindexId' },
  },
  filmindex_ids: {
    kind: 'texts',
    maximum: maxFilmindexIds,
    description: 'Exact IMDb ids, separated by commas.',
    at: { movies: 'films.filmindexId', nominees: 'people.filmindexId' },
  },
  genre: {
    ...text,
    description: 'Full name of one of the film’s genres.',
    at: { movies: 'films.genres', 'top-movies': 'films.genres' },
  },
  name: { ...text, description: 'Part of the name.', at: { nominees: 'names.text' } },
  known_for_department: {
    ...text,
    description: 'Part of the department.',
    at: { nominees: 'people.department', 'top-nominees': 'people.department' },
  },
  category_name: {
    ...text,
    description: 'Part of the category’s name.',
    at: { categories: 'categories.name' },
  },
  category_group: {
    ...text,
    description: 'Part of the category’s group.',
    at: { categories: 'categories.group', 'top-nominees': 'categories.group' },
  },
  artist: { ...text, description: 'Part of the artist names.', at: { songs: 'songs.artist' } },
  class: {
    kind: 'choice',
    values: honorClasses,
    description: 'Class of the honor.',
    at: { honors: 'honors.class' },
  },
  recipient: { ...text, description: 'Part of the recipients.', at: { honors: 'honors.recipients' } },
  q: {
    kind: 'search',
    required: { example: 'streep' },
    description: 'The search words; at least 2 characters.',
    at: ['search'],
  },
  fuzzy: {
    kind: 'boolean',
    description:
      'true: where the words find nothing, the answer is that of the first of the suggestions, and corrected has its words.',
    at: ['search'],
  },
  by: {
    kind: 'name',
    values: countKeys,
    required: { example: 'decade' },
    description: 'What to group by. A nomination counts in each genre and country of its film.',
    at: ['counts'],
  },
  include: {
    kind: 'keys',
    description:
      'What to add to each record, separated by commas. details: role, note and entry of nominations. nominations: those of the record; with details, these have their details. counts: nominations as the press counts them. film_year: the year of a film, as filmYear has it.',
    at: {
      nominations: ['details'],
      'nominations/{id}': ['details'],
      ceremonies: ['counts'],
      'ceremonies/{id}': ['counts'],
      movies: ['details', 'nominations', 'counts', 'film_year'],
      'movies/{id}': ['details', 'counts', 'film_year'],
      nominees: ['details', 'nominations', 'counts'],
      'nominees/{id}': ['details', 'counts'],
      'categories/{id}': ['details'],
      songs: ['details', 'nominations'],
      'songs/{id}': ['details'],
      search: ['details'],
    },
  },
  sort: {
    kind: 'sort',
    description:
      'The order: one key, with - before it descending. Texts are compared without case and accents, by code point. Unknown values are last, equal values ascend by id. In rankings, the total that determines the rank.',
    at: {
      nominations: bothWays('id', 'year', 'category', 'movie', 'nominee'),
      movies: bothWays('id', 'title', 'release_date', 'runtime', 'entries', 'wins'),
      nominees: bothWays('id', 'name', 'birthday', 'entries', 'wins'),
      songs: bothWays('id', 'title', 'artist', 'year'),
      search: bothWays('relevance', 'year', 'id'),
      'top-movies': rankingSorts,
      'top-nominees': rankingSorts,
    },
  },
  fields: {
    kind: 'fields',
    description:
      'Only these members of each record, separated by commas, in the order of the record. It selects added members too. The schema of the answer is that of whole records: the other members are missing.',
    at: [...lists, ...recordPages],
  },
  format: {
    kind: 'name',
    values: ['json', 'csv', 'ndjson'],
    default: 'json',
    description:
      'json: a page. csv (text/csv) and ndjson (application/x-ndjson, a JSON object on each line): all records that match, as a file to download, without page and limit. CSV has a byte order mark, a heading and the columns of the downloads; nominations always have their details; counts, nominations and film_year are columns where include adds them.',
    at: lists,
  },
  before: {
    ...id,
    description: 'Only receipts with a lower id. For the next page, send the id of the last receipt.',
    at: receipts,
  },
  resource: {
    kind: 'choice',
    values: resourceNames,
    description: 'Only writes of this collection.',
    at: receipts,
  },
  record_id: { ...id, description: 'Only writes of records with this id.', at: receipts },
  key: {
    ...text,
    description: 'Exact name of the API key, or what stands for it in a receipt.',
    at: receipts,
  },
  since: {
    ...time,
    description: 'Only writes of this date or time, and later ones.',
    at: ['receipts', 'changes'],
  },
  until: { ...time, description: 'Only writes of this date or time, and earlier ones.', at: receipts },
  group: { ...id, description: 'Only the writes of one batch.', at: receipts },
} as const satisfies Record<string, Row>;

export type ParameterName = keyof typeof parameters;

type AtOf<P extends ParameterName> = (typeof parameters)[P]['at'];
/** The addresses in the last member of a row. */
type AddressIn<T> = T extends readonly (infer A)[] ? A : keyof T;
/** The columns in it. */
type ColumnIn<T> = T extends readonly unknown[] ? never : Extract<T[keyof T], string>;
/** The parameters of an address. */
export type ParameterAt<A extends Address> = {
  [P in ParameterName]: A extends AddressIn<AtOf<P>> ? P : never;
}[ParameterName];
/** The values of `include` or `sort` at an address. */
export type ValueAt<P extends 'include' | 'sort', A> = A extends keyof AtOf<P>
  ? AtOf<P>[A] extends readonly (infer V)[]
    ? V
    : never
  : never;
/** What `include` can add to records. */
export type IncludeName = ValueAt<'include', keyof AtOf<'include'>>;
/** The resources whose lists can be sorted. */
export type SortedResource = Extract<keyof AtOf<'sort'>, ResourceName>;
/** A key of `sort`; descending with `-`. */
export type Sort = ValueAt<'sort', keyof AtOf<'sort'>>;

const rows: Readonly<Record<ParameterName, Row>> = parameters;
const names = Object.keys(parameters) as ParameterName[];

const listStart = ['page', 'limit', 'ids', 'year', 'yearStart', 'yearEnd'] as const;
/** Address → parameters that it lists first. The others follow in the order of the table. */
const listedFirst: Partial<Record<Address, readonly ParameterName[]>> = {
  nominees: [...listStart, 'name'],
  honors: [...listStart, 'class', 'category', 'recipient', 'movie', 'nominee_ids'],
  search: ['q', 'fuzzy', 'winner', 'official', 'year', 'yearStart', 'yearEnd'],
  counts: ['by'],
  'top-movies': ['sort', 'genre', 'official', 'year', 'yearStart', 'yearEnd'],
  'top-nominees': [
    'sort',
    'known_for_department',
    'category',
    'category_group',
    'official',
    'year',
    'yearStart',
    'yearEnd',
  ],
  receipts: ['resource', 'record_id', 'key', 'since', 'until', 'group', 'before'],
};

const isList = (at: Row['at']): at is readonly Address[] => Array.isArray(at);

/** What a row has for an address: its values, its column, or nothing but that it is taken; undefined if it is not. */
function takenAt(name: ParameterName, address: Address): string | readonly string[] | undefined {
  const { at } = rows[name];
  if (!isList(at)) return at[address];
  return at.includes(address) ? [] : undefined;
}

/** The names of the parameters of an address, as it lists them. */
export const parametersAt = (address: Address): ParameterName[] => [
  ...new Set([
    ...(listedFirst[address] ?? []),
    ...names.filter((name) => takenAt(name, address) !== undefined),
  ]),
];

/** The values of `include` or `sort` at an address, the default first. */
export const valuesAt = <P extends 'include' | 'sort'>(
  name: P,
  address: Address,
): readonly ValueAt<P, keyof AtOf<P>>[] => (takenAt(name, address) ?? []) as never;

/** A parameter that selects records by a column. */
export interface Filter {
  name: ParameterName;
  column: { [P in ParameterName]: ColumnIn<AtOf<P>> }[ParameterName];
  bound: Bound | undefined;
}

/** The filters of an address. */
export const filtersAt = (address: Address): Filter[] =>
  names.flatMap((name) => {
    const column = takenAt(name, address);
    if (typeof column !== 'string') return [];
    return { name, column: column as Filter['column'], bound: rows[name].bound };
  });

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

/** A parsed query string. `page` and `limit` always have a value. Ids are ascending and unique, texts unique. */
export type Query = { [P in ParameterName]?: ParameterValue<P> } & {
  page: number;
  limit: number;
};

/** The query of an empty query string. */
export const defaultQuery: Query = {
  page: parameters.page.default,
  limit: parameters.limit.default,
};

/** The parameters of an address, in the order in which messages list them, and the names that some of them take. */
export interface Accepted {
  parameters: readonly ParameterName[];
  includes: readonly IncludeName[];
  /** The values of `sort`, the default first. */
  sorts?: readonly Sort[];
  /** The members of a record, in its order, with those that `include` adds. */
  fields?: readonly string[];
  /** Value of a limit that is not sent; default `defaultLimit`. */
  limit?: number;
  /** Whether a time can also be the id of a snapshot. */
  snapshots?: boolean;
}
