/** What a panel needs to know about an operation: read from the OpenAPI document of the service. */
import { openapiPath } from '../../../api/contract/routes.ts';
import { splitTarget } from '../../../api/contract/target.ts';
import type { Description, Parameter, Reference, Schema } from './description.ts';

export interface TrialParameter {
  name: string;
  place: Parameter['in'];
  isRequired: boolean;
  /** Values with commas between them. */
  isList: boolean;
  /** Valid values; empty if they are not limited. */
  choices: readonly string[];
}

export interface Trial {
  method: string;
  /** Address pattern. */
  path: string;
  parameters: readonly TrialParameter[];
  /** Name of a parameter → value to begin with. */
  values: Readonly<Record<string, string>>;
  /** undefined for a method without a body. */
  body: string | undefined;
  isSecured: boolean;
}

let reading: Promise<Description> | undefined;

async function readDescription(): Promise<Description> {
  const response = await fetch(openapiPath);
  if (!response.ok) throw new Error(`${openapiPath} answers ${response.status}`);
  return (await response.json()) as Description;
}

/** @throws Error if the document cannot be read; the next call tries again */
export async function readTrial(
  operationId: string,
  target: string,
  body: string | undefined,
  isSecured: boolean,
): Promise<Trial> {
  reading ??= readDescription();
  const description = await reading.catch((error: unknown) => {
    reading = undefined;
    throw error;
  });
  for (const [path, item] of Object.entries(description.paths))
    for (const method of ['get', 'post', 'patch'] as const) {
      const operation = item[method];
      if (operation?.operationId !== operationId) continue;
      const parameters = [...(item.parameters ?? []), ...(operation.parameters ?? [])].map((part) =>
        described('$ref' in part ? componentOf(description, part) : part),
      );
      return {
        method: method.toUpperCase(),
        path,
        parameters,
        values: valuesOf(path, target),
        body,
        isSecured,
      };
    }
  throw new Error(`${openapiPath} has no operation ${operationId}`);
}

const componentOf = ({ components }: Description, { $ref }: Reference): Parameter =>
  components.parameters[$ref.slice($ref.lastIndexOf('/') + 1)]!;

function described({ name, in: place, required = false, schema }: Parameter): TrialParameter {
  const isBoolean = schema.type === 'boolean';
  return {
    name,
    place,
    isRequired: required,
    isList: schema.type === 'array',
    choices: isBoolean
      ? ['true', 'false']
      : (schema.enum ?? (schema.items as Schema | undefined)?.enum ?? []),
  };
}

/** The values of a request: of the path by position, of the query string by name. */
function valuesOf(pattern: string, target: string): Record<string, string> {
  const { path, queryString: query } = splitTarget(target);
  const segments = path.split('/');
  const ofPath = pattern
    .split('/')
    .flatMap((segment, i): [string, string][] =>
      segment.startsWith('{') ? [[segment.slice(1, -1), segments[i] ?? '']] : [],
    );
  return Object.fromEntries([...ofPath, ...new URLSearchParams(query)]);
}

/** The address with the entered values. Empty values are left out. */
export function targetOf({ path, parameters }: Trial, values: Readonly<Record<string, string>>): string {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_all, name: string) =>
    encodeURIComponent(values[name] ?? ''),
  );
  const query = parameters
    .filter(({ place, name }) => place === 'query' && values[name])
    // Commas separate the values of a list, and people read them.
    .map(
      ({ name }) =>
        `${name}=${encodeURIComponent(values[name]!).replaceAll('%2C', ',').replaceAll('%20', '+')}`,
    );
  return query.length === 0 ? filled : `${filled}?${query.join('&')}`;
}
