/** The fields of a form, from the schemas of the API; what is typed and its value; changes in words. */
import * as Type from 'typebox';
import type { TSchema } from 'typebox';
import * as bodies from '../../../api/contract/bodies.ts';
import { isWritable, type ReferencedResource, type WritableResource } from '../../../api/contract/names.ts';
import { shortened } from '../../../api/contract/problems.ts';
import { capitalized, nouns } from '../shared/format.ts';
import type { Making } from './making.ts';
import { isSame, type Values } from './reading.ts';
import { referenceMeant } from './references.ts';
import type { Receipt } from './requests.ts';

/** A typed name, and the id that the editor chose for it: 0 for a new record. Without one, the name tells. */
export type Reference = { name: string; id?: number };

/** Content of a control. A reference without a name is empty. */
export type Entry = string | boolean | Reference;

/** What is typed: field → content of its control. */
export type Entries = Readonly<Record<string, Entry>>;

export interface Field {
  name: string;
  label: string;
  hint: string;
  /** Of `people`, each line is the number or the name of a person or company. */
  kind: 'text' | 'paragraph' | 'number' | 'date' | 'lines' | 'people' | 'flag' | 'reference';
  isRequired: boolean;
  collection: ReferencedResource | undefined;
}

/** Reference field → the member of a nomination with the name of the other record. */
const otherNames: Readonly<Record<string, string>> = { ceremony_id: 'ceremony_year', song_id: 'song_title' };
const nameOf = (field: string): string => otherNames[field] ?? field.replace(/_id$/, '');
const isReference = (name: string): name is bodies.ReferenceField => Object.hasOwn(bodies.references, name);

/** The fields that an editor fills in, in the order of the documents. Ids are not among them. */
export function fieldsOf(resource: WritableResource): Field[] {
  const details = resource === 'nominations' ? bodies.detailSchemas : {};
  const schemas = { ...bodies.fieldSchemas(resource), ...details };
  const own = bodies.writableDetails.filter((name) => name in details);
  // The first is the id.
  return [...bodies.storedFields(resource).slice(1), ...own].map((name) => {
    const schema = bodies.presentSchema(schemas[name]!) as Schema;
    const isRequired = bodies.requiredFields[resource].includes(name);
    const collection = isReference(name) ? bodies.references[name] : undefined;
    const label = labelOf(name);
    const said = schema.items ? `One on each line: ${schema.items.description}` : (schema.description ?? '');
    // "Title." and "The film." say no more than the label.
    const hint = said.replace(/^The |\.$/g, '').toLowerCase() === label.toLowerCase() ? '' : said;
    return { name, label, hint, kind: kindOf(name, schema), isRequired, collection };
  });
}

type Schema = TSchema & { description?: string; items?: Schema; format?: string; maxLength?: number };

function kindOf(name: string, schema: Schema): Field['kind'] {
  if (isReference(name)) return 'reference';
  if (Type.IsBoolean(schema)) return 'flag';
  if (Type.IsInteger(schema)) return 'number';
  if (Type.IsArray(schema)) return name === 'nominee_ids' ? 'people' : 'lines';
  if (schema.format === 'date') return 'date';
  // Addresses have at most 2,000 characters.
  return (schema.maxLength ?? 0) > 2000 ? 'paragraph' : 'text';
}

function labelOf(name: string): string {
  if (name === 'nominee_ids') return 'People and companies';
  // An honor has a category of today, and its name at the time.
  if (name === 'category') return 'Name of the award';
  if (isReference(name)) return capitalized(nouns[bodies.references[name]].one);
  const words = name.replaceAll('_', ' ').replace(/\bid\b/, 'ID');
  const service = words.replace(/moviedb( person)?\b/, 'TMDB').replace('filmindex', 'IMDb');
  return capitalized(service.replace(/\b(img )?url\b/, 'address').replace('wikiurl', 'Wikipedia page'));
}

const isList = ({ kind }: Field): boolean => kind === 'lines' || kind === 'people';
const isNumber = (text: string): boolean => /^[1-9][0-9]{0,14}$/.test(text);

/** What a control shows of a record. */
export function entryOf(field: Field, values: Values): Entry {
  const value = values[field.name] ?? bodies.defaultOf(field.name);
  if (field.kind === 'flag') return value === true;
  if (isList(field)) return (value as readonly (string | number)[]).join('\n');
  if (field.kind !== 'reference') return String(value ?? '');
  return value === null ? { name: '' } : { name: textOf(field, values), id: value as number };
}

/** The value of an entry. A number that cannot be parsed stays a text: the service reports it. */
export function valueFrom(field: Field, entry: Entry): unknown {
  const { kind } = field;
  if (typeof entry === 'boolean') return entry;
  if (typeof entry === 'object') return entry.id ?? (entry.name || null);
  const lines = entry.split('\n').map((line) => line.trim());
  if (isList(field)) {
    const filled = lines.filter((line) => line !== '');
    return kind === 'people' ? filled.map((line) => (isNumber(line) ? Number(line) : line)) : filled;
  }
  const text = entry.trim();
  return kind === 'number' && /^-?[0-9]{1,15}$/.test(text) ? Number(text) : text || null;
}

/**
 * The values of what is typed. A name can add the write of a new record; faults are about the controls.
 * @param year of the ceremony that names are for
 */
export async function valuesOf(fields: readonly Field[], entries: Entries, making: Making, year?: number) {
  const values: Record<string, unknown> = {};
  for (const field of fields) {
    const { name, collection } = field;
    const entry = entries[name] ?? '';
    values[name] = valueFrom(field, entry);
    if (field.kind === 'people')
      values[name] = await peopleFrom(values[name] as Person[], making, name, year);
    if (typeof entry !== 'object' || !collection) continue;
    const typed = entry.name.trim();
    const chosen = entry.id ?? (typed ? (await referenceMeant(collection, typed, year)).id : null);
    values[name] = await making.idOf(collection, entry.name, chosen ?? undefined, name);
  }
  return values;
}

/** A number, or a name. */
type Person = number | string;

/** The ids of people: a name can add the write of a new record. */
async function peopleFrom(people: readonly Person[], making: Making, control: string, year?: number) {
  const ids: unknown[] = [];
  for (const person of people) {
    if (typeof person === 'number') ids.push(person);
    else {
      const { id } = await referenceMeant('nominees', person, year);
      ids.push(await making.idOf('nominees', person, id, control));
    }
  }
  return ids;
}

/** The value of a field in words, with names instead of ids. */
export function textOf({ name }: Field, values: Values): string {
  const value = values[isReference(name) && values[name] ? nameOf(name) : name] ?? '';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  return (Array.isArray(value) ? value.join(', ') : String(value)) || 'nothing';
}

/** What a receipt says of its record: "runtime 194 → 195". */
export function changeInWords({ action, resource, before, after }: Receipt): string {
  if (action !== 'update') return action === 'create' ? 'added' : 'deleted';
  const fields = isWritable(resource) ? fieldsOf(resource) : [];
  const changed = fields.filter(({ name }) => !isSame(before[name], after[name]));
  const words = changed.map((field) => {
    const label = field.label.replace(/^[A-Z](?=[a-z ])/, (letter) => letter.toLowerCase());
    return `${label} ${shortened(textOf(field, before))} → ${shortened(textOf(field, after))}`;
  });
  return words.join(', ') || 'changed';
}
