/** The table of all error answers, and the RFC 9457 document of each. */

/** A fault of a query string. */
export interface ParameterFault {
  parameter: string;
  message: string;
}

/** A fault of a body. The pointer is an RFC 6901 JSON pointer to the faulty value; "" is the whole body. */
export interface PointerFault {
  pointer: string;
  message: string;
}

export type Fault = ParameterFault | PointerFault;

/** Maximum number of faults in one answer. */
export const maxFaults = 50;

/** Code → HTTP status and title. */
export const problems = {
  'malformed-request': { status: 400, title: 'Malformed request' },
  'invalid-parameters': { status: 400, title: 'The request has invalid parameters' },
  'malformed-body': { status: 400, title: 'The body is not readable JSON' },
  unauthorized: { status: 401, title: 'A valid API key is needed' },
  'no-such-record': { status: 404, title: 'No such record' },
  'unknown-address': { status: 404, title: 'Nothing at this address' },
  'method-not-allowed': { status: 405, title: 'Method not allowed' },
  'request-timeout': { status: 408, title: 'The request took too long to arrive' },
  'record-exists': { status: 409, title: 'There is a record with this id already' },
  'still-referenced': { status: 409, title: 'Other records refer to this record' },
  'precondition-failed': { status: 412, title: 'The record is not in the expected state' },
  'body-too-large': { status: 413, title: 'The body is too large' },
  'unsupported-media-type': { status: 415, title: 'The body is of a type that is not read here' },
  'range-not-satisfiable': { status: 416, title: 'The file has no such range' },
  'invalid-record': { status: 422, title: 'The record has invalid fields' },
  'too-many-requests': { status: 429, title: 'Too many requests' },
  'headers-too-large': { status: 431, title: 'The request headers are too large' },
  'internal-error': { status: 500, title: 'Something went wrong here' },
  'snapshot-unavailable': { status: 503, title: 'The record cannot be read at the moment' },
  'writing-unavailable': { status: 503, title: 'The record cannot be written at the moment' },
  'storage-full': { status: 507, title: 'There is no space left to write to' },
} as const satisfies Record<string, { status: number; title: string }>;

export type ProblemCode = keyof typeof problems;

/** Start of the `type` of every problem. The code follows; it is also the heading of the problem in docs/errors.md. */
export const problemTypePrefix = 'urn:film-awards:problem:';

/** The body of an error answer. `errors` lists the faults of a query string or of a body, in their order. */
export interface ProblemDocument {
  type: string;
  title: string;
  status: number;
  detail: string;
  errors?: Fault[];
}

/**
 * Makes a problem document.
 * @param detail one sentence about this request, for people
 */
export function problemDocument(code: ProblemCode, detail: string, faults?: Fault[]): ProblemDocument {
  const { status, title } = problems[code];
  const document: ProblemDocument = { type: problemTypePrefix + code, title, status, detail };
  if (faults) document.errors = faults;
  return document;
}

/** The first five faults in one sentence, for `detail`. */
export function summaryOf(faults: readonly Fault[]): string {
  const named = faults
    .slice(0, 5)
    .map((fault) =>
      'parameter' in fault ? fault.message : `${fault.pointer || 'the body'}: ${fault.message}`,
    );
  const rest = faults.length - named.length;
  return named.join('; ') + (rest > 0 ? `; and ${rest} more` : '');
}

/** The first line of an error. Of a path of the machine only the last name stays: the answer is public. */
export function publicReason(error: unknown): string {
  const { message, path } = (error ?? {}) as { message?: unknown; path?: unknown };
  const [whole = ''] = String(message ?? error).split('\n');
  // A path that the error names can have blanks.
  const line =
    typeof path === 'string' ? whole.replaceAll(path, path.slice(path.lastIndexOf('/') + 1)) : whole;
  return line.replace(/(?<![\w:/.])(?:\/[^\s'"/]+)+\//g, '').slice(0, 500);
}

/** The RFC 6901 JSON pointer of a path of names and positions. */
export function pointerTo(path: readonly (string | number)[]): string {
  return path.map((step) => `/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}

/** Code → when the problem occurs, and what the client can do. For docs/errors.md; no runtime loads it. */
export const problemHelp: Record<ProblemCode, readonly [when: string, next: string]> = {
  'malformed-request': [
    'The bytes are not a well-formed HTTP/1.1 request, or the Host header is missing, repeated or invalid.',
    'Correct the request. Percent-encode special characters in the URL.',
  ],
  'invalid-parameters': [
    'A query parameter is unknown, repeated, missing or has an invalid value. `errors` names each one.',
    'Correct the parameters that `errors` names.',
  ],
  'malformed-body': [
    'The body is not strict JSON: it has a syntax error, a duplicate name, invalid UTF-8 or an incomplete end. Or a DELETE has a body.',
    'Correct the position that `detail` names.',
  ],
  unauthorized: [
    'The API key is missing, unknown, revoked or sent twice.',
    'Send one valid key in the header `x-api-key`. `awards keys create NAME` makes a key.',
  ],
  'no-such-record': ['No record has this id.', 'Check the id. The list of the resource contains all ids.'],
  'unknown-address': [
    'The path is not an address of the service. Addresses are case-sensitive and have no trailing slash.',
    'Use an address of the OpenAPI document.',
  ],
  'method-not-allowed': [
    'The address does not support this method. A service without writes supports no POST, PATCH or DELETE.',
    'Use a method that the header `Allow` lists.',
  ],
  'request-timeout': ['The request did not arrive in time.', 'Send it again on a new connection.'],
  'record-exists': [
    'A POST contains the id of an existing record.',
    'Change that record with PATCH, or choose another id.',
  ],
  'still-referenced': [
    'A DELETE names a record that others refer to. `detail` says how many of which resource.',
    'Delete those records first, or change what they refer to.',
  ],
  'precondition-failed': [
    'The ETag in `If-Match` is not the current ETag of the record: another write changed it. A POST with `If-Match` always fails.',
    'Read the record again, apply the change to it, and send the new ETag.',
  ],
  'body-too-large': ['The body is larger than the limit that `detail` names.', 'Send a smaller body.'],
  'unsupported-media-type': [
    'The `Content-Type` of the body is not supported.',
    'Use a type that `Accept-Post` or `Accept-Patch` lists.',
  ],
  'range-not-satisfiable': [
    'The header `Range` asks for bytes after the end of the file.',
    'Ask for bytes of the file: `Content-Range` has its size.',
  ],
  'invalid-record': [
    'The JSON is valid, but a field of the record is not. `errors` contains a JSON pointer for each fault.',
    'Correct the fields that `errors` names.',
  ],
  'too-many-requests': [
    'The client or the key exceeded its limit. After ten wrong keys in a minute, every request of the client with a key is refused, also with a valid one.',
    'Wait for the number of seconds in `Retry-After`.',
  ],
  'headers-too-large': [
    'The request line and headers are longer than the server reads.',
    'Shorten the query string or the headers.',
  ],
  'internal-error': [
    'The service failed in an unexpected way and logged the error.',
    'Try again later. Report the error to the operator if it persists.',
  ],
  'snapshot-unavailable': [
    'A file of the snapshot is missing or damaged.',
    'Send the request again after the number of seconds in `Retry-After`.',
  ],
  'writing-unavailable': [
    'The database is busy, the snapshot cannot be built, or the write service does not answer. `detail` names the reason.',
    'Wait for the number of seconds in `Retry-After`. If `detail` does not rule out the write, read the record first.',
  ],
  'storage-full': [
    'The disk of the service is full. Nothing was written.',
    'Report the error to the operator, and send the write again later.',
  ],
};

/** A text as a message shows it: its first 60 characters. No surrogate pair is cut: parsers refuse half of one. */
export function shortened(text: string): string {
  const characters = [...text.slice(0, 200)];
  return characters.length > 60 ? `${characters.slice(0, 60).join('')}…` : text;
}
