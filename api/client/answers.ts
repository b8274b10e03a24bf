/** What the client reads of an answer: its document with the ETag, or its problem. */
import { plainETag } from '../contract/etag.ts';
import {
  type Fault,
  type ProblemCode,
  type ProblemDocument,
  problemTypePrefix,
} from '../contract/problems.ts';

/** The error of every refused request, and of an answer that is not one of this service. */
export class ApiProblem extends Error {
  override readonly name = 'ApiProblem';
  readonly status: number;
  /** The type of the problem; `about:blank` if the answer is not a problem document, such as that of a proxy. */
  readonly type: string;
  /** The last part of a type of this service, and the heading of its section in docs/errors.md; undefined for other types. */
  readonly code: ProblemCode | undefined;
  readonly title: string;
  readonly detail: string;
  /** All faults of the query string or of the body. */
  readonly errors: readonly Fault[];
  /** Seconds to wait before the next try, if the answer has Retry-After. */
  readonly retryAfter: number | undefined;

  constructor({ status, headers }: Response, text: string) {
    const { type, title, detail, errors = [] } = problemIn(text, status);
    super(`${title}: ${detail}`);
    this.status = status;
    this.type = type;
    this.code = type.startsWith(problemTypePrefix)
      ? (type.slice(problemTypePrefix.length) as ProblemCode)
      : undefined;
    this.title = title;
    this.detail = detail;
    this.errors = errors;
    const seconds = Number(headers.get('Retry-After') ?? Number.NaN);
    this.retryAfter = Number.isNaN(seconds) ? undefined : seconds;
  }
}

function problemIn(text: string, status: number): ProblemDocument {
  try {
    const problem = JSON.parse(text) as ProblemDocument;
    if ([problem.type, problem.title, problem.detail].every((part) => typeof part === 'string'))
      return problem;
  } catch {
    // Not JSON, so not a problem document.
  }
  const detail = 'the answer is not one of this service';
  return { type: 'about:blank', title: `Status ${status}`, status, detail };
}

/** Document → the ETag of its answer. */
const etags = new WeakMap<object, string>();

/** The ETag of a document that this client read or wrote, for `ifMatch`. Undefined for other objects. */
export const etagOf = (document: object): string | undefined => etags.get(document);

/** Remembers the ETag of a document, also of one that came compressed. @returns the document */
export function withEtag<T extends object>(document: T, etag: string | null): T {
  if (etag !== null) etags.set(document, plainETag(etag));
  return document;
}

/** @throws ApiProblem for a refusal, and for a page: of a host of plain files, or of a network with a sign-in */
export async function documentIn<T extends object>(answer: Response): Promise<T> {
  const text = await answer.text();
  if (!answer.ok) throw new ApiProblem(answer, text);
  try {
    return withEtag(JSON.parse(text) as T, answer.headers.get('ETag'));
  } catch {
    throw new ApiProblem(answer, text);
  }
}
