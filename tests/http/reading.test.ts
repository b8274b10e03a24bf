/** Reads: what each request is answered with besides its document, which the oracle tests. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { contentHash } from '../../api/contract/snapshot.ts';
import { routes } from '../../api/contract/routes.ts';
import { Resolver } from '../../api/read/resolve.ts';
import { referenceHtml } from '../../build/site/docs/page.ts';
import type { Reply } from '../support/http.ts';
import { project } from '../support/project.ts';
import { expectProblem, inProcess, useInProcess } from '../support/running-service.ts';

const running = useInProcess();
const ask: typeof running.service.ask = (...asked) => running.service.ask(...asked);

const read = 'GET, HEAD, OPTIONS';
const writable = ['nominations', 'ceremonies', 'movies', 'nominees', 'songs', 'honors'];
const written: Record<string, string> = { '/api/batch': 'OPTIONS, POST' };
for (const name of writable) {
  written[`/api/${name}`] = `${read}, POST`;
  written[`/api/${name}/{id}`] = `${read}, PATCH, DELETE`;
}

it.each([...routes.keys()])('%s has these methods, where writes are taken and where not', async (pattern) => {
  const path = pattern.replace('{id}', '7');
  const readOnly = pattern === '/api/batch' ? 'OPTIONS' : read;
  for (const [isWritable, allow] of [
    [true, written[pattern] ?? readOnly],
    [false, readOnly],
  ] as const) {
    // Methods need no snapshot.
    const nothing = { file: async () => undefined, shard: async () => undefined };
    const resolver = new Resolver(nothing, { writable: isWritable });
    const answer = (method: string) => resolver.answer({ method, path, queryString: '' });
    const preflight = await answer('OPTIONS');
    expect([preflight.status, preflight.body]).toEqual([204, null]);
    expect(preflight.headers).toEqual({
      Allow: allow,
      'Access-Control-Allow-Origin': '*',
      'Access-Control-Allow-Methods': allow,
      'Access-Control-Allow-Headers': 'Content-Type, If-Match, If-None-Match, x-api-key',
      'Access-Control-Max-Age': '86400',
    });
    // The writing methods too: a write service takes them before the resolver.
    for (const method of ['POST', 'PATCH', 'DELETE', 'PUT', 'TRACE']) {
      const { status, headers } = await answer(method);
      expect([method, status, headers.Allow]).toEqual([method, 405, allow]);
    }
  }
});

describe('a service that only reads', () => {
  it.each(['POST', 'PUT', 'PATCH', 'DELETE'])('refuses %s before it reads the body', async (method) => {
    for (const target of ['/api/movies', '/api/movies/27', '/api/batch', '/api/films', '/', '/receipts/1']) {
      const reply = await ask(target, { method, headers: { 'x-api-key': 'any' }, body: '{' });
      const isThere = /movies|batch/.test(target);
      expectProblem(reply.body, isThere ? 405 : 404);
      expect(reply.headers['cache-control']).toBe('no-store');
      const allow = target === '/api/batch' ? 'OPTIONS' : read;
      expect(reply.headers.allow).toBe(isThere ? allow : undefined);
    }
  });
});

it('every answer may be read by a page of another origin, with its ETag, links and limits', async () => {
  for (const target of ['/api/movies', '/api/movies?page=0', '/api/films'])
    expect((await ask(target)).headers).toMatchObject({
      'access-control-allow-origin': '*',
      'access-control-expose-headers': 'ETag, Link, RateLimit, RateLimit-Policy, Retry-After',
      'x-content-type-options': 'nosniff',
      'content-type': 'application/json; charset=utf-8',
    });
});

describe('the Link header of a list', () => {
  /** Relation → target. Fails unless the header is a list of links (RFC 8288). */
  const linksOf = ({ headers }: Reply): Record<string, string> => {
    const value = String(headers.link);
    const links = [...value.matchAll(/<([^<>"\s]*)>; rel="([a-z]+)"(?:, |$)/g)];
    expect(links.map(([whole]) => whole).join('')).toBe(value);
    return Object.fromEntries(links.map(([, address, relation]) => [relation, address]));
  };
  const listIn = ({ body }: Reply) =>
    JSON.parse(body.toString()) as { data: { id: number }[]; pagination: { total: number } };

  it.each(['/api/nominations?limit=7', '/api/search?limit=2&q=a%6E'])(
    'leads from %s to every record once',
    async (first) => {
      const seen: number[] = [];
      let total = 0;
      for (let target: string | undefined = first; target !== undefined; ) {
        const reply = await ask(target);
        expect(reply.status).toBe(200);
        ({ total } = listIn(reply).pagination);
        seen.push(...listIn(reply).data.map(({ id }) => id));
        target = linksOf(reply).next;
      }
      expect(total).toBeGreaterThan(1);
      expect([seen.length, new Set(seen).size]).toEqual([total, total]);
    },
  );

  const query = 'limit=%32&title=%6d&ids=1,%202,3,25,26%2C27,28,32';
  const none = '/api/movies?title=no+such+title';
  it.each<[target: string, links: Record<string, string>]>([
    // All other parameters keep their order and spelling.
    [
      `/api/movies?page=1&&${query}`,
      { first: `${query}&page=1`, next: `${query}&page=2`, last: `${query}&page=2` },
    ],
    [
      `/api/movies?${query}&%70age=2`,
      { first: `${query}&page=1`, prev: `${query}&page=1`, last: `${query}&page=2` },
    ],
    // From a page past the end, back into the list.
    [
      `/api/movies?page=99&${query}`,
      { first: `${query}&page=1`, prev: `${query}&page=2`, last: `${query}&page=2` },
    ],
    [none, { first: `${none.split('?')[1]}&page=1`, last: `${none.split('?')[1]}&page=1` }],
  ])('of %s', async (target, links) => {
    const expected = Object.entries(links).map(([relation, own]) => [relation, `/api/movies?${own}`]);
    expect(linksOf(await ask(target))).toEqual(Object.fromEntries(expected));
  });

  it('is missing where there are no pages', async () => {
    for (const target of ['/api/ceremonies', '/api/movies/1', '/api/stats/top-movies'])
      expect((await ask(target)).headers.link, target).toBeUndefined();
  });
});

it('an export is a file with a name, a length, and the hash of its bytes as ETag', async () => {
  for (const [target, type, name] of [
    [
      '/api/nominations?category=Best%20Act&winner=true&format=csv',
      'text/csv; charset=utf-8',
      'nominations-category-best-act-winner-true.csv',
    ],
    [
      '/api/search?q=%22The%20%C3%89%22&format=ndjson',
      'application/x-ndjson; charset=utf-8',
      'search-the-e.ndjson',
    ],
  ] as const) {
    const { status, headers, body } = await ask(target);
    expect([status, headers]).toMatchObject([
      200,
      {
        'content-type': type,
        'content-length': String(body.length),
        'content-disposition': `attachment; filename="${name}"`,
        'access-control-expose-headers': expect.stringContaining('Content-Disposition'),
        etag: `"${contentHash(body)}"`,
      },
    ]);
  }
});

it('the id that a proxy gives to a request comes back, an id with odd characters does not', async () => {
  const sent = async (id: string, target = '/api/movies/1') =>
    (await ask(target, { headers: { 'X-Request-Id': id } })).headers['x-request-id'];
  for (const id of ['7b0f3c9e', 'Root=1-67891233-abcdef012345678912345678', 'x'.repeat(128)])
    for (const target of ['/api/movies/1', '/api/films', '/api/%zz', '/%zz', '/nothing'])
      expect(await sent(id, target)).toBe(id);
  for (const id of ['', 'two words', '"quoted"', '\u00fc', 'x'.repeat(129)])
    expect(await sent(id)).toBeUndefined();
});

it.each<[path: string, nearest: string | undefined]>([
  ['/api/films', '/api/movies'],
  ['/api/film/360', '/api/movies/360'],
  ['/api/movie', '/api/movies'],
  ['/api/Movies/7', '/api/movies/7'],
  ['/api/movies/', '/api/movies'],
  ['/api/v1/movies.json', '/api/movies'],
  ['/v2/api/people/9', '/api/nominees/9'],
  ['/api/nominatons', '/api/nominations'],
  ['/api/movies/1/nominations', '/api/movies/1'],
  ['/film/3669-titanic', '/api/movies/3669'],
  ['/title/tt0120338/', '/api/movies?filmindex_id=tt0120338'],
  ['/by-imdb/NM0000658', '/api/nominees?filmindex_id=nm0000658'],
  ['/api/rankings/top-movies', '/api/stats/top-movies'],
  ['/api/schema', '/api/openapi.json'],
  ['/api/top-movies', undefined],
  ['/api/stats/top-movie', '/api/stats/top-movies'],
  ['/openapi.yaml', '/api/openapi.json'],
  ['/api/swagger.json', '/api/openapi.json'],
  ['/api/downloads', '/downloads/index.json'],
  ['/downloads/releases', '/downloads/releases.json'],
  ['/api/xyzzy', undefined],
  ['/', undefined],
  [`/api/${'x'.repeat(4000)}`, undefined],
])('the answer at %s names the nearest address: %s', async (path, nearest) => {
  const nothing = { file: async () => undefined, shard: async () => undefined };
  const answer = await new Resolver(nothing).answer({ method: 'GET', path, queryString: '' });
  const { detail } = expectProblem(answer.body!, 404);
  const hint = nearest === undefined ? '/api lists the addresses' : `did you mean ${nearest}?`;
  expect(detail).toBe(`there is nothing at ${path}; ${hint}`);
});

it.each([
  ['movies/tt0120338', '; /api/movies?filmindex_id=tt0120338 finds one by its IMDb id'],
  ['movies/TT0120338', '; /api/movies?filmindex_id=tt0120338 finds one by its IMDb id'],
  ['songs/nm0000658', '; /api/nominees?filmindex_id=nm0000658 finds one by its IMDb id'],
  ['movies/3669-titanic', '; did you mean /api/movies/3669?'],
  ['movies/3669.json', '; did you mean /api/movies/3669?'],
  ['movies/titanic', '; an id is a whole number'],
  ['movies/0', '; an id is a whole number'],
  ['movies/999999999', ''],
])('what is no id at /api/%s is told how a record is found', async (path, hint) => {
  const { body } = await ask(`/api/${path}`);
  expect(expectProblem(body, 404).detail).toBe(`there is no record at /api/${path}${hint}`);
});

it('the type of a problem is an address that opens: the section of the reference about it', async () => {
  const { type } = expectProblem((await ask('/api/movies?none=1')).body, 400);
  const [page, section] = type.split('#');
  expect(page).toBe('/docs');
  const errors = readFileSync(join(project, 'docs/errors.md'), 'utf8');
  expect(referenceHtml(errors)).toContain(`id="${section}"`);
});

describe('a file that is not there yet', () => {
  it.each([
    '/',
    '/movies',
    '/robots.txt',
    '/docs',
    '/edit',
    '/llms.txt',
    '/service-worker.js',
    '/.well-known/api-catalog',
    '/api/openapi.json',
    '/downloads/movies.csv',
    '/lists/best-picture/winners.json',
    '/by-imdb/tt0120338.json',
  ])('%s is 503 with Retry-After while its layer is made', async (path) => {
    for (const accept of ['text/html', '*/*']) {
      const { status, headers, body } = await ask(path, { headers: { accept } });
      expect([status, headers['cache-control'], headers['retry-after']]).toEqual([503, 'no-store', '5']);
      expect(expectProblem(body, status).detail).toMatch(/^\/\S* is being made$/);
    }
  });

  it.each(['/nowhere', '/downloads/other.txt', '/by-imdb/titanic.json', '/layers/site.json', '/assets/x.js'])(
    '%s is 404: no build makes it',
    async (path) => {
      expectProblem((await ask(path)).body, 404);
    },
  );

  it('is 404 where its layer is not made at all', async () => {
    const { ask: askOther, stop } = inProcess(running.built.out, { layers: [] });
    for (const path of ['/docs', '/downloads/movies.csv']) expectProblem((await askOther(path)).body, 404);
    await stop();
  });
});

it('the root links to what describes the API', async () => {
  expect((await ask('/api')).headers.link).toBe(
    '</api/openapi.json>; rel="service-desc"; type="application/json", </docs>; rel="service-doc"; type="text/html"',
  );
});
