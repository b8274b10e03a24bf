/** The resolver answers random requests as the oracle does, and these requests ask for everything that it takes. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { routes as contractRoutes } from '../../api/contract/routes.ts';
import { generateRecord } from '../../tools/generate/generate.ts';
import type { Connection } from '../../data/database/open.ts';
import { runSeed } from '../records/seed.ts';
import { runs } from '../support/settings.ts';
import { fillWithNastyRecord } from '../records/nasty-record.ts';
import { expectedAnswer, expectedText } from '../records/oracle/oracle.ts';
import { keysIn, type Parameter, routes } from '../records/oracle/parameters.ts';
import { anyGoodRequest, anyRequest } from '../records/oracle/queries.ts';
import { compiled, expectSameAnswer, nasty } from '../records/oracle/questions.ts';

/** Years do not ascend with the ids. A joint entry is won by a later nominee of it only, in the even years. */
const fillWithGenerated = (scale: number) => (connection: Connection) => {
  generateRecord(connection, { scale, seed: 11 });
  connection.exec(
    `UPDATE ceremonies SET ceremony_year = 1929 + id * 37 % 89;
     UPDATE songs SET streaming_year = 1929 + id * 37 % 89;
     UPDATE nominations SET winner = (
       SELECT count(*) > 1 AND max(n.id) = nominations.id FROM nominations AS n
       WHERE (n.ceremony_id, n.category_id, n.entry) = (nominations.ceremony_id, nominations.category_id, nominations.entry))
     WHERE ceremony_id % 2 = 0`,
  );
};

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
  /** What a value does not change: the default, and the parameters of pages in lists that have none. */
  const hasNoEffect = (address: string, name: string, key: string, { keys }: Parameter) =>
    ['json', 'relevance'].includes(key) ||
    // The ids of generated films ascend with their years.
    (name === 'sort' && (key === keys[0] || key === 'film_year')) ||
    (['page', 'limit'].includes(name) && /ceremonies|categories/.test(address));

  it('cover every address with every status, and every parameter and key with an effect and with a fault', async () => {
    const missing = new Set<string>();
    for (const [address, { parameters }] of routes) {
      for (const status of address.endsWith('{id}') ? [200, 400, 404] : [200, 400])
        missing.add(`${address} ${status}`);
      for (const [name, parameter] of parameters) {
        missing.add(`${address} ${name}: faulty`);
        for (const key of parameter.keys.length > 0 ? parameter.keys : ['']) {
          const effect = `${address} ${name} ${key}`;
          if (!hasNoEffect(address, name, key, parameter)) missing.add(effect);
        }
      }
    }
    const { record } = await compiled(fillWithGenerated(0.01));
    const request = fc.oneof(anyRequest(record), anyGoodRequest(record));
    const batches = Array.from({ length: 100 }, (_, at) => runSeed + at);
    for (const seed of batches)
      for (const { path, queryString } of missing.size > 0
        ? fc.sample(request, { numRuns: 2000, seed })
        : []) {
        const address = routes.has(path) ? path : path.replace(/[^/]*$/, '{id}');
        if (![...missing].some((item) => item.startsWith(`${address} `))) continue;
        const answer = expectedAnswer(record, path, queryString);
        missing.delete(`${address} ${answer.status}`);
        for (const name of answer.faultyParameters ?? []) missing.delete(`${address} ${name}: faulty`);
        // Others are ignored, at the page of a record.
        const isOwn = (piece: string) => routes.get(address)!.parameters.has(piece.split('=')[0]!);
        const pieces = answer.status === 200 ? queryString.split('&').filter(isOwn) : [];
        for (const piece of pieces) {
          const [name = '', value = ''] = decodeURIComponent(piece.replaceAll('+', ' ')).split('=');
          const effects = ['', ...keysIn(value)].map((key) => `${address} ${name} ${key}`);
          if (!effects.some((effect) => missing.has(effect))) continue;
          const rest = pieces.filter((other) => other !== piece).join('&');
          const without = expectedAnswer(record, path, rest);
          if (without.status === 200 && expectedText(without) === expectedText(answer)) continue;
          for (const effect of effects) missing.delete(effect);
        }
      }
    expect([...missing]).toEqual([]);
  });

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
