/** GET, HEAD and OPTIONS over HTTP: the resolver's bytes, conditional requests, CORS, refusals. */
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Target } from '../../api/contract/target.ts';
import { matchRoute } from '../../api/contract/routes.ts';
import { fileSource } from '../../api/hosts/file-source.ts';
import { Resolver } from '../../api/read/resolve.ts';
import { anyRequest } from '../oracle/queries.ts';
import { loadPlainRecord } from '../oracle/record.ts';
import { runs } from '../settings.ts';
import { expectProblem } from './raw-connection.ts';
import { useService } from './running-service.ts';

const running = useService();
let resolver: Resolver;
beforeAll(() => {
  resolver = new Resolver(fileSource(running.built.out));
});

const target = ({ path, queryString }: Target) => path + (queryString === '' ? '' : `?${queryString}`);
const answersOfEveryKind = [
  '/api/nominations',
  '/api/movies/27',
  '/api/ceremonies',
  '/api/search?q=wolf',
  '/api/stats/top-movies?limit=3',
];
const refusals: [string, number][] = [
  ['/api/movies?page=0', 400],
  ['/api/search', 400],
  ['/api/movies/1000000', 404],
  ['/api/films', 404],
];

it('random requests are answered with the very bytes and headers of the resolver', async () => {
  const record = loadPlainRecord(running.built.connection);
  await fc.assert(
    fc.asyncProperty(anyRequest(record), async (request) => {
      const reply = await running.service.ask(target(request));
      const expected = await resolver.answer({ method: 'GET', ...request });
      expect(reply.status).toBe(expected.status);
      expect(reply.body.equals(expected.body!)).toBe(true);
      for (const [name, value] of Object.entries(expected.headers))
        expect(reply.headers[name.toLowerCase()], name).toBe(value);
    }),
    { numRuns: runs(600) },
  );
  expect(running.service.failures).toEqual([]);
});

it('every address of a record, and no other, has a page', async () => {
  const record = loadPlainRecord(running.built.connection);
  for (const resource of ['nominations', 'movies', 'nominees', 'categories', 'songs', 'ceremonies'] as const)
    for (const { id } of record[resource])
      expect((await running.service.ask(`/api/${resource}/${id}`)).status, `${resource} ${id}`).toBe(200);
  for (const segment of ['0', '01', '+1', '-1', '1.0', '1e3', 'x', '9007199254740992', '%31', '1%20', '1/'])
    expect((await running.service.ask(`/api/movies/${segment}`)).status, segment).toBe(404);
});

it('HEAD has the headers of GET, with Content-Length, and no body', async () => {
  for (const path of [...answersOfEveryKind, ...refusals.map(([address]) => address)]) {
    const get = await running.service.ask(path);
    const head = await running.service.ask(path, { method: 'HEAD' });
    expect([path, head.status, head.body.length]).toEqual([path, get.status, 0]);
    expect({ ...head.headers, date: '' }).toEqual({ ...get.headers, date: '' });
    expect(head.headers['content-length']).toBe(String(get.body.length));
  }
});

describe('the ETag', () => {
  it('is strong, stable, and different for different bytes', async () => {
    const tags = new Set<string>();
    for (const path of answersOfEveryKind) {
      const { headers } = await running.service.ask(path);
      expect(headers.etag).toMatch(/^"[0-9a-f]{20}"$/);
      expect((await running.service.ask(path)).headers.etag).toBe(headers.etag);
      tags.add(headers.etag!);
    }
    expect(tags.size).toBe(answersOfEveryKind.length);
  });

  it('gives 304 if the client sends it: alone, in a list, weak, or as *', async () => {
    for (const path of answersOfEveryKind)
      for (const method of ['GET', 'HEAD']) {
        const { etag, link } = (await running.service.ask(path)).headers;
        const lists = ['%', '"a", %', '%,"b"', 'W/%', ' * ', '"a",W/% '].map((list) =>
          list.replace('%', etag!),
        );
        for (const sent of [...lists, ['"x"', etag!]]) {
          const reply = await running.service.ask(path, { method, headers: { 'If-None-Match': sent } });
          expect(reply.status, `${path} ${sent}`).toBe(304);
          expect(reply.body.length).toBe(0);
          expect(reply.headers.etag).toBe(etag);
          expect(reply.headers.link).toBe(link);
          expect(reply.headers['cache-control']).toBe('public, max-age=0, must-revalidate');
        }
      }
  });

  it('gives the body if the client sends another one', async () => {
    for (const path of answersOfEveryKind) {
      const { etag } = (await running.service.ask(path)).headers;
      for (const sent of ['"x"', '""', etag!.slice(1, -1), `${etag!.slice(0, -1)}0"`, 'W/"x"', '**', '']) {
        const reply = await running.service.ask(path, { headers: { 'If-None-Match': sent } });
        expect(reply.status, sent).toBe(200);
      }
    }
  });

  it('is missing from a refusal, which is never 304', async () => {
    for (const [path, status] of refusals) {
      const reply = await running.service.ask(path, { headers: { 'If-None-Match': '*' } });
      expect(reply.status).toBe(status);
      expect(reply.headers.etag).toBeUndefined();
    }
  });
});

it('a refusal is a problem document that names every fault and is not cached', async () => {
  for (const [path, status] of refusals) {
    const { headers, body, ...reply } = await running.service.ask(path);
    expect(reply.status, path).toBe(status);
    expect(headers['content-type']).toBe('application/json; charset=utf-8');
    expect(headers['cache-control']).toBe('no-store');
    expectProblem(body, status);
  }
  const { body } = await running.service.ask('/api/movies?page=0&catagory=x&limit=&year=a&year=b');
  const { errors } = JSON.parse(body.toString()) as { errors: { parameter: string; message: string }[] };
  expect(errors.map((fault) => fault.parameter)).toEqual(['page', 'catagory', 'limit', 'year']);
  for (const { parameter, message } of errors) expect(message).toContain(parameter);
});

it('no other spelling of a path has an answer', async () => {
  const spellings =
    '/api/movies/ //api/movies /API/movies /api/%6Dovies /api/movies/%32%35 / /api /* /api/movies;x';
  for (const path of [...spellings.split(' '), '/api/../api/movies', '/api/./movies']) {
    expect(matchRoute(path)?.id).toBeUndefined();
    const reply = await running.service.ask(path);
    expect(reply.status, path).toBe(404);
    expectProblem(reply.body, 404);
  }
});

describe('a page of another origin', () => {
  const exposed = ['ETag', 'Link', 'RateLimit', 'RateLimit-Policy', 'Retry-After'];

  it('may read every answer and its headers, also of 304 and refusals', async () => {
    const { etag } = (await running.service.ask('/api/movies')).headers;
    const replies = [
      await running.service.ask('/api/movies', { headers: { Origin: 'https://example.org' } }),
      await running.service.ask('/api/movies', { headers: { 'If-None-Match': etag! } }),
      ...(await Promise.all(refusals.map(([path]) => running.service.ask(path)))),
      await running.service.ask('/api/movies', { method: 'DELETE' }),
    ];
    for (const { headers, status } of replies) {
      expect(headers['access-control-allow-origin'], String(status)).toBe('*');
      expect(headers['access-control-expose-headers']!.split(', ')).toEqual(expect.arrayContaining(exposed));
      expect(headers['x-content-type-options']).toBe('nosniff');
    }
  });

  it('learns from OPTIONS what it may send', async () => {
    const headers = {
      Origin: 'https://example.org',
      'Access-Control-Request-Method': 'GET',
      'Access-Control-Request-Headers': 'if-none-match',
    };
    for (const path of ['/api/movies', '/api/movies/1', '/api/movies/none', '/api/stats/top-movies?sort=x']) {
      const reply = await running.service.ask(path, { method: 'OPTIONS', headers });
      expect([reply.status, reply.body.length]).toEqual([204, 0]);
      expect(reply.headers).toMatchObject({
        'access-control-allow-origin': '*',
        'access-control-allow-methods': 'GET, HEAD, OPTIONS',
        'access-control-allow-headers': expect.stringMatching(/if-none-match/i),
        'access-control-max-age': expect.stringMatching(/^[1-9]/),
        allow: 'GET, HEAD, OPTIONS',
      });
    }
    expect((await running.service.ask('/api/films', { method: 'OPTIONS' })).status).toBe(404);
  });
});
