/**
 * The table of query parameters: how each is read, and what it means. Query parsing, the OpenAPI document and
 * forms follow from it. addresses.ts says which address takes which.
 */
import { maxSearchWords } from './limits.ts';
import { honorClasses, nomineeKinds, resourceNames } from './names.ts';

export const defaultLimit = 25;
export const maxLimit = 100;
/** Longer than any text of the record; bounds the work of a request. */
export const maxTextLength = 500;
export const maxIds = 1000;
/** IMDb ids in one request. */
const maxFilmindexIds = 100;

/**
 * How a value is read. ids, texts: lists separated by commas. time: a date or a time. search: words to search
 * for. choice, name: one of some values; the fault of a name suggests the nearest one. keys, sort, fields:
 * names that depend on the address.
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

type Row = Kind & {
  required?: Required;
  description: string;
  /** Set for a filter by a range: whether its value is the first or the last of the range. */
  bound?: Bound;
};
export type Bound = 'first' | 'last';

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
  filmYear: {
    ...anyYear,
    description:
      'Year of the film: that of the films of its first ceremony. A film of 1927/28 is of both years.',
  },
  filmYearStart: { ...anyYear, description: 'First year of the films, inclusive.', bound: 'first' },
  filmYearEnd: { ...anyYear, description: 'Last year of the films, inclusive.', bound: 'last' },
  nominee: { ...text, description: 'Part of the nominee’s name.' },
  movie: { ...text, description: 'Part of the film’s title.' },
  category: {
    ...text,
    description:
      'Part of the category’s name. Of nominations, a name that no category contains can be an earlier or common one as a whole: "best actor", "foreign language film", "art direction".',
  },
  winner: {
    kind: 'boolean',
    description: 'true: only winners; false: only nominations, or honors, that did not win.',
  },
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
  kind: {
    kind: 'choice',
    values: nomineeKinds,
    description:
      'person: only people; company: only companies and countries. The rankings of people have people only.',
  },
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
      'What to add to each record, separated by commas. details: role, note and entry of nominations. nominations: those of the record; with details, these have their details. counts: nominations as the press counts them. film_year: the year of a film as a number, the last of two, and as the source writes it (film_years: 2020, 1927/28). film_years: the same of the films of a ceremony. honors: those of the film, of the ceremony, or that name the person, by ascending id. other_names: original titles and other titles of a film, other names of a person or company.',
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
      'json: a page. csv (text/csv) and ndjson (application/x-ndjson, a JSON object on each line): all records that match, as a file to download, without page and limit. CSV has a heading and the columns of the downloads; nominations always have their details; counts, nominations, film_year, film_years, honors and other_names are columns where include adds them.',
  },
  bom: {
    kind: 'boolean',
    description:
      'true: the CSV file begins with a byte order mark, by which Excel knows that it is UTF-8. Only with format=csv.',
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

/**
 * What other services call a parameter, in lower case without hyphens and underscores → the parameters that
 * it can mean. The first that an address takes counts.
 */
const otherNames: Readonly<Record<string, readonly ParameterName[]>> = {
  ...named('imdb imdbid filmindex', 'filmindex_id'),
  ...named('imdbids', 'filmindex_ids'),
  ...named('tmdb tmdbid', 'moviedb_id', 'moviedb_person_id'),
  ...named('id number', 'ids'),
  ...named('q query search text term keyword keywords words s', 'q'),
  ...named('film movie', 'movie', 'title'),
  ...named('title', 'movie'),
  ...named(
    'person people nominee name actor actress director singer',
    'nominee',
    'name',
    'recipient',
    'artist',
    'title',
    'category_name',
  ),
  ...named('award prize', 'category'),
  ...named('ceremony', 'ceremony_ids', 'year'),
  ...named('won wins iswinner', 'winner'),
  ...named('department job profession', 'known_for_department'),
  ...named('releaseyear', 'filmYear'),
  ...named('from since after startyear yearfrom minyear yearmin decade', 'yearStart'),
  ...named('to until before end endyear yearto maxyear yearmax', 'yearEnd'),
  ...named('count perpage pagesize size top max maxresults n take rows first', 'limit'),
  ...named('offset skip start p pagenumber cursor', 'page'),
  ...named('order orderby sortby ordering sortorder direction', 'sort'),
  ...named('group groupby', 'by'),
  ...named('expand embed with populate details', 'include'),
  ...named('select columns only', 'fields'),
  ...named('output accept', 'format'),
};

function named(names: string, ...meant: ParameterName[]): Record<string, readonly ParameterName[]> {
  return Object.fromEntries(names.split(' ').map((name) => [name, meant]));
}

/** The parameters that an unknown name can mean, most likely first. */
export const parametersMeant = (name: string): readonly ParameterName[] =>
  new Map(Object.entries(otherNames)).get(name.toLowerCase().replaceAll(/[_-]/g, '')) ?? [];

/** The same, each as a row. */
export const parameterRows: Readonly<Record<ParameterName, Row>> = parameters;
