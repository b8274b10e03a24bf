/** The promise: nginx and Caddy with the configurations of deploy/ answer as the service, and as a host of plain files should. */
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { brotliDecompressSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { differences, type Expectation, expectations } from './expectation.ts';
import { overHttp } from './http-client.ts';
import { pageDifferences } from './site-pages.ts';
import { useSnapshot } from './use-snapshot.ts';
import { startService } from '../http/running-service.ts';
import { send } from '../support/http.ts';
import { freePort, listen } from '../support/loopback.ts';
import { startWritingService } from '../http/writing-service.ts';
import { lacking, startWebServer, webServers } from './web-server.ts';

const snapshot = useSnapshot();
const configurations = {
  nginx: { service: 'nginx-service.conf', files: 'nginx-files.conf' },
  caddy: { service: 'Caddyfile.service', files: 'Caddyfile.files' },
};

/** Caddy takes the media type from answers without a body. */
function asCaddy({ request: sent, answer }: Expectation): Expectation {
  const { 'Content-Type': type, ...others } = answer.headers;
  return { request: sent, answer: answer.status === 304 && type ? { ...answer, headers: others } : answer };
}

describe.each(webServers)('%s', (server) => {
  describe('in front of the service', () => {
    it('answers every request of the table, and serves the site', async (context) => {
      const missing = lacking(server);
      if (missing) return context.skip(missing);
      const service = await startService(snapshot.out, { proxies: ['127.0.0.1'] });
      const front = await startWebServer(server, configurations[server].service, {
        service: `127.0.0.1:${service.port}`,
      });
      const { runtime, close } = overHttp(front.origin);
      const expected = await expectations(snapshot.out, false);
      expect(await differences(runtime, server === 'caddy' ? expected.map(asCaddy) : expected)).toEqual([]);
      expect(await pageDifferences(runtime, snapshot.out, true)).toEqual([]);
      expect(service.failures).toEqual([]);
      close();
      await front.stop();
      await service.stop();
    });

    it('passes compressed answers on with their ETags, and the client to the limits', async (context) => {
      const missing = lacking(server);
      if (missing) return context.skip(missing);
      const service = await startService(snapshot.out, { proxies: ['127.0.0.1'], readLimit: 3 });
      const front = await startWebServer(server, configurations[server].service, {
        service: `127.0.0.1:${service.port}`,
      });
      const compressed = await send({
        ...{ host: '127.0.0.1', port: front.port, path: '/api/nominations?limit=100', agent: false },
        headers: { 'accept-encoding': 'br' },
      });
      expect(compressed.headers.etag).toMatch(/^"[0-9a-f]{20}-br"$/);
      expect(JSON.parse(brotliDecompressSync(compressed.body).toString())).toHaveProperty('pagination');
      const statuses: number[] = [];
      for (const localAddress of ['127.0.0.2', '127.0.0.3'])
        for (let times = 0; times < 4; times += 1) {
          const asked = { host: '127.0.0.1', port: front.port, path: '/api/movies/27', localAddress };
          statuses.push((await send({ ...asked, agent: false })).status);
        }
      expect(statuses).toEqual([200, 200, 200, 429, 200, 200, 200, 429]);
      await front.stop();
      await service.stop();
    });

    it('answers every request after a pause, reads and writes', async (context) => {
      const missing = lacking(server);
      if (missing) return context.skip(missing);
      // 30 s and 72 s, shortened by the same factor. Node adds a second to its own.
      const [pool, keepAliveMs] = [200, 480];
      const service = await startWritingService([], {
        timeouts: { keepAlive: keepAliveMs },
        proxies: ['127.0.0.1'],
      });
      const front = await startWebServer(server, configurations[server].service, {
        service: `127.0.0.1:${service.port}`,
        pool: `${pool}ms`,
      });
      const statuses: number[] = [];
      for (let round = 0; round < 20; round += 1) {
        const requests = Array.from({ length: 30 }, (_, at) => {
          const asked = { host: '127.0.0.1', port: front.port, path: `/api/movies/${1 + (at % 2)}` };
          if (at % 3 > 0) return send({ ...asked, agent: false });
          const headers = { 'x-api-key': service.key, 'content-type': 'application/json' };
          const body = JSON.stringify({ tagline: `round ${round}, ${at}` });
          return send({ ...asked, agent: false, method: 'PATCH', headers }, body);
        });
        for (const { status } of await Promise.all(requests)) statuses.push(status);
        // Around the instant at which one side closes.
        const closing = [pool, keepAliveMs, keepAliveMs + 1000][round % 3]!;
        await pause(closing - 12 + 2 * (round % 12));
      }
      expect(statuses).toEqual(Array(600).fill(200));
      await front.stop();
      await service.stop();
    });

    it('keeps the key out of its log when the service is down', async (context) => {
      const missing = lacking(server);
      if (missing) return context.skip(missing);
      const front = await startWebServer(server, configurations[server].service, {
        service: `127.0.0.1:${await freePort()}`,
      });
      const key = 'a-key-that-nobody-may-read';
      const asked = { host: '127.0.0.1', port: front.port, path: '/api/movies/1', agent: false } as const;
      for (const method of ['GET', 'PATCH'])
        expect((await send({ ...asked, method, headers: { 'x-api-key': key } })).status).toBe(502);
      await front.stop();
      // The failure itself is logged.
      expect(front.output()).toMatch(/connection refused/i);
      expect(front.output()).not.toContain(key);
    });

    it('repeats a GET whose connection the service closed, and never a write', async (context) => {
      const missing = lacking(server);
      if (missing) return context.skip(missing);
      const methods: string[] = [];
      // Answers the first request of each connection, and closes with the second.
      const service = await listen(
        createServer((socket) => {
          let count = 0;
          socket
            .on('error', () => {})
            .on('data', (bytes) => {
              methods.push(bytes.toString().split(' ')[0]!);
              count += 1;
              if (count > 1) socket.destroy();
              else socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok');
            });
        }),
      );
      const front = await startWebServer(server, configurations[server].service, {
        service: `127.0.0.1:${service.port}`,
      });
      const statuses: number[] = [];
      for (const method of ['GET', 'GET', 'PATCH']) {
        const asked = { host: '127.0.0.1', port: front.port, path: '/api/movies/1', agent: false } as const;
        statuses.push((await send({ ...asked, method }, method === 'PATCH' ? '{}' : undefined)).status);
        await pause(50);
      }
      expect(statuses).toEqual([200, 200, 502]);
      expect(methods).toEqual(['GET', 'GET', 'GET', 'PATCH']);
      await front.stop();
      await service.stop();
    });
  });

  it('in front of a plain folder shows the site and its files, and hides the others', async (context) => {
    const missing = lacking(server);
    if (missing) return context.skip(missing);
    const { out } = snapshot;
    writeFileSync(join(out, '.awards.lock'), '');
    const front = await startWebServer(server, configurations[server].files, { folder: out });
    const { runtime, close } = overHttp(front.origin);
    expect(await pageDifferences(runtime, out, false)).toEqual([]);
    const page = await runtime({ method: 'GET', target: '/pages/api/movies/27.json' });
    expect(Buffer.from(page.body).equals(readFileSync(join(out, 'api/movies/27.json')))).toBe(true);
    expect(page.headers.get('access-control-allow-origin')).toBe('*');
    const etag = (await runtime({ method: 'GET', target: '/movies/3' })).headers.get('etag')!;
    expect((await runtime({ method: 'GET', target: '/movies/3', ifNoneMatch: etag })).status).toBe(304);
    for (const path of [
      '/.awards.lock',
      '/_headers',
      '/_redirects',
      '/nowhere',
      '/api/films',
      '/shards/x',
      '/nowhere.csv',
    ]) {
      const program = await fetch(front.origin + path);
      expect([path, program.status]).toEqual([path, 404]);
      expect(program.headers.get('content-type')).toContain('application/json');
      expect(await program.json()).toMatchObject({ status: 404 });
      expect(program.headers.get('cache-control') ?? '').not.toContain('immutable');
      const person = await fetch(front.origin + path, { headers: { Accept: 'text/html' } });
      expect([path, person.status]).toEqual([path, 404]);
      expect(person.headers.get('content-type')).toContain('text/html');
      expect(await person.text()).toBe(readFileSync(join(out, '404.html'), 'utf8'));
    }
    const document = await fetch(`${front.origin}/api/openapi.json`);
    expect(document.headers.get('content-encoding')).toBe('gzip');
    expect(await document.text()).toBe(readFileSync(join(out, 'api/openapi.json'), 'utf8'));
    close();
    await front.stop();
  });
});
