/** The promise: a category is found by each name that it had, and by those that people use. */
import { describe, expect, it } from 'vitest';
import { Resolver } from '../../api/read/resolve.ts';
import { importRecord } from '../../data/import/import.ts';
import { fillWithSample } from '../../data/sample/sample.ts';
import { describeWithRealRecord, realRecordPath } from '../support/real-record.ts';
import { answerAt, compiledRecord } from '../support/build.ts';

/** The categories of the first nominations that a list finds. */
async function categoriesFound(resolver: Resolver, category: string): Promise<string[]> {
  const target = `/api/nominations?limit=100&category=${encodeURIComponent(category)}`;
  const { status, body } = await answerAt(resolver, target);
  expect(status, target).toBe(200);
  const { data } = JSON.parse(new TextDecoder().decode(body!)) as { data: { category: string }[] };
  return [...new Set(data.map((it) => it.category))];
}

describeWithRealRecord('over the real record', () => {
  it('the category parameter takes every name that a category had', async () => {
    const { record, files } = await compiledRecord((connection) => importRecord(connection, realRecordPath));
    const resolver = new Resolver(files);
    // "WRITING (Screenplay)" was the name of two.
    const names = new Map<string, Set<string>>();
    for (const { id, category } of record.nominations) {
      const name = record.details.get(id)!.historical_category!;
      names.set(name, (names.get(name) ?? new Set()).add(category));
    }
    expect(names.size).toBeGreaterThan(80);
    const wrong: string[] = [];
    for (const [name, own] of names) {
      const found = await categoriesFound(resolver, name);
      if (!found.some((category) => own.has(category))) wrong.push(`${name}: ${found.join()}`);
    }
    expect(wrong).toEqual([]);
  });
});

describe('the category parameter takes', () => {
  it.each([
    ['Best Actor', ['Actor in a Leading Role']],
    ['best-supporting actress', ['Actress in a Supporting Role']],
    ['Best Movie', ['Best Picture']],
    ['UNIQUE AND ARTISTIC PICTURE', ['Best Picture']],
    ['Outstanding Motion Picture', ['Best Picture']],
    // A part of a name is a part: not only the category that it names as a whole.
    ['actor', ['Actor in a Leading Role', 'Actor in a Supporting Role']],
    ['best actor of all', []],
    ['constructor', []],
  ])('%s', async (category, found) => {
    const resolver = new Resolver((await compiledRecord(fillWithSample)).files);
    expect(await categoriesFound(resolver, category)).toEqual(found);
  });
});
