/** The oracle's own parameter tables and parser of query strings, from interface.md and decisions.md. */
import { characterCount, tokens } from './text.ts';

export type Kind =
  | 'page'
  | 'limit'
  | 'year'
  | 'whole'
  | 'text'
  | 'boolean'
  | 'ids'
  | 'sort'
  | 'q'
  | 'by'
  | 'details'
  | 'counts'
  | 'details, counts'
  | 'class';
export type ParameterTable = ReadonlyMap<string, Kind>;
/** Decoded, valid values by name. */
export type Given = ReadonlyMap<string, string>;

/** Parameters that are not texts → kind. */
const kinds: Record<string, Kind> = {
  page: 'page',
  limit: 'limit',
  year: 'year',
  yearStart: 'year',
  yearEnd: 'year',
  moviedb_id: 'whole',
  moviedb_person_id: 'whole',
  winner: 'boolean',
  is_song: 'boolean',
  official: 'boolean',
  ids: 'ids',
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
const table = (names: string, include?: Kind): ParameterTable =>
  new Map([
    ...names
      .split(' ')
      .filter((name) => name !== '')
      .map((name) => [name, kinds[name] ?? 'text'] as const),
    ...(include ? [['include', include] as const] : []),
  ]);

const years = 'year yearStart yearEnd';
const list = `page limit ids ${years}`;
const ofNominations =
  'nominee movie category winner official is_song ceremony_ids category_ids movie_ids nominee_ids';
/** What counts are grouped by. */
export const countKeys = ['year', 'decade', 'category', 'category_group', 'genre', 'department', 'country'];
/** The parameters that an address cannot do without. */
export const requiredParameters = ['q', 'by'];

/** Path → its parameters, for every route that reads its query string. */
export const parameterTables: ReadonlyMap<string, ParameterTable> = new Map([
  ['/api/nominations', table(`${list} ${ofNominations}`, 'details')],
  ['/api/ceremonies', table(list, 'counts')],
  ['/api/movies', table(`${list} title moviedb_id filmindex_id genre`, 'counts')],
  ['/api/nominees', table(`${list} name moviedb_person_id filmindex_id known_for_department`, 'counts')],
  ['/api/categories', table(`${list} category_name category_group`)],
  ['/api/songs', table(`${list} title artist`)],
  ['/api/honors', table(`${list} class category recipient movie nominee_ids movie_ids`)],
  ['/api/search', table(`q winner official ${years} page limit`, 'details')],
  ['/api/stats/counts', table(`by ids ${years} ${ofNominations}`)],
  ['/api/stats/top-movies', table(`sort genre official ${years} limit`)],
  [
    '/api/stats/top-nominees',
    table(`sort known_for_department category category_group official ${years} limit`),
  ],
]);

/** Resource → what the page of a record takes. */
export const recordTables: ReadonlyMap<string, ParameterTable> = new Map([
  ['nominations', table('', 'details')],
  ['ceremonies', table('', 'counts')],
  ['movies', table('', 'details, counts')],
  ['nominees', table('', 'details, counts')],
  ['categories', table('', 'details')],
  ['songs', table('', 'details')],
  ['honors', table('')],
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
  const [yearStart, yearEnd] = [given.get('yearStart'), given.get('yearEnd')];
  if (faulty.length === 0 && Number(yearStart ?? Number.NaN) > Number(yearEnd ?? Number.NaN))
    faulty.push('yearStart');
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
    case 'sort':
      return value === 'nominations' || value === 'wins';
    case 'text':
      return value.length >= 1 && value.length <= 500;
    case 'ids': {
      const items = idItems(value);
      const isId = (item: string) => isIntegerBetween(item, 1, Number.POSITIVE_INFINITY);
      return items.length <= 1000 && items.every(isId);
    }
    case 'by':
      return countKeys.includes(value);
    case 'class':
      return value === 'SciTech' || value === 'Special';
    case 'details':
    case 'counts':
    case 'details, counts':
      return keysIn(value).every((key) => kind.split(', ').includes(key));
    case 'q':
      return value.length <= 500 && characterCount(value.trim()) >= 2 && tokens(value).length > 0;
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
