/** The one table of query parameters, and the reading of a query string by it: a Query, or every fault at once. */
import { unknownName } from './nearest.ts';
import { maxFaults, type ParameterFault } from './problems.ts';
import { tokens } from './text.ts';

export const defaultLimit = 25;
export const maximumLimit = 100;
/** No text in the record comes near this; it bounds the work a request can ask for. */
export const maximumTextLength = 500;
export const maximumIds = 1000;

type Kind =
  | { kind: 'integer'; minimum: number; maximum: number; clamp?: number; default?: number }
  | { kind: 'ids' }
  | { kind: 'boolean' }
  | { kind: 'text' }
  | { kind: 'search' }
  | { kind: 'choice'; values: readonly string[]; default: string };

const anyInteger = { kind: 'integer', minimum: 1, maximum: Number.MAX_SAFE_INTEGER } as const;
const anyYear = { kind: 'integer', minimum: 1, maximum: 9999 } as const;
const text = { kind: 'text' } as const;
const ids = { kind: 'ids' } as const;

/** Every query parameter: how its value is read, and what it means. */
export const parameters = {
  page: { kind: 'integer', minimum: 1, maximum: 1_000_000, default: 1, description: 'Page number.' },
  limit: {
    kind: 'integer',
    minimum: 1,
    maximum: Number.POSITIVE_INFINITY,
    clamp: maximumLimit,
    default: defaultLimit,
    description: `Results per page; more than ${maximumLimit} is answered as ${maximumLimit}.`,
  },
  ids: { ...ids, description: 'Comma-separated record ids; only those records.' },
  year: {
    ...anyYear,
    description: 'Exact ceremony year; for songs the release year at the streaming service.',
  },
  yearStart: { ...anyYear, description: 'From this year on.' },
  yearEnd: { ...anyYear, description: 'Up to this year.' },
  nominee: { ...text, description: 'Part of the nominee’s name.' },
  movie: { ...text, description: 'Part of the film’s title.' },
  category: { ...text, description: 'Part of the category’s name.' },
  winner: { kind: 'boolean', description: 'true: winners only; false: the others only.' },
  is_song: { kind: 'boolean', description: 'true: song nominations only; false: the others only.' },
  ceremony_ids: { ...ids, description: 'Comma-separated ceremony ids.' },
  category_ids: { ...ids, description: 'Comma-separated category ids.' },
  movie_ids: { ...ids, description: 'Comma-separated film ids.' },
  nominee_ids: { ...ids, description: 'Comma-separated nominee ids.' },
  title: { ...text, description: 'Part of the title.' },
  moviedb_id: { ...anyInteger, minimum: 0, description: 'Exact id in the external movie database.' },
  moviedb_person_id: {
    ...anyInteger,
    minimum: 0,
    description: 'Exact person id in the external movie database.',
  },
  filmindex_id: { ...text, description: 'Exact id in the external film index.' },
  genre: { ...text, description: 'One of the film’s genres, whole.' },
  name: { ...text, description: 'Part of the name.' },
  known_for_department: { ...text, description: 'Part of the department.' },
  category_name: { ...text, description: 'Part of the category’s name.' },
  category_group: { ...text, description: 'Part of the category’s group.' },
  artist: { ...text, description: 'Part of the artist names.' },
  q: { kind: 'search', description: 'The words to search for; at least 2 characters.' },
  sort: {
    kind: 'choice',
    values: ['nominations', 'wins'],
    default: 'nominations',
    description: 'The total to rank by.',
  },
} as const satisfies Record<string, Kind & { description: string }>;

export type ParameterName = keyof typeof parameters;

type Value<K> = K extends { kind: 'integer' }
  ? number
  : K extends { kind: 'ids' }
    ? readonly number[]
    : K extends { kind: 'boolean' }
      ? boolean
      : K extends { kind: 'choice'; values: readonly (infer V)[] }
        ? V
        : string;

/** What the value of a parameter is once it is read. */
export type ParameterValue<P extends ParameterName> = Value<(typeof parameters)[P]>;

/** A query as read: `page`, `limit` and `sort` always have a value, the rest only when sent. Ids ascend, without doubles. */
export type Query = { [P in ParameterName]?: ParameterValue<P> } & {
  page: number;
  limit: number;
  sort: 'nominations' | 'wins';
};

/** What a request that sends nothing asks for. */
export const defaultQuery: Query = {
  page: parameters.page.default,
  limit: parameters.limit.default,
  sort: parameters.sort.default,
};

export type ParsedQuery = { ok: true; query: Query } | { ok: false; faults: ParameterFault[] };

/**
 * Reads a query string.
 * @param queryString without the leading `?`
 * @param allowed the parameters of the route, in the order in which messages name them
 * @returns the query, or every fault in the order of the query string
 */
export function parseQuery(queryString: string, allowed: readonly ParameterName[]): ParsedQuery {
  const query: Record<string, unknown> = { ...defaultQuery };
  const faults: ParameterFault[] = [];
  for (const [name, values] of readPairs(queryString)) {
    if (faults.length === maxFaults) break;
    const read = isAllowed(name, allowed)
      ? readOnce(name, values)
      : fault(unknownName('parameter', name, allowed, 'this address takes'));
    if (isFault(read)) faults.push({ parameter: name, message: read.message });
    else query[name] = read;
  }
  if (allowed.includes('q') && !faults.some((entry) => entry.parameter === 'q') && query.q === undefined)
    faults.push({ parameter: 'q', message: 'q is required' });
  if (faults.length === 0) checkYears(query as Query, faults);
  return faults.length > 0 ? { ok: false, faults } : { ok: true, query: query as Query };
}

/** Decoded names in the order of their first appearance, each with all its values; undefined for one that is no UTF-8. */
function readPairs(queryString: string): Map<string, (string | undefined)[]> {
  const pairs = new Map<string, (string | undefined)[]>();
  for (const part of queryString.split('&')) {
    if (part === '') continue;
    const equals = part.indexOf('=');
    const name = nameOf(part);
    const value = equals < 0 ? '' : decode(part.slice(equals + 1));
    const values = pairs.get(name);
    if (values) values.push(value);
    else pairs.set(name, [value]);
  }
  return pairs;
}

/** The name in one `name=value` of a query string, decoded if it can be. */
export function nameOf(part: string): string {
  const [name = ''] = part.split('=', 1);
  return decode(name) ?? name;
}

function readOnce(name: ParameterName, values: readonly (string | undefined)[]): unknown {
  const [value] = values;
  const read =
    values.length > 1
      ? fault('is given more than once')
      : value === undefined
        ? fault('is not valid percent-encoded UTF-8')
        : readValue(parameters[name], value);
  return isFault(read) ? fault(`${name} ${read.message}`) : read;
}

function checkYears({ yearStart, yearEnd }: Query, faults: ParameterFault[]): void {
  if (yearStart !== undefined && yearEnd !== undefined && yearStart > yearEnd)
    faults.push({ parameter: 'yearStart', message: `yearStart ${yearStart} is after yearEnd ${yearEnd}` });
}

function decode(part: string): string | undefined {
  try {
    return decodeURIComponent(part.replaceAll('+', ' '));
  } catch {
    return undefined;
  }
}

function isAllowed(name: string, allowed: readonly ParameterName[]): name is ParameterName {
  return (allowed as readonly string[]).includes(name);
}

/** What is wrong with a value; a class of its own so that no value can be mistaken for it. */
class ValueFault {
  readonly message: string;
  constructor(message: string) {
    this.message = message;
  }
}
const fault = (message: string) => new ValueFault(message);
const isFault = (value: unknown): value is ValueFault => value instanceof ValueFault;

function readValue(parameter: Kind, value: string): unknown {
  if (value === '') return fault('is empty');
  switch (parameter.kind) {
    case 'integer':
      return readInteger(parameter, value);
    case 'ids':
      return readIds(value);
    case 'boolean':
      return value === 'true' ? true : value === 'false' ? false : fault('must be true or false');
    case 'choice':
      return parameter.values.includes(value)
        ? value
        : fault(`must be one of ${parameter.values.join(', ')}`);
    case 'search':
      return readSearch(value);
    case 'text':
      return value.length > maximumTextLength ? tooLong : value;
  }
}

const tooLong = fault(`is longer than ${maximumTextLength} characters`);

function readInteger(range: Kind & { kind: 'integer' }, value: string): number | ValueFault {
  if (!/^-?[0-9]+$/.test(value)) return fault('must be a whole number');
  const number = Number(value);
  if (number < range.minimum || number > range.maximum)
    return fault(
      range.maximum === Number.POSITIVE_INFINITY
        ? `must be at least ${range.minimum}`
        : `must be from ${range.minimum} to ${range.maximum}`,
    );
  return range.clamp === undefined ? number : Math.min(number, range.clamp);
}

function readIds(value: string): readonly number[] | ValueFault {
  const list = new Set<number>();
  const items = value.split(',');
  if (items.length > maximumIds) return fault(`lists more than ${maximumIds} ids`);
  for (const item of items) {
    const digits = /^ *([0-9]+) *$/.exec(item)?.[1];
    const number = Number(digits);
    if (digits === undefined || number < 1)
      return fault('must be positive whole numbers separated by commas');
    // A larger one is a positive whole number still, but no record can have it.
    if (number <= Number.MAX_SAFE_INTEGER) list.add(number);
  }
  return [...list].sort((a, b) => a - b);
}

function readSearch(value: string): string | ValueFault {
  if (value.length > maximumTextLength) return tooLong;
  if ([...value.trim()].length < 2) return fault('must have at least 2 characters');
  return tokens(value).length === 0 ? fault('has no letter or digit to search for') : value;
}
