/**
 * The table of query parameters: how each is read, what it means, which addresses take it, and which column a filter looks at.
 * Query parsing, the OpenAPI document, forms and the predicates of api/read/selection.ts follow from it.
 */
import { maxSearchWords } from './limits.ts';
import { honorClasses, resourceNames } from './names.ts';

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

/** Keys of `sort`, each ascending and descending. */
const bothWays = <const K extends string>(...keys: K[]): readonly (K | `-${K}`)[] =>
  keys.flatMap((key) => [key, `-${key}`] as const);
/** Rankings are always descending. */
export const rankingSorts = ['nominations', 'wins'] as const;

type Row = Kind & {
  required?: Required;
  description: string;
  /** The value of a filter is the first or the last of a range; else the only one. */
  bound?: Bound;
};
type Bound = 'first' | 'last';

/** All parameters, in the order in which the OpenAPI document lists them. */
export const parameters = {
  page: { kind: 'integer', minimum: 1, maximum: 1_000_000, default: 1, description: 'Page number.' },
  limit: {
    kind: 'integer',
    minimum: 1,
    maximum: Number.POSITIVE_INFINITY,
    clamp: maxLimit,
    default: defaultLimit,
    description: `Results per page. A value above ${maxLimit} means ${maxLimit}.`,
  },
  ids: { ...ids, description: 'Only records with these ids, separated by commas.' },
  year: { ...anyYear, description: 'Ceremony year; for songs the release year at the streaming service.' },
  yearStart: { ...anyYear, description: 'First year, inclusive.', bound: 'first' },
  yearEnd: { ...anyYear, description: 'Last year, inclusive.', bound: 'last' },
  filmYear: { ...anyYear, description: 'Year of the film: the last one that its first ceremony was for.' },
  filmYearStart: { ...anyYear, description: 'First year of the films, inclusive.', bound: 'first' },
  filmYearEnd: { ...anyYear, description: 'Last year of the films, inclusive.', bound: 'last' },
  nominee: { ...text, description: 'Part of the nominee’s name.' },
  movie: { ...text, description: 'Part of the film’s title.' },
  category: {
    ...text,
    description:
      'Part of the category’s name. Of nominations, a name that no category contains can be an earlier or common one as a whole: "best actor", "foreign language film", "art direction".',
  },
  winner: { kind: 'boolean', description: 'true: only winners; false: only nominations that did not win.' },
  official: { kind: 'boolean', description: 'true: only official nominations; false: only the others.' },
  is_song: { kind: 'boolean', description: 'true: only song nominations; false: only the others.' },
  ceremony_ids: { ...ids, description: 'Ceremony ids, separated by commas.' },
  category_ids: { ...ids, description: 'Category ids, separated by commas.' },
  movie_ids: { ...ids, description: 'Film ids, separated by commas.' },
  nominee_ids: { ...ids, description: 'Nominee ids, separated by commas.' },
  title: { ...text, description: 'Part of the title.' },
  moviedb_id: { ...externalId, description: 'Exact TMDB id.' },
  moviedb_person_id: { ...externalId, description: 'Exact TMDB id of the person.' },
  filmindex_id: { ...text, description: 'Exact IMDb id: tt… of a film, nm… of a person, co… of a company.' },
  filmindex_ids: {
    kind: 'texts',
    maximum: maxFilmindexIds,
    description: 'Exact IMDb ids, separated by commas.',
  },
  genre: { ...text, description: 'Full name of one of the film’s genres.' },
  name: { ...text, description: 'Part of the name.' },
  known_for_department: { ...text, description: 'Part of the department.' },
  category_name: { ...text, description: 'Part of the category’s name.' },
  category_group: { ...text, description: 'Part of the category’s group.' },
  artist: { ...text, description: 'Part of the artist names.' },
  class: { kind: 'choice', values: honorClasses, description: 'Class of the honor.' },
  recipient: { ...text, description: 'Part of the recipients.' },
  q: {
    kind: 'search',
    required: { example: 'streep' },
    description: `The search words; at least 2 characters, and at most ${maxSearchWords} different words.`,
  },
  fuzzy: {
    kind: 'boolean',
    description:
      'true: where the words find nothing, the answer is that of the first of the suggestions, and corrected has its words.',
  },
  by: {
    kind: 'name',
    values: countKeys,
    required: { example: 'decade' },
    description: 'What to group by. A nomination counts in each genre and country of its film.',
  },
  include: {
    kind: 'keys',
    description:
      'What to add to each record, separated by commas. details: role, note and entry of nominations. nominations: those of the record; with details, these have their details. counts: nominations as the press counts them. film_year: the year of a film, as filmYear has it.',
  },
  sort: {
    kind: 'sort',
    description:
      'The order: one key, with - before it descending. Texts are compared without case and accents, by code point. Unknown values are last, equal values ascend by id. In rankings, the total that determines the rank.',
  },
  fields: {
    kind: 'fields',
    description:
      'Only these members of each record, separated by commas, in the order of the record. It selects added members too. The schema of the answer is that of whole records: the other members are missing.',
  },
  format: {
    kind: 'name',
    values: ['json', 'csv', 'ndjson'],
    default: 'json',
    description:
      'json: a page. csv (text/csv) and ndjson (application/x-ndjson, a JSON object on each line): all records that match, as a file to download, without page and limit. CSV has a byte order mark, a heading and the columns of the downloads; nominations always have their details; counts, nominations and film_year are columns where include adds them.',
  },
  before: {
    ...id,
    description: 'Only receipts with a lower id. For the next page, send the id of the last receipt.',
  },
  resource: { kind: 'choice', values: resourceNames, description: 'Only writes of this collection.' },
  record_id: { ...id, description: 'Only writes of records with this id.' },
  key: { ...text, description: 'Exact name of the API key, or what stands for it in a receipt.' },
  since: { ...time, description: 'Only writes of this date or time, and later ones.' },
  until: { ...time, description: 'Only writes of this date or time, and earlier ones.' },
  group: { ...id, description: 'Only the writes of one batch.' },
} as const satisfies Record<string, Row>;

export type ParameterName = keyof typeof parameters;
const rows: Readonly<Record<ParameterName, Row>> = parameters;

/** Filters: parameter → the column that its value is compared with. */
const ofYears = {
  year: 'ceremonies.year',
  yearStart: 'ceremonies.year',
  yearEnd: 'ceremonies.year',
} as const;
const ofFilmYears = {
  filmYear: 'films.filmYear',
  filmYearStart: 'films.filmYear',
  filmYearEnd: 'films.filmYear',
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
const shaped = { fields: true, format: true } as const;

/**
 * What each address takes, in the order in which messages list it: the lists, the pages of their records, and
 * the other addresses. A filter has the column that its value is compared with, as the tables of a snapshot
 * call it: of the records themselves, or of others that they refer to. A film, nominee or category passes a
 * column of others if one of its nominations passes all such filters. `include` and `sort` have their values,
 * the default first.
 */
export const addresses = {
  nominations: {
    ...paged,
    ...ofNominations,
    include: ['details'],
    sort: bothWays('id', 'year', 'category', 'movie', 'nominee'),
    ...shaped,
  },
  'nominations/{id}': { include: ['details'], fields: true },
  ceremonies: { ...paged, ...ofYears, include: ['counts'], ...shaped },
  'ceremonies/{id}': { include: ['counts'], fields: true },
  categories: {
    ...paged,
    ...ofYears,
    category_name: 'categories.name',
    category_group: 'categories.group',
    ...shaped,
  },
  'categories/{id}': { include: ['details'], fields: true },
  movies: {
    ...paged,
    ...ofYears,
    ...ofFilmYears,
    title: 'titles.text',
    moviedb_id: 'films.moviedb_id',
    filmindex_id: 'films.filmindex_id',
    filmindex_ids: 'films.filmindex_id',
    genre: 'films.genres',
    include: ['details', 'nominations', 'counts', 'film_year'],
    sort: bothWays('id', 'title', 'release_date', 'runtime', 'entries', 'wins'),
    ...shaped,
  },
  'movies/{id}': { include: ['details', 'counts', 'film_year'], fields: true },
  nominees: {
    ...paged,
    ...ofYears,
    name: 'names.text',
    moviedb_person_id: 'people.moviedb_person_id',
    filmindex_id: 'people.filmindex_id',
    filmindex_ids: 'people.filmindex_id',
    known_for_department: 'people.department',
    include: ['details', 'nominations', 'counts'],
    sort: bothWays('id', 'name', 'birthday', 'entries', 'wins'),
    ...shaped,
  },
  'nominees/{id}': { include: ['details', 'counts'], fields: true },
  songs: {
    ...paged,
    year: 'songs.year',
    yearStart: 'songs.year',
    yearEnd: 'songs.year',
    title: 'songs.title',
    artist: 'songs.artist',
    include: ['details', 'nominations'],
    sort: bothWays('id', 'title', 'artist', 'year'),
    ...shaped,
  },
  'songs/{id}': { include: ['details'], fields: true },
  honors: {
    ...paged,
    ...ofYears,
    class: 'honors.class',
    category: 'honors.category',
    recipient: 'honors.recipients',
    movie: 'titles.text',
    nominee_ids: 'honors.nominees',
    movie_ids: 'ids.movies',
    ...shaped,
  },
  'honors/{id}': { fields: true },
  search: {
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
  'top-movies': { sort: rankingSorts, genre: 'films.genres', ...ofRankings },
  'top-nominees': {
    sort: rankingSorts,
    known_for_department: 'people.department',
    category: 'categories.knownName',
    category_group: 'categories.group',
    ...ofRankings,
  },
  counts: { by: true, ids: true, ...ofNominations },
  changes: { since: true },
  receipts: {
    resource: true,
    record_id: true,
    key: true,
    since: true,
    until: true,
    group: true,
    before: true,
    limit: true,
  },
} as const satisfies Record<string, { readonly [P in ParameterName]?: true | string | readonly string[] }>;
type Addresses = typeof addresses;
export type Address = keyof Addresses;
/** The parameters of an address. */
export type ParameterAt<A extends Address> = keyof Addresses[A] & ParameterName;
/** The values of `include` or `sort` at an address. */
export type ValueAt<P extends 'include' | 'sort', A> = A extends Address
  ? Addresses[A] extends { readonly [K in P]: readonly (infer V)[] }
    ? V
    : never
  : never;
/** What `include` can add to records. */
export type IncludeName = ValueAt<'include', Address>;
/** A key of `sort`; descending with `-`. */
export type Sort = ValueAt<'sort', Address>;
/** The resources whose lists can be sorted. */
export type SortedResource = 'nominations' | 'movies' | 'nominees' | 'songs';

/** What an address has for a parameter. */
type Taken = { [A in Address]: Addresses[A][keyof Addresses[A]] }[Address];
/** A parameter that selects records by a column. */
export interface Filter {
  name: ParameterName;
  column: Extract<Taken, string>;
  bound: Bound | undefined;
}

/** The filters of an address. */
export function filtersAt(address: Address): Filter[] {
  const filters: Filter[] = [];
  for (const [name, taken] of Object.entries(addresses[address]) as [ParameterName, Taken][])
    if (typeof taken === 'string') filters.push({ name, column: taken, bound: rows[name].bound });
  return filters;
}

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
