/** The oracle's own parameter tables and parser of query strings, from interface.md and decisions.md. */
import type { RecordOf } from '../../api/contract/resources.ts';
import { membersOf } from './record.ts';
import { characterCount, tokens } from './text.ts';

/** Kind of `sort` → its keys, the default first. */
export const sortKinds = {
  'sort of nominations': ['id', 'year', 'category', 'movie', 'nominee'],
  'sort of movies': ['id', 'title', 'release_date', 'runtime', 'entries', 'wins'],
  'sort of nominees': ['id', 'name', 'birthday', 'entries', 'wins'],
  'sort of songs': ['id', 'title', 'artist', 'year'],
  'sort of search': ['relevance', 'year', 'id'],
} as const;
export type SortKind = keyof typeof sortKinds;

/** The kinds of `fields`: of lists and search, and of the pages of records. */
export type FieldKind = `fields of ${keyof RecordOf}` | `fields of one of ${keyof RecordOf}`;

/** Resource → the members that are there without `include` on its pages only, and those that `include` adds. */
const moreMembers: Record<keyof RecordOf, { page: string[]; added: string[] }> = {
  nominations: { page: ['ceremony', 'song'], added: ['details'] },
  ceremonies: { page: [], added: ['counts'] },
  movies: { page: ['nominations'], added: ['nominations', 'counts', 'film_year'] },
  nominees: { page: ['nominations'], added: ['nominations', 'counts'] },
  categories: { page: ['nominations'], added: [] },
  songs: { page: ['nominations'], added: ['nominations'] },
  honors: { page: [], added: [] },
};

/** The members that `fields` takes: those that are always there, and those that need `include`. */
export function fieldsIn(kind: FieldKind): { always: readonly string[]; added: readonly string[] } {
  const resource = kind.split(' ').at(-1) as keyof RecordOf;
  const { page, added } = moreMembers[resource];
  if (!kind.startsWith('fields of one of ')) return { always: membersOf[resource], added };
  return { always: [...membersOf[resource], ...page], added: added.filter((name) => !page.includes(name)) };
}

const isFieldKind = (kind: Kind | undefined): kind is FieldKind => kind?.startsWith('fields of ') === true;

export type Kind =
  | FieldKind
  | 'format'
  | 'page'
  | 'limit'
  | 'year'
  | 'whole'
  | 'text'
  | 'boolean'
  | 'ids'
  | 'sort'
  | SortKind
  | 'q'
  | 'by'
  | 'details'
  | 'counts'
  | 'details, counts'
  | 'details, nominations'
  | 'details, counts, film_year'
  | 'details, nominations, counts'
  | 'details, nominations, counts, film_year'
  | 'filmindex ids'
  | 'class';
export type ParameterTable = ReadonlyMap<string, Kind>;
/** Whether the answer is a file with all records. */
export const isExport = (given: Given): boolean => ['csv', 'ndjson'].includes(given.get('format') ?? '');

/** What `include` adds: the nominations of a file always have their details. */
export const includesIn = (given: Given, kind?: Kind): string[] => [
  ...keysIn(given.get('include') ?? ''),
  ...(isExport(given) && kind === 'fields of nominations' ? ['details'] : []),
];

/** Decoded, valid values by name. */
export type Given = ReadonlyMap<string, string>;

/** Parameters that are not texts → kind. */
const kinds: Record<string, Kind> = {
  page: 'page',
  limit: 'limit',
  year: 'year',
  yearStart: 'year',
  yearEnd: 'year',
  filmYear: 'year',
  filmYearStart: 'year',
  filmYearEnd: 'year',
  moviedb_id: 'whole',
  moviedb_person_id: 'whole',
  winner: 'boolean',
  is_song: 'boolean',
  official: 'boolean',
  fuzzy: 'boolean',
  ids: 'ids',
  filmindex_ids: 'filmindex ids',
  ceremony_ids: 'ids',
  category_ids: 'ids',
  movie_ids: 'ids',
  nominee_ids: 'ids',
  sort: 'sort',
  class: 'class',
  q: 'q',
  by: 'by',
};
/** @param include the keys that the path takes */
const table = (names: string, include?: Kind, sort?: SortKind, fields?: FieldKind): ParameterTable =>
  new Map([
    ...names
      .split(' ')
      .filter((name) => name !== '')
      .map((name) => [name, kinds[name] ?? 'text'] as const),
    ...(include ? [['include', include] as const] : []),
    ...(sort ? [['sort', sort] as const] : []),
    ...(fields ? [['fields', fields] as const] : []),
    ...(fields?.startsWith('fields of one of') === false ? [['format', 'format'] as const] : []),
  ]);

const years = 'year yearStart yearEnd';
const list = `page limit ids ${years}`;
const filmYears = 'filmYear filmYearStart filmYearEnd';
const ofNominations =
  filmYears +
  ' nominee movie category winner official is_song ceremony_ids category_ids movie_ids nominee_ids';
/** What counts are grouped by. */
export const countKeys = ['year', 'decade', 'category', 'category_group', 'genre', 'department', 'country'];
/** The parameters that an address cannot do without. */
export const requiredParameters = ['q', 'by'];

/** Path → its parameters, for every route that reads its query string. */
export const parameterTables: ReadonlyMap<string, ParameterTable> = new Map([
  [
    '/api/nominations',
    table(`${list} ${ofNominations}`, 'details', 'sort of nominations', 'fields of nominations'),
  ],
  ['/api/ceremonies', table(list, 'counts', undefined, 'fields of ceremonies')],
  [
    '/api/movies',
    table(
      `${list} ${filmYears} title moviedb_id filmindex_id filmindex_ids genre`,
      'details, nominations, counts, film_year',
      'sort of movies',
      'fields of movies',
    ),
  ],
  [
    '/api/nominees',
    table(
      `${list} name moviedb_person_id filmindex_id filmindex_ids known_for_department`,
      'details, nominations, counts',
      'sort of nominees',
      'fields of nominees',
    ),
  ],
  [
    '/api/categories',
    table(`${list} category_name category_group`, undefined, undefined, 'fields of categories'),
  ],
  ['/api/songs', table(`${list} title artist`, 'details, nominations', 'sort of songs', 'fields of songs')],
  [
    '/api/honors',
    table(
      `${list} class category recipient movie nominee_ids movie_ids`,
      undefined,
      undefined,
      'fields of honors',
    ),
  ],
  [
    '/api/search',
    table(
      `q fuzzy winner official ${years} page limit`,
      'details',
      'sort of search',
      'fields of nominations',
    ),
  ],
  ['/api/stats/counts', table(`by ids ${years} ${ofNominations}`)],
  ['/api/stats/top-movies', table(`sort genre official ${years} limit`)],
  [
    '/api/stats/top-nominees',
    table(`sort known_for_department category category_group official ${years} limit`),
  ],
]);

const page = (resource: keyof RecordOf, include?: Kind): [string, ParameterTable] => [
  resource,
  table('', include, undefined, `fields of one of ${resource}`),
];

/** Resource → what the page of a record takes. */
export const recordTables: ReadonlyMap<string, ParameterTable> = new Map([
  page('nominations', 'details'),
  page('ceremonies', 'counts'),
  page('movies', 'details, counts, film_year'),
  page('nominees', 'details, counts'),
  page('categories', 'details'),
  page('songs', 'details'),
  page('honors'),
]);

/**
 * Reads a query string (without its question mark). `faulty` names each faulty parameter once, in the order in which the
 * names first occur in the query string; a missing required one comes last.
 */
export function readQueryString(
  table: ParameterTable,
  queryString: string,
): { given: Given; faulty: string[] } {
  const given = new Map<string, string>();
  const faults = new Set<string>();
  for (const piece of queryString.split('&')) {
    if (piece === '') continue;
    const equals = piece.indexOf('=');
    const sentName = equals < 0 ? piece : piece.slice(0, equals);
    const name = decode(sentName) ?? sentName;
    const value = decode(equals < 0 ? '' : piece.slice(equals + 1));
    const kind = table.get(name);
    if (kind === undefined || value === undefined || given.has(name) || !isValid(kind, value))
      faults.add(name);
    given.set(name, value ?? '');
  }
  const faulty = [...given.keys()].filter((name) => faults.has(name));
  faulty.push(...requiredParameters.filter((name) => table.has(name) && !given.has(name)));
  const kind = table.get('fields');
  const isFaulty = ['fields', 'include'].some((name) => faults.has(name));
  if (given.has('fields') && isFieldKind(kind) && !isFaulty) {
    const { always } = fieldsIn(kind);
    const added = includesIn(given, kind);
    const shown = keysIn(given.get('fields')!).filter(
      (name) => always.includes(name) || added.includes(name),
    );
    if (shown.length === 0) faulty.push('fields');
  }
  if (isExport(given) && !faults.has('format'))
    faulty.push(...['page', 'limit'].filter((name) => given.has(name) && !faults.has(name)));
  for (const prefix of ['year', 'filmYear']) {
    const [start, end] = [`${prefix}Start`, `${prefix}End`];
    const areYears = !faulty.includes(start) && !faulty.includes(end);
    if (areYears && Number(given.get(start) ?? Number.NaN) > Number(given.get(end) ?? Number.NaN))
      faulty.push(start);
  }
  return { given, faulty };
}

/** Form decoding; undefined for an escape that is malformed or whose bytes are not UTF-8. */
function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return undefined;
  }
}

/** Whether a decoded value is valid for its kind of parameter. */
export function isValid(kind: Kind, value: string): boolean {
  if (isFieldKind(kind)) {
    const { always, added } = fieldsIn(kind);
    return keysIn(value).every((key) => always.includes(key) || added.includes(key));
  }
  switch (kind) {
    case 'page':
      return isIntegerBetween(value, 1, 1_000_000);
    case 'limit':
      return isIntegerBetween(value, 1, Number.POSITIVE_INFINITY);
    case 'year':
      return isIntegerBetween(value, 1, 9999);
    case 'whole':
      return isIntegerBetween(value, 0, Number.MAX_SAFE_INTEGER);
    case 'boolean':
      return value === 'true' || value === 'false';
    case 'sort of nominations':
    case 'sort of movies':
    case 'sort of nominees':
    case 'sort of songs':
    case 'sort of search':
      return sortKinds[kind].some((key) => value === key || value === `-${key}`);
    case 'sort':
      return value === 'nominations' || value === 'wins';
    case 'text':
      return value.length >= 1 && characterCount(value) <= 500;
    case 'ids': {
      const items = idItems(value);
      const isId = (item: string) => isIntegerBetween(item, 1, Number.POSITIVE_INFINITY);
      return items.length <= 1000 && items.every(isId);
    }
    case 'format':
      return value === 'json' || value === 'csv' || value === 'ndjson';
    case 'by':
      return countKeys.includes(value);
    case 'class':
      return value === 'SciTech' || value === 'Special';
    case 'details':
    case 'counts':
    case 'details, counts':
    case 'details, counts, film_year':
      return keysIn(value).every((key) => kind.split(', ').includes(key));
    case 'details, nominations':
    case 'details, nominations, counts':
    case 'details, nominations, counts, film_year': {
      const keys = keysIn(value);
      const areKnown = keys.every((key) => kind.split(', ').includes(key));
      return areKnown && (keys.includes('nominations') || !keys.includes('details'));
    }
    case 'filmindex ids':
      return idItems(value).length <= 100 && !idItems(value).includes('');
    case 'q':
      return characterCount(value) <= 500 && characterCount(value.trim()) >= 2 && tokens(value).length > 0;
  }
}

/** The keys of an `include`. */
export const keysIn = (value: string): string[] => idItems(value);

function isIntegerBetween(text: string, min: number, max: number): boolean {
  return /^-?[0-9]+$/.test(text) && Number(text) >= min && Number(text) <= max;
}

/** The items of an id list, without the spaces around the commas. */
function idItems(value: string): string[] {
  return value.split(',').map((item) => item.replace(/^ +/, '').replace(/ +$/, ''));
}

/** The ids of a list parameter. Beyond 2^53-1 numbers are rounded, but never to an id that can exist. */
export function idsIn(value: string): Set<number> {
  return new Set(idItems(value).map(Number));
}
