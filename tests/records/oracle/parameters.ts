/** The addresses and their parameters by interface.md and decisions.md, and the oracle's own parser of query strings. */
import { categoryNames } from '../../../api/contract/category-names.ts';
import type { RecordOf } from '../../../api/contract/resources.ts';
import { membersOf } from '../record.ts';
import { characterCount, fold, tokens, type View } from './view.ts';

/** Decoded, valid values by name. */
export type Given = ReadonlyMap<string, string>;
export type Resource = keyof RecordOf;
export type Row = { readonly id: number; readonly [member: string]: unknown };
/** The values of a row that a filter looks at. */
export type Read = (row: Row, view: View) => readonly unknown[];

export interface Parameter {
  kind: Kind;
  /** What a choice or a list of keys takes. */
  keys: readonly string[];
  /** Of filters. */
  read?: Read | undefined;
  /** Whether the rows that it reads are the nominations of a song. One nomination must pass all of these. */
  ofSong?: true;
}

export interface Route {
  resource: Resource;
  parameters: ReadonlyMap<string, Parameter>;
  /** The members of its records that are there without `include`. */
  members: readonly string[];
}

/** The items of a list, without the spaces around the commas. */
export const keysIn = (value = ''): string[] =>
  value.split(',').map((item) => item.replace(/^ +/, '').replace(/ +$/, ''));

/** Whether the answer is a file with all records. */
export const isExport = (given: Given): boolean => ['csv', 'ndjson'].includes(given.get('format') ?? '');

/** What `include` adds: the nominations of a file always have their details. */
export const includesIn = (given: Given, resource: Resource): string[] => [
  ...keysIn(given.get('include')),
  ...(isExport(given) && resource === 'nominations' ? ['details'] : []),
];

/** The members that a key of `include` adds. */
export const addedBy = (key: string): string[] => (key === 'film_year' ? [key, 'film_years'] : [key]);

/** The names of categories as the table of the contract has them; the oracle compares them by its own means. */
export const knownNames: readonly string[] = Object.values(categoryNames).flat();

/** The category that a text names: perhaps with "best", "movie" for "film", in the plural, or after the group in its own name. */
function categoryKnownAs(text: string): string | undefined {
  const words = tokens(text).join(' ').replace('movie', 'film');
  for (const spelling of [words, words.startsWith('best ') ? words.slice(5) : words])
    for (const [category, names] of Object.entries(categoryNames)) {
      const [group] = category.toLowerCase().split(' ');
      const isGroup = group === 'music' || group === 'writing';
      const own = isGroup && spelling.startsWith(`${group} `) ? spelling.slice(group.length + 1) : spelling;
      const isNamed = (some: string) =>
        names.some((name) => [name, name + (name.endsWith('s') ? 'es' : 's')].includes(some));
      if (isNamed(spelling) || isNamed(own)) return category;
    }
  return undefined;
}

const isIntegerBetween = (text: string, min: number, max = Number.POSITIVE_INFINITY): boolean =>
  /^-?[0-9]+$/.test(text) && Number(text) >= min && Number(text) <= max;
const isText = (value: string) => fold(value) !== '' && characterCount(value) <= 500;

interface Meaning {
  isValid(value: string, parameter: Parameter): boolean;
  /** Of filters: the check of one value of a row. */
  fits?(value: string, view: View): (own: never) => boolean;
}

/** Kind of parameter → what it takes, and which values of a row it selects. */
export const kinds = {
  page: { isValid: (value) => isIntegerBetween(value, 1, 1_000_000) },
  limit: { isValid: (value) => isIntegerBetween(value, 1) },
  choice: { isValid: (value, { keys }) => keys.includes(value) },
  keys: { isValid: (value, { keys }) => keysIn(value).every((key) => keys.includes(key)) },
  include: {
    // In lists of other records, details are those of the embedded nominations.
    isValid: (value, { keys }) =>
      keysIn(value).every((key) => keys.includes(key)) &&
      (!keys.includes('nominations') ||
        !keysIn(value).includes('details') ||
        keysIn(value).includes('nominations')),
  },
  q: {
    isValid: (q) =>
      characterCount(q) <= 500 &&
      characterCount(q.trim()) >= 2 &&
      tokens(q).length > 0 &&
      new Set(tokens(q)).size <= 16,
  },
  /** `year`, `yearStart` and `yearEnd` are compared together. */
  year: { isValid: (value) => isIntegerBetween(value, 1, 9999) },
  flag: {
    isValid: (value) => value === 'true' || value === 'false',
    fits: (value) => (own) => own === (value === 'true'),
  },
  whole: {
    isValid: (value) => isIntegerBetween(value, 0, Number.MAX_SAFE_INTEGER),
    fits: (value) => (own) => own === Number(value),
  },
  ids: {
    // Beyond 2^53-1 numbers are rounded, but never to an id that can exist.
    isValid: (value) =>
      keysIn(value).length <= 1000 && keysIn(value).every((item) => isIntegerBetween(item, 1)),
    fits: (value) => {
      const ids = new Set(keysIn(value).map(Number));
      return (own) => ids.has(own);
    },
  },
  texts: {
    isValid: (value) => keysIn(value).length <= 100 && keysIn(value).every((item) => fold(item) !== ''),
    fits: (value) => {
      const texts = keysIn(value);
      return (own) => texts.includes(own);
    },
  },
  exact: { isValid: isText, fits: (value) => (own) => own === value },
  class: {
    isValid: (value) => ['SciTech', 'Special', 'Competitive'].includes(value),
    fits: (value) => (own) => own === value,
  },
  nominee: {
    isValid: (value) => value === 'person' || value === 'company',
    fits: (value) => (own) => own === value,
  },
  folded: { isValid: isText, fits: (value, view) => (own) => view.folded(own) === view.folded(value) },
  part: { isValid: isText, fits: (value, view) => (own) => view.folded(own).includes(view.folded(value)) },
  category: {
    isValid: isText,
    // A partial match; where no category has the text in its name, the category that it names as a whole.
    fits: (value, view) => {
      const isPart = (own: string) => view.folded(own).includes(fold(value));
      if (view.record.categories.some((it) => isPart(it.category_name))) return isPart;
      const named = categoryKnownAs(value);
      return (own) => named !== undefined && categoryKnownAs(own) === named;
    },
  },
} satisfies Record<string, Meaning>;
export type Kind = keyof typeof kinds;
/** The kinds whose values may come one by one. */
const listKinds: readonly Kind[] = ['ids', 'texts', 'keys', 'include'];

type Parameters = Readonly<Record<string, Parameter>>;

const wordsIn = (text: string): string[] => text.split(' ').filter((word) => word !== '');

const by = (kind: Kind, read?: Read, keys: readonly string[] = []): Parameter => ({ kind, keys, read });
const choice = (keys: readonly string[]): Parameter => by('choice', undefined, keys);

/** @param text words of `parameter:kind:member`; the member has the name of the parameter by default */
const filters = (text: string): Parameters =>
  Object.fromEntries(
    text.split(/\s+/).map((word) => {
      const [name = '', kind, member = name] = word.split(':');
      return [name, by(kind as Kind, (row) => [row[member]].flat())];
    }),
  );

/** Filters by a member of a record that nominations refer to. */
export const joined =
  (resource: 'movies' | 'nominees' | 'categories', member: string): Read =>
  (row, view) => {
    const reference = { movies: 'movie_id', nominees: 'nominee_id', categories: 'category_id' }[resource];
    return [(view.get(resource, row[reference] as number) as Row)[member]].flat();
  };

/** Without an IMDb id, a nominee with a department is a person. */
export const isPerson = (filmindexId: string | null, department: string | null): boolean =>
  filmindexId === null ? department !== null : !filmindexId.startsWith('co');

const years = (prefix: string, read: Read): Parameters =>
  Object.fromEntries(['', 'Start', 'End'].map((end) => [prefix + end, by('year', read)]));
const ownYear = years('year', (row) => [row.ceremony_year]);
/** The years in which a record was nominated. */
const nominatedIn = (reference: 'movie_id' | 'nominee_id' | 'category_id'): Parameters =>
  years('year', ({ id }, view) => view.nominationsOf(reference, id).map((it) => it.ceremony_year));

const official = by('flag', (row, view) => [view.record.details.get(row.id)!.official]);
const ofNominations: Parameters = {
  ...ownYear,
  ...years('filmYear', (row, view) => view.eachFilmYear(row.movie_id as number)),
  ...filters(`ids:ids:id nominee:part movie:part category:category winner:flag is_song:flag
    ceremony_ids:ids:ceremony_id category_ids:ids:category_id movie_ids:ids:movie_id nominee_ids:ids:nominee_id`),
  official,
};
const songFilters = wordsIn('filmYear filmYearStart filmYearEnd movie winner ceremony_ids movie_ids');
const ofNominationsOfSong: Parameters = Object.fromEntries(
  songFilters.map((name) => [name, { ...ofNominations[name]!, ofSong: true }]),
);
const ofRankings: Parameters = {
  sort: choice(['nominations', 'wins']),
  limit: by('limit'),
  ...ownYear,
  official,
};
/** What counts are grouped by. */
const countKeys = ['year', 'decade', 'category', 'category_group', 'genre', 'department', 'country'];
/** The parameters that an address cannot do without. */
const required = ['q', 'by'];

/** @param members that are there without `include` */
function route(resource: Resource, members: readonly string[], includes: string, own: Parameters): Route {
  const keys = wordsIn(includes);
  // Details of another resource than nominations are members of its nominations.
  const added = keys.filter(
    (key) => !members.includes(key) && (resource === 'nominations' || key !== 'details'),
  );
  const parameters: Parameters = {
    ...own,
    ...(keys.length > 0 && { include: by('include', undefined, keys) }),
    ...(members.length > 0 && { fields: by('keys', undefined, [...members, ...added.flatMap(addedBy)]) }),
  };
  return { resource, members, parameters: new Map(Object.entries(parameters)) };
}

/** @param sort the keys that it takes */
function list(resource: Resource, includes: string, sort: string, own: Parameters): Route {
  const keys = wordsIn(sort);
  return route(resource, membersOf[resource], includes, {
    ...own,
    page: by('page'),
    limit: by('limit'),
    ...(keys.length > 0 && { sort: choice([...keys, ...keys.map((key) => `-${key}`)]) }),
    format: choice(['json', 'csv', 'ndjson']),
    bom: by('flag'),
  });
}

/** @param embedded members that are on the page of a record only */
const page = (resource: Resource, embedded: string, includes: string): Route =>
  route(resource, [...membersOf[resource], ...wordsIn(embedded)], includes, {});

const sortOfNominations = 'id year category movie nominee';
/** Address → route, for every address that reads its query string. */
const table: Record<string, Route> = {
  '/api/nominations': list('nominations', 'details', sortOfNominations, ofNominations),
  '/api/ceremonies': list('ceremonies', 'counts film_years honors', '', {
    ...filters('ids:ids:id'),
    ...ownYear,
  }),
  '/api/movies': list(
    'movies',
    'details nominations counts film_year honors other_names',
    'id title release_date runtime film_year entries wins',
    {
      ...nominatedIn('movie_id'),
      ...years('filmYear', ({ id }, view) => view.eachFilmYear(id)),
      ...filters(`ids:ids:id title:part moviedb_id:whole filmindex_id:exact filmindex_ids:texts:filmindex_id
        genre:folded:genres`),
    },
  ),
  '/api/nominees': list(
    'nominees',
    'details nominations counts honors other_names',
    'id name birthday entries wins',
    {
      ...nominatedIn('nominee_id'),
      ...filters(`ids:ids:id name:part moviedb_person_id:whole filmindex_id:exact filmindex_ids:texts:filmindex_id
      known_for_department:part`),
      kind: by('nominee', ({ filmindex_id, known_for_department }) => [
        isPerson(filmindex_id as string | null, known_for_department as string | null) ? 'person' : 'company',
      ]),
    },
  ),
  '/api/categories': list('categories', '', '', {
    ...nominatedIn('category_id'),
    ...filters('ids:ids:id category_name:part category_group:part'),
  }),
  '/api/songs': list('songs', 'details nominations', 'id title artist year', {
    ...years('year', (row) => [row.streaming_year]),
    ...filters('ids:ids:id title:part:original_title artist:part:artist_names'),
    ...ofNominationsOfSong,
  }),
  '/api/honors': list('honors', '', '', {
    ...ownYear,
    ...filters(`ids:ids:id class:class winner:flag category:part recipient:part:recipients movie:part
      movie_ids:ids:movie_id nominee_ids:ids`),
  }),
  '/api/search': list('nominations', 'details', 'relevance year id', {
    ...ownYear,
    ...filters('q:q winner:flag'),
    official,
    fuzzy: by('flag'),
  }),
  '/api/stats/counts': route('nominations', [], '', { by: choice(countKeys), ...ofNominations }),
  '/api/stats/top-movies': route('nominations', [], '', {
    ...ofRankings,
    genre: by('folded', joined('movies', 'genres')),
  }),
  '/api/stats/top-nominees': route('nominations', [], '', {
    ...ofRankings,
    ...filters('category:category'),
    category_group: by('part', joined('categories', 'category_group')),
    known_for_department: by('part', joined('nominees', 'known_for_department')),
  }),
  '/api/nominations/{id}': page('nominations', 'ceremony song', 'details'),
  '/api/ceremonies/{id}': page('ceremonies', '', 'counts film_years honors'),
  '/api/movies/{id}': page('movies', 'nominations', 'details counts film_year honors other_names'),
  '/api/nominees/{id}': page('nominees', 'nominations', 'details counts honors other_names'),
  '/api/categories/{id}': page('categories', 'nominations', 'details'),
  '/api/songs/{id}': page('songs', 'nominations', 'details'),
  '/api/honors/{id}': page('honors', '', ''),
};
export const routes: ReadonlyMap<string, Route> = new Map(Object.entries(table));

/** Form decoding; undefined for an escape that is malformed or whose bytes are not UTF-8. */
function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return undefined;
  }
}

/**
 * Reads a query string (without its question mark). `faulty` names each faulty parameter once, in the order in which the
 * names first occur in the query string; what is wrong with several parameters together comes last.
 */
export function readQueryString(
  { resource, parameters, members }: Route,
  queryString: string,
): { given: Given; faulty: string[] } {
  const given = new Map<string, string>();
  const faults = new Set<string>();
  for (const piece of queryString.split('&')) {
    if (piece === '') continue;
    const equals = piece.indexOf('=');
    const sentName = equals < 0 ? piece : piece.slice(0, equals);
    const name = decode(sentName) ?? sentName;
    const parameter = parameters.get(name);
    const isList = parameter !== undefined && listKinds.includes(parameter.kind);
    const text = decode(equals < 0 ? '' : piece.slice(equals + 1));
    if (text === undefined || (given.has(name) && !isList)) faults.add(name);
    given.set(name, given.has(name) ? `${given.get(name)},${text ?? ''}` : (text ?? ''));
  }
  for (const [name, value] of given) {
    const parameter = parameters.get(name);
    if (!parameter || !kinds[parameter.kind].isValid(value, parameter)) faults.add(name);
  }
  const faulty = [...given.keys()].filter((name) => faults.has(name));
  faulty.push(...required.filter((name) => parameters.has(name) && !given.has(name)));
  if (given.has('fields') && !faults.has('fields') && !faults.has('include')) {
    const there = [...members, ...includesIn(given, resource).flatMap(addedBy)];
    if (!keysIn(given.get('fields')).some((name) => there.includes(name))) faulty.push('fields');
  }
  if (isExport(given) && !faults.has('format'))
    faulty.push(...['page', 'limit'].filter((name) => given.has(name) && !faults.has(name)));
  if (given.has('bom') && given.get('format') !== 'csv' && !faults.has('format') && !faults.has('bom'))
    faulty.push('bom');
  for (const prefix of ['year', 'filmYear']) {
    const [start, end] = [`${prefix}Start`, `${prefix}End`];
    const areYears = !faulty.includes(start) && !faulty.includes(end);
    if (areYears && Number(given.get(start) ?? Number.NaN) > Number(given.get(end) ?? Number.NaN))
      faulty.push(start);
  }
  return { given, faulty };
}
