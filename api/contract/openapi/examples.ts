/** The examples of the document, and where each of them belongs: to an answer, to the body of a write, or to a problem. */
import type { ProblemCode } from '../problems.ts';
import { matchReceipt, matchRoute, routes } from '../routes.ts';
import answers from './example-answers.json' with { type: 'json' };
import { exampleRequests } from './example-requests.ts';
import { type JsonObject, referencesTo } from './model.ts';

interface Example {
  name: string;
  method: string;
  /** The pattern of the address. */
  address: string | undefined;
  status: number;
  /** Of the body, where it is a problem. */
  code: string | undefined;
}

const answerOf = (name: string) => (answers as Record<string, { status: number; body: JsonObject }>)[name];

const examples: readonly Example[] = Object.entries(exampleRequests).flatMap(
  ([name, { method, target }]): Example[] => {
    const answer = answerOf(name);
    if (answer === undefined) return [];
    const { status, body } = answer;
    const code = status < 400 ? undefined : String(body.type).split(':').at(-1);
    return [{ name, method, address: addressOf(target), status, code }];
  },
);

/** The pattern of an address, as the document names its paths. */
function addressOf(target: string): string | undefined {
  const [path = ''] = target.split('?', 1);
  const receipt = matchReceipt(path);
  if (receipt) return receipt.id === undefined ? path : path.replace(/\d+$/, '{id}');
  const match = matchRoute(path);
  return [...routes].find(([, route]) => route === match?.route)?.[0];
}

const referencesWhere = (belongs: (example: Example) => boolean): JsonObject =>
  referencesTo(
    'examples',
    examples.filter(belongs).map(({ name }) => name),
  );

/** References to the examples of the answers to a method at an address that succeeded. */
export const examplesOfAnswers = (method: string, address: string): JsonObject =>
  referencesWhere(
    (example) => example.method === method && example.address === address && example.status < 300,
  );

/** References to the examples of a problem, whatever the address. */
export const examplesOfProblem = (code: ProblemCode): JsonObject =>
  referencesWhere((example) => example.code === code);

const bodyName = (name: string): string => `${name}Body`;
const hasBody = ({ name, status }: Example) => status < 300 && exampleRequests[name]?.body !== undefined;

/** References to the examples of bodies that a method takes at an address. */
export const examplesOfBodies = (method: string, address: string): JsonObject =>
  referencesTo(
    'examples',
    examples
      .filter((example) => hasBody(example) && example.method === method && example.address === address)
      .map(({ name }) => bodyName(name)),
  );

/** Name → example, all of them. */
export function exampleComponents(): JsonObject {
  const all = examples.flatMap((example): [string, JsonObject][] => {
    const { summary, method, target, body } = exampleRequests[example.name]!;
    const answer: [string, JsonObject] = [
      example.name,
      { summary: `${summary}: ${method} ${target}`, value: answerOf(example.name)!.body },
    ];
    if (!hasBody(example)) return [answer];
    return [answer, [bodyName(example.name), { summary, value: body as JsonObject }]];
  });
  return Object.fromEntries(all);
}
