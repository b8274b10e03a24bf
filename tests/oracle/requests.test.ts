/** The random requests cover all routes and kinds of answers. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { expectedAnswer } from './oracle.ts';
import { parameterTables } from './parameters.ts';
import { anyGoodRequest, anyRequest } from './queries.ts';
import { nasty } from './questions.ts';

const seed = 20_250_302;

test('good requests get 200', () => {
  fc.assert(
    fc.property(anyGoodRequest(nasty), ({ path, queryString }) => {
      expect(expectedAnswer(nasty, path, queryString)).toMatchObject({ status: 200 });
    }),
    { numRuns: 2000 },
  );
});

test('random requests cover every route and status, and most find something', () => {
  const requests = fc.sample(anyRequest(nasty), { numRuns: 4000, seed });
  const answers = requests.map(({ path, queryString }) => expectedAnswer(nasty, path, queryString));
  const share = (status: number) => answers.filter((it) => it.status === status).length / answers.length;
  expect(share(200)).toBeGreaterThan(0.5);
  expect(share(400)).toBeGreaterThan(0.15);
  expect(share(404)).toBeGreaterThan(0.02);
  expect(answers.some((it) => (it.faultyParameters ?? []).length > 2)).toBe(true);
  const lists = answers.map((it) => it.body as { data?: unknown[] } | null).filter((it) => it?.data);
  expect(lists.filter((it) => it!.data!.length > 0).length / lists.length).toBeGreaterThan(0.3);
  for (const path of parameterTables.keys()) expect(requests.map((request) => request.path)).toContain(path);
});

test('URL parsing does not change the requests', () => {
  fc.assert(
    fc.property(anyRequest(nasty), ({ path, queryString }) => {
      const address = new URL(`http://awards.test${path}${queryString === '' ? '' : `?${queryString}`}`);
      expect(address.pathname).toBe(path);
      expect(address.search.slice(1).replaceAll('%27', "'")).toBe(queryString.replaceAll('%27', "'"));
    }),
    { numRuns: 1000 },
  );
});
