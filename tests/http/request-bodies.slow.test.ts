/** Bodies of writes in every form: what is valid is read; a refusal writes nothing, and the service works. */
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { expectLastRefusal, expectRefusal, openSocket, readReplies, readToEnd } from './raw-connection.ts';
import { chunked, expectAlive, lastRead, type RawWrite, rawWrite, repliesTo } from './raw-writes.ts';
import { useWritingService } from './writing-service.ts';

const running = useWritingService({ timeouts: { headers: 250, request: 400 } });

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
const large = ' '.repeat(64 * 1024 - 1);
const change = '{"runtime":5}';
const inChunks = { 'Transfer-Encoding': 'chunked' };

async function expectOnlyReply(it: RawWrite, status: number): Promise<void> {
  const replies = await repliesTo(running.service, write(it));
  expect(replies).toHaveLength(1);
  expectLastRefusal(replies[0], status);
}

describe('a body that does not arrive in time is answered with 408, and the connection closed:', () => {
  it.each<[string, RawWrite]>([
    ['nothing of it comes', { lines: { 'Content-Length': '100' }, body: '' }],
    ['half of it comes', { lines: { 'Content-Length': '100' }, body: change }],
    ['a chunk breaks off', { lines: inChunks, body: `ff\r\n${change}` }],
    ['the last chunk is missing', { lines: inChunks, body: chunked(change, 5, '') }],
    ['asked for, it does not come', { lines: { Expect: '100-continue', 'Content-Length': '100' }, body: '' }],
    [
      'half of it comes, for an unknown record',
      { start: 'PATCH /api/songs/424242', lines: { 'Content-Length': '9' } },
    ],
  ])('%s', (_name, it) => expectOnlyReply(it, 408));

  it('also if it trickles in, byte by byte', async () => {
    const socket = await openSocket(running.service.port);
    const received = readToEnd(socket);
    socket.write(write({ lines: { 'Content-Length': '1000' }, body: '' }));
    const timer = setInterval(() => socket.write(' '), 20);
    expectLastRefusal(readReplies(await received)[0], 408);
    clearInterval(timer);
  });

  it('a slow body that arrives in time is read', async () => {
    const socket = await openSocket(running.service.port);
    const received = readToEnd(socket);
    const bytes = write({ lines: { Connection: 'close' }, body: '{ "id": 27 }' });
    socket.write(bytes.subarray(0, -12));
    for (const byte of bytes.subarray(-12)) {
      await new Promise((resolve) => setTimeout(resolve, 10));
      socket.write(Uint8Array.of(byte));
    }
    expect(readReplies(await received).map(({ status }) => status)).toEqual([200]);
  });

  it('not without a key: 401 at once', async () => {
    const replies = await repliesTo(
      running.service,
      write({ lines: { 'x-api-key': '', 'Content-Length': '100' } }),
    );
    expect(replies).toHaveLength(1);
    expectRefusal(replies[0]!, 401);
  });
});

describe('a body that is too large is answered with 413, and the connection stays usable:', () => {
  const oneTooMany = ` ${large} `;
  // On a busy machine, twenty megabytes arrive after the short timeout of the other tests.
  const patient = useWritingService();
  it.each<[string, string, string | null]>([
    ['one byte too many', oneTooMany, null],
    ['one byte too many, in one chunk', oneTooMany, chunked(oneTooMany, 100_000)],
    ['one byte too many, in small chunks', oneTooMany, chunked(oneTooMany, 100)],
    ['a megabyte', large.repeat(16), null],
    ['a megabyte in chunks', large.repeat(16), chunked(large.repeat(16), 5000)],
    ['twenty megabytes', large.repeat(320), null],
    ['twenty megabytes in chunks', large.repeat(320), chunked(large.repeat(320), 1_000_000)],
  ])('%s', async (_name, body, chunks) => {
    const it = chunks === null ? { body } : { lines: inChunks, body: chunks };
    const replies = await repliesTo(patient.service, rawWrite(patient.service.key, it), lastRead);
    expect(replies.map(({ status }) => status)).toEqual([413, 200]);
    expectRefusal(replies[0]!, 413);
  });

  it('by its length, before the body arrives', async () => {
    for (const length of ['65537', '9'.repeat(15)]) {
      const replies = await repliesTo(
        running.service,
        write({ lines: { 'Content-Length': length }, body: '' }),
      );
      expect(replies).toHaveLength(1);
      expectRefusal(replies[0]!, 413);
    }
  });

  it('the largest allowed body is read', async () => {
    const body = `{${large.slice(1)}}`;
    for (const it of [{ body }, { lines: inChunks, body: chunked(body, 1000) }]) {
      const replies = await repliesTo(running.service, write(it), lastRead);
      expect(replies.map(({ status }) => status)).toEqual([200, 200]);
    }
  });
});

it.each<[string, RawWrite]>([
  ['one', { lines: { 'X-Note': 'x'.repeat(20_000) } }],
  ['many', { lines: { 'X-Note': Array.from({ length: 5000 }, () => 'note') } }],
  ['a key', { lines: { 'x-api-key': 'x'.repeat(20_000) } }],
  ['a target', { start: `PATCH /api/movies/27?${'x'.repeat(20_000)}` }],
])('headers that are too large are answered with 431, and the connection closed: %s', (_name, it) =>
  expectOnlyReply({ ...it, body: change }, 431),
);

describe('a contradictory request is answered with 400, and the connection closed:', () => {
  const length = (...values: string[]): RawWrite => ({ lines: { 'Content-Length': values } });
  const chunks = (body: string): RawWrite => ({ lines: inChunks, body });
  it.each<[string, RawWrite]>([
    ['two lengths', length('13', '14')],
    ['the same length twice', length('13', '13')],
    ['two lengths in one', length('13, 13')],
    ['a negative length', length('-13')],
    ['a length with a sign', length('+13')],
    ['a length that is no number', length('0x0d')],
    ['a length no number can hold', length('9'.repeat(30))],
    ['a length and chunks', { lines: { 'Content-Length': '13', ...inChunks } }],
    ['chunks twice over', { lines: { 'Transfer-Encoding': 'chunked, chunked' } }],
    ['a chunk without size', chunks(`\r\n${change}\r\n0\r\n\r\n`)],
    ['a chunk of no size', chunks(`zz\r\n${change}\r\n0\r\n\r\n`)],
    ['a chunk of negative size', chunks(`-d\r\n${change}\r\n0\r\n\r\n`)],
    ['a chunk longer than its size', chunks(`5\r\n${change}\r\n0\r\n\r\n`)],
    ['a chunk larger than any number', chunks(`${'f'.repeat(20)}\r\n${change}`)],
  ])('%s', (_name, it) => expectOnlyReply({ body: change, ...it }, 400));

  it('a body that is shorter than its length, when the client closes its side', async () => {
    const socket = await openSocket(running.service.port);
    const received = readToEnd(socket);
    socket.end(write({ lines: { 'Content-Length': '100' }, body: change }));
    expectLastRefusal(readReplies(await received)[0], 400);
  });
});

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
