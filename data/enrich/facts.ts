/**
 * What Wikidata says about the films and people of the record: the texts of the variables of films.rq and people.rq, and the
 * values of fields made from them.
 */
import type { JsonValue } from '../../api/contract/bodies.ts';
import type { EnrichedResource } from '../../api/contract/enrichment.ts';
import { byCodeUnit } from '../../api/contract/text.ts';
import type { RecordFields } from '../validation.ts';
import { genresOf } from './genres.ts';

/** The variables that become values. "title" is for people who read the results: the record has no field for it. */
export const variables = {
  movies: ['genreLabel', 'duration', 'date', 'country', 'tmdb'],
  nominees: ['birth', 'death', 'placeLabel', 'tmdb'],
} as const satisfies Record<EnrichedResource, readonly string[]>;
export type Variable = (typeof variables)[EnrichedResource][number];

export const isEntityId = (text: string): boolean => /^Q[1-9][0-9]*$/.test(text);

export interface Facts {
  /** Such as Q44578. */
  item: string;
  texts: Partial<Record<Variable, string[]>>;
  /** Labels for all languages, which count where there is none in English. */
  neutral: Partial<Record<Variable, string[]>>;
}

/** Facts by the id in the film index. */
export class FactsById {
  readonly #facts = new Map<string, Facts>();

  /** Notes that an item has an id. If several items have it, the one with the lowest number counts. */
  add(filmindexId: string, item: string): Facts | undefined {
    const known = this.#facts.get(filmindexId);
    if (known?.item === item) return known;
    if (known && numberOf(known.item) < numberOf(item)) return undefined;
    const facts: Facts = { item, texts: {}, neutral: {} };
    this.#facts.set(filmindexId, facts);
    return facts;
  }

  get(filmindexId: string): Facts | undefined {
    return this.#facts.get(filmindexId);
  }
}

const numberOf = (item: string): number => Number(item.slice(1));

export function addText(facts: Facts, variable: Variable, text: string, isNeutral: boolean): void {
  const all = isNeutral ? facts.neutral : facts.texts;
  const texts = all[variable];
  if (texts === undefined) all[variable] = [text];
  else if (!texts.includes(text)) texts.push(text);
}

/** Reads one text; undefined if it cannot be read, null if it says nothing. */
type Read<T> = (text: string) => T | null | undefined;

/** Field → the variable it comes from, and its value from the texts that could be read, none of them null. */
interface FieldRule {
  variable: Variable;
  read: Read<string | number>;
  combine: (values: readonly (string | number)[]) => JsonValue;
}

const least = (values: readonly (string | number)[]): JsonValue =>
  [...values].sort((a, b) => (typeof a === 'number' ? a - Number(b) : byCodeUnit(a, String(b))))[0] ?? null;
const all = (values: readonly (string | number)[]): JsonValue =>
  [...new Set(values.map(String))].sort(byCodeUnit);

/** A whole number of minutes; less than half a minute says nothing. */
const minutes: Read<number> = (text) => {
  if (!/^\+?[0-9]+(\.[0-9]+)?$/.test(text)) return undefined;
  return Math.round(Number(text)) || null;
};
const day: Read<string> = (text) => /^\+?([0-9]{4}-[0-9]{2}-[0-9]{2})(T|$)/.exec(text)?.[1];
/** A code of two letters, or one of four of a country that is no more (ISO 3166-3). */
const country: Read<string> = (text) => {
  const code = text.toUpperCase();
  return /^([A-Z]{2}){1,2}$/.test(code) ? code : undefined;
};
const number: Read<number> = (text) => (/^[1-9][0-9]{0,15}$/.test(text) ? Number(text) : undefined);
/** A label that is only an id says nothing. */
const label: Read<string> = (text) => (isEntityId(text) ? null : text.trim() || null);

/** Of several values, a field has the least, and a list has all of them. */
const rules: Readonly<Record<EnrichedResource, Readonly<Record<string, FieldRule>>>> = {
  movies: {
    genres: { variable: 'genreLabel', read: label, combine: (labels) => genresOf(labels.map(String)) },
    runtime: { variable: 'duration', read: minutes, combine: least },
    release_date: { variable: 'date', read: day, combine: least },
    origin_country: { variable: 'country', read: country, combine: all },
    moviedb_id: { variable: 'tmdb', read: number, combine: least },
  },
  nominees: {
    birthday: { variable: 'birth', read: day, combine: least },
    deathday: { variable: 'death', read: day, combine: least },
    place_of_birth: { variable: 'placeLabel', read: label, combine: least },
    moviedb_person_id: { variable: 'tmdb', read: number, combine: least },
  },
};

/** Resource → the fields that Wikidata can fill. */
export const wikidataFields = (resource: EnrichedResource): string[] => Object.keys(rules[resource]);

/** The values of fields that some facts give. @param onUnreadable called with each text that cannot be read */
export function valuesOf(
  resource: EnrichedResource,
  { texts, neutral }: Facts,
  onUnreadable: (variable: Variable, text: string) => void,
): RecordFields {
  const values: RecordFields = {};
  for (const [field, { variable, read, combine }] of Object.entries(rules[resource])) {
    const known: (string | number)[] = [];
    for (const text of texts[variable] ?? neutral[variable] ?? []) {
      const value = read(text);
      if (value === undefined) onUnreadable(variable, text);
      else if (value !== null) known.push(value);
    }
    const value = combine(known);
    if (value !== null && !(Array.isArray(value) && value.length === 0)) values[field] = value;
  }
  return values;
}
