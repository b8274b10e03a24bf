/** The parameters of the OpenAPI document. */
import { receiptsPerPage } from '../limits.ts';
import {
  includeNames,
  maxIds,
  maxLimit,
  maxTextLength,
  type ParameterName,
  parameters,
} from '../parameters.ts';
import type { JsonObject } from './schemas.ts';

const wholeNumber = { type: 'integer', format: 'int64' };
const anyId = { ...wholeNumber, minimum: 1, maximum: Number.MAX_SAFE_INTEGER };

/** The JSON schema of a query parameter's value. */
function valueSchema(name: ParameterName): JsonObject {
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
      return { type: 'array', items: { ...wholeNumber, minimum: 1 }, minItems: 1, maxItems: maxIds };
    case 'id':
      return anyId;
    case 'time':
      return { type: 'string', anyOf: [{ format: 'date' }, { format: 'date-time' }] };
    case 'boolean':
      return { type: 'boolean' };
    case 'keys':
      return { type: 'array', items: { type: 'string', enum: [...includeNames] }, minItems: 1 };
    case 'text':
      return { type: 'string', minLength: 1, maxLength: maxTextLength };
    case 'search':
      return { type: 'string', minLength: 2, maxLength: maxTextLength };
    case 'choice':
      return {
        type: 'string',
        enum: [...parameter.values],
        ...('default' in parameter && { default: parameter.default }),
      };
  }
}

function queryParameter(name: ParameterName): JsonObject {
  const { kind, description } = parameters[name];
  return {
    name,
    in: 'query',
    description,
    ...(kind === 'search' && { required: true, example: 'streep' }),
    ...((kind === 'ids' || kind === 'keys') && { style: 'form', explode: false }),
    schema: valueSchema(name),
  };
}

/** Name → parameter that is not in the table of query parameters, or differs from it at one address. */
const otherParameters = {
  id: {
    name: 'id',
    in: 'path',
    required: true,
    description: 'Id of the record, without sign and leading zeros.',
    schema: anyId,
    example: 1,
  },
  'limit.receipts': {
    name: 'limit',
    in: 'query',
    description: `Receipts per page. A value above ${maxLimit} means ${maxLimit}.`,
    schema: { type: 'integer', minimum: 1, default: receiptsPerPage },
  },
  'If-None-Match': {
    name: 'If-None-Match',
    in: 'header',
    description: 'Known ETags, or *. If the document has one of them, the answer is 304.',
    schema: { type: 'string' },
  },
  'If-Match': {
    name: 'If-Match',
    in: 'header',
    description:
      'The ETag of the record’s page or of the last write to it. If the record has changed since, the answer is 412 and the record stays as it is.',
    schema: { type: 'string' },
  },
} as const satisfies JsonObject;

/** The name of any parameter of the document. */
export type AnyParameter = ParameterName | keyof typeof otherParameters;

/** Name → parameter. */
export function parameterComponents(): JsonObject {
  const names = Object.keys(parameters) as ParameterName[];
  return { ...Object.fromEntries(names.map((name) => [name, queryParameter(name)])), ...otherParameters };
}
