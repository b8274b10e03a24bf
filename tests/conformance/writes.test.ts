/** The promise: the edge forwards a write unchanged, with the client's address, or refuses it with a problem document. */
import { createServer } from 'node:http';
import fc from 'fast-check';
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';
import { edgeService } from '../../api/edge/edge-service.ts';
import { clientHeader, forwardWrite, secretHeader } from '../../api/edge/write-forwarding.ts';
import { runs } from '../support/settings.ts';
import { type Loopback, listen } from '../support/loopback.ts';
import { type Arrived, startWriteEcho } from './write-echo.ts';

const noSnapshot = { file: async () => undefined, shard: async () => undefined };
const writable: [string, string][] = [
  ['POST', '/api/batch'],
  ...['nominations', 'ceremonies', 'movies', 'nominees', 'songs'].flatMap((name): [string, string][] => [
    ['POST', `/api/${name}`],
    ['PATCH', `/api/${name}/1`],
    ['PATCH', `/api/${name}/none`],
    ['DELETE', `/api/${name}/1`],
  ]),
];
const edgeAddress = 'https://awards.example';

let echo: Loopback;
beforeAll(async () => {
  echo = await startWriteEcho();
});
afterAll(() => echo.stop());
const servers: Loopback[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.stop();
});

const edgeWith = (origin: string | undefined, secret = 'a secret', timeoutMs = 500) =>
  edgeService(noSnapshot, { writes: origin === undefined ? undefined : { origin, secret }, timeoutMs });

const write = (edge: ReturnType<typeof edgeService>, method: string, path: string, init: RequestInit = {}) =>
  edge(new Request(edgeAddress + path, { method, body: '{}', ...init }), '192.0.2.7');

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

/** @returns the origin of a server that handles requests in this way */
async function serverThat(handle: Parameters<typeof createServer>[1]): Promise<string> {
  const server = await listen(createServer(handle!));
  servers.push(server);
  return server.origin;
}

it.each(writable)(
  '%s %s is forwarded to the write service, and its answer comes back',
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

it('any body arrives byte for byte, and any end-to-end header unchanged', async () => {
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
    { numRuns: runs(40) },
  );
});

it('a client cannot forge the headers of the edge; hop-by-hop headers are dropped both ways', async () => {
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
  // Node's Request drops forbidden headers; some runtimes keep them.
  const request = new Request(`${edgeAddress}/api/movies`, { method: 'POST', body: '{}' });
  Object.defineProperty(request, 'headers', { value: new Headers(forged) });
  const sent: RequestInit[] = [];
  vi.stubGlobal('fetch', async (_input: string, init: RequestInit) => {
    sent.push(init);
    return new Response('{}', {
      headers: { Connection: 'X-Gone', 'X-Gone': '1', 'Keep-Alive': 'timeout=5', 'X-Stays': '1' },
    });
  });
  const service = { origin: 'https://write.example', secret: 'a secret' };
  const response = await forwardWrite(request, '192.0.2.7', service);
  vi.unstubAllGlobals();
  expect(sent[0]!.headers).toEqual({
    'x-stays': '1',
    [secretHeader]: 'a secret',
    [clientHeader]: '192.0.2.7',
  });
  expect([...response.headers.keys()].filter((name) => name !== 'content-type')).toEqual(['x-stays']);
});

it('a body is forwarded while it arrives', async () => {
  let firstBytes: (text: string) => void = () => {};
  const first = new Promise<string>((resolve) => {
    firstBytes = resolve;
  });
  const origin = await serverThat((request, response) => {
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
  ['refuses connections', async () => 'http://127.0.0.1:1'],
  ['has an unknown host name', async () => 'https://nothing.invalid'],
  ['has a bad address', async () => 'write service'],
  ['hangs up', () => serverThat((request) => request.socket.destroy())],
  ['does not answer in time', () => serverThat(() => {})],
  ['does not speak HTTP', () => serverThat((request) => request.socket.end('hello\r\n\r\n'))],
])('a write service that %s: 503', async (_name, origin) => {
  await expectUnavailable(await write(edgeWith(await origin()), 'POST', '/api/movies'));
});

it('without a secret nothing is sent: 503', async () => {
  await expectUnavailable(await write(edgeWith(echo.origin, ''), 'POST', '/api/movies'));
});

it('a redirect of the write service is returned, and not followed with the secret', async () => {
  const origin = await serverThat((_request, response) =>
    response.writeHead(307, { Location: echo.origin }).end(),
  );
  const response = await write(edgeWith(origin), 'POST', '/api/movies');
  expect([response.status, response.headers.get('Location')]).toEqual([307, echo.origin]);
});

it('the edge itself answers 404 and 405, and 405 for every write without a write service', async () => {
  const nowhere = edgeWith('http://127.0.0.1:1');
  for (const [method, path, status, allow] of [
    ['POST', '/api/categories', 405, 'GET, HEAD, OPTIONS'],
    ['PATCH', '/api/categories/1', 405, 'GET, HEAD, OPTIONS'],
    ['PATCH', '/api/movies', 405, 'GET, HEAD, OPTIONS, POST'],
    ['POST', '/api/movies/1', 405, 'GET, HEAD, OPTIONS, PATCH, DELETE'],
    ['PUT', '/api/movies/1', 405, 'GET, HEAD, OPTIONS, PATCH, DELETE'],
    ['DELETE', '/api/movies', 405, 'GET, HEAD, OPTIONS, POST'],
    ['DELETE', '/api/honors/1', 405, 'GET, HEAD, OPTIONS'],
    ['POST', '/api/films', 404, null],
    ['POST', '//elsewhere.example/api/movies', 404, null],
  ] as const) {
    const response = await write(nowhere, method, path);
    expect([response.status, response.headers.get('Allow')], `${method} ${path}`).toEqual([status, allow]);
  }
  for (const [method, path] of writable) {
    const response = await write(edgeWith(undefined), method, path);
    const rest = path === '/api/batch' ? 'OPTIONS' : 'GET, HEAD, OPTIONS';
    expect([response.status, response.headers.get('Allow')]).toEqual([405, rest]);
    expect(await response.json()).toMatchObject({ type: 'urn:film-awards:problem:method-not-allowed' });
  }
});
