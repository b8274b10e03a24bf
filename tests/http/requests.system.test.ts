/** Requests in every form that HTTP allows: other methods, bodies, absolute URLs as targets, many on one connection. */
import { describe, expect, it } from 'vitest';
import {
  exchange,
  expectProblem,
  expectRefusal,
  openSocket,
  readReplies,
  readToEnd,
} from './raw-connection.ts';
import { useService } from './running-service.ts';

const running = useService();

const last = 'GET /api/ceremonies/1 HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n';
const statusesOf = async (sent: string) =>
  readReplies(await exchange(running.service.port, sent)).map(({ status }) => status);

describe('a read-only service', () => {
  it.each(['POST', 'PUT', 'PATCH', 'DELETE', 'TRACE', 'PROPFIND'])(
    'refuses %s: 405 with the allowed methods, or 404',
    async (method) => {
      const asking = {
        method,
        headers: { 'x-api-key': 'any', 'Content-Type': 'application/json' },
        body: '{}',
      };
      const known =
        '/api/movies /api/movies/27 /api/movies/424242 /api/movies/none /api/search /api/stats/top-movies';
      for (const path of known.split(' ')) {
        const { status, headers, body } = await running.service.ask(path, asking);
        expect(status, path).toBe(405);
        expect(headers.allow).toBe('GET, HEAD, OPTIONS');
        expect(headers['cache-control']).toBe('no-store');
        expectProblem(body, 405);
      }
      for (const path of ['/api/films', '/', '/api/movies/', '/api/movies/1/2', '/receipts', '/receipts/1']) {
        const { status, body } = await running.service.ask(path, asking);
        expect(status, path).toBe(404);
        expectProblem(body, 404);
      }
    },
  );

  it('has no receipts', async () => {
    for (const target of ['/receipts', '/receipts/1'])
      for (const method of ['GET', 'OPTIONS'])
        expect((await running.service.ask(target, { method, headers: { 'x-api-key': 'any' } })).status).toBe(
          404,
        );
  });
});

describe('a body that is not expected', () => {
  const bodies: [string, string][] = [
    ['of a known length', 'Content-Length: 12\r\n\r\n{"a":"GET "}'],
    ['in chunks', 'Transfer-Encoding: chunked\r\n\r\n5\r\nGET /\r\n3;x=y\r\nabc\r\n0\r\nTrailer: z\r\n\r\n'],
    ['of 200,000 bytes', `Content-Length: 200000\r\n\r\n${'x'.repeat(200_000)}`],
    ['that waits for 100 Continue', 'Expect: 100-continue\r\nContent-Length: 2\r\n\r\n{}'],
  ];

  it.each(bodies)('%s leaves the connection usable', async (_name, body) => {
    for (const [method, status] of [
      ['POST', 405],
      ['GET', 200],
    ] as const) {
      const sent = `${method} /api/movies HTTP/1.1\r\nHost: a\r\n${body}`;
      const replies = readReplies(await exchange(running.service.port, sent + sent + last));
      expect(replies.map((reply) => reply.status)).toEqual([status, status, 200]);
      expect(JSON.parse(replies[2]!.body)).toMatchObject({ id: 1 });
    }
  });
});

it.each([
  ['/api/movies?page=0', 400],
  ['/api/films', 404],
])('a refusal has no ETag, and is never 304: %s', async (target, status) => {
  const reply = await running.service.ask(target, { headers: { 'If-None-Match': '*' } });
  expect([reply.status, reply.headers.etag]).toEqual([status, undefined]);
});

it('a page of another origin may read the ETag, the links and the limits', async () => {
  const { headers } = await running.service.ask('/api/movies');
  const exposed = ['ETag', 'Link', 'RateLimit', 'RateLimit-Policy', 'Retry-After'];
  expect(headers['access-control-expose-headers']!.split(', ')).toEqual(expect.arrayContaining(exposed));
});

describe('a request target', () => {
  it('may be an absolute URL with any host', async () => {
    const plain = (await running.service.ask('/api/movies?limit=2')).body.toString();
    for (const origin of 'http://localhost http://example.org:8080 HTTPS://a http://u:p@a http://[::1]:3'.split(
      ' ',
    )) {
      const sent = `GET ${origin}/api/movies?limit=2 HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`;
      const [reply] = readReplies(await exchange(running.service.port, sent));
      expect(reply!.status, origin).toBe(200);
      expect(reply!.body).toBe(plain);
      expect(reply!.headers.get('link')).toMatch(/^<\/api\/movies\?limit=2&page=1>/);
    }
  });

  const nowhere =
    'http://a http://a?ids=1 / /? //a/api/movies //api/movies /api/../api/movies /api/./movies ' +
    '/api/movies/ /api/movies/%2e%2e/movies /%00 /api/movies%3Flimit=1';
  it.each(nowhere.split(' '))('of no route is not found: %s', async (target) => {
    const sent = `OPTIONS ${target} HTTP/1.1\r\nHost: a\r\n\r\n`.repeat(2) + last;
    const replies = readReplies(await exchange(running.service.port, sent));
    expect(replies.map((reply) => reply.status)).toEqual([404, 404, 200]);
    expectRefusal(replies[0]!, 404);
  });

  it('gives neither the file of a precomputed page nor a file beside the snapshot', async () => {
    const files = '/.awards.lock /api/movies/27.json /../awards.db /api/..%2f..%2fawards.db /shards/ /.lock';
    for (const path of files.split(' ')) expect((await running.service.ask(path)).status, path).toBe(404);
  });
});

describe('one connection', () => {
  it('serves many requests one after the other', async () => {
    const before = await running.service.connections();
    const socket = await openSocket(running.service.port);
    const received = readToEnd(socket);
    for (let id = 1; id < 4; id += 1) {
      socket.write(`GET /api/ceremonies/${id} HTTP/1.1\r\nHost: a\r\n\r\n`);
      await new Promise((resolve) => setTimeout(resolve, 20));
      expect(await running.service.connections()).toBe(before + 1);
    }
    socket.write(last);
    expect(readReplies(await received).map((reply) => reply.status)).toEqual([200, 200, 200, 200]);
  });

  it('of HTTP/1.0 is closed after the answer, and needs no Host', async () => {
    expect(await statusesOf('GET /api/ceremonies/1 HTTP/1.0\r\n\r\n')).toEqual([200]);
  });

  it('may send a request byte by byte', async () => {
    const socket = await openSocket(running.service.port);
    const received = readToEnd(socket);
    socket.setNoDelay(true);
    for (const byte of last) {
      socket.write(byte);
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(readReplies(await received).map((reply) => reply.status)).toEqual([200]);
  });

  it('that asks for HTTP/2 or a WebSocket is answered in HTTP/1.1 and closed, so that no request is lost', async () => {
    for (const upgrade of ['h2c', 'websocket', 'TLS/1.0'])
      for (const connection of ['Upgrade', 'Upgrade, HTTP2-Settings', 'close, Upgrade']) {
        const sent = `GET /api/ceremonies/1 HTTP/1.1\r\nHost: a\r\nConnection: ${connection}\r\nUpgrade: ${upgrade}\r\n\r\n${last}`;
        const [reply] = readReplies(await exchange(running.service.port, sent));
        expect(reply!.status).toBe(200);
        expect(reply!.headers.get('connection')).toBe('close');
      }
  });
});
