/** Compares the resolver with the oracle. */
import { expect } from 'vitest';
import type { Target } from '../../api/contract/target.ts';
import type { Resolver } from '../../api/read/resolve.ts';
import { expectedAnswer, expectedText } from './oracle.ts';
import type { PlainRecord } from './record.ts';

/** Fails unless the resolver answers with the expected status and bytes. */
export async function expectSameAnswer(
  resolver: Resolver,
  record: PlainRecord,
  request: Target,
): Promise<void> {
  const expected = expectedAnswer(record, request.path, request.queryString);
  const answer = await resolver.answer({ method: 'GET', ...request });
  const text = new TextDecoder().decode(answer.body ?? undefined);
  expect(answer.status, text.slice(0, 500)).toBe(expected.status);
  if (expected.status === 200) {
    expect(text).toBe(expectedText(expected));
  } else {
    const problem = JSON.parse(text) as { status: number; errors?: { parameter: string }[] };
    expect(problem.status).toBe(expected.status);
    expect(problem.errors?.map((fault) => fault.parameter)).toEqual(expected.faultyParameters);
  }
}
