/** Random records, field by field from the schemas of the interface. */
import fc from 'fast-check';
import Type, { type TSchema } from 'typebox';
import type { ReferencedResource } from '../../api/contract/names.ts';
import { resourceSchemas } from '../../api/contract/resources.ts';

const hasNoNul = (text: string) => !text.includes('\0');
const anyText: fc.Arbitrary<string> = fc
  .string({ unit: 'binary', minLength: 1, maxLength: 20 })
  .filter(hasNoNul);
const anyDate = fc
  .date({ min: new Date('0001-01-01'), max: new Date('9999-12-31'), noInvalidDate: true })
  .map((date) => date.toISOString().slice(0, 10));

/** What of a schema says which values a field may have, beyond their type. */
interface Limits {
  minimum?: number;
  maximum?: number;
  format?: string;
  pattern?: string;
}

/** A value that a field may have. */
function anyValue(schema: TSchema): fc.Arbitrary<unknown> {
  const { minimum, maximum, format, pattern } = schema as Limits;
  if (Type.IsUnion(schema)) return fc.oneof(...schema.anyOf.map(anyValue));
  if (Type.IsNull(schema)) return fc.constant(null);
  if (Type.IsArray(schema)) return fc.array(anyText, { maxLength: 4 });
  if (Type.IsInteger(schema)) return fc.integer({ min: minimum!, max: maximum! });
  if (!Type.IsString(schema)) throw new Error(`no values for ${JSON.stringify(schema)}`);
  if (format === 'date') return anyDate;
  return pattern === undefined ? anyText : fc.stringMatching(new RegExp(pattern, 'u')).filter(hasNoNul);
}

/** A whole record, all fields in document order. */
export function anyRecord(resource: ReferencedResource): fc.Arbitrary<Record<string, unknown>> {
  const properties: Record<string, TSchema> = resourceSchemas[resource].properties;
  const fields = Object.entries(properties).map(([field, schema]) => [field, anyValue(schema)]);
  return fc.record(Object.fromEntries(fields) as Record<string, fc.Arbitrary<unknown>>, {
    noNullPrototype: true,
  });
}
