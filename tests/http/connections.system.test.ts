/** Bytes on connections: what no request can be read from, bodies that do not come, and clients that go away. */
import { existsSync, readdirSync, readlinkSync } from 'node:fs';
import { get } from 'node:http';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import fc from 'fast-check';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { OutputFolder } from '../../build/snapshot/output-folder.ts';
import { runs } from '../support/settings.ts';
import { expectProblem, startService } from './running-service.ts';
import { useWritingService } from './writing-service.ts';

const running = useWritingService({ timeouts: { headers: 250, request: 400 } });
afterEach(async () => {
  expect((await running.service.ask('/api/ceremonies/1')).status).toBe(200);
  expect(running.service.failures).toEqual([]);
});

const opened = ({ port } = running.service): Promise<Socket> =>
  new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true }, () => resolve(socket));
    socket.once('error', reject);
  });

/** Sends bytes on a new connection and reads until the service closes it. @param ends whether the client closes its side */
async function exchange(sent: string | Buffer, ends = false, service = running.service): Promise<RawReply[]> {
  const socket = await opened(service);
  // A reset also ends the reading; readReplies() checks that the answer is complete.
  const received = new Promise<Buffer>((resolve) => {
    const chunks: Buffer[] = [];
    socket.on('data', (chunk: Buffer) => chunks.push(chunk)).on('error', () => {});
    for (const event of ['end', 'close']) socket.on(event, () => resolve(Buffer.concat(chunks)));
  });
  socket.write(typeof sent === 'string' ? Buffer.from(sent, 'latin1') : sent);
  if (ends) socket.end();
  const replies = readReplies((await received).toString('latin1'));
  socket.destroy();
  return replies;
}

interface RawReply {
  status: number;
  headers: Map<string, string>;
  body: string;
}

const responseHead =
  /^HTTP\/1\.1 (\d{3}) [\t\x20-\x7e]*\r\n((?:[!#$%&'*+.^_`|~0-9A-Za-z-]+:[^\r\n\0]*\r\n)*)\r\n/;

/** Reads a sequence of responses. @throws Error if the bytes are not just that */
function readReplies(text: string): RawReply[] {
  const replies: RawReply[] = [];
  for (let rest = text; rest !== ''; ) {
    const [head, status = '', lines = ''] = responseHead.exec(rest) ?? [];
    if (head === undefined) throw new Error(`no response begins here: ${JSON.stringify(rest.slice(0, 200))}`);
    const headers = new Map(
      [...lines.matchAll(/^(.*?): (.*)\r$/gm)].map(([, name = '', value = '']) => [
        name.toLowerCase(),
        value,
      ]),
    );
    rest = rest.slice(head.length);
    if (status === '100') continue;
    const length = status === '204' || status === '304' ? 0 : Number(headers.get('content-length'));
    if (rest.length < length) throw new Error(`the body is cut short: ${head}`);
    replies.push({
      status: Number(status),
      headers,
      body: Buffer.from(rest.slice(0, length), 'latin1').toString(),
    });
    rest = rest.slice(length);
  }
  return replies;
}

function expectRefusal({ status, headers, body }: RawReply): void {
  expectProblem(body, status);
  expect([headers.get('cache-control'), headers.get('access-control-allow-origin')]).toEqual([
    'no-store',
    '*',
  ]);
}

const request = (start: string, lines = '', body = '') =>
  `${start} HTTP/1.1\r\nHost: a\r\n${lines}\r\n${body}`;
const write = (lines: string, body: string, start = 'PATCH /api/movies/27') =>
  request(start, `x-api-key: ${running.service.key}\r\nContent-Type: application/json\r\n${lines}`, body);
const last = request('GET /api/ceremonies/1', 'Connection: close\r\n');
const chunked = 'Transfer-Encoding: chunked\r\n';

describe('one problem document, and the end of the connection, for', () => {
  it.each<[string, number, () => string]>([
    ['no HTTP at all', 400, () => 'hello there\r\n\r\n'],
    ['a space in the target', 400, () => request('GET /api/movies?title=a b')],
    ['no header Host', 400, () => 'GET /api/movies HTTP/1.1\r\n\r\n'],
    ['one header that is too long', 431, () => request('GET /api/movies', `X: ${'x'.repeat(20_000)}\r\n`)],
    ['headers without their end in time', 408, () => 'GET /api/movies HTTP/1.1\r\nHost: a\r\n'],
    ['a body that does not come', 408, () => write('Content-Length: 100\r\n', '')],
  ])('%s: %i', async (_name, status, sent) => {
    const receipts = running.service.receipts();
    const replies = await exchange(sent());
    expect(replies.map((reply) => [reply.status, reply.headers.get('connection')])).toEqual([
      [status, 'close'],
    ]);
    expectRefusal(replies[0]!);
    expect(running.service.receipts()).toBe(receipts);
  });

  it('a body that is shorter than its length, when the client closes its side: 400', async () => {
    const [reply] = await exchange(write('Content-Length: 100\r\n', '{"runtime":5}'), true);
    expect([reply!.status, reply!.headers.get('connection')]).toEqual([400, 'close']);
  });
});

describe('the connection stays usable after', () => {
  // On a busy machine, large bodies arrive after the short timeout of the other tests.
  const patient = useWritingService();
  const large = 'x'.repeat(1_000_000);
  const sized = `Content-Length: ${large.length}\r\n`;
  it.each<[string, number, () => string]>([
    ['a method that is refused', 405, () => request('POST /api/search', sized, large)],
    ['a write without a key', 401, () => request('PATCH /api/movies/27', sized, large)],
    ['a body that is too large', 413, () => write(sized, large)],
    ['a body in chunks that is too large', 413, () => write(chunked, `f4240\r\n${large}\r\n0\r\n\r\n`)],
    [
      'a write that waits for 100 Continue',
      200,
      () => write('Expect: 100-continue\r\nContent-Length: 2\r\n', '{}'),
    ],
    [
      'a write to an absolute URL',
      200,
      () => write('Content-Length: 2\r\n', '{}', 'PATCH http://a.example:8/api/movies/27'),
    ],
    ['a path that is no address', 404, () => request('GET //a/api/movies')],
    ['another spelling of an address', 404, () => request('GET /api/./movies')],
  ])('%s: %i', async (_name, status, sent) => {
    const all = (sent() + sent()).replaceAll(running.service.key, patient.service.key) + last;
    const replies = await exchange(all, false, patient.service);
    expect(replies.map((reply) => reply.status)).toEqual([status, status, 200]);
    if (status >= 400) expectRefusal(replies[0]!);
  });
});

it('a request for another protocol is answered in HTTP/1.1, and the connection closed so that no request is lost', async () => {
  const replies = await exchange(
    request('GET /api/movies/27', 'Connection: Upgrade\r\nUpgrade: h2c\r\n') + last,
  );
  expect(replies.map((reply) => [reply.status, reply.headers.get('connection')])).toEqual([[200, 'close']]);
});

it('any damaged bytes are answered in HTTP, with problem documents for refusals, and never with 5xx', async () => {
  const wellFormed = fc.constantFrom<() => string>(
    () => write('Content-Length: 13\r\n', '{"runtime":5}'),
    () => write(`${chunked}If-Match: *\r\n`, '2\r\n{}\r\n0\r\n\r\n', 'PATCH /api/songs/1?a=%FF'),
    () => write('Content-Length: 15\r\n', '{"title":"New"}', 'POST /api/movies'),
    () => write('', '', 'DELETE /api/movies/424242'),
    () => request('GET /api/movies?limit=2', 'Accept-Encoding: br\r\nRange: bytes=0-1\r\n'),
  );
  const edit = fc.record({ at: fc.nat(), removed: fc.nat({ max: 3 }), put: fc.uint8Array({ maxLength: 3 }) });
  await fc.assert(
    fc.asyncProperty(wellFormed, fc.array(edit, { minLength: 1, maxLength: 3 }), async (sent, edits) => {
      const damaged = edits.reduce((now, { at, removed, put }) => {
        const place = at % (now.length + 1);
        return Buffer.concat([now.subarray(0, place), put, now.subarray(place + removed)]);
      }, Buffer.from(sent()));
      for (const reply of await exchange(Buffer.concat([damaged, Buffer.from(`\r\n\r\n${last}`)]))) {
        if (reply.status !== 505) expect(reply.status, reply.body).toBeLessThan(500);
        if (reply.status >= 400 && reply.body !== '') expectProblem(reply.body, reply.status);
        expect(reply.headers.get('access-control-allow-origin')).toBe('*');
      }
    }),
    { numRuns: runs(40) },
  );
});

it('a client that goes while its answer is compressed is no error, and ends nothing', async () => {
  const failures: unknown[] = [];
  const fail = (error: unknown) => failures.push(error);
  process.on('unhandledRejection', fail);
  for (let at = 0; at < 12; at += 1)
    for (const page of ['/search', '/nominations', '/api/search', '/no-such-page']) {
      const socket = await opened();
      socket.on('error', () => {}).resume();
      socket.write(request(`GET ${page}?q=fi&page=${at}`, 'Accept: text/html\r\nAccept-Encoding: br\r\n'));
      await pause([0, 1, 2, 3, 5, 8][at % 6]);
      socket.destroy();
    }
  await pause(100);
  process.off('unhandledRejection', fail);
  expect([...failures, ...running.service.failures]).toEqual([]);
});

describe('a large file', () => {
  const name = 'downloads/large.csv';
  const before = Buffer.alloc(3_000_000, 'a');
  const after = Buffer.alloc(2_500_000, 'b');
  const descriptors = '/proc/self/fd';
  const link = (number: string) => {
    try {
      return readlinkSync(join(descriptors, number));
    } catch {
      return undefined; // Closed since it was listed.
    }
  };

  it('has the bytes of its length, even if it is replaced while it is sent', async () => {
    const { out } = running.service;
    const folder = new OutputFolder(out);
    folder.put(name, before);
    const first = await new Promise<Buffer>((resolve, reject) => {
      get({ port: running.service.port, path: `/${name}` }, (response) => {
        response.once('data', () => folder.put(name, after));
        response.toArray().then((chunks) => resolve(Buffer.concat(chunks as Buffer[])), reject);
      }).on('error', reject);
    });
    expect(first.equals(before)).toBe(true);
    expect((await running.service.ask(`/${name}`)).body.equals(after)).toBe(true);
    folder.remove(name);
  });

  it.skipIf(!existsSync(descriptors))('does not stay open after a request, however it ends', async () => {
    const { out } = running.service;
    new OutputFolder(out).put(name, before);
    const timesOpen = () =>
      readdirSync(descriptors).filter((number) => link(number) === join(out, name)).length;
    const service = await startService(out);
    const { headers } = await service.ask(`/${name}`, { method: 'HEAD' });
    for (const [method, own, status] of [
      ['GET', {}, 200],
      ['GET', { 'if-none-match': headers.etag! }, 304],
      ['GET', { range: 'bytes=5-9' }, 206],
      ['GET', { range: 'bytes=99999999-' }, 416],
      ['POST', {}, 405],
    ] as const)
      expect((await service.ask(`/${name}`, { method, headers: own })).status).toBe(status);
    await new Promise<void>((resolve) => {
      const asked = get({ port: service.port, path: `/${name}` }, (response) => {
        // Gone at the first bytes, while the rest is being sent.
        response
          .on('error', () => {})
          .once('data', () => {
            expect(timesOpen()).toBe(1);
            asked.destroy();
            resolve();
          });
      });
    });
    await vi.waitFor(() => expect(timesOpen()).toBe(0));
    await service.stop();
    new OutputFolder(out).remove(name);
  });
});
