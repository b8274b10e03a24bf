/** What a GET, HEAD or OPTIONS over HTTP brings: the resolver's bytes, and the headers around them. */
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { matchRoute } from '../../api/contract/routes.ts';
import { fileSource } from '../../api/hosts/file-source.ts';
import { Resolver } from '../../api/read/resolve.ts';
import { anyRequest, type PlainRequest } from '../oracle/queries.ts';
import { loadPlainRecord } from '../oracle/record.ts';
import { runs } from '../settings.ts';
import { expectProblem } from './raw-connection.ts';
import { useService } from './running-service.ts';

const running = useService();
let resolver: Resolver;
beforeAll(() => {
  resolver = new Resolver(fileSource(running.built.out));
});

const target = ({ path, queryString }: PlainRequest) => path + (queryString === '' ? '' : `?${queryString}`);
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

it('every address of a record, and no other, has a page for it', async () => {
  const record = loadPlainRecord(running.built.connection);
  for (const resource of ['nominations', 'movies', 'nominees', 'categories', 'songs', 'ceremonies'] as const)
    for (const { id } of record[resource])
      expect((await running.service.ask(`/api/${resource}/${id}`)).status, `${resource} ${id}`).toBe(200);
  for (const segment of ['0', '01', '+1', '-1', '1.0', '1e3', 'x', '9007199254740992', '%31', '1%20', '1/'])
    expect((await running.service.ask(`/api/movies/${segment}`)).status, segment).toBe(404);
});

describe('HEAD', () => {
  it('brings the headers of GET, Content-Length among them, and no body', async () => {
    for (const path of [...answersOfEveryKind, ...refusals.map(([address]) => address)]) {
      const get = await running.service.ask(path);
      const head = await running.service.ask(path, { method: 'HEAD' });
      expect(head.status, path).toBe(get.status);
      expect(head.body.length).toBe(0);
      expect({ ...head.headers, date: '' }).toEqual({ ...get.headers, date: '' });
      expect(head.headers['content-length']).toBe(String(get.body.length));
    }
  });
});

describe('the ETag of an answer', () => {
  it('is strong, the same each time, and another one for other bytes', async () => {
    const tags = new Set<string>();
    for (const path of answersOfEveryKind) {
      const { headers } = await running.service.ask(path);
      expect(headers.etag).toMatch(/^"[0-9a-f]{20}"$/);
      expect((await running.service.ask(path)).headers.etag).toBe(headers.etag);
      tags.add(headers.etag!);
    }
    expect(tags.size).toBe(answersOfEveryKind.length);
  });

  it('spares the body with 304 when the client has it: alone, in a list, weak, or any', async () => {
    for (const path of answersOfEveryKind)
      for (const method of ['GET', 'HEAD']) {
        const { etag, link } = (await running.service.ask(path)).headers;
        for (const sent of [
          etag!,
          `"a", ${etag}`,
          `${etag},"b"`,
          `W/${etag}`,
          ' * ',
          `"a",W/${etag} `,
          ['"x"', etag!],
        ]) {
          const reply = await running.service.ask(path, { method, headers: { 'If-None-Match': sent } });
          expect(reply.status, `${path} ${sent}`).toBe(304);
          expect(reply.body.length).toBe(0);
          expect(reply.headers.etag).toBe(etag);
          expect(reply.headers.link).toBe(link);
          expect(reply.headers['cache-control']).toBe('public, max-age=0, must-revalidate');
        }
      }
  });

  it('brings the body again when the client has another one', async () => {
    for (const path of answersOfEveryKind) {
      const { etag } = (await running.service.ask(path)).headers;
      for (const sent of ['"x"', '""', etag!.slice(1, -1), `${etag!.slice(0, -1)}0"`, 'W/"x"', '**', '']) {
        const reply = await running.service.ask(path, { headers: { 'If-None-Match': sent } });
        expect(reply.status, sent).toBe(200);
      }
    }
  });

  it('is no part of a refusal, which is never answered with 304', async () => {
    for (const [path, status] of refusals) {
      const reply = await running.service.ask(path, { headers: { 'If-None-Match': '*' } });
      expect(reply.status).toBe(status);
      expect(reply.headers.etag).toBeUndefined();
    }
  });
});

describe('a refusal', () => {
  it('is a problem document that names every fault and that nobody keeps', async () => {
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
});

it('an address is what the route table says, however the path is spelled', async () => {
  const spellings = [
    '/api/movies/',
    '//api/movies',
    '/API/movies',
    '/api/%6Dovies',
    '/api/movies/%32%35',
    '/',
  ];
  for (const path of [...spellings, '/api/../api/movies', '/api/./movies', '/api', '/*', '/api/movies;x']) {
    expect(matchRoute(path)?.id).toBeUndefined();
    const reply = await running.service.ask(path);
    expect(reply.status, path).toBe(404);
    expectProblem(reply.body, 404);
  }
});
