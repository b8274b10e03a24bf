/** The resolver answers random requests as the oracle does. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { routes as contractRoutes } from '../../api/contract/routes.ts';
import type { Connection } from '../../data/database/open.ts';
import { runSeed } from '../records/seed.ts';
import { runs } from '../support/settings.ts';
import { fillWithGenerated } from '../records/generated-record.ts';
import { fillWithNastyRecord } from '../records/nasty-record.ts';
import { expectedAnswer } from '../records/oracle/oracle.ts';
import { routes } from '../records/oracle/parameters.ts';
import { anyGoodRequest, anyRequest } from '../records/oracle/queries.ts';
import { compiled, expectSameAnswer, nasty } from '../records/oracle/questions.ts';

describe('the resolver answers any request with the status, the bytes and the faults of the oracle', () => {
  it.each<[string, (connection: Connection) => unknown, number]>([
    ['the nasty record', fillWithNastyRecord, 3500],
    ['a generated record of two blocks of nominations', fillWithGenerated(0.26), 350],
  ])('over %s, also as its first request', async (_name, fill, count) => {
    const { record, newResolver, resolver } = await compiled(fill);
    const request = fc.oneof(anyRequest(record), anyGoodRequest(record));
    await fc.assert(
      fc.asyncProperty(request, fc.nat({ max: 9 }), (asked, chance) =>
        expectSameAnswer(chance === 0 ? newResolver() : resolver, record, asked),
      ),
      { numRuns: runs(count) },
    );
  });
});

it('the oracle knows every address and every parameter of the contract but the history, which tests/publish has', () => {
  const taken = [...contractRoutes].flatMap(([address, route]) =>
    'parameters' in route && route.kind !== 'changes' ? [[address, [...route.parameters].sort()]] : [],
  );
  const known = [...routes].map(([address, { parameters }]) => [address, [...parameters.keys()].sort()]);
  expect(Object.fromEntries(known)).toEqual(Object.fromEntries(taken));
});

describe('the random requests', () => {
  it('mostly find something, are answered 200 where they are good, and stay the same in a URL', () => {
    const goodAnswers = (seed: number) =>
      fc.sample(anyGoodRequest(nasty), { numRuns: 1000, seed }).map(({ path, queryString }) => {
        const { status, body } = expectedAnswer(nasty, path, queryString);
        expect(status, `${path}?${queryString}`).toBe(200);
        return body as { data?: unknown[] };
      });
    goodAnswers(runSeed);
    // The same requests in each run: a share of random ones would depend on the seed.
    const lists = goodAnswers(1).flatMap(({ data }) => (data ? [data.length > 0] : []));
    expect(lists.filter(Boolean).length).toBeGreaterThan(lists.length * 0.3);
    for (const { path, queryString } of fc.sample(anyRequest(nasty), { numRuns: 1000, seed: runSeed })) {
      const { pathname, search } = new URL(`http://awards.test${path}${queryString && `?${queryString}`}`);
      expect(pathname).toBe(path);
      expect(search.slice(1).replaceAll('%27', "'")).toBe(queryString.replaceAll('%27', "'"));
    }
  });
});
