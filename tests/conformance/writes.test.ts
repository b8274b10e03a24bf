/** The promise: a write sent to the edge reaches the write service as it was sent, with word of whom it came from, or it is refused in so many words. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import fc from 'fast-check';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { EdgeService } from '../../api/hosts/edge-service.ts';
import { forwardWrite } from '../../api/hosts/write-forwarding.ts';
import { clientHeader, secretHeader } from '../../api/contract/forwarding.ts';
import { runs } from '../settings.ts';
import { type Arrived, startWriteEcho, type WriteEcho } from './write-echo.ts';

const noSnapshot = { manifest: async () => undefined, shard: async () => undefined };
const writable = ['nominations', 'ceremonies', 'movies', 'nominees', 'songs'].flatMap((name) => [
  ['POST', `/api/${name}`],
  ['PATCH', `/api/${name}/1`],
  ['PATCH', `/api/${name}/none`],
]) as [string, string][];
const edgeAddress = 'https://awards.example';

let echo: WriteEcho;
beforeAll(async () => {
  echo = await startWriteEcho();
});
afterAll(() => echo.stop());
const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

const edgeWith = (origin: string | undefined, secret = 'a secret', timeoutMs = 500) =>
  new EdgeService(noSnapshot, { writes: origin === undefined ? undefined : { origin, secret }, timeoutMs });

const write = (edge: EdgeService, method: string, path: string, init: RequestInit = {}) =>
  edge.fetch(new Request(edgeAddress + path, { method, body: '{}', ...init }), '192.0.2.7');

async function expectUnavailable(response: Response): Promise<void> {
  expect(response.status).toBe(503);
  expect(response.headers.get('Cache-Control')).toBe('no-store');
  expect(response.headers.get('Retry-After')).toMatch(/^\d+$/);
  expect(response.headers.get('Access-Control-Allow-Origin')).toBe('*');
  expect(await response.json()).toMatchObject({
    type: 'urn:film-awards:problem:writing-unavailable',
    status: 503,
  });
}

/** A server that does something odd with every connection. */
async function oddServer(odd: Parameters<typeof createServer>[1]): Promise<string> {
  const server = createServer(odd!);
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

it.each(writable)(
  '%s %s goes through to the write service, and its answer comes back',
  async (method, path) => {
    const response = await write(edgeWith(`${echo.origin}/`), method, `${path}?a=%20b`);
    expect([response.status, response.headers.get('ETag'), response.headers.get('Location')]).toEqual([
      201,
      '"of the echo"',
      `${path}?a=%20b`,
    ]);
    const arrived = (await response.json()) as Arrived;
    expect(arrived).toMatchObject({ method, url: `${path}?a=%20b`, body: '{}' });
    expect(arrived.headers[secretHeader]).toBe('a secret');
    expect(arrived.headers[clientHeader]).toBe('192.0.2.7');
  },
);

it('any body arrives byte for byte, any other header as it was, and none that is the connection’s', async () => {
  const names = fc.stringMatching(/^x-[a-z]{1,8}$/);
  const values = fc.stringMatching(/^[!-~]([ -~]{0,20}[!-~])?$/);
  const edge = edgeWith(echo.origin);
  await fc.assert(
    fc.asyncProperty(
      fc.string({ unit: 'grapheme', minLength: 1, maxLength: 5000 }),
      fc.dictionary(names, values, { maxKeys: 5 }),
      async (body, sent) => {
        const headers = {
          ...sent,
          'x-api-key': 'fa_key',
          'If-Match': '"a"',
          'Content-Type': 'application/json',
        };
        const response = await write(edge, 'POST', '/api/movies', { body, headers });
        const arrived = (await response.json()) as Arrived;
        expect(arrived.body).toBe(new TextDecoder().decode(new TextEncoder().encode(body)));
        for (const [name, value] of Object.entries(headers))
          expect(arrived.headers[name.toLowerCase()]).toBe(value);
      },
    ),
    { numRuns: runs(100) },
  );
});

it('nobody can pass for the edge, or for another client, by sending its headers; nor send what is the connection’s', async () => {
  const forged = {
    [secretHeader]: 'guess',
    [clientHeader]: '198.51.100.1',
    TE: 'trailers',
    Upgrade: 'h2c',
    'Proxy-Authorization': 'Basic x',
    Connection: 'X-Hop, keep-alive',
    'X-Hop': '1',
    'X-Stays': '1',
  };
  // Node's Request leaves out what a browser may not send: handed over as some runtimes do.
  const request = new Request(`${edgeAddress}/api/movies`, { method: 'POST', body: '{}' });
  Object.defineProperty(request, 'headers', { value: new Headers(forged) });
  const sent: RequestInit[] = [];
  const fetchService: typeof fetch = async (_input, init) => {
    sent.push(init!);
    return new Response('{}', {
      headers: { Connection: 'X-Gone', 'X-Gone': '1', 'Keep-Alive': 'timeout=5', 'X-Stays': '1' },
    });
  };
  const service = { origin: 'https://write.example', secret: 'a secret' };
  const response = await forwardWrite(request, '192.0.2.7', service, { fetchService });
  expect(sent[0]!.headers).toEqual({
    'x-stays': '1',
    [secretHeader]: 'a secret',
    [clientHeader]: '192.0.2.7',
  });
  expect([...response.headers.keys()].filter((name) => name !== 'content-type')).toEqual(['x-stays']);
});

it('a body is sent on as it arrives', async () => {
  let firstBytes: (text: string) => void = () => {};
  const first = new Promise<string>((resolve) => {
    firstBytes = resolve;
  });
  const origin = await oddServer((request, response) => {
    request.once('data', (chunk: Buffer) => firstBytes(chunk.toString()));
    request.once('end', () => response.end('{}'));
  });
  const body = new TransformStream<Uint8Array, Uint8Array>();
  const writer = body.writable.getWriter();
  const init = { body: body.readable, duplex: 'half' } as RequestInit;
  const response = write(edgeWith(origin, 'a secret', 5000), 'POST', '/api/songs', init);
  await writer.write(new TextEncoder().encode('{"a":'));
  expect(await first).toBe('{"a":');
  await writer.write(new TextEncoder().encode('1}'));
  await writer.close();
  expect((await response).status).toBe(200);
});

it.each([
  ['is not there', async () => 'http://127.0.0.1:1'],
  ['has no name', async () => 'https://nothing.invalid'],
  ['is no address', async () => 'write service'],
  ['hangs up', () => oddServer((request) => request.socket.destroy())],
  ['says nothing in time', () => oddServer(() => {})],
  ['speaks no HTTP', () => oddServer((request) => request.socket.end('hello\r\n\r\n'))],
])('a write service that %s: 503', async (_name, origin) => {
  await expectUnavailable(await write(edgeWith(await origin()), 'POST', '/api/movies'));
});

it('with no secret to show, nothing is sent: 503', async () => {
  await expectUnavailable(await write(edgeWith(echo.origin, ''), 'POST', '/api/movies'));
});

it('a redirect of the write service is handed back and not followed with the secret', async () => {
  const origin = await oddServer((_request, response) =>
    response.writeHead(307, { Location: echo.origin }).end(),
  );
  const response = await write(edgeWith(origin), 'POST', '/api/movies');
  expect([response.status, response.headers.get('Location')]).toEqual([307, echo.origin]);
});

it('what cannot be written is refused here: 404 and 405, and without a write service 405 everywhere', async () => {
  const nowhere = edgeWith('http://127.0.0.1:1');
  for (const [method, path, status, allow] of [
    ['POST', '/api/categories', 405, 'GET, HEAD, OPTIONS'],
    ['PATCH', '/api/categories/1', 405, 'GET, HEAD, OPTIONS'],
    ['PATCH', '/api/movies', 405, 'GET, HEAD, OPTIONS, POST'],
    ['POST', '/api/movies/1', 405, 'GET, HEAD, OPTIONS, PATCH'],
    ['PUT', '/api/movies/1', 405, 'GET, HEAD, OPTIONS, PATCH'],
    ['POST', '/api/films', 404, null],
    ['POST', '//elsewhere.example/api/movies', 404, null],
  ] as const) {
    const response = await write(nowhere, method, path);
    expect([response.status, response.headers.get('Allow')], `${method} ${path}`).toEqual([status, allow]);
  }
  for (const [method, path] of writable) {
    const response = await write(edgeWith(undefined), method, path);
    expect([response.status, response.headers.get('Allow')]).toEqual([405, 'GET, HEAD, OPTIONS']);
    expect(await response.json()).toMatchObject({ type: 'urn:film-awards:problem:method-not-allowed' });
  }
});
