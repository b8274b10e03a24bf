/** The promise: in Node the service, and the edge functions over a host of plain files, answer as the resolver. */
import { beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { netlifyService } from '../../api/edge/netlify-service.ts';
import { SitePages } from '../../build/site/explorer/site-pages.ts';
import { startService } from '../http/running-service.ts';
import { differences, type Expectation, expectations, type Reply, type Runtime } from './expectation.ts';
import { overHttp } from './http-client.ts';
import { type ConformanceRequest, conformanceRequests } from './requests.ts';
import { htmlDifferences, pageDifferences } from './site-pages.ts';
import { startStaticHost } from './static-host.ts';
import { useSnapshot } from './use-snapshot.ts';

const snapshot = useSnapshot();
/** Of the site, in its pages. */
const origin = 'https://awards.example';

/** What a runtime that takes no writes must answer, and one that does. */
let readOnly: Expectation[];
let writable: Expectation[];
beforeAll(async () => {
  readOnly = await expectations(snapshot.out, false);
  writable = await expectations(snapshot.out, true);
});

it('the table covers every status of reading, in a few hundred requests', () => {
  const statuses = new Set(writable.map(({ answer }) => answer.status));
  expect([...statuses].sort()).toEqual([200, 204, 304, 400, 404, 405]);
  expect(conformanceRequests.length).toBeGreaterThan(150);
});

it.each<[string, (runtime: Runtime) => Promise<string[]>]>([
  ['every request of the table as the resolver', (runtime) => differences(runtime, readOnly)],
  [
    'every page of the site at its addresses, and every file',
    (runtime) => pageDifferences(runtime, snapshot.out, true),
  ],
  [
    'every page of the explorer with the bytes of SitePages',
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
    const answer = netlifyService({ onError: (error) => failures.push(error), Pages: SitePages });
    return async ({ method, target, ifNoneMatch }: ConformanceRequest): Promise<Reply> => {
      Object.assign(globalThis, { Netlify: { env: { get: (name: string) => variables[name] } } });
      const headers = new Headers(ifNoneMatch === undefined ? {} : { 'If-None-Match': ifNoneMatch });
      const response = await answer(new Request(origin + target, { method, headers }), { ip: '192.0.2.1' });
      return {
        status: response.status,
        headers: response.headers,
        body: new Uint8Array(await response.arrayBuffer()),
      };
    };
  };

  describe('that get every request of the table', () => {
    let found: string[];
    let asked: string[];
    const failures: unknown[] = [];
    const replies = new Map<ConformanceRequest, Reply>();
    beforeAll(async () => {
      const host = await startStaticHost(snapshot.out);
      const answer = functionsAt(host.origin, failures, {});
      const clock = vi.spyOn(performance, 'now').mockReturnValue(0);
      found = await differences(async (request) => {
        const reply = await answer(request);
        replies.set(request, reply);
        return reply;
      }, readOnly);
      clock.mockReturnValue(1100);
      found.push(...(await differences(answer, readOnly.slice(0, 20))));
      clock.mockRestore();
      await host.stop();
      asked = host.asked;
    });

    it('answer as the resolver', () => {
      expect(found).toEqual([]);
      expect(failures).toEqual([]);
    });

    it('request no file of a computed answer, and the manifest once a second by their clock', () => {
      expect(asked.filter((path) => path.startsWith('/api'))).toEqual([]);
      expect(asked.filter((path) => path === '/manifest.json')).toHaveLength(2);
    });

    it('let the CDN cache whole documents until the next deploy, and nothing else', () => {
      for (const { request, answer } of readOnly) {
        const { headers } = replies.get(request)!;
        const isCached = request.method === 'GET' && answer.status === 200;
        expect(headers.get('Netlify-CDN-Cache-Control'), request.target).toMatch(
          isCached ? /max-age=31536000/ : /^no-store$/,
        );
        if (answer.status >= 400) expect(headers.get('Cache-Control')).toBe('no-store');
      }
    });
  });

  it('with a write service name its methods, as the resolver', async () => {
    const host = await startStaticHost(snapshot.out);
    const failures: unknown[] = [];
    const variables = { WRITE_ORIGIN: 'http://127.0.0.1:9', WRITE_SECRET: 'secret' };
    const runtime = functionsAt(host.origin, failures, variables);
    const others = writable.filter(({ request }) => !['GET', 'HEAD'].includes(request.method));
    expect(await differences(runtime, others)).toEqual([]);
    expect(failures).toEqual([]);
    await host.stop();
  });

  it('answer every page of the explorer with the bytes of SitePages', async () => {
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
});
