/** A schema of the contract as it stands in the document: closed, nullable by its type, and other components by reference. */
import Type, { type TSchema } from 'typebox';
import { type JsonObject, referenceTo } from './model.ts';

/** Schemas that stand in the document by themselves, with their names. */
export type NamedSchemas = ReadonlyMap<TSchema, string>;

/** The schema itself; only what it is made of is referred to by name. */
export function schemaDocument(schema: TSchema, named: NamedSchemas): JsonObject {
  const nested = (part: TSchema): JsonObject => {
    const name = named.get(part);
    return name === undefined ? schemaDocument(part, named) : referenceTo('schemas', name);
  };
  if (Type.IsUnion(schema)) return unionDocument(schema, nested);
  // In words what a pattern says, for messages about a body.
  const { says: _words, properties, items, ...rest } = schema as TSchema & Record<string, never>;
  const document: JsonObject = rest;
  if (Type.IsObject(schema))
    return {
      ...document,
      properties: Object.fromEntries(
        Object.entries(schema.properties).map(([name, part]) => [name, nested(part)]),
      ),
      additionalProperties: false,
    };
  if (Type.IsArray(schema)) return { ...document, items: nested(schema.items) };
  if (Type.IsEnum(schema)) return { type: 'string', ...document };
  // Beyond 32 bits, which is what many languages take an integer for.
  return document.maximum === Number.MAX_SAFE_INTEGER ? { ...document, format: 'int64' } : document;
}

function unionDocument(schema: Type.TUnion, nested: (part: TSchema) => JsonObject): JsonObject {
  const { anyOf, ...rest } = schema;
  const [some, nothing] = anyOf;
  const description = rest as JsonObject;
  if (anyOf.length !== 2 || !nothing || !Type.IsNull(nothing))
    return { ...description, anyOf: anyOf.map(nested) };
  const { type, ...document } = nested(some!);
  return { ...document, ...description, type: [type!, 'null'] };
}
