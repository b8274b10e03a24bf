/** The schemas of the OpenAPI document, and the types and references that all its parts use. */
import Type, { type TSchema } from 'typebox';
import {
  answers,
  documentSchemas,
  listedSchemas,
  listSchemas,
  recordSchemas,
} from '../../api/contract/answers.ts';
import {
  defaultOf,
  derivedFrom,
  detailSchemas,
  fieldSchemas,
  isNullable,
  requiredFields,
} from '../../api/contract/bodies.ts';
import {
  type ResourceName,
  resourceNames,
  type WritableResource,
  writableResources,
} from '../../api/contract/names.ts';
import type { ListedName, Route } from '../../api/contract/routes.ts';
import type { JsonObject } from '../../api/contract/value-schemas.ts';

type ComponentKind = 'schemas' | 'parameters' | 'headers' | 'responses' | 'examples';

export const referenceTo = (kind: ComponentKind, name: string): JsonObject => ({
  $ref: `#/components/${kind}/${name}`,
});

/** Name → reference to the component of this name. */
export const referencesTo = (kind: ComponentKind, names: readonly string[]): JsonObject =>
  Object.fromEntries(names.map((name) => [name, referenceTo(kind, name)]));

/** `no-such-record` becomes `NoSuchRecord`. */
export const pascalCase = (code: string): string =>
  code.replace(/(^|-)([a-z])/g, (_all, _dash: string, letter: string) => letter.toUpperCase());

/** Resource → the name of its schema, singular and plural in summaries, and what it holds. */
export const resourceTexts = {
  nominations: {
    name: 'Nomination',
    one: 'a nomination',
    many: 'nominations',
    about: 'A nominee, film and category at a ceremony.',
  },
  ceremonies: {
    name: 'Ceremony',
    one: 'a ceremony',
    many: 'ceremonies',
    about: 'The ceremonies, newest first.',
  },
  movies: { name: 'Movie', one: 'a film', many: 'films', about: 'The films.' },
  nominees: {
    name: 'Nominee',
    one: 'a person or company',
    many: 'people and companies',
    about: 'The nominated people, companies and countries.',
  },
  categories: { name: 'Category', one: 'a category', many: 'categories', about: 'The award categories.' },
  songs: { name: 'Song', one: 'a song', many: 'songs', about: 'The nominated songs.' },
  honors: {
    name: 'Honor',
    one: 'an honor',
    many: 'honors',
    about:
      'Honorary, scientific and technical awards, and competitive ones without a film or without a recipient.',
  },
} as const satisfies Record<ResourceName, object>;

/** The tags of addresses that are not those of one resource. A new kind of address needs a tag. */
export const tagTexts = {
  Search: 'Full-text search over nominations.',
  Rankings: 'Films and people with the most nominations or wins.',
  Counts: 'Totals of nominations in groups.',
  Batches: 'Several writes at once, all or none.',
  Receipts: 'A log of all writes and their effects.',
  Changes: 'What each publish changed.',
  Downloads: 'The whole record as files.',
  Lists: 'Films and people for media tools, as plain files.',
  Root: 'What the record is, and all addresses.',
  Description: 'The OpenAPI document.',
} satisfies Record<Capitalize<ListedName>, string> & Record<string, string>;

/** The names of the schemas of a resource. */
export const schemaNames = {
  record: (resource: ResourceName) => resourceTexts[resource].name,
  list: (resource: ResourceName) => `${resourceTexts[resource].name}List`,
  /** The page of an honor is the plain record. */
  page: (resource: ResourceName) => `${resourceTexts[resource].name}${resource === 'honors' ? '' : 'Page'}`,
  creation: (resource: WritableResource) => `New${resourceTexts[resource].name}`,
  change: (resource: WritableResource) => `${resourceTexts[resource].name}Change`,
};

/** The name of what a route answers, a part of other names. */
export function nameOfRoute(route: Route): string {
  if (route.kind === 'record') return schemaNames.record(route.resource);
  if (route.kind === 'document') return 'Description';
  if (route.kind === 'list') return pascalCase(route.resource);
  return pascalCase(route.kind === 'ranking' ? route.ranking : route.kind);
}

/** The schemas of one address only. The last part of the address is their name: `TopMovies`. */
function answersOfOneAddress(): [TSchema, string][] {
  const shared = new Set<TSchema>(Object.values(documentSchemas));
  return Object.entries(answers)
    .filter(([, { schema }]) => Type.IsObject(schema) && !shared.has(schema))
    .map(([address, { schema }]) => [schema, pascalCase(address.split('/').at(-1)!)]);
}

/** Schemas that are components of their own → their names. */
const named: ReadonlyMap<TSchema, string> = new Map<TSchema, string>([
  ...resourceNames.flatMap((resource): [TSchema, string][] => [
    [listedSchemas[resource], schemaNames.record(resource)],
    [listSchemas[resource], schemaNames.list(resource)],
  ]),
  ...resourceNames
    .filter((resource) => resource !== 'honors')
    .map((resource): [TSchema, string] => [recordSchemas[resource], schemaNames.page(resource)]),
  ...answersOfOneAddress(),
  ...Object.entries(documentSchemas).map(([name, schema]): [TSchema, string] => [schema, name]),
]);

/** The name of a schema that is a component of its own. */
export const nameOfSchema = (schema: TSchema): string | undefined => named.get(schema);

/** Content in JSON. @param schema its name; undefined for any object @param examples references */
export const jsonContent = (schema: string | undefined, examples: JsonObject = {}) => ({
  'application/json': {
    schema: schema === undefined ? { type: 'object' } : referenceTo('schemas', schema),
    ...(Object.keys(examples).length > 0 && { examples }),
  },
});

const nestedDocument = (schema: TSchema, isBody: boolean): JsonObject => {
  const name = named.get(schema);
  return name === undefined ? schemaDocument(schema, isBody) : referenceTo('schemas', name);
};

/** A schema in OpenAPI form: objects are closed, and named parts are references. @param isBody of a write */
function schemaDocument(schema: TSchema, isBody = false): JsonObject {
  if (Type.IsUnion(schema)) return unionDocument(schema, isBody);
  const {
    says: _says,
    ofWrites = [],
    properties,
    items,
    ...rest
  } = schema as TSchema & Record<string, never>;
  const document: JsonObject = isBody ? rest : without(rest, ofWrites);
  if (Type.IsObject(schema))
    return {
      ...document,
      properties: Object.fromEntries(
        Object.entries(schema.properties).map(([name, part]) => [name, nestedDocument(part, isBody)]),
      ),
      additionalProperties: false,
    };
  if (Type.IsArray(schema)) return { ...document, items: nestedDocument(schema.items, isBody) };
  if (Type.IsEnum(schema)) return { type: 'string', ...document };
  return document.maximum === Number.MAX_SAFE_INTEGER ? { ...document, format: 'int64' } : document;
}

const without = (document: JsonObject, keywords: readonly string[]): JsonObject =>
  Object.fromEntries(Object.entries(document).filter(([keyword]) => !keywords.includes(keyword)));

/** A union with null becomes a nullable type, any other union `anyOf`. */
function unionDocument(schema: Type.TUnion, isBody: boolean): JsonObject {
  const { anyOf, ...rest } = schema;
  const [value, nothing] = anyOf;
  const description = rest as JsonObject;
  if (anyOf.length !== 2 || !nothing || !Type.IsNull(nothing))
    return { ...description, anyOf: anyOf.map((part) => nestedDocument(part, isBody)) };
  const { type, ...document } = nestedDocument(value!, isBody);
  const choices = document.enum && { enum: [...(document.enum as string[]), null] };
  return { ...document, ...choices, ...description, type: [type!, 'null'] };
}

/** A field in a body. In a change, null is allowed for a field with a default. */
function fieldOfBody(resource: WritableResource, field: string, schema: TSchema, isChange: boolean): TSchema {
  const hasDefault = defaultOf(field, resource) !== null && !Object.hasOwn(derivedFrom, field);
  return isChange && hasDefault && !isNullable(schema) ? Type.Union([schema, Type.Null()]) : schema;
}

/** What missing fields become besides null and an empty list. */
const defaultTexts: Partial<Record<WritableResource, string>> = {
  nominations: ', winner becomes false',
  honors: ', class becomes Special',
};

/** The body of a POST, or of a PATCH, whose fields are all optional. */
function bodyDocument(resource: WritableResource, isChange: boolean): JsonObject {
  const ofBody = (schemas: Record<string, TSchema>): Record<string, TSchema> =>
    Object.fromEntries(
      Object.entries(schemas).map(([field, own]) => [field, fieldOfBody(resource, field, own, isChange)]),
    );
  const details = Type.Union([Type.Partial(Type.Object(ofBody(detailSchemas))), Type.Null()], {
    description:
      'What the source tells besides; null stands for the defaults. entry can be repeated, not changed. The answer to a write with details has details, and the ETag of the page with include=details.',
  });
  const fields = { ...ofBody(fieldSchemas(resource)), ...(resource === 'nominations' && { details }) };
  const { required: _all, ...document } = schemaDocument(Type.Object(fields), true);
  return isChange
    ? {
        ...document,
        description: `A JSON merge patch (RFC 7396) of a record of ${resource}: the fields to change. null removes a value. The id cannot change. Derived fields must equal the derived values.`,
      }
    : {
        ...document,
        description: `A new record of ${resource}. Missing fields become null, lists become empty${defaultTexts[resource] ?? ''}.`,
        required: requiredFields[resource],
      };
}

export function schemaComponents(): JsonObject {
  const own = [...named].map(([schema, name]) => [name, schemaDocument(schema)]);
  const bodies = writableResources.flatMap((resource) => [
    [schemaNames.creation(resource), bodyDocument(resource, false)],
    [schemaNames.change(resource), bodyDocument(resource, true)],
  ]);
  return Object.fromEntries([...own, ...bodies]);
}
