/** The parameters of the OpenAPI document. */
import { receiptsPerPage } from '../limits.ts';
import {
  type Accepted,
  maxIds,
  maxLimit,
  maxTextLength,
  type ParameterName,
  parameters,
} from '../parameters.ts';
import { type Route, routes } from '../routes.ts';
import { type JsonObject, pascalCase, schemaNames } from './schemas.ts';

const wholeNumber = { type: 'integer', format: 'int64' };
const anyId = { ...wholeNumber, minimum: 1, maximum: Number.MAX_SAFE_INTEGER };

/** The JSON schema of a query parameter's value. @param accepted names that the parameter takes at an address */
function valueSchema(name: ParameterName, accepted?: Accepted): JsonObject {
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
    case 'texts':
      return {
        type: 'array',
        items: { type: 'string', minLength: 1 },
        minItems: 1,
        maxItems: parameter.maximum,
      };
    case 'id':
      return anyId;
    case 'time':
      return { type: 'string', anyOf: [{ format: 'date' }, { format: 'date-time' }] };
    case 'boolean':
      return { type: 'boolean' };
    case 'keys':
      return { type: 'array', items: { type: 'string', enum: [...(accepted?.includes ?? [])] }, minItems: 1 };
    case 'name':
      return {
        type: 'string',
        enum: [...parameter.values],
        ...('default' in parameter && { default: parameter.default }),
      };
    case 'fields':
      return { type: 'array', items: { type: 'string', enum: [...(accepted?.fields ?? [])] }, minItems: 1 };
    case 'sort':
      return { type: 'string', enum: [...(accepted?.sorts ?? [])], default: accepted?.sorts?.[0] ?? '' };
    case 'text':
      return { type: 'string', minLength: 1, maxLength: maxTextLength };
    case 'search':
      return { type: 'string', minLength: 2, maxLength: maxTextLength };
    case 'choice':
      return { type: 'string', enum: [...parameter.values] };
  }
}

function queryParameter(name: ParameterName, accepted?: Accepted): JsonObject {
  const parameter = parameters[name];
  const { kind, description } = parameter;
  return {
    name,
    in: 'query',
    description,
    ...('required' in parameter && { required: true, example: parameter.required.example }),
    ...(['ids', 'texts', 'keys', 'fields'].includes(kind) && { style: 'form', explode: false }),
    schema: valueSchema(name, accepted),
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

/** The name of any parameter that is the same at all addresses. */
export type CommonParameter = ParameterName | keyof typeof otherParameters;

/**
 * Whether a parameter has a component for each address: its values depend on the address, or its name alone is a keyword, which
 * generators cannot give to a part of their code.
 */
const isOfAddress = (name: ParameterName): boolean =>
  ['keys', 'sort', 'fields'].includes(parameters[name].kind) || name === 'class';

/** The last part of the names of parameters whose values depend on the address. */
function suffixOf(route: Route): string {
  switch (route.kind) {
    case 'list':
      return pascalCase(route.resource);
    case 'record':
      return schemaNames.record(route.resource);
    case 'ranking':
      return schemaNames.ranking(route.ranking);
    default:
      return pascalCase(route.kind);
  }
}

/** The names of the components that describe the query parameters of a route: those of its own end in a dot and a suffix. */
export const queryParametersOf = (route: Route): string[] =>
  'parameters' in route
    ? route.parameters.map((name) => (isOfAddress(name) ? `${name}.${suffixOf(route)}` : name))
    : [];

export function parameterComponents(): JsonObject {
  const names = (Object.keys(parameters) as ParameterName[]).filter((name) => !isOfAddress(name));
  const own = [...routes.values()].flatMap((route) =>
    'parameters' in route
      ? route.parameters
          .filter(isOfAddress)
          .map((name) => [`${name}.${suffixOf(route)}`, queryParameter(name, route)] as const)
      : [],
  );
  const common = names.map((name) => [name, queryParameter(name)] as const);
  return { ...Object.fromEntries([...common, ...own]), ...otherParameters };
}
