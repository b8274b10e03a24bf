/** The headers of the document: what each of them holds, and which stand in which answer. */
import { receiptPath } from '../routes.ts';
import { type JsonObject, referencesTo } from './model.ts';

const text = (description: string, rest: JsonObject = {}): JsonObject => ({
  description,
  schema: { type: 'string', ...rest },
});
const seconds = (description: string): JsonObject => ({
  description,
  schema: { type: 'integer', minimum: 0 },
});
const always = (header: JsonObject): JsonObject => ({ ...header, required: true });

const etag = text('Names the very bytes of the document: the same tag, the same bytes.', {
  pattern: '^"[0-9a-f]{20}"$',
});

/**
 * Name → header. Where one header stands in two ways in different answers, the second has a word more: what follows the
 * colon is no part of the header's name.
 */
const headers = {
  ETag: always(etag),
  'ETag.written': {
    ...etag,
    description: 'The ETag that the record’s page has now; missing while no snapshot holds the write.',
  },
  Link: text(
    'The other pages of a list (RFC 8288): first, prev, next and last. Missing where it would be longer than clients read.',
    { pattern: '^<[^>]*>; rel="first"' },
  ),
  'Cache-Control': always(
    text('The answer may be kept, and is asked for again with its ETag before it is used.', {
      const: 'public, max-age=0, must-revalidate',
    }),
  ),
  'Cache-Control.never': always(text('The answer is never kept.', { const: 'no-store' })),
  'Content-Length': { description: 'Bytes of the body.', schema: { type: 'integer', minimum: 0 } },
  'X-Content-Type-Options': always(text('The type is what it says.', { const: 'nosniff' })),
  'Access-Control-Allow-Origin': always(text('Any site may read.', { const: '*' })),
  'Access-Control-Expose-Headers': always(text('The headers that scripts of other sites may read.')),
  'Access-Control-Allow-Methods': always(text('The methods that scripts of other sites may use.')),
  'Access-Control-Allow-Headers': always(text('The headers that scripts of other sites may send.')),
  'Access-Control-Max-Age': always(seconds('Seconds for which a browser need not ask again.')),
  Allow: always(text('The methods of this address.')),
  RateLimit: text(
    'What is left of the limit, and the seconds until it is whole again; missing where nothing is counted.',
    {
      pattern: '^"default";r=\\d+;t=\\d+$',
    },
  ),
  'RateLimit-Policy': text('The limit: requests, and the seconds they are counted over.', {
    pattern: '^"default";q=\\d+;w=\\d+$',
  }),
  'Retry-After': always(seconds('Seconds after which to try again.')),
  'WWW-Authenticate': always(text('How to send a key.')),
  'Accept-Post': text('The types of body that POST takes.'),
  'Accept-Patch': text('The types of body that PATCH takes.'),
  Location: always(text('The address of the new record.', { pattern: '^/api/[a-z]+/[1-9][0-9]*$' })),
  Receipt: text('The address of the receipt; missing where the write changed nothing.', {
    pattern: `^${receiptPath(1).replace('1', '[1-9][0-9]*')}$`,
  }),
  Snapshot: text('The snapshot that holds the write, which every GET answers from now.', {
    pattern: '^[0-9a-f]{20}$',
  }),
  'Snapshot-Pending': text(
    'There instead of Snapshot where the write is safe, and the snapshot could not be rebuilt yet.',
    {
      const: '?1',
    },
  ),
} as const satisfies Record<string, JsonObject>;

export type HeaderName = keyof typeof headers;

/** Name → header, all of them. */
export const headerComponents: JsonObject = headers;

const ofEveryDocument: readonly HeaderName[] = [
  'Content-Length',
  'X-Content-Type-Options',
  'Access-Control-Allow-Origin',
  'Access-Control-Expose-Headers',
];
const ofEveryLimit: readonly HeaderName[] = ['RateLimit', 'RateLimit-Policy'];
const withReference = (names: readonly HeaderName[]): JsonObject =>
  Object.fromEntries(names.map((name) => [name.split('.', 1)[0]!, referencesTo('headers', [name])[name]!]));

/** The headers of a document that was read. @param more besides those of every such answer */
export const headersOfReading = (...more: HeaderName[]): JsonObject =>
  withReference([...ofEveryDocument, 'Cache-Control', 'ETag', ...ofEveryLimit, ...more]);

/** The headers of an answer that is never kept: of a write, a receipt or a problem. */
export const headersOfNothingKept = (...more: HeaderName[]): JsonObject =>
  withReference([...ofEveryDocument, 'Cache-Control.never', ...ofEveryLimit, ...more]);

/** The headers of the answer to OPTIONS. */
export const headersOfPreflight: JsonObject = withReference([
  'Allow',
  'Access-Control-Allow-Origin',
  'Access-Control-Allow-Methods',
  'Access-Control-Allow-Headers',
  'Access-Control-Max-Age',
]);
