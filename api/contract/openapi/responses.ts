/** The headers of the OpenAPI document, and its error responses: one for each set of problems with the same status. */
import { encodings } from '../etag.ts';
import { type ProblemCode, problems } from '../problems.ts';
import { receiptPath } from '../routes.ts';
import { type JsonObject, pascalCase, referencesTo, referenceTo, schemaNames } from './schemas.ts';

const text = (description: string, rest: JsonObject = {}): JsonObject => ({
  description,
  schema: { type: 'string', ...rest },
});
const wholeNumber = (description: string): JsonObject => ({
  description,
  schema: { type: 'integer', minimum: 0 },
});
const required = (header: JsonObject): JsonObject => ({ ...header, required: true });

const etag = { pattern: '^"[0-9a-f]{20}"$' };

/**
 * Name → header. A suffix after a dot distinguishes two descriptions of the same header in different answers; it is not
 * part of the header's name.
 */
export const headerComponents = {
  ETag: required(
    text('Strong ETag. Documents with the same ETag have the same bytes. An encoded form has its own.', {
      pattern: `^"[0-9a-f]{20}(-(${encodings.join('|')}))?"$`,
    }),
  ),
  'ETag.written': text(
    'The current ETag of the record’s page. Missing until a snapshot contains the write.',
    etag,
  ),
  Link: text(
    'Links to other pages of the list (RFC 8288): first, prev, next and last. Missing if too long for common clients.',
    { pattern: '^<[^>]*>; rel="first"' },
  ),
  'Content-Disposition': text('The name of the file. Only with format=csv or format=ndjson.', {
    pattern: '^attachment; filename="[A-Za-z0-9_.-]+"$',
  }),
  'Link.receipts': text('Link to the next page of the list (RFC 8288). Missing on the last page.', {
    pattern: '^<[^>]*>; rel="next"$',
  }),
  'Cache-Control': required(
    text('A cache can store the answer. It must revalidate the answer with the ETag before each use.', {
      const: 'public, max-age=0, must-revalidate',
    }),
  ),
  'Cache-Control.never': required(text('No cache stores the answer.', { const: 'no-store' })),
  'Content-Encoding': text('The encoding of the body. Missing if it is plain.', { enum: encodings }),
  Vary: required(
    text('The request header that the form of the answer depends on.', { const: 'Accept-Encoding' }),
  ),
  'Content-Range': required(
    text('The first and the last byte of the part, and the size of the file; with 416 its size alone.', {
      pattern: '^bytes (\\d+-\\d+|\\*)/\\d+$',
    }),
  ),
  'Content-Length': wholeNumber('Bytes of the body.'),
  'X-Content-Type-Options': required(text('Disables content type sniffing.', { const: 'nosniff' })),
  'Access-Control-Allow-Origin': required(text('Every site can read the answer.', { const: '*' })),
  'Access-Control-Expose-Headers': required(text('The headers that scripts of other sites can read.')),
  Allow: required(text('The methods of this address.')),
  RateLimit: text('Remaining requests, and seconds until the limit resets. Missing if there is no limit.', {
    pattern: '^"default";r=\\d+;t=\\d+$',
  }),
  'RateLimit-Policy': text('The limit: number of requests, and length of the period in seconds.', {
    pattern: '^"default";q=\\d+;w=\\d+$',
  }),
  'Retry-After': required(wholeNumber('Seconds to wait before the next try.')),
  'WWW-Authenticate': required(text('How to send a key.')),
  'Accept-Post': text('The media types of the body of a POST.'),
  'Accept-Patch': text('The media types of the body of a PATCH.'),
  Location: required(text('The address of the new record.', { pattern: '^/api/[a-z]+/[1-9][0-9]*$' })),
  Receipt: text('The address of the receipt. Missing if the write changed nothing.', {
    pattern: `^${receiptPath(1).replace('1', '[1-9][0-9]*')}$`,
  }),
  Snapshot: text('The snapshot that contains the write. Every GET now answers from it.', {
    pattern: '^[0-9a-f]{20}$',
  }),
  'X-Request-Id': text(
    'The id of the request in the log: its own X-Request-Id, or with a status from 500 a new one. Missing otherwise, and where no service answers.',
  ),
  'Snapshot-Pending': text('Replaces Snapshot if the write is durable but no snapshot contains it yet.', {
    const: '?1',
  }),
} as const satisfies JsonObject;

type HeaderName = keyof typeof headerComponents;

const withReferences = (names: readonly HeaderName[]): JsonObject =>
  Object.fromEntries(names.map((name) => [name.split('.', 1)[0]!, referencesTo('headers', [name])[name]!]));

const ofDocuments: readonly HeaderName[] = [
  'Content-Length',
  'X-Content-Type-Options',
  'Access-Control-Allow-Origin',
  'Access-Control-Expose-Headers',
  'X-Request-Id',
];

/** The headers of a document of the snapshot. @param more additional headers */
export const cachedHeaders = (...more: HeaderName[]): JsonObject =>
  withReferences([
    ...ofDocuments,
    ...(['Cache-Control', 'ETag', 'Vary', 'Content-Encoding', 'RateLimit', 'RateLimit-Policy'] as const),
    ...more,
  ]);

/** The headers of an answer that is never cached: to a write, of a receipt, of a problem. @param more additional headers */
export const uncachedHeaders = (...more: HeaderName[]): JsonObject =>
  withReferences([...ofDocuments, 'Cache-Control.never', 'RateLimit', 'RateLimit-Policy', ...more]);

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
const ofDeleting: readonly ProblemCode[] = [
  ...ofAnyRequest,
  'malformed-body',
  'unauthorized',
  'no-such-record',
  'method-not-allowed',
  'still-referenced',
  'precondition-failed',
  'body-too-large',
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

/** Kind of operation → its possible problems. */
const problemsOf = {
  query: [...ofReading, 'invalid-parameters'],
  record: [...ofReading, 'invalid-parameters', 'no-such-record'],
  document: [...ofReading, 'unknown-address'],
  file: ['unknown-address', 'range-not-satisfiable'],
  creation: ofWriting,
  batch: [...ofWriting, 'no-such-record', 'still-referenced'],
  change: [...ofWriting.filter((code) => code !== 'record-exists'), 'no-such-record'],
  deletion: ofDeleting,
  receipts: [...ofReceipts, 'invalid-parameters'],
  receipt: [...ofReceipts, 'no-such-record'],
} as const satisfies Record<string, readonly ProblemCode[]>;

export type OperationKind = keyof typeof problemsOf;

/** Problem → its additional headers. */
const headersOf: Partial<Record<ProblemCode, readonly HeaderName[]>> = {
  unauthorized: ['WWW-Authenticate'],
  'method-not-allowed': ['Allow'],
  'unsupported-media-type': ['Accept-Post', 'Accept-Patch'],
  'range-not-satisfiable': ['Content-Range'],
  'too-many-requests': ['Retry-After'],
  'snapshot-unavailable': ['Retry-After'],
  'writing-unavailable': ['Retry-After'],
};

/** Status → the problems of a kind of operation, in the order of the table. */
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

/** The problems that the description of an error response names. */
export const problemsIn = (description: string): ProblemCode[] =>
  [...description.matchAll(/\(`([a-z-]+)`\)/g)].map(([, code]) => code as ProblemCode);

const responseName = (codes: readonly ProblemCode[]): string => codes.map(pascalCase).join('Or');

/** Status → reference to the error response, for one kind of operation. */
export function problemResponses(kind: OperationKind): JsonObject {
  return Object.fromEntries(
    [...byStatus(kind)].map(([status, codes]) => [status, referenceTo('responses', responseName(codes))]),
  );
}

/** Name → error response. @param examplesOf the examples of a problem */
export function responseComponents(examplesOf: (code: ProblemCode) => JsonObject): JsonObject {
  const kinds = Object.keys(problemsOf) as OperationKind[];
  const sets = kinds.flatMap((kind) => [...byStatus(kind).values()]);
  return Object.fromEntries(sets.map((codes) => [responseName(codes), response(codes, examplesOf)]));
}

function response(codes: readonly ProblemCode[], examplesOf: (code: ProblemCode) => JsonObject): JsonObject {
  const examples = Object.assign({}, ...codes.map(examplesOf)) as JsonObject;
  const own = codes.flatMap((code) => headersOf[code] ?? []);
  return {
    description: `${codes.map((code) => `${problems[code].title} (\`${code}\`)`).join(', or: ')}.`,
    headers: uncachedHeaders(...own),
    content: {
      'application/json': {
        schema: referenceTo('schemas', schemaNames.problem),
        ...(Object.keys(examples).length > 0 && { examples }),
      },
    },
  };
}
