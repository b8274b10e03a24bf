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

/** Code → HTTP status and title. docs/errors.md says when each occurs, and what the client can do. */
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
  'changes-gone': { status: 410, title: 'These changes are not kept' },
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

/**
 * Start of the `type` of every problem: a relative address that opens on every host, the section of the
 * reference about the problem. The code follows; it is also the heading of the problem in docs/errors.md.
 */
export const problemTypePrefix = '/docs#problem-';

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

/**
 * A text as a message shows it: its first 60 characters. No surrogate pair is cut: parsers refuse half of
 * one.
 */
export function shortened(text: string): string {
  const characters = [...text.slice(0, 200)];
  return characters.length > 60 ? `${characters.slice(0, 60).join('')}…` : text;
}
