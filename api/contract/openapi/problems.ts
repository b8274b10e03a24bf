/** The refusals of the document: one response for every set of problems that share a status at some address. */
import { type ProblemCode, problems } from '../problems.ts';
import { type HeaderName, headersOfNothingKept } from './headers.ts';
import { type JsonObject, referenceTo } from './model.ts';
import { pascalCase, schemaNames } from './schemas.ts';

/** What can happen to any request. */
const ofAnyRequest: readonly ProblemCode[] = [
  'malformed-request',
  'request-timeout',
  'headers-too-large',
  'internal-error',
];
const ofReading: readonly ProblemCode[] = [...ofAnyRequest, 'too-many-requests', 'snapshot-unavailable'];
const ofWriting: readonly ProblemCode[] = [
  ...ofAnyRequest,
  'malformed-body',
  'unauthorized',
  'method-not-allowed',
  'record-exists',
  'precondition-failed',
  'body-too-large',
  'unsupported-media-type',
  'invalid-record',
  'too-many-requests',
  'writing-unavailable',
  'storage-full',
];
const ofReceipts: readonly ProblemCode[] = [
  ...ofAnyRequest,
  'unauthorized',
  'unknown-address',
  'too-many-requests',
  'writing-unavailable',
];

/** Kind of operation → the problems it can be answered with. */
export const problemsOf = {
  preflight: ofAnyRequest,
  query: [...ofReading, 'invalid-parameters'],
  record: [...ofReading, 'no-such-record'],
  document: [...ofReading, 'unknown-address'],
  creation: ofWriting,
  change: [...ofWriting.filter((code) => code !== 'record-exists'), 'no-such-record'],
  receipts: [...ofReceipts, 'invalid-parameters'],
  receipt: [...ofReceipts, 'no-such-record'],
} as const satisfies Record<string, readonly ProblemCode[]>;

export type OperationKind = keyof typeof problemsOf;

/** Headers that a problem has besides those of all. */
const headersOf: Partial<Record<ProblemCode, readonly HeaderName[]>> = {
  unauthorized: ['WWW-Authenticate'],
  'method-not-allowed': ['Allow'],
  'unsupported-media-type': ['Accept-Post', 'Accept-Patch'],
  'too-many-requests': ['Retry-After'],
  'snapshot-unavailable': ['Retry-After'],
  'writing-unavailable': ['Retry-After'],
};

/** Status → the problems of a kind of operation that have it, in the order of the table. */
function byStatus(kind: OperationKind): Map<number, ProblemCode[]> {
  const found = new Map<number, ProblemCode[]>();
  const own: readonly ProblemCode[] = problemsOf[kind];
  for (const code of Object.keys(problems) as ProblemCode[]) {
    if (!own.includes(code)) continue;
    const { status } = problems[code];
    found.set(status, [...(found.get(status) ?? []), code]);
  }
  return found;
}

const responseName = (codes: readonly ProblemCode[]): string => codes.map(pascalCase).join('Or');

/** Status → response, for an operation. */
export function problemResponses(kind: OperationKind): JsonObject {
  return Object.fromEntries(
    [...byStatus(kind)].map(([status, codes]) => [status, referenceTo('responses', responseName(codes))]),
  );
}

/** Name → response, all that any operation refers to. @param examplesOf references to the examples of a problem */
export function problemComponents(examplesOf: (code: ProblemCode) => JsonObject): JsonObject {
  const kinds = Object.keys(problemsOf) as OperationKind[];
  const sets = kinds.flatMap((kind) => [...byStatus(kind).values()]);
  return Object.fromEntries(sets.map((codes) => [responseName(codes), response(codes, examplesOf)]));
}

function response(codes: readonly ProblemCode[], examplesOf: (code: ProblemCode) => JsonObject): JsonObject {
  const schemas = codes.map((code) => referenceTo('schemas', schemaNames.problem(code)));
  const examples = Object.assign({}, ...codes.map(examplesOf)) as JsonObject;
  return {
    description: `${codes.map((code) => problems[code].title).join(', or: ')}.`,
    headers: headersOfNothingKept(...codes.flatMap((code) => headersOf[code] ?? [])),
    content: {
      'application/json': {
        schema: schemas.length === 1 ? schemas[0]! : { oneOf: schemas },
        ...(Object.keys(examples).length > 0 && { examples }),
      },
    },
  };
}
