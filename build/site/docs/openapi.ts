/**
 * The OpenAPI document as the reference reads it: operations, types in words, and sample requests as code.
 */
import { openapiDocument } from '../../openapi/document.ts';
import { type Example, examples } from '../../openapi/examples.ts';
import type { Json } from '../../../api/contract/value-schemas.ts';
import { addressPattern } from '../../../api/contract/routes.ts';

/** A schema, a parameter or a response, or a reference to one. */
export interface Part {
  $ref?: string;
  name?: string;
  in?: 'query' | 'path' | 'header';
  description?: string;
  schema?: Part;
  content?: Readonly<Record<string, Part>>;
  type?: string | readonly string[];
  properties?: Readonly<Record<string, Part>>;
  items?: Part;
  anyOf?: readonly Part[];
  /** Of an object the names of its members, of a parameter whether it must be sent. */
  required?: boolean | readonly string[];
  enum?: readonly string[];
  format?: string;
  default?: Json;
  minimum?: number;
  maximum?: number;
  maxLength?: number;
  maxItems?: number;
}
export interface Operation {
  operationId: string;
  method: Example['method'];
  path: string;
  summary: string;
  description: string;
  tags: readonly [string];
  parameters?: readonly Part[];
  security?: readonly object[];
  requestBody?: Part;
  responses: Readonly<Record<string, Part>>;
}

export const { tags, paths, components } = openapiDocument() as unknown as {
  tags: readonly { name: string; description: string }[];
  paths: Readonly<Record<string, Readonly<Record<string, Operation>> & { parameters?: readonly Part[] }>>;
  components: Readonly<Record<string, Readonly<Record<string, Part>>>>;
};

/** A part of the document, or what it refers to. */
export function resolved(part: Part): Part {
  const [, , kind = '', name = ''] = part.$ref?.split('/') ?? [];
  return part.$ref === undefined ? part : components[kind]![name]!;
}

/** All operations, in the order of the document. */
export const operations: readonly Operation[] = Object.entries(paths).flatMap(([path, item]) =>
  (['GET', 'POST', 'PATCH', 'DELETE'] as const).flatMap((method) => {
    const { [method.toLowerCase()]: own, parameters = [] } = item;
    const all = [...parameters, ...(own?.parameters ?? [])].map(resolved);
    return own ? [{ ...own, method, path, parameters: all }] : [];
  }),
);

/** The first example of the document that succeeds, if it has one. */
export const exampleOf = ({ method, path }: Operation): Example | undefined =>
  Object.values(examples).find(
    (own) =>
      own.method === method && own.status < 300 && addressPattern(own.target.split('?', 1)[0]!) === path,
  );

/** The object that a schema names, also for the items of a list. */
export const objectOf = (schema: Part | undefined): string | undefined =>
  schema?.$ref?.split('/').at(-1) ?? (schema?.items && objectOf(schema.items));

/** Type and limits, such as "array of string or null, at most 100". */
export function typeInWords(schema: Part): string {
  const { minimum = 0, maximum = Number.MAX_SAFE_INTEGER, maxLength, maxItems, items } = schema;
  const types = [schema.type ?? 'string'].flat();
  const words = types.map((type) => {
    if (type === 'array') return `array of ${typeInWords(resolved(items!))}`;
    return type === 'string' && schema.format === 'date' ? 'date' : type;
  });
  return [
    words.join(' or '),
    ...(maximum < Number.MAX_SAFE_INTEGER ? [`${minimum} to ${maximum}`] : []),
    ...(maxLength === undefined ? [] : [`at most ${maxLength} characters`]),
    ...(maxItems === undefined ? [] : [`at most ${maxItems}`]),
    ...(schema.default === undefined ? [] : [`default ${schema.default}`]),
  ].join(', ');
}

/** The values of a choice, also of the items of a list. */
const choicesOf = ({ enum: own, items }: Part): readonly string[] =>
  own ?? (items ? choicesOf(resolved(items)) : []);

/** Description and values, in CommonMark. */
export function textOf(schema: Part, description = schema.description ?? ''): string {
  const choices = choicesOf(schema).map((choice) => `\`${choice}\``);
  return choices.length > 0 ? `${description} One of ${choices.join(', ')}.` : description;
}

/** The object that a schema describes: itself, the items of a list, or all alternatives in one. */
export function objectIn(part: Part): Part {
  const { items, anyOf, ...own } = resolved(part);
  if (items) return objectIn(items);
  return anyOf ? { properties: Object.assign({}, ...anyOf.map(({ properties }) => properties)) } : own;
}

/** The members of an object of a schema, with "…" for values. */
export function outlineOf(part: Part): Json {
  const { properties, items } = resolved(part);
  if (items !== undefined) return [outlineOf(items)];
  if (properties === undefined) return '…';
  return Object.fromEntries(Object.entries(properties).map(([name, own]) => [name, outlineOf(own)]));
}

/** Stands for the origin of the service until the script of the page knows it. */
export const exampleOrigin = 'https://awards.example';

export type SampleRequest = Pick<Example, 'method' | 'target' | 'body'> & { isSecured: boolean };

const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

/** Both samples take the key from the environment variable KEY. */
export function curlOf({ method, target, body, isSecured }: SampleRequest): string {
  const lines = [
    `curl ${method === 'GET' ? '' : `-X ${method} `}${quoted(exampleOrigin + target)}`,
    isSecured && '-H "x-api-key: $KEY"',
    body && "-H 'Content-Type: application/json'",
    body && `-d ${quoted(JSON.stringify(body, undefined, 2))}`,
  ];
  return lines.filter(Boolean).join(' \\\n  ');
}

export function javascriptOf({ method, target, body, isSecured }: SampleRequest): string {
  const headers = [isSecured && "'x-api-key': process.env.KEY", body && "'Content-Type': 'application/json'"];
  const options = [
    method !== 'GET' && `  method: '${method}',\n`,
    (isSecured || body) && `  headers: { ${headers.filter(Boolean).join(', ')} },\n`,
    body && `  body: JSON.stringify(${JSON.stringify(body, undefined, 2).replaceAll('\n', '\n  ')}),\n`,
  ].filter(Boolean);
  const last = options.length === 0 ? '' : `, {\n${options.join('')}}`;
  const read = target.endsWith('.csv') ? 'text' : 'json';
  return `const response = await fetch('${exampleOrigin}${target}'${last});
console.log(response.status, await response.${read}());`;
}
