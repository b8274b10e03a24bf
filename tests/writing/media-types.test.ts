/** Media types and encodings of bodies: JSON in UTF-8 is read, everything else gets 400 or 415. */
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { expectRefusal } from '../service/raw-connection.ts';
import { chunked, expectAlive, lastRead, type RawWrite, rawWrite, repliesTo } from './raw-writes.ts';
import { useWritingService } from './writing-service.ts';

const running = useWritingService();

/** After each test: nothing is changed, unless it says so, and the service works. */
let receipts: number;
beforeEach(() => {
  receipts = running.service.receipts();
});
afterEach(async () => {
  expect(running.service.receipts()).toBe(receipts);
  await expectAlive(running.service);
});

const write = (it?: RawWrite) => rawWrite(running.service.key, it);

const type = (value: string | string[]) => ({ lines: { 'Content-Type': value } });

describe('a body that is not JSON in UTF-8 is refused, and the connection stays usable:', () => {
  it.each<[string, number, RawWrite]>([
    ['none, of length 0', 400, { body: '' }],
    ['none, and no length', 400, { lines: { 'Content-Length': '' }, body: '' }],
    ['none, in chunks', 400, { lines: { 'Transfer-Encoding': 'chunked' }, body: '0\r\n\r\n' }],
    ['none, and no type', 415, { ...type(''), body: '' }],
    ['no type', 415, type('')],
    ['an empty type', 415, type(' ')],
    ['a type that is none', 415, type('json')],
    ['a type like it', 415, type('application/json+json')],
    ['two types in one', 415, type('application/json, application/json')],
    ['two types', 415, type(['application/json', 'application/json'])],
    ['two types, one wrong', 415, type(['application/json', 'text/plain'])],
    ['a JSON patch', 415, { ...type('application/json-patch+json'), body: '[]' }],
    ['a form', 415, { ...type('application/x-www-form-urlencoded'), body: 'title=x' }],
    ['a merge patch to POST', 415, { start: 'POST /api/movies', ...type('application/merge-patch+json') }],
    ['UTF-16', 415, { ...type('application/json; charset=utf-16'), body: Buffer.from('{}', 'utf16le') }],
    ['UTF-16 that is said to be JSON', 400, { body: Buffer.from('\ufeff{}', 'utf16le') }],
    ['UTF-8 with a byte order mark', 400, { body: '\ufeff{}' }],
    ['compressed', 415, { lines: { 'Content-Encoding': 'gzip' }, body: gzipSync('{}') }],
    [
      'compressed on the way',
      415,
      { lines: { 'Transfer-Encoding': 'gzip, chunked' }, body: chunked('{}', 2) },
    ],
    ['compressed, without saying so', 400, { body: gzipSync('{}') }],
    ['a part of a record', 400, { lines: { 'Content-Range': 'bytes 0-12/20' }, body: '{"runtime":5' }],
    ['two values', 400, { body: '{}{}' }],
    ['a value and a line more', 400, { body: '{}\n{"runtime":5}' }],
  ])('%s', async (_name, status, it) => {
    const replies = await repliesTo(running.service, write(it), lastRead);
    expect(replies.map((reply) => reply.status)).toEqual([status, 200]);
    expectRefusal(replies[0]!, status);
    if (status === 415)
      expect(replies[0]!.headers.get(it.start ? 'accept-post' : 'accept-patch')).toContain(
        'application/json',
      );
  });
});

describe('an unusual but valid write is carried out:', () => {
  it.each<[string, RawWrite]>([
    ['to an absolute URL', { start: 'PATCH http://awards.example:8080/api/movies/27' }],
    ['to an absolute URL of another protocol', { start: 'PATCH HTTPS://[::1]/api/movies/27' }],
    ['with a query string, which is ignored', { start: 'PATCH /api/movies/27?id=28&title=%FF&page=x' }],
    ['with an empty query string', { start: 'PATCH /api/movies/27?' }],
    ['with leading zeros in its length', { lines: { 'Content-Length': '0002' } }],
    ['that waits for 100 Continue', { lines: { Expect: '100-continue' } }],
    ['with an unknown expectation', { lines: { Expect: 'wonders' } }],
    ['that asks for another protocol', { lines: { Connection: 'Upgrade', Upgrade: 'h2c' } }],
    [
      'with extensions and trailers to its chunks',
      { lines: { 'Transfer-Encoding': 'chunked' }, body: '2;a=b\r\n{}\r\n0\r\nX: y\r\n\r\n' },
    ],
    [
      'in chunks of one byte',
      { lines: { 'Transfer-Encoding': 'Chunked' }, body: chunked('{ "id" : 27 }', 1) },
    ],
    ['of a type with parameters', type('Application/JSON ; charset="utf-8"; profile="a;b"')],
    ['with the encoding identity', { lines: { 'Content-Encoding': 'Identity' } }],
    [
      'with override headers, which are ignored',
      { lines: { 'X-HTTP-Method-Override': 'DELETE', 'X-Original-URL': '/api/movies/1' } },
    ],
  ])('%s', async (_name, it) => {
    const replies = await repliesTo(running.service, write(it), ...(it.lines?.Upgrade ? [] : [lastRead]));
    expect(replies[0]!.status, replies[0]!.body).toBe(200);
    expect(JSON.parse(replies[0]!.body)).toMatchObject({ id: 27 });
    expect(replies.at(-1)!.status).toBe(200);
  });

  it('to a list with a query string, which is ignored', async () => {
    receipts += 1;
    const start = 'POST http://a/api/movies?id=27&limit=x';
    const [reply] = await repliesTo(running.service, write({ start, body: '{"title":"New"}' }), lastRead);
    expect(reply!.status, reply!.body).toBe(201);
    expect(JSON.parse(reply!.body)).toMatchObject({ title: 'New' });
    expect(reply!.headers.get('location')).toMatch(/^\/api\/movies\/\d+$/);
  });

  it('of HTTP/1.0, after which the connection is closed', async () => {
    const sent = write().toString().replace('HTTP/1.1', 'HTTP/1.0').replace('Host: a\r\n', '');
    expect((await repliesTo(running.service, sent)).map(({ status }) => status)).toEqual([200]);
  });
});
