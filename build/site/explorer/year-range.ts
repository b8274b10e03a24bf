/**
 * The years of a form: one range, of ceremonies or of films. It stands for the six year parameters of the
 * API. A form sends `from`, `to` and `years`; the page is at the address with the parameters of the API.
 */
import type { ParameterName } from '../../../api/contract/parameters.ts';
import { span } from '../shared/format.ts';

export type YearKind = 'ceremony' | 'film';

interface YearRange {
  kind: YearKind;
  /** As the address has them; '' for an open end. */
  from: string;
  to: string;
}

/** The parameters of the API for each kind: one year, the first and the last. */
const parametersOf = {
  ceremony: ['year', 'yearStart', 'yearEnd'],
  film: ['filmYear', 'filmYearStart', 'filmYearEnd'],
} as const satisfies Record<YearKind, readonly ParameterName[]>;

const kinds = ['ceremony', 'film'] as const;
/** The names of the fields. */
export const rangeFields = { from: 'from', to: 'to', kind: 'years' } as const;
const ofForms: readonly string[] = [...Object.values(rangeFields), 'decade'];

/** The kinds of years that a list takes, the usual one first. The years of songs are those of recordings. */
export function yearKinds(path: string, names: readonly ParameterName[]): YearKind[] {
  const taken = kinds.filter((kind) => names.includes(parametersOf[kind][1]));
  if (path === '/songs') return taken.filter((kind) => kind === 'film');
  return path === '/movies' ? taken.reverse() : taken;
}

/** The parameters that a range of these kinds stands for. */
export const rangeParameters = (own: readonly YearKind[]): readonly ParameterName[] =>
  own.flatMap((kind) => parametersOf[kind]);

/** The range of one kind in an address. */
function rangeOfKind(query: URLSearchParams, kind: YearKind): YearRange {
  const [exact, first, last] = parametersOf[kind].map((name) => query.get(name) ?? '');
  return exact ? { kind, from: exact, to: exact } : { kind, from: first!, to: last! };
}

const isSet = ({ from, to }: YearRange): boolean => from !== '' || to !== '';

/** The ranges that an address sets. */
export const rangesIn = (query: URLSearchParams, own: readonly YearKind[]): YearRange[] =>
  own.map((kind) => rangeOfKind(query, kind)).filter(isSet);

/** The range that a form shows. */
export const rangeShown = (query: URLSearchParams, own: readonly YearKind[]): YearRange =>
  rangesIn(query, own)[0] ?? { kind: own[0]!, from: '', to: '' };

/** The parameters of the API for a range. */
export function parametersOfRange({ kind, from, to }: YearRange): Record<string, string> {
  const [, first, last] = parametersOf[kind];
  return { ...(from && { [first]: from }), ...(to && { [last]: to }) };
}

/** A decade as parameters of the API. */
export const decadeParameters = (kind: YearKind, decade: number): Record<string, string> =>
  parametersOfRange({ kind, from: String(decade), to: String(decade + 9) });

/** The range that a form or a link to a decade sends, as parameters of the API; undefined without one. */
export function withRange(query: URLSearchParams): URLSearchParams | undefined {
  if (!ofForms.some((name) => query.has(name))) return undefined;
  const kind = query.get(rangeFields.kind) === 'film' ? 'film' : 'ceremony';
  const decade = query.get('decade');
  const isDecade = decade !== null && /^\d{3}0$/.test(decade);
  const [from, to] = isDecade
    ? [decade, String(Number(decade) + 9)]
    : [query.get(rangeFields.from) ?? '', query.get(rangeFields.to) ?? ''];
  const parameters = new URLSearchParams(query);
  for (const name of ofForms) parameters.delete(name);
  if (from === '' && to === '') return parameters;
  for (const name of parametersOf[kind]) parameters.delete(name);
  for (const [name, value] of Object.entries(parametersOfRange({ kind, from, to })))
    parameters.set(name, value);
  return parameters;
}

const verbs = { ceremony: 'Held', film: 'Films' } as const;

/** "Held 1990–1999", "Films since 1990", "Held in 1995". */
export function rangeText({ kind, from, to }: YearRange): string {
  const verb = verbs[kind];
  if (to === '') return `${verb} since ${from}`;
  if (from === '') return `${verb} until ${to}`;
  if (from === to) return kind === 'film' ? `Films of ${from}` : `Held in ${from}`;
  const years = /^\d+$/.test(from + to) ? span(Number(from), Number(to)) : `${from}–${to}`;
  return kind === 'film' ? `Films of ${years}` : `Held ${years}`;
}
