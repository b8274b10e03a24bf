/** Reads query strings: the values of parameters, with all faults at once. */
import { type Accepted, type Address, defaultQuery, type IncludeName, type Query } from './addresses.ts';
import { membersOf } from './fields.ts';
import { maxSearchWords } from './limits.ts';
import { unknownName } from './nearest.ts';
import {
  defaultLimit,
  type Kind,
  maxIds,
  maxTextLength,
  type ParameterName,
  parameters,
  parametersMeant,
} from './parameters.ts';
import { maxFaults, type ParameterFault } from './problems.ts';
import { fold, tokens } from './text.ts';

type ParsedQuery = { ok: true; query: Query } | { ok: false; faults: ParameterFault[] };

/**
 * Parses a query string.
 * @param queryString without the leading `?`
 * @param accepted what the route takes
 * @returns the query, or the faults in the order of the query string, no more than `maxFaults`
 */
export function parseQuery(queryString: string, accepted: Accepted): ParsedQuery {
  const { parameters: allowed, limit = defaultLimit } = accepted;
  const query: Record<string, unknown> = { ...defaultQuery, limit };
  const faults: ParameterFault[] = [];
  const pairs = readPairs(queryString);
  for (const [name, values] of pairs) {
    // The rest is not read, so nothing can be said about it.
    if (faults.length === maxFaults) return { ok: false, faults };
    if (accepted.ignoresOthers && !isAllowed(name, allowed)) continue;
    const read = isAllowed(name, allowed)
      ? readValue(name, values, accepted)
      : new Error(unknownParameter(name, allowed));
    if (read instanceof Error) faults.push({ parameter: name, message: read.message });
    else query[name] = read;
  }
  const isFaulty = (name: ParameterName) => faults.some(({ parameter }) => parameter === name);
  for (const name of allowed.filter((taken) => 'required' in parameters[taken]))
    if (query[name] === undefined && !isFaulty(name))
      faults.push({ parameter: name, message: `${name} is required` });
  // An exported nomination always has its details.
  if (isExported(query as Query) && accepted.fields?.includes('details'))
    query.include = readKeys(['details', ...((query as Query).include ?? [])].join(), accepted.includes);
  const { include, fields } = query as Query;
  if (fields) {
    query.include = neededIncludes(include, fields, accepted);
    if (!fields.some((field) => isShown(field, include, accepted)) && !isFaulty('include'))
      faults.push({
        parameter: 'fields',
        message: `fields leaves nothing: include must add ${missingIncludes(fields, accepted).join(' or ')}`,
      });
  }
  if (isExported(query as Query))
    for (const name of ['page', 'limit'] as const)
      if (pairs.has(name) && !isFaulty(name))
        faults.push({ parameter: name, message: `${name} cannot be combined with format=${query.format}` });
  if ((query as Query).bom !== undefined && (query as Query).format !== 'csv' && !isFaulty('format'))
    faults.push({ parameter: 'bom', message: 'bom needs format=csv' });
  for (const [start, end] of ranges) {
    const [first, last] = [(query as Query)[start], (query as Query)[end]];
    if (first !== undefined && last !== undefined && first > last)
      faults.push({ parameter: start, message: `${start} ${first} is after ${end} ${last}` });
  }
  return faults.length > 0
    ? { ok: false, faults: faults.slice(0, maxFaults) }
    : { ok: true, query: query as Query };
}

/** Parameters that are the first and the last value of a range. */
const ranges = [
  ['yearStart', 'yearEnd'],
  ['filmYearStart', 'filmYearEnd'],
] as const;

/** Whether a query asks for a file with all records instead of a page. */
export const isExported = <Q extends Query>(query: Q): query is Q & { format: 'csv' | 'ndjson' } =>
  query.format !== undefined && query.format !== 'json';

/** Whether a query string asks for a file with all records, before it is parsed. */
export const asksForExport = (queryString: string): boolean =>
  readPairs(queryString)
    .get('format')
    ?.some((format) => format === 'csv' || format === 'ndjson') ?? false;

/** The key of `include` that adds a member; undefined for a member that records always have. */
const includeOf = (field: string, { includes }: Accepted): IncludeName | undefined =>
  includes.find((name) => membersOf(name).includes(field));

/** Whether records have a member: always, or because `include` adds it. */
function isShown(field: string, include: readonly IncludeName[] = [], accepted: Accepted): boolean {
  const name = includeOf(field, accepted);
  return name === undefined || include.includes(name);
}

/** The keys of `include` that add some members. */
const missingIncludes = (fields: readonly string[], accepted: Accepted): readonly string[] => [
  ...new Set(fields.map((field) => includeOf(field, accepted) ?? field)),
];

/**
 * The part of `include` that `fields` shows. Details that are no member of the record are those of its
 * nominations.
 */
function neededIncludes(
  include: readonly IncludeName[] | undefined,
  fields: readonly string[],
  accepted: Accepted,
): readonly IncludeName[] | undefined {
  const shownBy = (name: IncludeName) =>
    accepted.fields?.includes(name) ? membersOf(name) : ['nominations'];
  const needed = include?.filter((name) => shownBy(name).some((member) => fields.includes(member)));
  return needed?.length === 0 ? undefined : needed;
}

/** Decoded name → its values, in order of first appearance. A value that is not valid UTF-8 is undefined. */
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

/**
 * A query string with another value of a parameter, the other parameters as they were sent.
 * @param value needs no encoding
 */
export const withParameter = (queryString: string, name: ParameterName, value: number | string): string =>
  [...queryString.split('&').filter((part) => part !== '' && nameOf(part) !== name), `${name}=${value}`].join(
    '&',
  );

/** The decoded name of one `name=value` part; as sent if it cannot be decoded. */
function nameOf(part: string): string {
  const [name = ''] = part.split('=', 1);
  return decode(name) ?? name;
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

const searchAddress = '/api/search' satisfies Address;

/** The message about a parameter that an address does not take. */
function unknownParameter(name: string, allowed: readonly ParameterName[]): string {
  const others = parametersMeant(name);
  const meant = others.find((own) => isAllowed(own, allowed));
  const introduction = others.includes('q')
    ? `${searchAddress}?q=… searches all texts, this address takes`
    : 'this address takes';
  return unknownName('parameter', name, allowed, introduction, meant);
}

/** The parsed value, or an Error with the message of the fault. */
function readValue(
  name: ParameterName,
  values: readonly (string | undefined)[],
  accepted: Accepted,
): unknown {
  const read = readOne(parameters[name], values, accepted);
  return read instanceof Error ? new Error(`${name} ${read.message}`) : read;
}

/** The kinds whose values are lists with commas. */
const listKinds: readonly Kind['kind'][] = ['ids', 'texts', 'keys', 'fields'];

function readOne(parameter: Kind, values: readonly (string | undefined)[], accepted: Accepted): unknown {
  // Many generated clients send a parameter for each item of a list.
  if (values.length > 1 && !listKinds.includes(parameter.kind)) return new Error('is given more than once');
  if (values.includes(undefined)) return new Error('is not valid percent-encoded UTF-8');
  const value = values.join();
  return value === '' ? new Error('is empty') : readKind(parameter, value, accepted);
}

function readKind(
  parameter: Kind,
  value: string,
  { includes, sorts = [], fields = [], snapshots = false }: Accepted,
): unknown {
  switch (parameter.kind) {
    case 'integer':
      return readInteger(parameter, value);
    case 'ids':
      return readIds(value);
    case 'texts':
      return readTexts(value, parameter.maximum);
    case 'id':
      return parseId(value) ?? new Error('must be an id: a positive whole number');
    case 'time':
      if (readTime(value) || (snapshots && /^[0-9a-f]{20}$/.test(value))) return value;
      return new Error(`must be ${snapshots ? 'the id of a snapshot, ' : ''}${timeDemand}`);
    case 'boolean':
      return ['true', 'false'].includes(value) ? value === 'true' : new Error('must be true or false');
    case 'choice':
      return parameter.values.includes(value)
        ? value
        : new Error(`must be one of ${parameter.values.join(', ')}`);
    case 'keys':
      return readIncludes(value, includes);
    case 'name':
      return readName('value', value, parameter.values);
    case 'fields':
      return readKeys(value, fields);
    case 'sort':
      return readName('key', value, sorts);
    case 'search':
    case 'text':
      if (isLonger(value, maxTextLength)) return new Error(`is longer than ${maxTextLength} characters`);
      if (parameter.kind === 'search') return readSearch(value);
      // Combining marks alone would match every text.
      return fold(value) === '' ? new Error('is empty') : value;
  }
}

/** Whether a text has more characters than a limit. A character can be two units of UTF-16. */
const isLonger = (text: string, limit: number): boolean => text.length > limit && [...text].length > limit;

function readInteger(range: Kind & { kind: 'integer' }, value: string): number | Error {
  if (!/^-?[0-9]+$/.test(value)) return new Error('must be a whole number');
  const number = Number(value);
  if (number < range.minimum || number > range.maximum)
    return new Error(
      range.maximum === Number.POSITIVE_INFINITY
        ? `must be at least ${range.minimum}`
        : `must be from ${range.minimum} to ${range.maximum}`,
    );
  return range.clamp === undefined ? number : Math.min(number, range.clamp);
}

function readIncludes(value: string, known: readonly IncludeName[]): readonly IncludeName[] | Error {
  const includes = readKeys(value, known);
  // In a list of other records, the details are those of the embedded nominations.
  if (includes instanceof Error || !known.includes('nominations')) return includes;
  return includes.includes('details') && !includes.includes('nominations')
    ? new Error('has the key "details", which needs "nominations" at this address')
    : includes;
}

/** Parses a record id: a safe integer without sign and leading zeros. */
export function parseId(segment: string): number | undefined {
  if (!/^[1-9][0-9]{0,15}$/.test(segment)) return undefined;
  const id = Number(segment);
  return Number.isSafeInteger(id) ? id : undefined;
}

const timeDemand = 'a date such as 2025-03-02, or a time such as 2025-03-02T20:00:00Z';

/**
 * The first and the last millisecond that a time means, in ISO 8601 and UTC: of a date the whole day.
 * Undefined for a text that is no time. An offset may begin with a blank, which `+` stands for in a query
 * string.
 */
export function readTime(text: string): { first: string; last: string } | undefined {
  const [, date, clock, zone] =
    /^(\d{4}-\d\d-\d\d)(?:T([01]\d|2[0-3])(?::[0-5]\d){1,2}(?:\.\d+)?(Z|[ +-]\d\d:\d\d))?$/.exec(text) ?? [];
  // Date moves a day that its month does not have into the next month.
  const day = new Date(`${date}T00:00:00Z`);
  if (date === undefined || Number.isNaN(day.getTime()) || !day.toISOString().startsWith(date))
    return undefined;
  if (clock === undefined)
    return { first: day.toISOString(), last: new Date(day.getTime() + 86_400_000 - 1).toISOString() };
  const moment = new Date(zone?.startsWith(' ') ? text.replace(' ', '+') : text);
  if (Number.isNaN(moment.getTime())) return undefined;
  return { first: moment.toISOString(), last: moment.toISOString() };
}

/** The named keys, each once, in the order of the table. */
function readKeys<K extends string>(value: string, known: readonly K[]): readonly K[] | Error {
  const keys = itemsOf(value);
  const wrong = [...new Set(keys)].filter((key) => !(known as readonly string[]).includes(key));
  if (wrong.length === 0) return known.filter((key) => keys.includes(key));
  const named = wrong
    .slice(0, maxUnknownKeys)
    .map((key) => (key === '' ? 'empty key' : unknownName('key', key, known, 'this address takes')));
  const rest = wrong.length - named.length;
  return new Error(`has an ${named.join(', and an ')}${rest > 0 ? `; and ${rest} more` : ''}`);
}

/** Unknown keys that a message names. */
const maxUnknownKeys = 20;

/** @param kind what the value is called in the message */
const readName = (kind: string, value: string, known: readonly string[]): string | Error =>
  known.includes(value)
    ? value
    : new Error(`has an ${unknownName(kind, value, known, 'this address takes')}`);

/** The items of a list separated by commas, without the spaces around them. */
const itemsOf = (value: string): string[] => value.split(',').map((item) => item.replaceAll(/^ +| +$/g, ''));

function readTexts(value: string, maximum: number): readonly string[] | Error {
  const items = itemsOf(value);
  if (items.length > maximum) return new Error(`lists more than ${maximum} ids`);
  return items.some((item) => fold(item) === '')
    ? new Error('must be ids separated by commas')
    : [...new Set(items)];
}

function readIds(value: string): readonly number[] | Error {
  const list = new Set<number>();
  const items = value.split(',');
  if (items.length > maxIds) return new Error(`lists more than ${maxIds} ids`);
  for (const item of items) {
    const digits = /^ *([0-9]+) *$/.exec(item)?.[1];
    const number = Number(digits);
    if (digits === undefined || number < 1)
      return new Error('must be positive whole numbers separated by commas');
    // A larger number is valid, but no record has it.
    if (number <= Number.MAX_SAFE_INTEGER) list.add(number);
  }
  return [...list].sort((a, b) => a - b);
}

function readSearch(value: string): string | Error {
  if ([...value.trim()].length < 2) return new Error('must have at least 2 characters');
  const words = new Set(tokens(value)).size;
  if (words === 0) return new Error('has no letter or digit to search for');
  return words > maxSearchWords ? new Error(`has more than ${maxSearchWords} different words`) : value;
}
