/** Bytes that are not a request: a problem document, then the end of the connection. The service goes on. */
import { describe, expect, it } from 'vitest';
import { exchange, expectLastRefusal, openSocket, readReplies, readToEnd } from './raw-connection.ts';
import { useService } from './running-service.ts';

const running = useService({ timeouts: { headers: 250, request: 400 } });

const good = 'GET /api/ceremonies/1 HTTP/1.1\r\nHost: a\r\n\r\n';
const withHead = (lines: string) => `GET /api/movies HTTP/1.1\r\nHost: a\r\n${lines}`;

async function expectAlive(): Promise<void> {
  expect((await running.service.ask('/api/ceremonies/1')).status).toBe(200);
  expect(running.service.failures).toEqual([]);
}

it.each([
  ['no HTTP at all', 400, 'hello there\r\n\r\n'],
  ['a TLS handshake', 400, '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03'],
  ['the preface of HTTP/2', 400, 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
  ['a version that does not exist', 505, 'GET /api/movies HTTP/3.7\r\nHost: a\r\n\r\n'],
  ['another major version', 505, 'GET /api/movies HTTP/2.0\r\nHost: a\r\n\r\n'],
  ['another minor version', 505, 'GET /api/movies HTTP/1.2\r\nHost: a\r\n\r\n'],
  ['a version without a number', 505, 'GET /api/movies HTTP/x.y\r\nHost: a\r\n\r\n'],
  ['a request line without CR', 400, 'GET /api/movies HTTP/1.1\nHost: a\n\n'],
  ['no version', 400, 'GET /api/movies\r\nHost: a\r\n\r\n'],
  ['the version 0.9', 400, 'GET /api/movies HTTP/0.9\r\nHost: a\r\n\r\n'],
  ['an unknown method', 405, 'FETCH /api/movies?page=2 HTTP/1.1\r\nHost: a\r\n\r\n'],
  ['a method in lower case', 405, 'get /api/movies/1 HTTP/1.1\r\nHost: a\r\n\r\n'],
  ['an unknown method of a file', 405, 'FETCH /downloads/index.json HTTP/1.1\r\nHost: a\r\n\r\n'],
  ['an unknown method of an unknown address', 404, 'FETCH /api/film HTTP/1.1\r\nHost: a\r\n\r\n'],
  ['an unknown method of HTTP/2', 400, 'FETCH /api/movies HTTP/2.0\r\nHost: a\r\n\r\n'],
  ['an unknown method, and a target without an end', 400, `FETCH /${'a'.repeat(60_000)}\r\n\r\n`],
  ['a relative target', 400, 'GET api/movies HTTP/1.1\r\nHost: a\r\n\r\n'],
  [
    'bytes beyond ASCII in the target',
    400,
    'GET /api/movies?title=Am\xc3\xa9lie HTTP/1.1\r\nHost: a\r\n\r\n',
  ],
  ['a space in the target', 400, 'GET /api/movies?title=a b HTTP/1.1\r\nHost: a\r\n\r\n'],
  ['no Host', 400, 'GET /api/movies HTTP/1.1\r\n\r\n'],
  ['two Hosts', 400, withHead('hOST: b\r\n\r\n')],
  ['the same Host twice', 400, withHead('Host: a\r\n\r\n')],
  ['two Hosts in HTTP/1.0', 400, 'GET /api/movies HTTP/1.0\r\nHost: a\r\nHost: b\r\n\r\n'],
  ...' |a b|a/b|a:b|a:1:2|u@a|a?b|[::1|::1|[a b]|a%zz|\xe9'
    .split('|')
    .map((host): [string, number, string] => [
      `the Host "${host}"`,
      400,
      `GET /api/movies HTTP/1.1\r\nHost: ${host}\r\n\r\n`,
    ]),
  [
    'a Transfer-Encoding in HTTP/1.0',
    400,
    'POST /api/movies HTTP/1.0\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n',
  ],
  ['a header without a colon', 400, withHead('broken\r\n\r\n')],
  ['a NUL in a header', 400, withHead('X: \0\r\n\r\n')],
  ['a folded header name', 400, withHead('X : y\r\n\r\n')],
  [
    'a target that is too long',
    431,
    `GET /api/movies?ids=${'1,'.repeat(10_000)}1 HTTP/1.1\r\nHost: a\r\n\r\n`,
  ],
  ['one header that is too long', 431, withHead(`X: ${'x'.repeat(20_000)}\r\n\r\n`)],
  ['too many headers', 431, withHead(`${'X: y\r\n'.repeat(10_000)}\r\n`)],
  ['a megabyte that never ends', 431, withHead(`X: ${'x'.repeat(1_000_000)}`)],
  ['nothing sent in time', 408, ''],
  ['half a request line in time', 408, 'GET /api/mov'],
  ['headers without their end in time', 408, withHead('')],
])('%s is refused with %i', async (_name, status, sent) => {
  const replies = readReplies(await exchange(running.service.port, sent));
  expect(replies).toHaveLength(1);
  expectLastRefusal(replies[0], status);
  expect(replies[0]!.headers.get('x-content-type-options')).toBe('nosniff');
  await expectAlive();
});

it('the refusal of an unknown method names it and those of the address', async () => {
  const sent = 'FETCH /api/batch HTTP/1.1\r\nHost: a\r\n\r\n';
  const [reply] = readReplies(await exchange(running.service.port, sent));
  expect(reply!.headers.get('allow')).toBe('OPTIONS');
  expect((JSON.parse(reply!.body) as { detail: string }).detail).toBe('FETCH is not allowed here');
});

it.each([
  [405, '/api/movies'],
  [404, '/api/film'],
])('an unknown method behind another request is refused with %i, as alone: %s', async (status, path) => {
  const refused = `FETCH ${path} HTTP/1.1\r\nHost: a\r\n\r\n`;
  const replies = readReplies(await exchange(running.service.port, good + refused + good));
  expect(replies.map((reply) => reply.status)).toEqual([200, status]);
  expectLastRefusal(replies[1], status);
});

it('an unknown method behind a body is refused with 400, and no wrong name of it', async () => {
  const withBody = 'POST /api/search HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\n\r\n1';
  const refused = 'FETCH /api/movies HTTP/1.1\r\nHost: a\r\n\r\n';
  const replies = readReplies(await exchange(running.service.port, withBody + refused));
  expect(replies.at(-1)!.status).toBe(400);
  expect(replies.at(-1)!.body).not.toContain('1FETCH');
});

it('the refusal of a letter beyond ASCII shows its percent-encoding', async () => {
  const sent = 'GET /api/search?q=Am\xc3\xa9lie HTTP/1.1\r\nHost: a\r\n\r\n';
  const [reply] = readReplies(await exchange(running.service.port, sent));
  expect((JSON.parse(reply!.body) as { detail: string }).detail).toContain('%C3%A9');
});

describe('a request that does not arrive in time', () => {
  it('is refused with 408, even if it trickles in, byte by byte', async () => {
    const socket = await openSocket(running.service.port);
    const received = readToEnd(socket);
    const bytes = [...`GET /${'a'.repeat(1000)}`];
    const timer = setInterval(() => socket.write(bytes.shift()!), 20);
    expectLastRefusal(readReplies(await received)[0], 408);
    clearInterval(timer);
  });

  it('does not keep its connection by a body that never ends', async () => {
    const sent = 'POST /api/movies HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\nabc';
    const [first] = readReplies(await exchange(running.service.port, sent));
    expect(first!.status).toBe(405);
  });
});

describe('a connection that is refused', () => {
  it('brings the answers to the requests before, whole and in order', async () => {
    const before = ['/api/search?q=a+m', '/api/nominations?limit=100', '/api/stats/top-nominees'];
    const alone = await Promise.all(before.map((path) => running.service.ask(path)));
    const sent = before.map((path) => `GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`).join('');
    for (const [end, status] of [
      ['???\r\n\r\n', 400],
      [`GET /${'a'.repeat(20_000)}`, 431],
      ['GET /api', 408],
    ] as const) {
      const replies = readReplies(await exchange(running.service.port, sent + end));
      expect(replies.map((reply) => reply.status)).toEqual([200, 200, 200, status]);
      expect(replies.slice(0, 3).map((reply) => reply.body)).toEqual(
        alone.map((reply) => reply.body.toString()),
      );
      expectLastRefusal(replies[3], status);
    }
  });

  it('is over: what follows is not served', async () => {
    const replies = readReplies(await exchange(running.service.port, `???\r\n\r\n${good}${good}`));
    expect(replies.map((reply) => reply.status)).toEqual([400]);
  });

  it('is cut soon, even if the client keeps its side open', async () => {
    const before = await running.service.connections();
    const sockets = await Promise.all(Array.from({ length: 20 }, () => openSocket(running.service.port)));
    for (const socket of sockets) {
      socket.on('error', () => {});
      socket.resume();
      socket.write('???\r\n\r\n');
    }
    await new Promise((resolve) => setTimeout(resolve, 1500));
    expect(await running.service.connections()).toBeLessThanOrEqual(before);
    for (const socket of sockets) socket.destroy();
  });

  it('by the client, in the middle of a request or an answer, does no harm', async () => {
    for (const sent of [
      'GET /api',
      good.repeat(200),
      'POST /api/movies HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\n',
    ]) {
      const socket = await openSocket(running.service.port);
      socket.on('error', () => {});
      socket.write(sent);
      await new Promise((resolve) => setTimeout(resolve, 5));
      socket.resetAndDestroy();
    }
    await expectAlive();
  });
});

it.each(['a', 'example.org:443', 'a:', '127.0.0.1:3000', '[::1]', '[fe80::1]:80', 'a_b', 'x%c3%a9.example'])(
  'the Host "%s" is valid',
  async (host) => {
    const sent = `GET /api/ceremonies/1 HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`;
    const [reply] = readReplies(await exchange(running.service.port, sent));
    expect(reply!.status).toBe(200);
  },
);

it.each(['', 'POST /api/movies'])('requests after a malformed one are not answered: %s', async (start) => {
  const refused = `${start || 'GET /api/movies'} HTTP/1.1\r\nContent-Length: 2\r\n\r\n{}`;
  const replies = readReplies(await exchange(running.service.port, good + refused + good.repeat(40)));
  expect(replies.map((reply) => reply.status)).toEqual([200, 400]);
  expectLastRefusal(replies[1], 400);
});
