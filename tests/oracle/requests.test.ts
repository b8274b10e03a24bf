/** The random requests cover all routes and kinds of answers, and the search index of the oracle is right. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Nomination } from '../../api/contract/resources.ts';
import { bruteForceMatches } from './brute-force.ts';
import { expectedAnswer } from './oracle.ts';
import { isValid, parameterTables } from './parameters.ts';
import { anyGoodRequest, anyRequest } from './queries.ts';
import { nasty } from './questions.ts';
import type { PlainRecord } from './record.ts';
import { searchTerms } from './values.ts';

const seed = 20_250_302;

/** All matches of a search, over as many pages as it takes. */
function searchedIds(record: PlainRecord, q: string): number[] {
  const found: number[] = [];
  for (let page = 1; ; page += 1) {
    const { body } = expectedAnswer(
      record,
      '/api/search',
      `q=${encodeURIComponent(q)}&limit=100&page=${page}`,
    );
    const { data, pagination } = body as { data: Nomination[]; pagination: { hasNextPage: boolean } };
    found.push(...data.map((nomination) => nomination.id));
    if (!pagination.hasNextPage) return found;
  }
}

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

test('the index finds the same nominations as a comparison of tokens, in the nasty record', () => {
  fc.assert(
    fc.property(searchTerms(nasty), (q) => {
      expect(searchedIds(nasty, q).toSorted((left, right) => left - right)).toEqual(
        bruteForceMatches(nasty, q),
      );
    }),
    { numRuns: 1000 },
  );
});

/** Texts over a small alphabet, so that words repeat and share prefixes. */
const smallText = fc.string({
  unit: fc.constantFrom('a', 'b', 'A', '\u00e1', '1', ' ', ' ', "'", '-'),
  maxLength: 9,
});

const smallRecord = fc
  .array(fc.tuple(smallText, smallText, smallText, fc.boolean()), { minLength: 1, maxLength: 12 })
  .map((rows): PlainRecord => {
    const nominations = rows.map(
      ([nominee, movie, category, winner], index): Nomination => ({
        id: index * 7 + 1,
        ceremony_id: 1,
        ceremony_year: 2000,
        category_id: 1,
        category,
        movie_id: 1,
        movie,
        nominee_id: 1,
        nominee,
        song_id: null,
        song_title: null,
        is_song: false,
        winner,
      }),
    );
    const none = { ceremonies: [], movies: [], nominees: [], categories: [], songs: [], honors: [] };
    return { nominations, ...none, details: new Map() };
  });

test('the index finds the same nominations as a comparison of tokens, in random records', () => {
  const question = smallText.filter((q) => isValid('q', q));
  fc.assert(
    fc.property(smallRecord, question, (record, q) => {
      const found = searchedIds(record, q).toSorted((left, right) => left - right);
      expect(found).toEqual(bruteForceMatches(record, q));
    }),
    { numRuns: 1000 },
  );
});
