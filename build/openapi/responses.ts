/**
 * The headers of the OpenAPI document, and its error responses: one for each set of problems with the same
 * status.
 */
import { encodings } from '../../api/contract/etag.ts';
import { type ProblemCode, problems } from '../../api/contract/problems.ts';
import { receiptPath } from '../../api/contract/routes.ts';
import type { JsonObject } from '../../api/contract/value-schemas.ts';
import { examplesOfProblem } from './examples.ts';
import { jsonContent, pascalCase, referencesTo, referenceTo } from './schemas.ts';

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
 * Name → header. A suffix after a dot distinguishes two descriptions of the same header in different answers;
 * it is not part of the header's name.
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
  'Link.root': text('Links to what describes the API (RFC 8631): service-desc and service-doc.', {
    pattern: '^<[^>]*>; rel="service-desc"',
  }),
  'Link.changes': text('Link to the changes that follow (RFC 8288). Missing in the last answer.', {
    pattern: '^<[^>]*>; rel="next"$',
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
  RateLimit: text(
    'Name of the limit, remaining requests, and seconds until the limit resets. Missing if there is no limit.',
    {
      pattern: '^"[a-z]+";r=\\d+;t=\\d+$',
    },
  ),
  'RateLimit-Policy': text(
    'The limit: its name, the number of requests, and length of the period in seconds.',
    {
      pattern: '^"[a-z]+";q=\\d+;w=\\d+$',
    },
  ),
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

/**
 * The headers of an answer that is never cached: to a write, of a receipt, of a problem.
 * @param more additional headers
 */
export const uncachedHeaders = (...more: HeaderName[]): JsonObject =>
  withReferences([...ofDocuments, 'Cache-Control.never', 'RateLimit', 'RateLimit-Policy', ...more]);

const always = ['malformed-request', 'request-timeout', 'headers-too-large', 'internal-error'] as const;
const ofReads = [...always, 'too-many-requests', 'snapshot-unavailable'] as const;
/** Of operations that need a key. */
const ofKeys = [...always, 'unauthorized', 'too-many-requests', 'writing-unavailable'] as const;
const ofWrites = [
  ...ofKeys,
  ...(['malformed-body', 'method-not-allowed', 'precondition-failed', 'body-too-large'] as const),
  'storage-full',
] as const;
const ofBodies = [...ofWrites, 'unsupported-media-type', 'invalid-record'] as const;

/** Kind of operation → its possible problems. */
const problemsOf = {
  query: [...ofReads, 'invalid-parameters'],
  changes: [...ofReads, 'invalid-parameters', 'changes-gone'],
  record: [...ofReads, 'invalid-parameters', 'no-such-record'],
  root: ofReads,
  document: [...ofReads, 'unknown-address'],
  file: ['unknown-address', 'range-not-satisfiable'],
  creation: [...ofBodies, 'record-exists'],
  batch: [...ofBodies, 'record-exists', 'no-such-record', 'still-referenced'],
  change: [...ofBodies, 'no-such-record'],
  deletion: [...ofWrites, 'no-such-record', 'still-referenced'],
  receipts: [...ofKeys, 'unknown-address', 'invalid-parameters'],
  receipt: [...ofKeys, 'unknown-address', 'no-such-record'],
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
function byStatus(kind: OperationKind): [status: number, codes: ProblemCode[]][] {
  const own: readonly ProblemCode[] = problemsOf[kind];
  const codes = (Object.keys(problems) as ProblemCode[]).filter((code) => own.includes(code));
  const statuses = new Set(codes.map((code) => problems[code].status));
  return [...statuses].map((status) => [status, codes.filter((code) => problems[code].status === status)]);
}

const responseName = (codes: readonly ProblemCode[]): string => codes.map(pascalCase).join('Or');

/** Status → reference to the error response, for one kind of operation. */
export const problemResponses = (kind: OperationKind): JsonObject =>
  Object.fromEntries(
    byStatus(kind).map(([status, codes]) => [status, referenceTo('responses', responseName(codes))]),
  );

/** Name → problems of each error response. */
const errorResponses: ReadonlyMap<string, readonly ProblemCode[]> = new Map(
  (Object.keys(problemsOf) as OperationKind[])
    .flatMap(byStatus)
    .map(([, codes]) => [responseName(codes), codes]),
);

/** The problems of an error response, by its name; none for another name. */
export const problemsOfResponse = (name: string): readonly ProblemCode[] => errorResponses.get(name) ?? [];

/** Name → error response. */
export const responseComponents = (): JsonObject =>
  Object.fromEntries([...errorResponses].map(([name, codes]) => [name, response(codes)]));

const response = (codes: readonly ProblemCode[]): JsonObject => ({
  description: `${codes.map((code) => `${problems[code].title} (\`${code}\`)`).join(', or: ')}.`,
  headers: uncachedHeaders(...codes.flatMap((code) => headersOf[code] ?? [])),
  content: jsonContent('Problem', Object.assign({}, ...codes.map(examplesOfProblem))),
});
