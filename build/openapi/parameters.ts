/** The parameters of the OpenAPI document. */
import { receiptsPerPage } from '../../api/contract/limits.ts';
import type { Accepted } from '../../api/contract/addresses.ts';
import { maxLimit, type ParameterName, parameters } from '../../api/contract/parameters.ts';
import { receiptsPath, type Route, routeAt, routes } from '../../api/contract/routes.ts';
import { anyId, type JsonObject, valueSchema } from '../../api/contract/value-schemas.ts';
import { nameOfRoute, referenceTo } from './schemas.ts';

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
  'since.changes': {
    name: 'since',
    in: 'query',
    description:
      'The id of a snapshot: what was published after it. Or a date or time: what was published then and later, with the publish before it, if it began less than 27 hours earlier, because it may have been live later.',
    schema: {
      type: 'string',
      anyOf: [{ format: 'date' }, { format: 'date-time' }, { pattern: '^[0-9a-f]{20}$' }],
    },
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

/** References to parameters. */
export const parametersOf = (...names: readonly string[]): JsonObject[] =>
  names.map((name) => referenceTo('parameters', name));

/**
 * Whether a parameter has a component for each address: its values depend on the address, or its name alone
 * is a keyword, which generators cannot give to a part of their code.
 */
const isOfAddress = (name: ParameterName): boolean =>
  ['keys', 'sort', 'fields'].includes(parameters[name].kind) || name === 'class';

/**
 * The names of the components of the query parameters of a route. A component that only this route uses has a
 * suffix after a dot.
 */
export const queryParametersOf = (route: Route): string[] =>
  'parameters' in route
    ? route.parameters.map((name) => {
        if (route.kind === 'changes') return `${name}.changes`;
        return isOfAddress(name) ? `${name}.${nameOfRoute(route)}` : name;
      })
    : [];

/** Those of the list of receipts. */
export const receiptParameters: readonly string[] = routeAt(receiptsPath).parameters.map((name) =>
  name === 'limit' ? 'limit.receipts' : name,
);

export function parameterComponents(): JsonObject {
  const names = (Object.keys(parameters) as ParameterName[]).filter((name) => !isOfAddress(name));
  const own = [...routes.values()].flatMap((route) =>
    'parameters' in route
      ? route.parameters
          .filter(isOfAddress)
          .map((name) => [`${name}.${nameOfRoute(route)}`, queryParameter(name, route)] as const)
      : [],
  );
  const common = names.map((name) => [name, queryParameter(name)] as const);
  return { ...Object.fromEntries([...common, ...own]), ...otherParameters };
}
