/** The Link header of paginated lists: a client can walk a list by it, with any other parameters. */
import { expect, it } from 'vitest';
import { useService } from './running-service.ts';
import type { Reply } from '../support/http.ts';

const running = useService();

/** Relation → target. @throws Error if the header is not a list of links (RFC 8288) */
function linksOf({ headers }: Reply): Record<string, string> {
  const value = headers.link as string;
  const links = [...value.matchAll(/<([^<>"\s]*)>; rel="([a-z]+)"(?:, |$)/g)];
  if (links.map(([whole]) => whole).join('') !== value) throw new Error(`no Link header: ${value}`);
  return Object.fromEntries(links.map(([, address, relation]) => [relation, address]));
}

const listOf = (reply: Reply) =>
  JSON.parse(reply.body.toString()) as {
    data: { id: number }[];
    pagination: { total: number; totalPages: number };
  };

it.each([
  '/api/nominations?limit=7',
  '/api/movies?limit=5&title=a',
  '/api/nominees?limit=100',
  '/api/songs?limit=1',
  '/api/search?q=wolf+or&limit=2',
  '/api/search?limit=1&q=a%20ma%6E',
])('following "next" from %s brings every record once', async (first) => {
  const seen: number[] = [];
  let reply = await running.service.ask(first);
  const { total, totalPages } = listOf(reply).pagination;
  for (let page = 1; ; page += 1) {
    seen.push(...listOf(reply).data.map((record) => record.id));
    const { next } = linksOf(reply);
    if (next === undefined) {
      expect(page).toBe(Math.max(1, totalPages));
      break;
    }
    reply = await running.service.ask(next);
    expect(reply.status).toBe(200);
  }
  expect(seen).toHaveLength(total);
  expect(new Set(seen).size).toBe(total);
});

it('the links keep the other parameters in their order and spelling', async () => {
  const query = 'limit=%32&title=%6d&ids=1,%202,3,25,26%2C27,28,32&y%65arStart=1';
  const reply = await running.service.ask(`/api/movies?page=2&&${query}`);
  const pages = listOf(reply).pagination.totalPages;
  expect(linksOf(reply)).toEqual({
    first: `/api/movies?${query}&page=1`,
    prev: `/api/movies?${query}&page=1`,
    ...(pages > 2 ? { next: `/api/movies?${query}&page=3` } : {}),
    last: `/api/movies?${query}&page=${pages}`,
  });
  expect(pages).toBeGreaterThan(1);
});

it('the first page has no "prev", the last no "next", and one in between has both', async () => {
  const relations = async (target: string) => Object.keys(linksOf(await running.service.ask(target)));
  expect(await relations('/api/nominations?limit=3')).toEqual(['first', 'next', 'last']);
  expect(await relations('/api/nominations?limit=3&page=2')).toEqual(['first', 'prev', 'next', 'last']);
  const { last } = linksOf(await running.service.ask('/api/nominations?limit=3'));
  expect(await relations(last!)).toEqual(['first', 'prev', 'last']);
});

it('from a page past the end the links lead back into the list', async () => {
  const reply = await running.service.ask('/api/movies?page=999999&limit=10');
  expect(reply.status).toBe(200);
  expect(listOf(reply).data).toEqual([]);
  const { first, prev, next, last } = linksOf(reply);
  expect(first).toBe('/api/movies?limit=10&page=1');
  expect(next).toBeUndefined();
  expect(prev).toBe(last);
  expect(listOf(await running.service.ask(prev!)).data.length).toBeGreaterThan(0);
});

it('an empty list is one page, first and last', async () => {
  const page = '/api/movies?title=no+such+title&page=1';
  const reply = await running.service.ask('/api/movies?title=no+such+title');
  expect(linksOf(reply)).toEqual({ first: page, last: page });
});

it('answers that are not paginated lists have no links', async () => {
  for (const path of '/api/ceremonies /api/categories?page=1 /api/movies/1 /api/stats/top-movies /api/films'.split(
    ' ',
  ))
    expect((await running.service.ask(path)).headers.link, path).toBeUndefined();
});

it('the links are well-formed and work for characters that a client did not encode', async () => {
  for (const title of ['<a>', '"a"', "a'", 'a,b;c', 'a|b', 'a\\b', '{a}', '^a`', 'a;rel="x"']) {
    const reply = await running.service.ask(`/api/movies?title=${title}`);
    expect(reply.status, title).toBe(200);
    const { first } = linksOf(reply);
    const again = await running.service.ask(first!);
    expect(again.body.equals(reply.body)).toBe(true);
  }
});

it('a page number under an encoded name is replaced like any other', async () => {
  const { next, last } = linksOf(await running.service.ask('/api/nominations?%70age=2&limit=3'));
  for (const link of [next!, last!]) expect((await running.service.ask(link)).status, link).toBe(200);
});
