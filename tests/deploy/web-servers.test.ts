/** The promise: nginx and Caddy with the configurations of deploy/ answer as the service, and as a host of plain files should. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { differences, type Expectation, expectations } from '../conformance/expectation.ts';
import { overHttp } from '../conformance/http-client.ts';
import { pageDifferences } from '../conformance/site-pages.ts';
import { useSnapshot } from '../conformance/use-snapshot.ts';
import { startService } from '../service/running-service.ts';
import { send } from '../support/http.ts';
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
    for (const path of ['/.awards.lock', '/_headers', '/_redirects', '/nowhere', '/api/films', '/shards/x']) {
      const program = await fetch(front.origin + path);
      expect([path, program.status]).toEqual([path, 404]);
      expect(await program.json()).toMatchObject({ status: 404 });
      const person = await fetch(front.origin + path, { headers: { Accept: 'text/html' } });
      expect([path, person.status]).toEqual([path, 404]);
      expect(await person.text()).toBe(readFileSync(join(out, '404.html'), 'utf8'));
    }
    const document = await fetch(`${front.origin}/api/openapi.json`);
    expect(document.headers.get('content-encoding')).toBe('gzip');
    expect(await document.text()).toBe(readFileSync(join(out, 'api/openapi.json'), 'utf8'));
    close();
    await front.stop();
  });
});
