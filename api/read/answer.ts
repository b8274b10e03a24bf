/** What an answer is on every runtime, and the answers that are problem documents. */
import { type ProblemCode, problemDocument, problems } from '../contract/problems.ts';

export interface Answer {
  status: number;
  headers: Readonly<Record<string, string>>;
  /** null where the method or the status has none. */
  body: Uint8Array | null;
}

/** Headers of every answer with a document. */
export const commonHeaders = {
  'Content-Type': 'application/json; charset=utf-8',
  'X-Content-Type-Options': 'nosniff',
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Expose-Headers': 'ETag, Link, RateLimit, RateLimit-Policy, Retry-After',
} as const;

/**
 * A problem as an answer, never to be cached.
 * @param headers besides those that every problem has
 */
export function problemAnswer(
  code: ProblemCode,
  detail: string,
  headers: Readonly<Record<string, string>> = {},
  faults?: Parameters<typeof problemDocument>[2],
): Answer & { body: Uint8Array } {
  const body = new TextEncoder().encode(`${JSON.stringify(problemDocument(code, detail, faults))}\n`);
  return {
    status: problems[code].status,
    headers: {
      ...commonHeaders,
      'Cache-Control': 'no-store',
      'Content-Length': String(body.length),
      ...headers,
    },
    body,
  };
}

/** The same answer without its body: what HEAD gets. */
export const withoutBody = (answer: Answer): Answer => ({ ...answer, body: null });
