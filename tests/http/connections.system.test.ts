/** Bytes on connections: what no request can be read from, bodies that do not come, and clients that go away. */
import { existsSync, mkdirSync, readdirSync, readlinkSync, writeFileSync } from 'node:fs';
import { Agent, METHODS } from 'node:http';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { send } from '../support/http.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { expectProblem, type RunningService, startService } from '../support/running-service.ts';
import { useWritingService } from '../support/writing-service.ts';

const running = useWritingService({ timeouts: { headers: 250, request: 800 } });
afterEach(async () => {
  expect((await running.service.ask('/api/ceremonies/1')).status).toBe(200);
  expect(running.service.failures).toEqual([]);
});

const opened = (port = running.service.port): Promise<Socket> =>
  new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true }, () => resolve(socket));
    socket.once('error', reject);
  });

interface RawReply {
  status: number;
  head: string;
  body: string;
}

/** Sends text on a new connection and reads until the service closes it. @param ends whether the client closes its side */
async function exchange(sent: string, ends = false, port?: number): Promise<RawReply[]> {
  const socket = await opened(port);
  // A reset also ends the reading.
  const received = new Promise<string>((resolve) => {
    let text = '';
    socket.on('data', (chunk: Buffer) => (text += chunk.toString())).on('error', () => {});
    for (const event of ['end', 'close']) socket.on(event, () => resolve(text));
  });
  socket.write(sent);
  if (ends) socket.end();
  const replies = (await received).split(/(?=^HTTP\/1\.1 )/m).map((text) => {
    const [head = '', body = ''] = text.split('\r\n\r\n', 2);
    return { status: Number(head.slice(9, 12)), head: head.toLowerCase(), body };
  });
  socket.destroy();
  return replies.filter(({ status }) => status !== 100);
}

const request = (start: string, lines = '', body = '') =>
  `${start} HTTP/1.1\r\nHost: a\r\n${lines}\r\n${body}`;
const write = (lines: string, body: string) =>
  request(
    'PATCH /api/movies/27',
    `x-api-key: ${running.service.key}\r\nContent-Type: application/json\r\n${lines}`,
    body,
  );

it.each<[string, number, () => string, boolean?]>([
  ['no HTTP at all', 400, () => 'hello there\r\n\r\n'],
  ['no header Host', 400, () => 'GET /api/movies HTTP/1.1\r\n\r\n'],
  ['one header that is too long', 431, () => request('GET /api/movies', `X: ${'x'.repeat(20_000)}\r\n`)],
  ['headers without their end in time', 408, () => 'GET /api/movies HTTP/1.1\r\nHost: a\r\n'],
  ['a body that does not come', 408, () => write('Content-Length: 100\r\n', '')],
  ['a body that the client cuts short', 400, () => write('Content-Length: 100\r\n', '{"runtime":5}'), true],
])('%s: one problem document with the status %i, and the end', async (_name, status, sent, ends) => {
  const receipts = running.service.receipts();
  const replies = await exchange(sent(), ends);
  expect(replies).toMatchObject([{ status }]);
  const [{ head, body }] = replies as [RawReply];
  expectProblem(body, status);
  for (const line of ['connection: close', 'cache-control: no-store', 'access-control-allow-origin: *'])
    expect(head).toContain(`\r\n${line}`);
  expect(running.service.receipts()).toBe(receipts);
});

it('a client that goes on sending after its refusal is cut off', async () => {
  const socket = await opened();
  const closed = new Promise((resolve) => socket.on('close', resolve));
  const sending = setInterval(() => socket.write('no request\r\n\r\n'), 20);
  socket.on('error', () => {}).resume();
  await closed;
  clearInterval(sending);
});

describe('the connection stays usable after', () => {
  const large = 'x'.repeat(200_000);
  const sized = `Content-Length: ${large.length}\r\n`;
  const last = request('GET /api/ceremonies/1', 'Connection: close\r\n');
  it.each<[string, number, () => string]>([
    ['a write without a key', 401, () => request('PATCH /api/movies/27', sized, large)],
    ['a body that is too large', 413, () => write(sized, large)],
    [
      'a body in chunks that is too large',
      413,
      () => write('Transfer-Encoding: chunked\r\n', `30d40\r\n${large}\r\n0\r\n\r\n`),
    ],
    [
      'a write that waits for 100 Continue',
      200,
      () => write('Expect: 100-continue\r\nContent-Length: 2\r\n', '{}'),
    ],
    ['a path that is no address', 404, () => request('GET //a/api/movies')],
  ])('%s: %i', async (_name, status, sent) => {
    const replies = await exchange(sent() + sent() + last);
    expect(replies.map((reply) => reply.status)).toEqual([status, status, 200]);
    if (status >= 400) expectProblem(replies[0]!.body, status);
  });
});

describe('on one connection', () => {
  const folder = temporaryFolder();
  const large = join(folder, 'downloads/large.bin');
  let service: RunningService;
  beforeAll(async () => {
    mkdirSync(join(folder, 'downloads'));
    writeFileSync(large, Buffer.alloc(3 * 1024 * 1024));
    service = await startService(folder);
  });
  afterAll(() => service.stop());

  it('thousands of requests are answered in order, and others have their turn between them', async () => {
    const socket = await opened(service.port);
    const [sent, others] = [20_000, 5];
    let answered = 0;
    socket
      .on('error', () => {})
      .on('data', (chunk: Buffer) => {
        answered += chunk.toString('latin1').split('HTTP/1.1 200').length - 1;
      });
    socket.write(request('GET /healthz').repeat(sent));
    for (let at = 0; at < others; at += 1) expect((await service.ask('/healthz')).status).toBe(200);
    expect(answered).toBeLessThan(sent / 2);
    socket.destroy();
    const last = request('GET /none', 'Connection: close\r\n');
    const replies = await exchange(request('GET /healthz').repeat(2000) + last, false, service.port);
    expect([replies.length, replies[0]!.status, replies.at(-1)!.status]).toEqual([2001, 200, 404]);
  });

  it('bytes that are no request, in pieces, cost neither the answer before them nor their refusal', async () => {
    const socket = await opened(service.port);
    const received: Buffer[] = [];
    const errors: Error[] = [];
    const ended = new Promise((resolve) => socket.on('close', resolve));
    socket
      .on('error', (error) => errors.push(error))
      .on('data', (chunk: Buffer) => received.push(chunk))
      .pause();
    socket.on('end', () => socket.end());
    socket.write(request('GET /downloads/large.bin'));
    for (let piece = 0; piece < 5; piece += 1) {
      socket.write('no request\r\n\r\n');
      await pause(20);
    }
    socket.resume();
    await ended;
    const text = Buffer.concat(received).toString('latin1');
    expect([errors, [...text.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status)]).toEqual([
      [],
      ['200', '400'],
    ]);
    expectProblem(text.slice(text.lastIndexOf('\r\n\r\n') + 4), 400);
  });

  it.skipIf(process.platform !== 'linux')('downloads that break off leave no file open', async () => {
    const links = () => readdirSync('/proc/self/fd').map((own) => `/proc/self/fd/${own}`);
    const openFiles = () => links().filter((link) => existsSync(link) && readlinkSync(link) === large).length;
    for (let round = 0; round < 5; round += 1) {
      const socket = await opened(service.port);
      socket.on('error', () => {}).pause();
      socket.write(request('GET /downloads/large.bin').repeat(20));
      await pause(round * 5);
      socket.destroy();
    }
    await expect.poll(openFiles).toBe(0);
    expect((await service.ask('/healthz')).status).toBe(200);
    expect([openFiles(), service.failures]).toEqual([0, []]);
  });
});

it('any method at any path, however long and with any media type, is a refusal and no failure of the service', async () => {
  const long = (part: string, length: number) => part.repeat(length / part.length);
  const paths = [
    ...['a', 'a/', '%41', '%C3%A9', '.', '~'].flatMap((part) =>
      [256, 5000].map((own) => `/${long(part, own)}`),
    ),
    ...[
      '/%zz',
      '/api/%zz',
      '/api/movies/%ff',
      '/mcp',
      '/mcp/',
      '/..%2f..%2fetc',
      '/%00',
      '/downloads/%00',
      '*',
    ],
    ...['/api', '/pages/api', '/by-imdb', '/movies', '/compare'].map((own) => `${own}/${long('x', 5000)}`),
  ];
  const agent = new Agent({ keepAlive: true });
  for (const method of METHODS.filter((own) => own !== 'CONNECT'))
    for (const path of paths) {
      const headers = { 'Content-Type': 'garbage', Accept: 'text/html', 'Content-Length': 0 };
      const { status } = await send({
        agent,
        host: '127.0.0.1',
        port: running.service.port,
        path,
        method,
        headers,
      });
      expect([method, path, status === 204 || (status >= 400 && status < 500)]).toEqual([method, path, true]);
      expect([method, path, running.service.failures]).toEqual([method, path, []]);
    }
  agent.destroy();
});

it('a client that goes while its answer is compressed is no error, and ends nothing', async () => {
  const failures: unknown[] = [];
  const fail = (error: unknown) => failures.push(error);
  process.on('unhandledRejection', fail);
  for (let at = 0; at < 6; at += 1)
    for (const page of ['/search', '/nominations', '/api/search', '/no-such-page']) {
      const socket = await opened();
      socket.on('error', () => {}).resume();
      socket.write(request(`GET ${page}?q=fi&page=${at}`, 'Accept: text/html\r\nAccept-Encoding: br\r\n'));
      await pause([0, 1, 2, 3, 5, 8][at]);
      socket.destroy();
    }
  await pause(100);
  process.off('unhandledRejection', fail);
  expect([...failures, ...running.service.failures]).toEqual([]);
});
