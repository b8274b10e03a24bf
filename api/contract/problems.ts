/** Every error the service answers with, in one table, and the RFC 9457 document for each. */

/** One fault of a request: the parameter it is about, and what is wrong with it. */
export interface Fault {
  parameter: string;
  message: string;
}

export const problems = {
  'malformed-request': { status: 400, title: 'Malformed request' },
  'invalid-parameters': { status: 400, title: 'The request has invalid parameters' },
  'no-such-record': { status: 404, title: 'No such record' },
  'unknown-address': { status: 404, title: 'Nothing at this address' },
  'method-not-allowed': { status: 405, title: 'Method not allowed' },
  'request-timeout': { status: 408, title: 'The request took too long to arrive' },
  'too-many-requests': { status: 429, title: 'Too many requests' },
  'headers-too-large': { status: 431, title: 'The request headers are too large' },
  'internal-error': { status: 500, title: 'Something went wrong here' },
  'snapshot-unavailable': { status: 503, title: 'The record cannot be read at the moment' },
} as const satisfies Record<string, { status: number; title: string }>;

export type ProblemCode = keyof typeof problems;

/** The body of an error response; `errors` lists all faults of a 400, in the order of the query string. */
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
  const document: ProblemDocument = { type: `urn:film-awards:problem:${code}`, title, status, detail };
  if (faults) document.errors = faults;
  return document;
}
