/** Reads the arguments of a call as clients and models send them, as texts of a query string. */
import { unknownName } from '../contract/nearest.ts';
import { type ParameterName, parameters, parametersMeant } from '../contract/parameters.ts';

/** Name → value of a query or of the arguments of a call, as text. */
export type Values = Readonly<{ [name: string]: string }>;

/** Why a call has no answer, for the model. */
export class CallFault extends Error {}

/** What clients send for an optional argument that has no value. */
const isAbsent = (value: unknown): boolean =>
  value === null ||
  value === 0 ||
  (Array.isArray(value) && value.length === 0) ||
  (typeof value === 'string' && /^\s*(|0|null|none|undefined|\[\s*\])\s*$/i.test(value));

/** The items of a list, which may come as the text of JSON. */
function itemsOf(value: unknown): unknown[] {
  if (Array.isArray(value)) return value;
  if (typeof value === 'string' && value.trim().startsWith('['))
    try {
      return [JSON.parse(value)].flat() as unknown[];
    } catch {
      // A title can begin with a bracket.
    }
  return [value];
}

const isScalar = (value: unknown): boolean => ['string', 'number', 'boolean'].includes(typeof value);
const isBoolean = (name: string): boolean => parameters[name as ParameterName]?.kind === 'boolean';
const booleans: Values = { yes: 'true', y: 'true', 1: 'true', no: 'false', n: 'false' };

/** Another name → the argument of tools that it can mean, where that is no parameter of the API. */
const ownNames: ReadonlyMap<string, string> = new Map([
  ['role', 'character'],
  ['imdb', 'imdb_id'],
  ['ceremony', 'number'],
  ['text', 'query'],
  ['type', 'ranking'],
]);

/** The argument of a tool that an unknown name can mean. */
const argumentMeant = (name: string, known: readonly string[]): string | undefined =>
  [ownNames.get(name.toLowerCase()) ?? '', ...parametersMeant(name)].find((own) => known.includes(own));

/**
 * The values of a call.
 * @param known the names that the tool takes
 * @throws CallFault that names all faults
 */
export function valuesOf(given: Readonly<{ [name: string]: unknown }>, known: readonly string[]): Values {
  const faults: string[] = [];
  const values: { [name: string]: string } = {};
  for (const [name, value] of Object.entries(given)) {
    if (isAbsent(value)) continue;
    const items = itemsOf(value);
    if (!known.includes(name)) {
      const meant = argumentMeant(name, known);
      faults.push(unknownName('parameter', name, known, 'this tool takes', meant));
    } else if (!items.every(isScalar))
      faults.push(`${name} must be a text, a number, true, false, or a list of these`);
    else {
      const text = items.map(String).join().trim();
      const lowerCase = text.toLowerCase();
      values[name] = isBoolean(name) ? (booleans[lowerCase] ?? lowerCase) : text;
    }
  }
  if (faults.length > 0) throw new CallFault(faults.slice(0, 5).join('; '));
  return values;
}
