/** Every error the service answers with, in one table, and the RFC 9457 document for each. */

/** A fault of a query string: the parameter it is about, and what is wrong with it. */
export interface ParameterFault {
  parameter: string;
  message: string;
}

/** A fault of a body: the value it is about as an RFC 6901 JSON pointer ("" is the whole body), and what is wrong with it. */
export interface PointerFault {
  pointer: string;
  message: string;
}

export type Fault = ParameterFault | PointerFault;

/** Faults named in one answer: nobody makes more by mistake. */
export const maxFaults = 50;

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
  'precondition-failed': { status: 412, title: 'The record is not in the expected state' },
  'body-too-large': { status: 413, title: 'The body is too large' },
  'unsupported-media-type': { status: 415, title: 'The body is of a type that is not read here' },
  'invalid-record': { status: 422, title: 'The record has invalid fields' },
  'too-many-requests': { status: 429, title: 'Too many requests' },
  'headers-too-large': { status: 431, title: 'The request headers are too large' },
  'internal-error': { status: 500, title: 'Something went wrong here' },
  'snapshot-unavailable': { status: 503, title: 'The record cannot be read at the moment' },
  'writing-unavailable': { status: 503, title: 'The record cannot be written at the moment' },
  'storage-full': { status: 507, title: 'There is no space left to write to' },
} as const satisfies Record<string, { status: number; title: string }>;

export type ProblemCode = keyof typeof problems;

/** What the type of every problem begins with; its code follows. */
export const problemTypePrefix = 'urn:film-awards:problem:';

/** The body of an error response; `errors` lists all faults of a query string or of a body, in their order. */
export interface ProblemDocument {
  type: string;
  title: string;
  status: number;
  detail: string;
  errors?: Fault[];
}

/**
 * The problem document for a code of the table.
 * @param detail one sentence about this very request, for a person to read
 */
export function problemDocument(code: ProblemCode, detail: string, faults?: Fault[]): ProblemDocument {
  const { status, title } = problems[code];
  const document: ProblemDocument = { type: problemTypePrefix + code, title, status, detail };
  if (faults) document.errors = faults;
  return document;
}

/** The first faults in one sentence, for `detail`; `errors` has them all. */
export function summaryOf(faults: readonly Fault[]): string {
  const named = faults
    .slice(0, 5)
    .map((fault) =>
      'parameter' in fault ? fault.message : `${fault.pointer || 'the body'}: ${fault.message}`,
    );
  const rest = faults.length - named.length;
  return named.join('; ') + (rest > 0 ? `; and ${rest} more` : '');
}

/** The RFC 6901 JSON pointer to what these names and positions lead to. */
export function pointerTo(path: readonly (string | number)[]): string {
  return path.map((step) => `/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}
