/** A value for a field that nothing else decides: by its schema, so that a new field has one, too. */
import { fieldSchemas } from '../../api/contract/bodies.ts';
import type { ResourceName } from '../../api/contract/names.ts';
import type { Random } from './random.ts';
import { composeField } from './text.ts';

/** @param dayOfRecord makes a date for the record */
export function inventValue(
  random: Random,
  { resource, field, id }: { resource: ResourceName; field: string; id: number },
  dayOfRecord: () => string,
): unknown {
  const schemas: Readonly<Record<string, object>> = fieldSchemas(resource);
  const schema = JSON.stringify(schemas[field]);
  if (/"type":"integer"/.test(schema)) return id * 7;
  if (/"format":"date"/.test(schema)) return dayOfRecord();
  if (/^."type":"array"/.test(schema)) return [`Other name ${id}`];
  if (field.endsWith('_id')) return `${field} ${id}`;
  if (/"\^https/.test(schema) || field.endsWith('url')) return `https://${resource}.example/${field}/${id}`;
  return composeField(random, field);
}
