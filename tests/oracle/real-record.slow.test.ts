/**
 * The resolver over the real record: its answers, mistyped names, the historical names of categories, and what assistants are asked.
 */
import fc from 'fast-check';
import { beforeAll, expect, it } from 'vitest';
import { callTool } from '../../api/mcp/tools.ts';
import { importRecord } from '../../data/import/import.ts';
import { describeWithRealRecord, realRecordPath } from '../records/real-record.ts';
import { lastAnswer, questions } from '../support/assistant-questions.ts';
import { runs } from '../support/settings.ts';
import { anyRequest } from '../records/oracle/queries.ts';
import {
  compiled,
  documentAt,
  expectSameAnswer,
  mistakes,
  notFoundWith,
} from '../records/oracle/questions.ts';

describeWithRealRecord('over the real record', () => {
  let real: Awaited<ReturnType<typeof compiled>>;
  beforeAll(async () => {
    real = await compiled((connection) => importRecord(connection, realRecordPath));
  });

  it('the resolver answers any request as the oracle does', async () => {
    const { resolver, record } = real;
    await fc.assert(
      fc.asyncProperty(anyRequest(record), (request) => expectSameAnswer(resolver, record, request)),
      { numRuns: runs(200) },
    );
  });

  it.each(Object.keys(mistakes))('95 of 100 names are found with %s', async (mistake) => {
    const { asked, missed } = await notFoundWith(mistake, real.resolver, real.record, 300);
    expect(asked).toBeGreaterThan(100);
    expect(missed.length / asked, missed.join()).toBeLessThanOrEqual(0.05);
  });

  it('the category parameter takes every name that a category had', async () => {
    // "WRITING (Screenplay)" was the name of two.
    const names = new Map<string, Set<string>>();
    for (const { id, category } of real.record.nominations) {
      const name = real.record.details.get(id)!.historical_category!;
      names.set(name, (names.get(name) ?? new Set()).add(category));
    }
    expect(names.size).toBeGreaterThan(80);
    for (const [name, own] of names) {
      const target = `/api/nominations?limit=100&category=${encodeURIComponent(name)}`;
      const { data } = (await documentAt(real.resolver, target)) as { data: { category: string }[] };
      expect(
        data.some(({ category }) => own.has(category)),
        name,
      ).toBe(true);
    }
  });

  it.each(questions.map((own) => [own.question, own] as const))(
    'an assistant has the answer after at most two calls: %s',
    async (_, question) => {
      const context = { record: real.resolver, origin: 'https://awards.example' };
      const answer = await lastAnswer(question, async (tool, given) => {
        const { content, structuredContent } = await callTool(tool, given, context);
        return structuredContent ? JSON.stringify(structuredContent) : content[0]!.text;
      });
      for (const part of question.answer) expect(answer).toMatch(part);
    },
  );
});
