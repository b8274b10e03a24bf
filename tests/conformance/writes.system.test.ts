/** The promise: the edge forwards a write unchanged, with the client's address, or refuses it with a problem document. */
import { EventEmitter, once } from 'node:events';
import { createServer } from 'node:http';
import fc from 'fast-check';
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';
import { edgeService } from '../../api/edge/edge-service.ts';
import { clientHeader, forwardWrite, secretHeader } from '../../api/edge/write-forwarding.ts';
import { type Loopback, listen } from '../support/loopback.ts';
import { runs } from '../support/settings.ts';
import { type Arrived, secret, startWriteEcho } from './write-echo.ts';

const writable: [string, string][] = [
  ['POST', '/api/batch'],
  ...['nominations', 'ceremonies', 'movies', 'nominees', 'songs'].flatMap((name): [string, string][] => [
    ['POST', `/api/${name}`],
    ['PATCH', `/api/${name}/none`],
    ['DELETE', `/api/${name}/1`],
  ]),
];

let echo: Loopback;
beforeAll(async () => {
  echo = await startWriteEcho();
});
afterAll(() => echo.stop());
const servers: Loopback[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.stop();
});
/** @returns the origin of a server that handles requests in this way */
async function serverThat(handle: Parameters<typeof createServer>[1]): Promise<string> {
  const server = await listen(createServer(handle!));
  servers.push(server);
  return server.origin;
}

/** Sends a write to an edge whose write service has this origin. */
function write(origin: string | undefined, method: string, path: string, init?: RequestInit, own = secret) {
  const noSnapshot = { file: async () => undefined, shard: async () => undefined };
  const writes = origin === undefined ? undefined : { origin, secret: own };
  const edge = edgeService(noSnapshot, { writes, timeoutMs: 500 });
  return edge(new Request(`https://awards.example${path}`, { method, body: '{}', ...init }), '192.0.2.7');
}

it('any write arrives byte for byte with its headers and the address of the client, and its answer comes back', async () => {
  const names = fc.stringMatching(/^x-[a-z]{1,8}$/);
  const values = fc.stringMatching(/^[!-~]([ -~]{0,20}[!-~])?$/);
  const bodies = fc.uint8Array({ minLength: 1, maxLength: 5000 });
  const writes = fc.constantFrom(...writable);
  await fc.assert(
    fc.asyncProperty(writes, bodies, fc.dictionary(names, values), async ([method, path], body, own) => {
      const headers = {
        ...own,
        'x-api-key': 'fa_key',
        'If-Match': '"a"',
        'Content-Type': 'application/json',
      };
      const url = `${path}?a=%20b`;
      const response = await write(`${echo.origin}/`, method, url, { body: Buffer.from(body), headers });
      const answered = [response.status, response.headers.get('ETag'), response.headers.get('Location')];
      expect(answered).toEqual([201, '"of the echo"', url]);
      const arrived = (await response.json()) as Arrived;
      expect(arrived).toMatchObject({ method, url, body: Buffer.from(body).toString('base64') });
      const added = { [secretHeader]: secret, [clientHeader]: '192.0.2.7' };
      for (const [name, value] of Object.entries({ ...headers, ...added }))
        expect(arrived.headers[name.toLowerCase()]).toBe(value);
    }),
    { numRuns: runs(40) },
  );
});

it('a client cannot forge the headers of the edge; hop-by-hop headers are dropped both ways', async () => {
  const hops = { TE: 'trailers', Upgrade: 'h2c', 'Proxy-Authorization': 'Basic x', 'X-Hop': '1' };
  const forged = { [secretHeader]: 'guess', [clientHeader]: '198.51.100.1', ...hops, 'X-Stays': '1' };
  // Node's Request drops forbidden headers; some runtimes keep them.
  const request = new Request('https://awards.example/api/movies', { method: 'POST', body: '{}' });
  const sentHeaders = new Headers({ ...forged, Connection: 'X-Hop, keep-alive' });
  Object.defineProperty(request, 'headers', { value: sentHeaders });
  const sent: RequestInit[] = [];
  const gone = { Connection: 'X-Gone', 'X-Gone': '1', 'Keep-Alive': 'timeout=5', 'Content-Encoding': 'gzip' };
  vi.stubGlobal('fetch', async (_input: string, init: RequestInit) => {
    sent.push(init);
    return new Response('{}', { headers: { ...gone, 'X-Stays': '1' } });
  });
  const response = await forwardWrite(request, '192.0.2.7', { origin: 'https://write.example', secret });
  vi.unstubAllGlobals();
  expect(sent[0]!.headers).toEqual({ 'x-stays': '1', [secretHeader]: secret, [clientHeader]: '192.0.2.7' });
  expect([...response.headers.keys()].filter((name) => name !== 'content-type')).toEqual(['x-stays']);
});

it('a body is forwarded while it arrives; a redirect is returned, and not followed with the secret', async () => {
  const arrivals = new EventEmitter();
  const origin = await serverThat((request, response) => {
    request.once('data', (chunk: Buffer) => arrivals.emit('bytes', chunk.toString()));
    // A redirect is returned, and not followed with the secret.
    request.once('end', () => response.writeHead(307, { Location: echo.origin }).end());
  });
  const first = once(arrivals, 'bytes');
  const body = new TransformStream<Uint8Array, Uint8Array>();
  const writer = body.writable.getWriter();
  const init = { method: 'POST', body: body.readable, duplex: 'half' } as RequestInit;
  const request = new Request('https://awards.example/api/songs', init);
  const response = forwardWrite(request, '192.0.2.7', { origin, secret });
  await writer.write(new TextEncoder().encode('{"a":'));
  expect(await first).toEqual(['{"a":']);
  await writer.write(new TextEncoder().encode('1}'));
  await writer.close();
  const { status, headers } = await response;
  expect([status, headers.get('Location')]).toEqual([307, echo.origin]);
});

it.each<[string, () => string | Promise<string>, string?]>([
  ['refuses connections', () => 'http://127.0.0.1:1'],
  ['has a bad address', () => 'write service'],
  ['hangs up', () => serverThat((request) => request.socket.destroy())],
  ['does not answer in time', () => serverThat(() => {})],
  ['does not speak HTTP', () => serverThat((request) => request.socket.end('hello\r\n\r\n'))],
  ['has no secret, so nothing is sent', () => echo.origin, ''],
])('a write service that %s: 503', async (_name, originOf, own) => {
  const response = await write(await originOf(), 'POST', '/api/movies', {}, own);
  const { status, headers } = response;
  expect(headers.get('Retry-After')).toMatch(/^\d+$/);
  expect([status, headers.get('Cache-Control'), headers.get('Access-Control-Allow-Origin')]).toEqual([
    ...[503, 'no-store', '*'],
  ]);
  const type = '/docs#problem-writing-unavailable';
  expect(await response.json()).toMatchObject({ type, status: 503 });
});

it('the edge itself answers 404 and 405, and 405 for every write without a write service', async () => {
  const reading = 'GET, HEAD, OPTIONS';
  for (const [method, path, status, allow] of [
    ['POST', '/api/categories', 405, reading],
    ['PATCH', '/api/movies', 405, `${reading}, POST`],
    ['PUT', '/api/movies/1', 405, `${reading}, PATCH, DELETE`],
    ['DELETE', '/api/categories/1', 405, reading],
    ['POST', '/api/films', 404, null],
    ['POST', '//elsewhere.example/api/movies', 404, null],
  ] as const) {
    const response = await write('http://127.0.0.1:1', method, path);
    expect([response.status, response.headers.get('Allow')], `${method} ${path}`).toEqual([status, allow]);
  }
  for (const [method, path] of writable) {
    const response = await write(undefined, method, path);
    const rest = path === '/api/batch' ? 'OPTIONS' : reading;
    expect([response.status, response.headers.get('Allow')]).toEqual([405, rest]);
    expect(await response.json()).toMatchObject({ type: '/docs#problem-method-not-allowed' });
  }
});
