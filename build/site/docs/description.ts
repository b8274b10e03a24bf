/** The OpenAPI document as the reference reads it: its parts with types, references resolved, schemas in words. */
import { addressPattern } from '../../../api/contract/routes.ts';
import { openapiDocument } from '../../../api/contract/openapi/document.ts';

export interface Reference {
  $ref: string;
}
export interface Schema {
  type?: string | readonly string[];
  description?: string;
  properties?: Readonly<Record<string, Schema | Reference>>;
  items?: Schema | Reference;
  required?: readonly string[];
  anyOf?: readonly (Schema | Reference)[];
  oneOf?: readonly (Schema | Reference)[];
  enum?: readonly string[];
  const?: string | number;
  format?: string;
  default?: unknown;
  minimum?: number;
  maximum?: number;
  maxLength?: number;
  maxItems?: number;
}
export interface Parameter {
  name: string;
  in: 'query' | 'path' | 'header';
  description: string;
  required?: boolean;
  schema: Schema;
}
export interface Response {
  description: string;
  headers?: Readonly<Record<string, { description?: string } | Reference>>;
  content?: Readonly<Record<string, { schema?: Schema | Reference }>>;
}
interface Operation {
  operationId: string;
  summary: string;
  description: string;
  tags: readonly [string];
  parameters?: readonly (Parameter | Reference)[];
  security?: readonly object[];
  requestBody?: { content: Response['content'] };
  responses: Readonly<Record<string, Response | Reference>>;
}
interface Description {
  tags: readonly { name: string; description: string }[];
  paths: Readonly<
    Record<string, Readonly<Record<string, Operation>> & { parameters?: readonly Reference[] }>
  >;
  components: { schemas: Readonly<Record<string, Schema>> };
}

export const description = openapiDocument() as unknown as Description;

/** A part of the document, or what it refers to. */
export function resolved<T extends object>(part: T | Reference): T {
  if (!('$ref' in part)) return part;
  let found: unknown = description;
  for (const step of part.$ref.slice(2).split('/')) found = (found as Record<string, unknown>)[step];
  return resolved(found as T | Reference);
}

/** The name of the component that a part refers to; undefined for other parts, and for parts of components. */
export function componentName(part: object | undefined): string | undefined {
  const { $ref = '' } = (part ?? {}) as Partial<Reference>;
  return /^#\/components\/\w+\/([^/]+)$/.exec($ref)?.[1];
}

export interface Described extends Operation {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  path: string;
  parameters: readonly Parameter[];
}

/** All operations, in the order of the document. */
export const operations: readonly Described[] = Object.entries(description.paths).flatMap(([path, item]) =>
  (['get', 'post', 'patch', 'delete'] as const)
    .filter((method) => item[method] !== undefined)
    .map((method) => {
      const operation = item[method]!;
      const parameters = [...(item.parameters ?? []), ...(operation.parameters ?? [])];
      return {
        ...operation,
        method: method.toUpperCase() as Described['method'],
        path,
        parameters: parameters.map((part) => resolved<Parameter>(part)),
      };
    }),
);

/** The operation of a request; undefined for an unknown address. @param target path and query string */
export function operationAt(method: string, target: string): Described | undefined {
  const address = addressPattern(target.split('?', 1)[0]!);
  return operations.find((operation) => operation.method === method && operation.path === address);
}

const typesOf = ({ type }: Schema): readonly string[] => (typeof type === 'string' ? [type] : (type ?? []));

/** A schema with the part that objects and lists are described by: the items of a list, the members of an object. */
export function membersOf(schema: Schema): Schema | undefined {
  if (schema.properties !== undefined) return schema;
  return schema.items === undefined || componentName(schema.items) !== undefined
    ? undefined
    : membersOf(resolved<Schema>(schema.items));
}

/** "array of string or null". The names of components are left out. */
export function typeInWords(schema: Schema): string {
  const isDate = schema.format === 'date';
  const named = typesOf(schema).map((type) => (type === 'string' && isDate ? 'date' : type));
  if (schema.items !== undefined) {
    const items = componentName(schema.items) ?? typeInWords(resolved<Schema>(schema.items));
    return named.map((type) => (type === 'array' ? `array of ${items}` : type)).join(' or ');
  }
  return named.length === 0 ? 'string' : named.join(' or ');
}

/** Limits in a few words, such as "1 to 100, default 25". */
export function limitsInWords({ minimum, maximum, maxLength, maxItems, default: preset }: Schema): string[] {
  const isBounded = maximum !== undefined && maximum < Number.MAX_SAFE_INTEGER;
  const range = isBounded
    ? [`${minimum ?? 0} to ${maximum}`]
    : // That ids and counts are positive goes without saying.
      minimum === undefined || minimum <= 1
      ? []
      : [`at least ${minimum}`];
  return [
    ...range,
    ...(maxLength === undefined ? [] : [`at most ${maxLength} characters`]),
    ...(maxItems === undefined ? [] : [`at most ${maxItems}`]),
    ...(preset === undefined ? [] : [`default ${String(preset)}`]),
  ];
}

/** The values of a choice, also of the items of a list. */
export const choicesOf = (schema: Schema): readonly string[] =>
  schema.enum ?? (schema.items === undefined ? [] : choicesOf(resolved<Schema>(schema.items)));
