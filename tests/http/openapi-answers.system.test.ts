/** The OpenAPI document describes the status, all headers and the body of every answer of the service. */
import { mkdirSync } from 'node:fs';
import type { IncomingHttpHeaders } from 'node:http';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { maxBodyBytes } from '../../api/contract/limits.ts';
import { writableResources } from '../../api/contract/names.ts';
import { openapiPath } from '../../api/contract/routes.ts';
import { expectations, overHttp, useSnapshot } from '../conformance/expectation.ts';
import { type Asking, startService } from './running-service.ts';
import type { Reply } from '../support/http.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { useWritingService } from './writing-service.ts';
import { undescribed } from './openapi-described.ts';

const snapshot = useSnapshot();
const writing = useWritingService({ writeLimit: 100_000, proxies: ['127.0.0.1'] });

const namesAndValues = (headers: IncomingHttpHeaders): [string, string][] =>
  Object.entries(headers).map(([name, value]) => [name, String(value)]);
const faultsOf = (method: string, target: string, { status, headers, body }: Reply): string[] =>
  undescribed(method, target, { status, headers: namesAndValues(headers), body });

it('describes the answers to all conformance requests', async () => {
  const service = await startService(snapshot.out, { readLimit: 100_000 });
  const { runtime, close } = overHttp(`http://127.0.0.1:${service.port}`);
  const faults: string[] = [];
  const described = new Set<number>();
  for (const { request } of await expectations(snapshot.out, true)) {
    const reply = await runtime(request);
    described.add(reply.status);
    faults.push(...undescribed(request.method, request.target, reply));
  }
  close();
  await service.stop();
  expect(faults).toEqual([]);
  expect([...described].sort()).toEqual([200, 204, 304, 400, 404, 405]);
});

it('describes the answers to requests with an id of their own', async () => {
  const { service } = writing;
  const headers = { 'X-Request-Id': 'mine', 'x-api-key': service.key, 'Content-Type': 'application/json' };
  const answers: [method: string, target: string, status: number, Asking][] = [
    ['GET', '/api/movies/1', 200, { headers }],
    ['GET', '/api/songs?format=csv', 200, { headers }],
    ['GET', '/api/movies/1', 304, { headers: { ...headers, 'If-None-Match': '*' } }],
    ['GET', '/api/movies?page=x', 400, { headers }],
    ['GET', '/receipts', 200, { headers }],
    ['PATCH', '/api/movies/1', 200, { method: 'PATCH', headers, body: '{}' }],
  ];
  for (const [method, target, status, asking] of answers) {
    const reply = await service.ask(target, asking);
    expect([reply.status, reply.headers['x-request-id']], target).toEqual([status, 'mine']);
    expect(faultsOf(method, target, reply)).toEqual([]);
  }
});

it('the comparison finds every kind of difference', async () => {
  const service = await startService(snapshot.out);
  const { status, headers, body } = await service.ask('/api/movies/27');
  await service.stop();
  const told = (change: Partial<Reply>) =>
    faultsOf('GET', '/api/movies/27', { status, headers, body, ...change });
  const { etag: _etag, ...untagged } = headers;
  const film = JSON.parse(body.toString()) as { title: string };
  const more = JSON.stringify({ ...film, surprise: 1 });
  const { title: _title, ...less } = film;
  expect(told({})).toEqual([]);
  expect(told({ status: 206 })).toEqual([expect.stringContaining('not described')]);
  expect(told({ headers: untagged })).toEqual([expect.stringContaining('there is no ETag')]);
  expect(told({ headers: { ...headers, 'x-more': '1' } })).toEqual([expect.stringContaining('x-more')]);
  expect(told({ headers: { ...headers, 'cache-control': 'private' } })).toHaveLength(1);
  expect(told({ body: Buffer.from(more) })).toContainEqual(expect.stringContaining('additional properties'));
  const shortened = { status, headers, body: Buffer.from(JSON.stringify(less)) };
  expect(told(shortened)).toEqual([expect.stringContaining("must have required property 'title'")]);
  expect(faultsOf('GET', '/api/movies/27?fields=id', shortened)).toEqual([]);
  expect(faultsOf('GET', '/api/movies?format=csv', { status, headers, body })).toContainEqual(
    expect.stringContaining('is not the type of csv'),
  );
});

describe('describes the answers to writes that', () => {
  const odd: [string, Asking][] = [
    ['have no key', { headers: { 'x-api-key': [] } }],
    ['have a wrong key', { headers: { 'x-api-key': 'fa_wrong', 'X-Forwarded-For': '198.51.100.1' } }],
    ['have no type', { headers: { 'Content-Type': [] } }],
    ['have a wrong type', { headers: { 'Content-Type': 'text/plain' } }],
    ['are too large', { body: ' '.repeat(maxBodyBytes + 1) }],
    ['are no JSON', { body: '{' }],
    ['are no object', { body: '[]' }],
    ['are empty', { body: '{}' }],
    ['have an unknown field', { body: '{"titel":1,"id":0}' }],
    ['expect another state', { body: '{"id":1000}', headers: { 'If-Match': '"x"' } }],
  ];
  it.each(odd)('%s', async (_name, { headers, body }) => {
    const { service } = writing;
    const sent: Asking = {
      headers: { 'x-api-key': service.key, 'Content-Type': 'application/json', ...headers },
      body: body ?? '{}',
    };
    const faults = faultsOf(
      'POST',
      '/api/batch',
      await service.ask('/api/batch', { method: 'POST', ...sent }),
    );
    for (const resource of writableResources)
      for (const [method, target] of [
        ['POST', `/api/${resource}`],
        ['PATCH', `/api/${resource}/1`],
        ['PATCH', `/api/${resource}/999999`],
        ['PATCH', `/api/${resource}/none`],
        ['DELETE', `/api/${resource}/1`],
        ['DELETE', `/api/${resource}/none`],
      ] as const)
        faults.push(...faultsOf(method, target, await service.ask(target, { method, ...sent })));
    expect(faults).toEqual([]);
  });
});

it.each([
  ['a done one', 200, [['POST', '/api/movies', { title: 'Batched' }]]],
  ['one with faults', 422, [['POST', '/api/movies', { titel: 'Batched' }]]],
  ['one of an unknown record', 404, [['PATCH', '/api/movies/999999', {}]]],
  ['one of an existing record', 409, [['POST', '/api/movies', { id: 1, title: 'Batched' }]]],
  ['one that deletes a record with nominations', 409, [['DELETE', '/api/movies/27', undefined]]],
] as const)('describes the answers to batches: %s', async (_name, status, writes) => {
  const { service } = writing;
  const batch = writes.map(([method, path, body]) => ({ method, path, ...(body && { body }) }));
  const reply = await service.write('POST', '/api/batch', batch);
  expect(reply.status).toBe(status);
  expect(faultsOf('POST', '/api/batch', reply)).toEqual([]);
});

it('describes the answers to deletions', async () => {
  const { service } = writing;
  const faults: string[] = [];
  const statuses: number[] = [];
  const { location } = (await service.write('POST', '/api/movies', { title: 'Short-lived' })).headers;
  for (const [target, headers] of [
    [location!, { 'If-Match': '"x"' }],
    [location!, {}],
    [location!, {}],
    ['/api/movies/27', {}],
  ] as const) {
    const reply = await service.remove(target, headers);
    statuses.push(reply.status);
    faults.push(...faultsOf('DELETE', target, reply));
  }
  expect(statuses).toEqual([412, 200, 404, 409]);
  expect(faults).toEqual([]);
});

it('describes the answers of the receipts', async () => {
  const { service } = writing;
  const headers = { 'x-api-key': service.key };
  await service.write('PATCH', '/api/movies/1', { runtime: 90 });
  const faults: string[] = [];
  for (const method of ['GET', 'HEAD', 'OPTIONS', 'POST', 'PUT'])
    for (const path of ['', '/1', '/99', '?before=x', '?before=1']) {
      const target = `/receipts${path}`;
      for (const asking of [{ method }, { method, headers }])
        faults.push(...faultsOf(method, target, await service.ask(target, asking)));
    }
  expect(faults).toEqual([]);
});

describe('describes the answers of a service', () => {
  const lists = ['/api/movies', '/api/movies/1', openapiPath, '/api/search?q=ann'];
  const targets = [...lists, '/receipts', '/receipts/1'];
  let nothing: string;
  beforeAll(() => {
    nothing = join(temporaryFolder(), 'dist');
    mkdirSync(nothing);
  });

  it.each([
    ['with an exhausted rate limit', () => snapshot.out, 1, 429],
    ['without a snapshot', () => nothing, 0, 503],
    ['without writes', () => snapshot.out, 0, 404],
  ])('%s', async (_name, out, readLimit, expected) => {
    const service = await startService(out(), { readLimit, onError: () => {} });
    await service.ask('/api/movies');
    const statuses = new Set<number>();
    const faults: string[] = [];
    for (const target of targets) {
      const reply = await service.ask(target);
      statuses.add(reply.status);
      faults.push(...faultsOf('GET', target, reply));
    }
    await service.stop();
    expect(faults).toEqual([]);
    expect(statuses).toContain(expected);
  });
});

it('values that break a rule of writes are served and described, and do not prevent other writes', async () => {
  const { service } = writing;
  const long = 'x'.repeat(30_000);
  const genres = JSON.stringify(Array.from({ length: 300 }, (_, at) => `Genre ${at}`));
  const url = 'javascript:alert(1)';
  service.connection.prepare('INSERT INTO movies (id, title, genres) VALUES (8000, ?, ?)').run(long, genres);
  service.connection.prepare('INSERT INTO nominees (id, name, homepage) VALUES (8000, ?, ?)').run(long, url);
  service.connection
    .prepare('INSERT INTO songs (id, original_title, streaming_url) VALUES (8000, ?, ?)')
    .run(long, url);
  service.connection
    .prepare('UPDATE ceremonies SET wikiurl = ?, moment_1_img_url = ?, overview = ? WHERE id = 1')
    .run(url, 'http://a.example/1.png', long);
  const changes = {
    movies: { runtime: 1 },
    nominees: { birthday: '2000-01-01' },
    songs: { artist_names: 'A' },
  };
  for (const [resource, change] of Object.entries(changes)) {
    const target = `/api/${resource}/8000`;
    const reply = await service.write('PATCH', target, change);
    expect(reply.status).toBe(200);
    expect(faultsOf('PATCH', target, reply)).toEqual([]);
  }
  const nomination = { id: 8000, ceremony_id: 1, category_id: 1, movie_id: 8000, nominee_id: 8000 };
  expect((await service.write('POST', '/api/nominations', nomination)).status).toBe(201);
  const targets = '/api/movies /api/movies/8000 /api/nominees/8000 /api/songs/8000 /api/ceremonies/1';
  for (const target of [...targets.split(' '), '/api/nominations/8000', '/api/nominations?ids=8000'])
    expect(faultsOf('GET', target, await service.ask(target))).toEqual([]);
});
