/** The parameters of the document: every query parameter of the contract with its real limits, the id of a record, and conditions. */
import { maximumIds, maximumTextLength, type ParameterName, parameters } from '../parameters.ts';
import type { JsonObject } from './model.ts';

const wholeNumber = { type: 'integer', format: 'int64' };

/** What the value of a query parameter may be. */
function valueSchema(name: ParameterName): JsonObject {
  const parameter = parameters[name];
  switch (parameter.kind) {
    case 'integer': {
      // A number that is brought down to what is possible has no maximum that anybody must keep to.
      const range =
        'clamp' in parameter
          ? { minimum: parameter.minimum }
          : { minimum: parameter.minimum, maximum: parameter.maximum };
      const type = 'maximum' in range && range.maximum <= 1_000_000 ? { type: 'integer' } : wholeNumber;
      return { ...type, ...range, ...('default' in parameter && { default: parameter.default }) };
    }
    case 'ids':
      return {
        type: 'array',
        items: { ...wholeNumber, minimum: 1 },
        minItems: 1,
        maxItems: maximumIds,
      };
    case 'boolean':
      return { type: 'boolean' };
    case 'text':
      return { type: 'string', minLength: 1, maxLength: maximumTextLength };
    case 'search':
      return { type: 'string', minLength: 2, maxLength: maximumTextLength };
    case 'choice':
      return { type: 'string', enum: [...parameter.values], default: parameter.default };
  }
}

function queryParameter(name: ParameterName): JsonObject {
  const { kind, description } = parameters[name];
  return {
    name,
    in: 'query',
    description,
    ...(kind === 'search' && { required: true, example: 'streep' }),
    ...(kind === 'ids' && { style: 'form', explode: false }),
    schema: valueSchema(name),
  };
}

/** Names of the parameters that are none of a query string. */
export const otherParameters = {
  id: 'id',
  before: 'before',
  ifNoneMatch: 'If-None-Match',
  ifMatch: 'If-Match',
} as const;

const others: JsonObject = {
  [otherParameters.id]: {
    name: 'id',
    in: 'path',
    required: true,
    description: 'Id of the record, in its only spelling: no sign, no leading zero.',
    schema: { ...wholeNumber, minimum: 1, maximum: Number.MAX_SAFE_INTEGER },
    example: 1,
  },
  [otherParameters.before]: {
    name: 'before',
    in: 'query',
    description: 'The id of the last receipt that was seen: only older ones.',
    schema: { ...wholeNumber, minimum: 1, maximum: Number.MAX_SAFE_INTEGER },
  },
  [otherParameters.ifNoneMatch]: {
    name: 'If-None-Match',
    in: 'header',
    description: 'ETags that are known already, or *: if the document has one of them, the answer is 304.',
    schema: { type: 'string' },
  },
  [otherParameters.ifMatch]: {
    name: 'If-Match',
    in: 'header',
    description:
      'The ETag of the record’s page or of the last write to it: if the record is another by now, nothing is changed and the answer is 412.',
    schema: { type: 'string' },
  },
};

/** Name → parameter, all of them. */
export function parameterComponents(): JsonObject {
  const names = Object.keys(parameters) as ParameterName[];
  return { ...Object.fromEntries(names.map((name) => [name, queryParameter(name)])), ...others };
}
