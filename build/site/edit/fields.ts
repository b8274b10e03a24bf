/** The fields of a form, from the schema of the record: what each is called and takes, and how what is typed becomes a value. */
import Type, { type TSchema } from 'typebox';
import {
  fieldSchemas,
  isNullable,
  type ReferenceField,
  references,
  requiredFields,
  storedFields,
  type WritableResource,
} from '../../../api/contract/bodies.ts';
import type { ReferencedResource } from '../../../api/contract/names.ts';

export type FieldValue = string | number | boolean | readonly string[] | null;
export type Values = Readonly<Record<string, FieldValue>>;

export type FieldKind = 'text' | 'paragraph' | 'number' | 'date' | 'lines' | 'flag' | 'reference';

export interface Field {
  name: string;
  label: string;
  hint: string;
  kind: FieldKind;
  isRequired: boolean;
  /** Where what a reference leads to is found. */
  collection?: ReferencedResource;
}

/** Texts that are more than a line. */
const paragraphs: ReadonlySet<string> = new Set(['overview', 'biography', 'movies_eligible']);

/** The fields that can be changed, in the order of the documents; a new record may also be given its id. */
export function fieldsOf(resource: WritableResource, isNew: boolean): Field[] {
  const schemas = fieldSchemas(resource);
  return storedFields(resource)
    .filter((name) => isNew || name !== 'id')
    .map((name) => fieldOf(name, schemas[name]!, requiredFields[resource].includes(name)));
}

function fieldOf(name: string, schema: TSchema, isRequired: boolean): Field {
  const plain = plainSchema(schema);
  const hint = 'description' in plain && typeof plain.description === 'string' ? plain.description : '';
  const field: Field = { name, label: labelOf(name), hint, kind: kindOf(name, plain), isRequired };
  if (isReference(name)) field.collection = references[name];
  return field;
}

/** The schema of a value that is not null. */
const plainSchema = (schema: TSchema): TSchema =>
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
  const spelled = words
    .replace(/\bid\b/, 'ID')
    .replace(/\b(img )?url\b/, 'address')
    .replace('wikiurl', 'encyclopedia page');
  return spelled.charAt(0).toUpperCase() + spelled.slice(1);
}

/** What stands in a control: text, or for a flag whether it is set. */
export type Entry = string | boolean;

export function entryOf({ kind }: Field, value: FieldValue): Entry {
  if (kind === 'flag') return value === true;
  if (kind === 'lines') return (Array.isArray(value) ? value : []).join('\n');
  return value === null ? '' : String(value);
}

/** The value of what was entered. What is no number stays what it is, for the service to say what is wrong with it. */
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

/** A value in words. */
export function shown(value: FieldValue | undefined): string {
  if (value === null || value === undefined || value === '') return 'nothing';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value === 'object') return value.length === 0 ? 'nothing' : value.join(', ');
  return String(value);
}
