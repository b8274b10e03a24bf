/** The fields of a form, from the schema of the record, and the conversion between controls and values. */
import Type, { type TSchema } from 'typebox';
import {
  detailSchemas,
  fieldSchemas,
  isNullable,
  type ReferenceField,
  references,
  requiredFields,
  storedFields,
  writableDetails,
} from '../../../api/contract/bodies.ts';
import { detailNames } from '../../../api/contract/fields.ts';
import type { ReferencedResource, ResourceName, WritableResource } from '../../../api/contract/names.ts';
import { capitalized } from '../shared/format.ts';

export type FieldValue = string | number | boolean | readonly string[] | null;
export type Values = Readonly<Record<string, FieldValue>>;

type FieldKind = 'text' | 'paragraph' | 'number' | 'date' | 'lines' | 'flag' | 'reference';

export interface Field {
  name: string;
  label: string;
  hint: string;
  kind: FieldKind;
  isRequired: boolean;
  collection?: ReferencedResource;
}

/** Texts longer than a line. */
const paragraphs: ReadonlySet<string> = new Set(['overview', 'biography', 'movies_eligible', 'note']);

/** Field → a hint for people, where the description of the schema is for programs. */
const hints: Readonly<Record<string, string>> = {
  id: 'Number of the record. Without one, it gets the next free number.',
  origin_country: 'Country codes, such as US and FR.',
  winner: 'Ticked if the nomination won.',
  official: 'Not ticked if the source says that the nomination is not official.',
};

/** Names of the writable fields. The form shows the details of a nomination as fields of their own. */
export const fieldNamesOf = (resource: WritableResource): string[] => [
  ...storedFields(resource),
  ...(resource === 'nominations' ? writableDetails : []),
];

/** The values that take a change back, of those before it. They include the entry number that a moved nomination lost. */
export function undoValues(resource: WritableResource, before: Values): Values {
  const names = [...storedFields(resource), ...(resource === 'nominations' ? detailNames : [])];
  return Object.fromEntries(Object.entries(before).filter(([name]) => names.includes(name)));
}

/** The writable fields, in the order of the documents. Only a new record can be given an id. */
export function fieldsOf(resource: WritableResource, isNew: boolean): Field[] {
  const schemas = { ...fieldSchemas(resource), ...(resource === 'nominations' ? detailSchemas : {}) };
  return fieldNamesOf(resource)
    .filter((name) => isNew || name !== 'id')
    .map((name) => {
      const schema = withoutNull(schemas[name]!);
      const kind = kindOf(name, schema);
      const label = labelOf(name);
      const said = hints[name] ?? ('description' in schema ? String(schema.description) : '');
      const hint = [repeats(said, label) ? '' : said, kind === 'lines' ? 'One on each line.' : ''];
      return {
        name,
        label,
        hint: hint.filter((part) => part !== '').join(' '),
        kind,
        isRequired: requiredFields[resource].includes(name),
        ...(isReference(name) && { collection: references[name] }),
      };
    });
}

/** Whether a description says no more than the label: "Title.", "The ceremony." */
const repeats = (said: string, label: string): boolean =>
  said.replace(/^the /i, '').toLowerCase() === `${label.toLowerCase()}.`;

/** Collection → the fields asked for where a record of it is created beside another; the first is its name. */
const briefFields: Partial<Record<ResourceName, readonly string[]>> = {
  movies: ['title', 'release_date', 'filmindex_id'],
  nominees: ['name', 'known_for_department', 'filmindex_id'],
  songs: ['original_title', 'artist_names'],
};

/** Whether a record of the collection can be created beside the record that refers to it. */
export const canBeCreated = (collection: ResourceName): collection is WritableResource =>
  Object.hasOwn(briefFields, collection);

/** The fields of a record that is created for a reference field. Their names begin with that of the reference. */
export function fieldsOfCreated(reference: Field): Field[] {
  const { collection } = reference;
  if (collection === undefined || !canBeCreated(collection)) return [];
  const all = fieldsOf(collection, true);
  return briefFields[collection]!.map((name) => {
    const field = all.find((own) => own.name === name)!;
    return { ...field, name: `${reference.name}/${name}` };
  });
}

/** The field with the name of a record, where names should be unique; undefined for other collections. */
export const nameFieldOf = (resource: ResourceName): string | undefined => briefFields[resource]?.[0];

const withoutNull = (schema: TSchema): TSchema =>
  Type.IsUnion(schema) && isNullable(schema)
    ? (schema.anyOf.find((option) => !Type.IsNull(option)) ?? schema)
    : schema;

const isReference = (name: string): name is ReferenceField => Object.hasOwn(references, name);

function kindOf(name: string, schema: TSchema): FieldKind {
  if (isReference(name)) return 'reference';
  if (Type.IsBoolean(schema)) return 'flag';
  if (Type.IsInteger(schema)) return 'number';
  if (Type.IsArray(schema)) return 'lines';
  if ('format' in schema && schema.format === 'date') return 'date';
  return paragraphs.has(name) ? 'paragraph' : 'text';
}

function labelOf(name: string): string {
  const words = name.replace(/_id$/, isReference(name) ? '' : ' ID').replaceAll('_', ' ');
  return capitalized(
    words
      .replace(/\bid\b/, 'ID')
      .replace(/\bmoviedb( person)?\b/, 'TMDB')
      .replace(/\bfilmindex\b/, 'IMDb')
      .replace(/\b(img )?url\b/, 'address')
      .replace('wikiurl', 'Wikipedia page'),
  );
}

/** Content of a control: a text, or whether a flag is set. */
export type Entry = string | boolean;

export function entryOf({ kind }: Field, value: FieldValue): Entry {
  if (kind === 'flag') return value === true;
  if (kind === 'lines') return (Array.isArray(value) ? value : []).join('\n');
  return value === null ? '' : String(value);
}

/** The value of an entry. A number that cannot be parsed stays a text, so that the service reports it. */
export function valueFrom({ kind, isRequired }: Field, entry: Entry): FieldValue {
  if (typeof entry === 'boolean') return entry;
  if (kind === 'lines')
    return entry
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line !== '');
  const text = entry.trim();
  if (kind === 'number' || kind === 'reference') {
    if (text === '') return null;
    return /^-?[0-9]{1,15}$/.test(text) ? Number(text) : text;
  }
  return text === '' && !isRequired ? null : text;
}

export const isSame = (one: FieldValue, other: FieldValue): boolean =>
  JSON.stringify(one) === JSON.stringify(other);

export function textOf(value: FieldValue | undefined): string {
  if (value === null || value === undefined || value === '') return 'nothing';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value === 'object') return value.length === 0 ? 'nothing' : value.join(', ');
  return String(value);
}
