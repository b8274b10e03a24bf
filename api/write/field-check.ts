/** Checking one value by its schema, and saying in words what the schema demands. */
import Type, { type TSchema } from 'typebox';
import { Compile, type Validator } from 'typebox/compile';
import { type PointerFault, pointerTo } from '../contract/problems.ts';
import type { JsonValue } from './strict-json.ts';

/** A compiled schema of a field, or of the members of a list. */
export interface FieldCheck {
  validator: Validator;
  /** What the value must be. */
  demand: string;
  items?: FieldCheck;
}

/** Compiles a schema; to be done once. */
export function fieldCheck(schema: TSchema): FieldCheck {
  const check: FieldCheck = { validator: Compile(schema), demand: inWords(schema) };
  return Type.IsArray(schema) ? { ...check, items: fieldCheck(schema.items) } : check;
}

/** Every fault of the value that stands at a path of the body. */
export function faultsOf(
  { validator, demand, items }: FieldCheck,
  value: JsonValue,
  path: readonly (string | number)[],
): PointerFault[] {
  const isValid: boolean = validator.Check(value);
  if (isValid) return [];
  if (items && Array.isArray(value)) return value.flatMap((item, at) => faultsOf(items, item, [...path, at]));
  return [{ pointer: pointerTo(path), message: value === null ? 'must not be null' : `must be ${demand}` }];
}

/** What a schema demands, in words that follow "must be". */
function inWords(schema: TSchema): string {
  if (Type.IsUnion(schema)) return schema.anyOf.map(inWords).join(' or ');
  if (Type.IsNull(schema)) return 'null';
  if (Type.IsBoolean(schema)) return 'true or false';
  if (Type.IsArray(schema)) return 'a list of texts';
  if (Type.IsInteger(schema))
    return 'minimum' in schema && 'maximum' in schema
      ? `a whole number from ${schema.minimum} to ${schema.maximum}`
      : 'a whole number';
  if ('says' in schema) return String(schema.says);
  return 'minLength' in schema ? 'a text of at least one character' : 'a text';
}
