/** The promise: in Node the service, and the edge functions over a host of plain files, answer as the resolver. */
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { netlifyService } from '../../api/edge/netlify-service.ts';
import { SitePages } from '../../build/site/explorer/site-pages.ts';
import { inProcess } from '../support/running-service.ts';
import {
  differences,
  type Expectation,
  expectations,
  fileExpectations,
  mcpExpectations,
  pageExpectations,
  type Runtime,
  useSnapshot,
  webRequest,
} from './expectation.ts';
import { conformanceRequests, headersOf } from '../support/requests.ts';
import { type StaticHost, startStaticHost } from '../support/static-host.ts';

const snapshot = useSnapshot();
/** Of the site, in its pages. */
const origin = 'https://awards.example';

/** What a host that takes no writes must answer. */
let readOnly: Expectation[];
let pages: Expectation[];
let messages: Expectation[];
let host: StaticHost;
beforeAll(async () => {
  readOnly = await expectations(snapshot.out, false);
  pages = await pageExpectations(snapshot.out, origin);
  messages = await mcpExpectations(snapshot.out, origin);
  host = await startStaticHost(snapshot.out);
  return () => host.stop();
});
const failures: unknown[] = [];
const onError = (error: unknown) => failures.push(error);
afterEach(() => {
  vi.restoreAllMocks();
  expect(failures.splice(0)).toEqual([]);
});

it('the table covers every status of reading, in a few hundred requests', () => {
  const statusesOf = (all: Expectation[]) => [...new Set(all.map(({ answer }) => answer.status))].sort();
  expect(statusesOf(readOnly)).toEqual([200, 204, 304, 400, 404, 405, 410]);
  expect(statusesOf(pages)).toEqual([200, 204, 301, 304, 404, 405]);
  expect(statusesOf(messages)).toEqual([200, 202, 204, 400, 405, 406, 413]);
  expect(conformanceRequests.length).toBeGreaterThan(150);
});

it('the service answers the table, the pages, the messages and the files without a socket', async () => {
  const service = inProcess(snapshot.out, { onError, origin });
  const runtime: Runtime = async (request) => {
    const { method, target, message: body } = request;
    const asking = { method, headers: headersOf(request), ...(body !== undefined && { body }) };
    const { headers, ...reply } = await service.ask(target, asking);
    return { ...reply, headers: new Headers(headers as Record<string, string>) };
  };
  const files = fileExpectations(snapshot.out, true);
  expect(await differences(runtime, [...readOnly, ...pages, ...messages, ...files])).toEqual([]);
});

describe('the edge functions', () => {
  const functions = (variables: Record<string, string> = {}, report = onError): Runtime => {
    const answer = netlifyService({ onError: report, Pages: SitePages });
    return async (request) => {
      Object.assign(globalThis, { Netlify: { env: { get: (name: string) => variables[name] } } });
      const response = await answer(webRequest(host.origin, request), { ip: '192.0.2.1' });
      const { status } = response;
      return { status, headers: response.headers, body: new Uint8Array(await response.arrayBuffer()) };
    };
  };

  it('answer the table, read the manifest once a second and no file of an answer, and let the CDN cache whole documents alone', async () => {
    const clock = vi.spyOn(performance, 'now').mockReturnValue(0);
    const answer = functions();
    const wrong: string[] = [];
    const checked: Runtime = async (request) => {
      const reply = await answer(request);
      const isCached = request.method === 'GET' && reply.status === 200;
      const caching = reply.headers.get('Netlify-CDN-Cache-Control') ?? '';
      if (!(isCached ? /max-age=31536000/ : /^no-store$/).test(caching)) wrong.push(request.target);
      return reply;
    };
    host.asked.length = 0;
    expect(await differences(checked, readOnly)).toEqual([]);
    clock.mockReturnValue(1100);
    expect(await differences(checked, readOnly.slice(0, 20))).toEqual([]);
    expect(wrong).toEqual([]);
    expect(host.asked.filter((path) => path.startsWith('/api'))).toEqual([]);
    expect(host.asked.filter((path) => path === '/manifest.json')).toHaveLength(2);
  });

  it('answer every page of the explorer with the bytes of SitePages, and every message to /mcp', async () => {
    const runtime = functions({ AWARDS_ORIGIN: origin });
    expect(await differences(runtime, [...pages, ...messages])).toEqual([]);
  });

  it.each([
    ['that fails', 502, 'Bad gateway'],
    ['that limits its clients', 429, 'Too many requests'],
    ['that answers every request with a page of its own', 200, '<h1>Sign in</h1>'],
  ])('over a host %s say that they cannot answer, not that there is nothing', async (_name, status, text) => {
    const fetchFile = fetch;
    const isBroken = (address: string) => /\/(index\.html|layers\/site\.json)$/.test(address);
    vi.spyOn(globalThis, 'fetch').mockImplementation(async (input, init) =>
      isBroken(String(input)) ? new Response(text, { status }) : fetchFile(input, init),
    );
    const runtime = functions({}, () => 0);
    for (const target of ['/movies/27', '/robots.txt', ...(status === 200 ? [] : ['/api/openapi.json'])]) {
      const answer = await runtime({ method: 'GET', target });
      expect([answer.status, answer.headers.get('Cache-Control')], target).toEqual([503, 'no-store']);
    }
  });
});
