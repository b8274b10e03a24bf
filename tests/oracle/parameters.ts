/**
 * Which parameters each route takes, what makes a value faulty, and the reading of a query string: the oracle's own, from
 * interface.md and decisions.md.
 */
import { characterCount, tokens } from './text.ts';

export type Kind = 'page' | 'limit' | 'year' | 'whole' | 'text' | 'boolean' | 'ids' | 'sort' | 'q';

export type ParameterTable = ReadonlyMap<string, Kind>;

/** Decoded values by name; present means valid. */
export type Given = ReadonlyMap<string, string>;

const years: [string, Kind][] = [
  ['year', 'year'],
  ['yearStart', 'year'],
  ['yearEnd', 'year'],
];
const paging: [string, Kind][] = [
  ['page', 'page'],
  ['limit', 'limit'],
];
const list: [string, Kind][] = [...paging, ['ids', 'ids'], ...years];

/** Path → its parameters, for every route that reads its query string. */
export const parameterTables: ReadonlyMap<string, ParameterTable> = new Map<string, ParameterTable>([
  [
    '/api/nominations',
    new Map([
      ...list,
      ['nominee', 'text'],
      ['movie', 'text'],
      ['category', 'text'],
      ['winner', 'boolean'],
      ['is_song', 'boolean'],
      ['ceremony_ids', 'ids'],
      ['category_ids', 'ids'],
      ['movie_ids', 'ids'],
      ['nominee_ids', 'ids'],
    ]),
  ],
  ['/api/ceremonies', new Map(list)],
  [
    '/api/movies',
    new Map([
      ...list,
      ['title', 'text'],
      ['moviedb_id', 'whole'],
      ['filmindex_id', 'text'],
      ['genre', 'text'],
    ]),
  ],
  [
    '/api/nominees',
    new Map([
      ...list,
      ['name', 'text'],
      ['moviedb_person_id', 'whole'],
      ['filmindex_id', 'text'],
      ['known_for_department', 'text'],
    ]),
  ],
  ['/api/categories', new Map([...list, ['category_name', 'text'], ['category_group', 'text']])],
  ['/api/songs', new Map([...list, ['title', 'text'], ['artist', 'text']])],
  ['/api/search', new Map([['q', 'q'], ['winner', 'boolean'], ...years, ...paging])],
  ['/api/stats/top-movies', new Map([['sort', 'sort'], ['genre', 'text'], ...years, ['limit', 'limit']])],
  [
    '/api/stats/top-nominees',
    new Map([
      ['sort', 'sort'],
      ['known_for_department', 'text'],
      ['category', 'text'],
      ['category_group', 'text'],
      ...years,
      ['limit', 'limit'],
    ]),
  ],
]);

/**
 * Reads a query string (without its question mark). `faulty` names each faulty parameter once, in the order in which the
 * names first stand in the query string; a missing `q` comes last.
 */
export function readQueryString(
  table: ParameterTable,
  queryString: string,
): { given: Given; faulty: string[] } {
  const given = new Map<string, string>();
  const order: string[] = [];
  const faults = new Set<string>();
  for (const piece of queryString.split('&')) {
    if (piece === '') continue;
    const equals = piece.indexOf('=');
    const sentName = equals < 0 ? piece : piece.slice(0, equals);
    const name = decode(sentName) ?? sentName;
    const value = decode(equals < 0 ? '' : piece.slice(equals + 1));
    const kind = table.get(name);
    if (kind === undefined || value === undefined || order.includes(name) || !isValid(kind, value))
      faults.add(name);
    if (!order.includes(name)) order.push(name);
    given.set(name, value ?? '');
  }
  const faulty = order.filter((name) => faults.has(name));
  if (table.has('q') && !order.includes('q')) faulty.push('q');
  const yearStart = given.get('yearStart');
  const yearEnd = given.get('yearEnd');
  if (faulty.length === 0 && yearStart !== undefined && yearEnd !== undefined)
    if (Number(yearStart) > Number(yearEnd)) faulty.push('yearStart');
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

/** Whether a decoded value is what its kind of parameter takes. */
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
      return (
        items.length <= 1000 && items.every((item) => isIntegerBetween(item, 1, Number.POSITIVE_INFINITY))
      );
    }
    case 'q':
      return value.length <= 500 && characterCount(value.trim()) >= 2 && tokens(value).length > 0;
  }
}

function isIntegerBetween(text: string, least: number, most: number): boolean {
  return /^-?[0-9]+$/.test(text) && Number(text) >= least && Number(text) <= most;
}

/** The items of an id list, without the spaces around the commas. */
function idItems(value: string): string[] {
  return value.split(',').map((item) => item.replace(/^ +/, '').replace(/ +$/, ''));
}

/** The ids of a list parameter. Beyond 2^53-1 numbers are rounded, but never onto an id that can exist. */
export function idsIn(value: string): Set<number> {
  return new Set(idItems(value).map(Number));
}
