/**
 * The JSON schemas of parameter values, for the OpenAPI document and the tools of /mcp. Without the schema
 * library, for the edge.
 */
import type { Accepted } from './addresses.ts';
import { maxIds, maxTextLength, type ParameterName, parameters } from './parameters.ts';

export type Json = string | number | boolean | null | readonly Json[] | JsonObject;
export interface JsonObject {
  readonly [member: string]: Json;
}

const wholeNumber = { type: 'integer', format: 'int64' };
export const anyId = { ...wholeNumber, minimum: 1, maximum: Number.MAX_SAFE_INTEGER };

const oneOf = (values: readonly string[] = []): JsonObject => ({ type: 'string', enum: values });
const listOf = (items: JsonObject, maxItems?: number): JsonObject => ({
  type: 'array',
  items,
  minItems: 1,
  ...(maxItems !== undefined && { maxItems }),
});

/**
 * The JSON schema of a query parameter's value.
 * @param accepted names that the parameter takes at an address
 */
export function valueSchema(name: ParameterName, accepted?: Accepted): JsonObject {
  const parameter = parameters[name];
  switch (parameter.kind) {
    case 'integer': {
      // The service clamps larger values, so they are valid.
      const range =
        'clamp' in parameter
          ? { minimum: parameter.minimum }
          : { minimum: parameter.minimum, maximum: parameter.maximum };
      const type = 'maximum' in range && range.maximum <= 1_000_000 ? { type: 'integer' } : wholeNumber;
      return { ...type, ...range, ...('default' in parameter && { default: parameter.default }) };
    }
    case 'ids':
      return listOf({ ...wholeNumber, minimum: 1 }, maxIds);
    case 'texts':
      return listOf({ type: 'string', minLength: 1 }, parameter.maximum);
    case 'id':
      return anyId;
    case 'time':
      return { type: 'string', anyOf: [{ format: 'date' }, { format: 'date-time' }] };
    case 'boolean':
      return { type: 'boolean' };
    case 'keys':
      return listOf(oneOf(accepted?.includes));
    case 'name':
      return { ...oneOf(parameter.values), ...('default' in parameter && { default: parameter.default }) };
    case 'fields':
      return listOf(oneOf(accepted?.fields));
    case 'sort':
      return { ...oneOf(accepted?.sorts), default: accepted?.sorts?.[0] ?? '' };
    case 'text':
      return { type: 'string', minLength: 1, maxLength: maxTextLength };
    case 'search':
      return { type: 'string', minLength: 2, maxLength: maxTextLength };
    case 'choice':
      return oneOf(parameter.values);
  }
}
