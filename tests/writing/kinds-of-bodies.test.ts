/** Every way that HTTP has to send a body: those that can be read here are, the others are refused for what they are. */

import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { expectRefusal } from '../service/raw-connection.ts';
import { chunked, expectAlive, lastRead, type RawWrite, rawWrite, repliesTo } from './raw-writes.ts';
import { useWritingService } from './writing-service.ts';

const running = useWritingService();

/** Whatever a test sends changes nothing, unless it says so, and the service goes on. */
let receipts: number;
beforeEach(() => {
  receipts = running.service.receipts();
});
afterEach(async () => {
  expect(running.service.receipts()).toBe(receipts);
  await expectAlive(running.service);
});

const write = (it?: RawWrite) => rawWrite(running.service.key, it);

describe('a body of another kind than can be read here is refused, and the connection stays usable:', () => {
  it.each<[string, number, RawWrite]>([
    ['none, of length 0', 400, { body: '' }],
    ['none, and no length', 400, { lines: { 'Content-Length': '' }, body: '' }],
    ['none, in chunks', 400, { lines: { 'Transfer-Encoding': 'chunked' }, body: '0\r\n\r\n' }],
    ['none, and no type', 415, { lines: { 'Content-Type': '' }, body: '' }],
    ['no type', 415, { lines: { 'Content-Type': '' } }],
    ['an empty type', 415, { lines: { 'Content-Type': ' ' } }],
    ['a type that is none', 415, { lines: { 'Content-Type': 'json' } }],
    ['a type like it', 415, { lines: { 'Content-Type': 'application/json+json' } }],
    ['two types in one', 415, { lines: { 'Content-Type': 'application/json, application/json' } }],
    ['two types', 415, { lines: { 'Content-Type': ['application/json', 'application/json'] } }],
    ['two types, one wrong', 415, { lines: { 'Content-Type': ['application/json', 'text/plain'] } }],
    ['a JSON patch', 415, { lines: { 'Content-Type': 'application/json-patch+json' }, body: '[]' }],
    ['a form', 415, { lines: { 'Content-Type': 'application/x-www-form-urlencoded' }, body: 'title=x' }],
    [
      'a merge patch as a new record',
      415,
      { start: 'POST /api/movies', lines: { 'Content-Type': 'application/merge-patch+json' } },
    ],
    [
      'UTF-16',
      415,
      { lines: { 'Content-Type': 'application/json; charset=utf-16' }, body: Buffer.from('{}', 'utf16le') },
    ],
    ['UTF-16 that is said to be JSON', 400, { body: Buffer.from('\ufeff{}', 'utf16le') }],
    ['UTF-8 with a byte order mark', 400, { body: '\ufeff{}' }],
    ['compressed', 415, { lines: { 'Content-Encoding': 'gzip' }, body: gzipSync('{}') }],
    [
      'compressed on the way',
      415,
      { lines: { 'Transfer-Encoding': 'gzip, chunked' }, body: chunked('{}', 2) },
    ],
    ['compressed, and not said to be', 400, { body: gzipSync('{}') }],
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

describe('a write that is unusual and right is carried out:', () => {
  it.each<[string, RawWrite]>([
    ['to a whole address', { start: 'PATCH http://awards.example:8080/api/movies/27' }],
    ['to a whole address of another protocol', { start: 'PATCH HTTPS://[::1]/api/movies/27' }],
    ['with a query string, which means nothing', { start: 'PATCH /api/movies/27?id=28&title=%FF&page=x' }],
    ['with an empty query string', { start: 'PATCH /api/movies/27?' }],
    ['with its length told in zeros', { lines: { 'Content-Length': '0002' } }],
    ['waiting to be asked for its body', { lines: { Expect: '100-continue' } }],
    ['with an expectation nobody knows', { lines: { Expect: 'wonders' } }],
    ['wishing for another protocol', { lines: { Connection: 'Upgrade', Upgrade: 'h2c' } }],
    [
      'with extensions and trailers to its chunks',
      { lines: { 'Transfer-Encoding': 'chunked' }, body: '2;a=b\r\n{}\r\n0\r\nX: y\r\n\r\n' },
    ],
    [
      'in chunks of one byte',
      { lines: { 'Transfer-Encoding': 'Chunked' }, body: chunked('{ "id" : 27 }', 1) },
    ],
    [
      'of a type with parameters',
      { lines: { 'Content-Type': 'Application/JSON ; charset="utf-8"; profile="a;b"' } },
    ],
    ['said not to be compressed', { lines: { 'Content-Encoding': 'Identity' } }],
    [
      'with methods and addresses to override, which mean nothing',
      { lines: { 'X-HTTP-Method-Override': 'DELETE', 'X-Original-URL': '/api/movies/1' } },
    ],
  ])('%s', async (_name, it) => {
    const replies = await repliesTo(running.service, write(it), ...(it.lines?.Upgrade ? [] : [lastRead]));
    expect(replies[0]!.status, replies[0]!.body).toBe(200);
    expect(JSON.parse(replies[0]!.body)).toMatchObject({ id: 27 });
    expect(replies.at(-1)!.status).toBe(200);
  });

  it('adding a record, with a query string, which means nothing there either', async () => {
    receipts += 1;
    const start = 'POST http://a/api/movies?id=27&limit=x';
    const [reply] = await repliesTo(running.service, write({ start, body: '{"title":"New"}' }), lastRead);
    expect(reply!.status, reply!.body).toBe(201);
    expect(JSON.parse(reply!.body)).toMatchObject({ title: 'New' });
    expect(reply!.headers.get('location')).toMatch(/^\/api\/movies\/\d+$/);
  });

  it('of HTTP/1.0, to a service that closes the connection after it', async () => {
    const sent = write().toString().replace('HTTP/1.1', 'HTTP/1.0').replace('Host: a\r\n', '');
    expect((await repliesTo(running.service, sent)).map(({ status }) => status)).toEqual([200]);
  });
});
