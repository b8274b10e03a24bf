/**
 * The fields of the body of a write: which are required, which are derived, and the defaults of the others.
 */
import * as Type from 'typebox';
import type { TSchema } from 'typebox';
import { detailNames, requestedFields } from './fields.ts';
import { maxBatchWrites, maxNoteLength } from './limits.ts';
import {
  type ReferencedResource,
  type ResourceName,
  type WritableResource,
  writableResources,
} from './names.ts';
import { DetailsSchema, requestedSchemas, resourceSchemas } from './resources.ts';

export type JsonValue = null | boolean | number | string | JsonValue[] | { [name: string]: JsonValue };

/** Method → media types of its body. */
export const bodyTypes = {
  POST: ['application/json'],
  PATCH: ['application/json', 'application/merge-patch+json'],
} as const;

/** The body of a batch. */
export const BatchSchema = Type.Array(
  Type.Object({
    method: Type.Enum(['POST', 'PATCH', 'DELETE'], {
      description: 'POST adds a record, PATCH changes one, DELETE deletes one.',
    }),
    path: Type.String({
      description:
        'Address of the list for a POST, and of the record for a PATCH or DELETE, such as /api/movies/1.',
    }),
    body: Type.Optional(
      Type.Unsafe<Record<string, unknown>>({
        type: 'object',
        description:
          'The body of the single write; a DELETE has none. A nomination can refer to a record that an earlier write of the batch adds with an id.',
      }),
    ),
    if_match: Type.Optional(
      Type.String({
        description: 'As the header If-Match. It is compared with the record as it was before the batch.',
      }),
    ),
    note: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: maxNoteLength,
        description: 'Why the record is written, such as the source of a value. The receipt has it.',
      }),
    ),
  }),
  {
    minItems: 1,
    maxItems: maxBatchWrites,
    description: 'The writes, carried out in this order: all of them or none.',
  },
);

/** Reference field of a nomination → the resource it refers to. */
export const references = {
  ceremony_id: 'ceremonies',
  category_id: 'categories',
  movie_id: 'movies',
  nominee_id: 'nominees',
  song_id: 'songs',
} as const satisfies Record<string, ReferencedResource>;
export type ReferenceField = keyof typeof references;

/** The reference fields of the records of a resource. The people of an honor are in a list. */
export const referencesOf: Partial<Record<ResourceName, readonly ReferenceField[]>> = {
  nominations: Object.keys(references) as ReferenceField[],
  honors: ['ceremony_id', 'category_id', 'movie_id'],
};

/** Derived field of a nomination or honor, which is never stored → the reference it is derived from. */
export const derivedFrom = {
  ceremony_year: 'ceremony_id',
  category: 'category_id',
  movie: 'movie_id',
  nominee: 'nominee_id',
  song_title: 'song_id',
  is_song: 'song_id',
} as const satisfies Record<string, ReferenceField>;
export type DerivedField = keyof typeof derivedFrom;

/** Field → schema, in document order. */
export function fieldSchemas(resource: ResourceName): Record<string, TSchema> {
  const requested: Partial<Record<ResourceName, Record<string, TSchema>>> = requestedSchemas;
  return { ...resourceSchemas[resource].properties, ...requested[resource] };
}

/** Resource → its derived fields. */
export const derivedFieldsOf: Partial<Record<ResourceName, readonly DerivedField[]>> = {
  nominations: Object.keys(derivedFrom) as DerivedField[],
  honors: ['ceremony_year', 'movie'],
};

/** The fields that the database stores, in document order; last those that are shown on request. */
export function storedFields(resource: ResourceName): string[] {
  const fields = [...Object.keys(resourceSchemas[resource].properties), ...(requestedFields[resource] ?? [])];
  const derived: readonly string[] = derivedFieldsOf[resource] ?? [];
  return fields.filter((field) => !derived.includes(field));
}

/**
 * The stored fields of the records of a snapshot, of the downloads and of changes: all but other names, which
 * are only searched, and are apart.
 */
export const publishedFields = (resource: ResourceName): string[] =>
  storedFields(resource).filter((field) => field !== 'other_names');

/** Member of the `details` of a nomination → schema, in document order. Only an undo changes `entry`. */
export const detailSchemas: Record<string, TSchema> = DetailsSchema.properties;
/** The details that an editor chooses. */
export const writableDetails = detailNames.filter((name) => name !== 'entry');

/** The fields that are lists. */
export const listFields: ReadonlySet<string> = new Set([
  'genres',
  'origin_country',
  'nominee_ids',
  'other_names',
]);

/**
 * The default of a stored field. Has no meaning for required fields.
 * @param resource matters for honors: they are special and awarded unless a write says otherwise
 */
export function defaultOf(field: string, resource?: ResourceName): boolean | string | [] | null {
  if (resource === 'honors' && field === 'class') return 'Special';
  if (field === 'winner') return resource === 'honors';
  if (field === 'official') return true;
  return listFields.has(field) ? [] : null;
}

/** Sets fields of a record, where it has them, to unknown: those whose values may not be passed on. */
export function clearFields(record: Record<string, unknown>, fields: readonly { field: string }[]): void {
  for (const { field } of fields) if (Object.hasOwn(record, field)) record[field] = defaultOf(field);
}

/** Fields that can be unknown, and that a new record names nevertheless. */
const namedAlways: Partial<Record<ResourceName, readonly string[]>> = { honors: ['recipients'] };

/** Resource → the fields that a new record requires. The service assigns ids, except those of nominations. */
export const requiredFields = Object.fromEntries(
  writableResources.map((resource) => [
    resource,
    storedFields(resource).filter(
      (field) =>
        namedAlways[resource]?.includes(field) ||
        (defaultOf(field, resource) === null &&
          !isNullable(fieldSchemas(resource)[field]!) &&
          (field !== 'id' || resource === 'nominations')),
    ),
  ]),
) as Record<WritableResource, string[]>;

export function isNullable(schema: TSchema): boolean {
  return Type.IsUnion(schema) && schema.anyOf.some((option) => Type.IsNull(option));
}

/** The schema of the values of a field that are not null. */
export function presentSchema(schema: TSchema): TSchema {
  return Type.IsUnion(schema) ? schema.anyOf.find((option) => !Type.IsNull(option))! : schema;
}
