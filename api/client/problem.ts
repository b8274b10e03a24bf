/** What a client throws where it was refused. */
import { type Fault, type ProblemCode, problemTypePrefix } from '../contract/problems.ts';
import type { ClientAnswer } from './transport.ts';

export class ApiProblem extends Error {
  override readonly name = 'ApiProblem';
  readonly status: number;
  /** The type of the problem; `about:blank` where the answer was no problem document, as of a proxy on the way. */
  readonly type: string;
  /** What follows the prefix of the types that are known; undefined for any other. */
  readonly code: ProblemCode | undefined;
  readonly title: string;
  readonly detail: string;
  /** Every fault of the query or of the body. */
  readonly errors: readonly Fault[];
  /** Seconds after which to try again, where the answer says so. */
  readonly retryAfter: number | undefined;

  constructor(answer: ClientAnswer, text: string) {
    const { type, title, detail, errors } = problemIn(text, answer.status);
    super(`${title}: ${detail}`);
    this.status = answer.status;
    this.type = type;
    this.code = type.startsWith(problemTypePrefix)
      ? (type.slice(problemTypePrefix.length) as ProblemCode)
      : undefined;
    this.title = title;
    this.detail = detail;
    this.errors = errors ?? [];
    const seconds = Number(answer.header('Retry-After') ?? Number.NaN);
    this.retryAfter = Number.isNaN(seconds) ? undefined : seconds;
  }
}

interface ReadProblem {
  type: string;
  title: string;
  detail: string;
  errors?: Fault[];
}

function problemIn(text: string, status: number): ReadProblem {
  try {
    const { type, title, detail, errors } = JSON.parse(text) as Partial<ReadProblem>;
    if (typeof type === 'string' && typeof title === 'string' && typeof detail === 'string')
      return { type, title, detail, ...(errors && { errors }) };
  } catch {
    // No JSON, so no problem document.
  }
  return { type: 'about:blank', title: `Status ${status}`, detail: 'the answer is no problem document' };
}
