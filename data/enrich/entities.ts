/** Reads entities of a Wikidata dump: https://doc.wikimedia.org/Wikibase/master/php/docs_topics_json.html */
import { addText, type FactsById, isEntityId, type Variable } from './facts.ts';
import { resourceOf } from './wanted.ts';

interface Statement {
  rank?: unknown;
  mainsnak?: { snaktype?: unknown; datavalue?: { value?: unknown } };
}

/** An entity as far as it is looked at. The members may be anything: empty objects are written as []. */
export interface Entity {
  id: string;
  claims?: Readonly<Record<string, unknown>>;
  labels?: Readonly<Record<string, unknown>>;
}

/** Whether a parsed value is an entity. */
export function isEntity(value: unknown): value is Entity {
  const { id, claims, labels } = (value ?? {}) as Partial<Entity>;
  return typeof id === 'string' && /^[A-Z][0-9]+/.test(id) && (isObject(claims) || isObject(labels));
}
const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;

/**
 * The values of the statements of a property that have the best rank: the preferred ones if there are any, else the normal
 * ones, never a deprecated one. Unknown and missing values are left out.
 */
function bestValues({ claims }: Entity, property: string): unknown[] {
  const listed = claims?.[property];
  const statements = (Array.isArray(listed) ? listed : []).filter(isObject) as Statement[];
  const preferred = statements.filter(({ rank }) => rank === 'preferred');
  const best = preferred.length > 0 ? preferred : statements.filter(({ rank }) => rank !== 'deprecated');
  return best.flatMap(({ mainsnak }) => {
    const value = mainsnak?.snaktype === 'value' ? mainsnak.datavalue?.value : undefined;
    return value === undefined || value === null ? [] : [value];
  });
}

/** Reads the text of a value; undefined if it says nothing. */
type ReadValue = (value: unknown) => string | undefined;

const text: ReadValue = (value) => (typeof value === 'string' ? value : undefined);

const entityId: ReadValue = (value) => {
  if (!isObject(value)) return undefined;
  const id = value.id ?? `Q${value['numeric-id']}`;
  return typeof id === 'string' && isEntityId(id) ? id : undefined;
};

/** Unit → its length in minutes. */
const minutesOf: Readonly<Record<string, number>> = { Q7727: 1, Q11574: 1 / 60, Q25235: 60 };

/** Minutes. An amount in another unit keeps its unit, so that it is reported as unreadable. */
const duration: ReadValue = (value) => {
  if (!isObject(value)) return undefined;
  const unit = /Q[0-9]+$/.exec(String(value.unit))?.[0] ?? 'without unit';
  const minutes = Object.hasOwn(minutesOf, unit) ? minutesOf[unit]! : undefined;
  return minutes === undefined ? `${value.amount} ${unit}` : String(Number(value.amount) * minutes);
};

const precisionOfDay = 11;
const julianCalendar = 'Q1985786';

/** A date in the Gregorian calendar. Only a day is a date. */
const date: ReadValue = (value) => {
  if (!isObject(value) || !(Number(value.precision) >= precisionOfDay)) return undefined;
  const isJulian = String(value.calendarmodel).endsWith(julianCalendar);
  return isJulian ? gregorian(String(value.time)) : String(value.time);
};

/** The Gregorian date of a Julian one. Russian dates of birth before 1918 are often Julian. */
function gregorian(julian: string): string {
  const parts = /^\+?([0-9]{4})-([0-9]{2})-([0-9]{2})/.exec(julian);
  if (!parts) return julian;
  const [year, month, dayOfMonth] = parts.slice(1).map(Number) as [number, number, number];
  // Julian centuries are leap years, three of four Gregorian ones are not; the day after 28 February counts.
  const counted = month > 2 ? year : year - 1;
  const difference = Math.floor(counted / 100) - Math.floor(counted / 400) - 2;
  return new Date(Date.UTC(year, month - 1, dayOfMonth + difference)).toISOString().slice(0, 10);
}

/** Property → the variable that its values are texts of. */
const properties: Readonly<
  Record<'movies' | 'nominees', readonly (readonly [string, Variable, ReadValue])[]>
> = {
  movies: [
    ['P136', 'genreLabel', entityId],
    ['P2047', 'duration', duration],
    ['P577', 'date', date],
    ['P495', 'country', entityId],
    ['P4947', 'tmdb', text],
  ],
  nominees: [
    ['P569', 'birth', date],
    ['P570', 'death', date],
    ['P19', 'placeLabel', entityId],
    ['P4985', 'tmdb', text],
  ],
};

/** The property with the id in the film index. */
export const filmindexProperty = 'P345';

/** Adds what an entity says about the wanted records. Genres, countries and places are ids of entities. */
export function addEntity(entity: Entity, wanted: ReadonlySet<string>, facts: FactsById): void {
  for (const id of bestValues(entity, filmindexProperty)) {
    if (typeof id !== 'string' || !wanted.has(id)) continue;
    const own = facts.add(id, entity.id);
    if (own === undefined) continue;
    for (const [property, variable, read] of properties[resourceOf(id)!])
      for (const value of bestValues(entity, property)) {
        const known = read(value);
        if (known !== undefined) addText(own, variable, known);
      }
  }
}

/** What another entity needs of a genre, country or place. */
export interface Names {
  /** In English. "mul" is one label for all languages. */
  label: string | undefined;
  /** ISO 3166-1 alpha-2. */
  country: string | undefined;
}

export function namesOf(entity: Entity): Names {
  const labelIn = (language: string) => {
    const label = entity.labels?.[language];
    return isObject(label) && typeof label.value === 'string' ? label.value : undefined;
  };
  const [country] = bestValues(entity, 'P297');
  return { label: labelIn('en') ?? labelIn('mul'), country: text(country) };
}
