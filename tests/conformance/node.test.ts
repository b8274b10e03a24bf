/** The promise: in Node the service, and the edge functions over a host of plain files, answer as the resolver. */
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { netlifyService } from '../../api/hosts/netlify.ts';
import { renderer } from '../../build/site/explorer/render.tsx';
import { startService } from '../service/running-service.ts';
import { differences, expectations, type Reply, type Runtime } from './expectation.ts';
import { overHttp } from './http-client.ts';
import { type ConformanceRequest, conformanceRequests } from './requests.ts';
import { htmlDifferences, pageDifferences } from './site-pages.ts';
import { startStaticHost } from './static-host.ts';
import { useSnapshot } from './use-snapshot.ts';

const snapshot = useSnapshot();
/** Of the site, in its pages. */
const origin = 'https://awards.example';

it('the table covers every status of reading, in a few hundred requests', async () => {
  const statuses = new Set((await expectations(snapshot.out, true)).map(({ answer }) => answer.status));
  expect([...statuses].sort()).toEqual([200, 204, 304, 400, 404, 405]);
  expect(conformanceRequests.length).toBeGreaterThan(150);
});

it.each<[string, (runtime: Runtime) => Promise<string[]>]>([
  [
    'every request of the table as the resolver',
    async (runtime) => differences(runtime, await expectations(snapshot.out, false)),
  ],
  [
    'every page of the site at its addresses, and every file',
    (runtime) => pageDifferences(runtime, snapshot.out, true),
  ],
  [
    'every page of the explorer with the HTML of the renderer',
    (runtime) => htmlDifferences(runtime, snapshot.out, origin),
  ],
])('the service over HTTP answers %s', async (_name, compare) => {
  const service = await startService(snapshot.out, { origin: () => origin });
  const { runtime, close } = overHttp(`http://127.0.0.1:${service.port}`);
  expect(await compare(runtime)).toEqual([]);
  expect(service.failures).toEqual([]);
  close();
  await service.stop();
});

describe('the edge functions', () => {
  const functionsAt = (origin: string, failures: unknown[], variables: Record<string, string>): Runtime => {
    const answer = netlifyService({
      variable: (name) => variables[name],
      onError: (error) => failures.push(error),
      render: renderer,
    });
    return async ({ method, target, ifNoneMatch }: ConformanceRequest): Promise<Reply> => {
      const headers = new Headers(ifNoneMatch === undefined ? {} : { 'If-None-Match': ifNoneMatch });
      const response = await answer(new Request(origin + target, { method, headers }), { ip: '192.0.2.1' });
      return {
        status: response.status,
        headers: response.headers,
        body: new Uint8Array(await response.arrayBuffer()),
      };
    };
  };

  it.each([
    ['without a write service', {}, false],
    ['with one', { WRITE_ORIGIN: 'http://127.0.0.1:9', WRITE_SECRET: 'secret' }, true],
  ] as const)('answer every request of the table as the resolver, %s', async (_name, variables, writable) => {
    const host = await startStaticHost(snapshot.out);
    const failures: unknown[] = [];
    const runtime = functionsAt(host.origin, failures, variables);
    expect(await differences(runtime, await expectations(snapshot.out, writable))).toEqual([]);
    expect(failures).toEqual([]);
    await host.stop();
  });

  it('answer every page of the explorer with the HTML of the renderer', async () => {
    const host = await startStaticHost(snapshot.out);
    const failures: unknown[] = [];
    const runtime = functionsAt(host.origin, failures, { AWARDS_ORIGIN: origin });
    expect(await htmlDifferences(runtime, snapshot.out, origin)).toEqual([]);
    expect(failures).toEqual([]);
    await host.stop();
  });

  it('answer OPTIONS at a page with its methods, as the service does', async () => {
    const host = await startStaticHost(snapshot.out);
    const service = await startService(snapshot.out);
    const overEdge = functionsAt(host.origin, [], {});
    const { status, headers } = await overEdge({ method: 'OPTIONS', target: '/movies/2' });
    const expected = await service.ask('/movies/2', { method: 'OPTIONS' });
    expect([status, headers.get('Allow')]).toEqual([204, 'GET, HEAD, OPTIONS']);
    expect([expected.status, expected.headers.allow]).toEqual([204, 'GET, HEAD, OPTIONS']);
    await service.stop();
    await host.stop();
  });

  it('request no file of a computed answer, and the manifest once a second by their clock', async () => {
    const host = await startStaticHost(snapshot.out);
    const clock = vi.spyOn(performance, 'now').mockReturnValue(0);
    const requests = await expectations(snapshot.out, false);
    const runtime = functionsAt(host.origin, [], {});
    for (const seconds of [0, 1.1]) {
      clock.mockReturnValue(seconds * 1000);
      await differences(runtime, requests);
    }
    clock.mockRestore();
    expect(host.asked.filter((path) => path.startsWith('/api'))).toEqual([]);
    expect(host.asked.filter((path) => path === '/manifest.json')).toHaveLength(2);
    await host.stop();
  });

  it.each([
    ['that fails', 502, 'Bad gateway'],
    ['that limits its clients', 429, 'Too many requests'],
    ['that answers every request with a page of its own', 200, '<h1>Sign in</h1>'],
  ])(
    'over a host %s: say that they cannot answer, not that there is nothing',
    async (_name, status, text) => {
      const host = await startStaticHost(snapshot.out);
      const fetchFile = fetch;
      const broken = ['/index.html', '/layers/site.json'];
      const fetching = vi
        .spyOn(globalThis, 'fetch')
        .mockImplementation(async (input, init) =>
          broken.some((path) => String(input).endsWith(path))
            ? new Response(text, { status })
            : fetchFile(input, init),
        );
      onTestFinished(() => fetching.mockRestore());
      const runtime = functionsAt(host.origin, [], {});
      const targets = ['/movies/27', '/robots.txt', ...(status === 200 ? [] : ['/api/openapi.json'])];
      for (const target of targets) {
        const answer = await runtime({ method: 'GET', target });
        expect([answer.status, answer.headers.get('Cache-Control')], target).toEqual([503, 'no-store']);
      }
      await host.stop();
    },
  );

  it('let the CDN cache whole documents until the next deploy, and nothing else', async () => {
    const host = await startStaticHost(snapshot.out);
    const runtime = functionsAt(host.origin, [], {});
    for (const { request, answer } of await expectations(snapshot.out, false)) {
      const { headers } = await runtime(request);
      const isCached = request.method === 'GET' && answer.status === 200;
      expect(headers.get('Netlify-CDN-Cache-Control'), request.target).toMatch(
        isCached ? /max-age=31536000/ : /^no-store$/,
      );
      if (answer.status >= 400) expect(headers.get('Cache-Control')).toBe('no-store');
    }
    await host.stop();
  });
});
