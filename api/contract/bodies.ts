/** What a body may hold that creates or changes a record: which fields are required, which are derived, and what the rest default to. */
import Type, { type TSchema } from 'typebox';
import { type ReferencedResource, type WritableResource, writableResources } from './names.ts';
import { resourceSchemas } from './resources.ts';

export { type WritableResource, writableResources } from './names.ts';

/** The media types of the bodies that a method takes. */
export const bodyTypes = {
  POST: ['application/json'],
  PATCH: ['application/json', 'application/merge-patch+json'],
} as const;

/** The fields by which a nomination refers to other records → the collection of those. */
export const references = {
  ceremony_id: 'ceremonies',
  category_id: 'categories',
  movie_id: 'movies',
  nominee_id: 'nominees',
  song_id: 'songs',
} as const satisfies Record<string, ReferencedResource>;
export type ReferenceField = keyof typeof references;

/** The fields of a nomination that are never stored → the reference that each follows from. */
export const derivedFrom = {
  ceremony_year: 'ceremony_id',
  category: 'category_id',
  movie: 'movie_id',
  nominee: 'nominee_id',
  song_title: 'song_id',
  is_song: 'song_id',
} as const satisfies Record<string, ReferenceField>;
export type DerivedField = keyof typeof derivedFrom;
export const derivedFields = Object.keys(derivedFrom) as DerivedField[];

/** The schemas of all fields of a resource, in document order. */
export function fieldSchemas(resource: WritableResource): Record<string, TSchema> {
  return resourceSchemas[resource].properties;
}

/** The fields of a resource that the database keeps, in document order. */
export function storedFields(resource: WritableResource): string[] {
  const fields = Object.keys(fieldSchemas(resource));
  return resource === 'nominations' ? fields.filter((field) => !Object.hasOwn(derivedFrom, field)) : fields;
}

/** What a stored field holds where nobody said what; for a required one it has no meaning. */
export function defaultOf(field: string): false | [] | null {
  if (field === 'winner') return false;
  return field === 'genres' || field === 'origin_country' ? [] : null;
}

/** The fields without which a record cannot be created. Ids are handed out, save those of nominations. */
export const requiredFields = Object.fromEntries(
  writableResources.map((resource) => [
    resource,
    storedFields(resource).filter(
      (field) =>
        defaultOf(field) === null &&
        !isNullable(fieldSchemas(resource)[field]!) &&
        (field !== 'id' || resource === 'nominations'),
    ),
  ]),
) as Record<WritableResource, string[]>;

/** Whether null is a value of a field. */
export function isNullable(schema: TSchema): boolean {
  return Type.IsUnion(schema) && schema.anyOf.some((option) => Type.IsNull(option));
}
