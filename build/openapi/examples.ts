/**
 * The examples of the OpenAPI document. To add one, write its request into examples.json; a test fills in the
 * answers.
 */
import type { ProblemCode } from '../../api/contract/problems.ts';
import { addressPattern } from '../../api/contract/routes.ts';
import type { JsonObject } from '../../api/contract/value-schemas.ts';
import examplesFile from './examples.json' with { type: 'json' };
import { referencesTo } from './schemas.ts';

/** A request, and the answer of a service with the sample. */
export interface Example {
  summary: string;
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  target: string;
  /** In addition to the key and the content type. */
  headers?: Readonly<Record<string, string>>;
  withoutKey?: boolean;
  /** Text for a body that is not valid JSON. */
  body?: JsonObject | string;
  status: number;
  answer: JsonObject;
}

/** Name → example, in the order of the requests: later requests read what earlier ones wrote. */
export const examples = examplesFile as unknown as Readonly<Record<string, Example>>;

/**
 * With `fields`, an answer lacks members that its schema requires: the linter and generators would take it
 * for a fault.
 */
const isWhole = ({ target }: Example): boolean => !/[?&]fields=/.test(target);
const namesWhere = (test: (example: Example) => boolean): string[] =>
  Object.keys(examples).filter((name) => isWhole(examples[name]!) && test(examples[name]!));
const bodyName = (name: string): string => `${name}Body`;
const succeedsAt = (method: string, address: string) => (example: Example) =>
  example.method === method &&
  example.status < 300 &&
  addressPattern(example.target.split('?', 1)[0]!) === address;

/** References to the examples of successful answers to a method at an address. */
export const examplesOfAnswers = (method: string, address: string): JsonObject =>
  referencesTo('examples', namesWhere(succeedsAt(method, address)));

/** References to the examples of a problem at any address. */
export const examplesOfProblem = (code: ProblemCode): JsonObject =>
  referencesTo(
    'examples',
    namesWhere(({ status, answer }) => status >= 400 && String(answer.type).endsWith(`#problem-${code}`)),
  );

/** References to the examples of bodies that a method takes at an address. */
export const examplesOfBodies = (method: string, address: string): JsonObject =>
  referencesTo('examples', namesWhere(succeedsAt(method, address)).map(bodyName));

/** Name → example in OpenAPI form; the body of a successful write is an example of its own. */
export function exampleComponents(): JsonObject {
  const whole = Object.entries(examples).filter(([, example]) => isWhole(example));
  const all = whole.flatMap(
    ([name, { summary, method, target, body, status, answer }]): [string, JsonObject][] => [
      [name, { summary: `${summary}: ${method} ${target}`, value: answer }],
      ...(status < 300 && body !== undefined
        ? [[bodyName(name), { summary, value: body }] satisfies [string, JsonObject]]
        : []),
    ],
  );
  return Object.fromEntries(all);
}
