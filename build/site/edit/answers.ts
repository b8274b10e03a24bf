/** Answers of the service to the editor: documents and refusals. */
import type { PointerFault, ProblemDocument } from '../../../api/contract/problems.ts';

export interface Refused {
  kind: 'refused';
  /** 0 if there was no answer. */
  status: number;
  /** The last part of the type of the problem; undefined if the answer is none of the service. */
  code?: string | undefined;
  detail: string;
  faults: readonly PointerFault[];
}

export const noAnswer: Refused = {
  kind: 'refused',
  status: 0,
  detail:
    'The service cannot be reached, and what you typed is still here. Save again when the network is back: nothing is saved twice.',
  faults: [],
};

export interface Answered<Document> {
  kind: 'answered';
  document: Document;
  headers: Headers;
}

/**
 * An answer that breaks off counts as no answer. A refusal may have no document: a server between the editor and the service
 * answers with HTML.
 */
export async function answerOf<Document>(
  response: Response | undefined,
): Promise<Answered<Document> | Refused> {
  const document: unknown = await response?.json().catch(() => undefined);
  if (response === undefined || (response.ok && document === undefined)) return noAnswer;
  if (!response.ok) return refusalOf(response.status, document ?? {});
  return { kind: 'answered', document: document as Document, headers: response.headers };
}

function refusalOf(status: number, { type, detail, errors = [] }: Partial<ProblemDocument>): Refused {
  return {
    kind: 'refused',
    status,
    code: type?.split(':').at(-1),
    detail: detail ?? `The service answered with ${status}.`,
    faults: errors.flatMap((fault) => ('pointer' in fault ? [fault] : [])),
  };
}
