/**
 * The promise: a client of the Model Context Protocol finds the tools that tests/http/mcp-tools.txt shows; each answers with the
 * documents of the API, its messages, and addresses of pages that exist; no request opens a stream or passes the limit of reads.
 *
 *   AWARDS_UPDATE_GOLDEN=1 npx vitest run tests/http/mcp.system.test.ts && git diff tests/http/mcp-tools.txt
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, inject, it, onTestFinished } from 'vitest';
import { edgeService } from '../../api/edge/edge-service.ts';
import { mcpService } from '../../api/mcp/mcp.ts';
import { routeAt } from '../../api/contract/routes.ts';
import { maxBodyBytes } from '../../api/contract/limits.ts';
import { nodeDigest, fileSource } from '../../api/read/node-source.ts';
import { SnapshotUnavailable } from '../../api/read/source.ts';
import { sampleNotice } from '../../api/contract/sample.ts';
import { SitePages } from '../../build/site/explorer/site-pages.ts';
import { project } from '../support/project.ts';
import { expectProblem, type RunningService, startService } from './running-service.ts';

const origin = 'https://awards.example';
let service: RunningService;
beforeAll(async () => {
  service = await startService(inject('sample').out, { origin });
});
afterAll(() => service.stop());

const headers = { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' };
type Given = Record<string, unknown>;
type Send = (url: string | URL, init?: RequestInit) => Promise<Response>;
const throughServe: Send = (url, init) =>
  fetch(String(url).replace(origin, `http://127.0.0.1:${service.port}`), init);
function throughEdge(files = fileSource(inject('sample').out), onError?: (error: unknown) => void): Send {
  const answer = edgeService(files, { Pages: SitePages, digest: nodeDigest, ...(onError && { onError }) });
  return (url, init) => answer(new Request(url, init), '192.0.2.1');
}

/** A client of a revision of the protocol. */
async function connected(send: Send, mode: 'legacy' | 'auto' = 'legacy'): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } });
  await client.connect(new StreamableHTTPClientTransport(new URL(`${origin}/mcp`), { fetch: send }));
  onTestFinished(() => client.close());
  return client;
}

/** Calls a tool. @returns its first text, and the documents that follow it */
async function call(client: Client, name: string, given: Given) {
  const { content, isError } = await client.callTool({ name, arguments: given });
  const [first = '', ...documents] = content.map((part) => (part.type === 'text' ? part.text : ''));
  return { first, documents, isError };
}

const film = '/api/movies?ids=ID&include=counts,film_year';
const ceremony = '/api/ceremonies?ids=ID&include=counts /api/nominations?ceremony_ids=ID&limit=50';

describe.each([
  ['serve', 'legacy', '2025-11-25'],
  ['serve', 'auto', '2026-07-28'],
  ['the edge', 'legacy', '2025-11-25'],
  ['the edge', 'auto', '2026-07-28'],
] as const)('%s, mode %s of the client', (host, mode, revision) => {
  const send: Send = (url, init) => (host === 'serve' ? throughServe : throughEdge())(url, init);

  it('greets, lists the tools of the record in the repository, and says that it is a sample', async () => {
    const client = await connected(send, mode);
    expect(client.getNegotiatedProtocolVersion()).toBe(revision);
    expect(client.getInstructions()).toContain(sampleNotice);
    const { tools } = await client.listTools();
    const text = tools.map(({ name, title, description, inputSchema, ...more }) => {
      const { properties = {}, ...rest } = inputSchema;
      const lines = Object.entries(properties).map(([own, schema]) => `  ${own} ${JSON.stringify(schema)}`);
      const head = [`${name}: ${title}`, description, JSON.stringify({ ...rest, ...more }), ...lines];
      return `${head.join('\n')}\n`;
    });
    const golden = join(project, 'tests/http/mcp-tools.txt');
    if (process.env.AWARDS_UPDATE_GOLDEN) writeFileSync(golden, text.join('\n'));
    expect(text.join('\n')).toBe(readFileSync(golden, 'utf8'));
    // Exports are no answer for a model.
    const argumentsOf = (name: string) =>
      Object.keys(tools.find((tool) => tool.name === name)!.inputSchema.properties!);
    expect(argumentsOf('search')).toEqual(
      routeAt('/api/search').parameters.filter((own) => own !== 'format' && own !== 'bom'),
    );
    expect(argumentsOf('count')).toEqual(routeAt('/api/stats/counts').parameters);
  });

  it.each<[tool: string, given: Given, page: string, documents: string]>([
    ['search', { q: 'sound', winner: true, page: 2 }, '/search?', '/api/search?q=sound&winner=true&page=2'],
    [
      'film_awards',
      { title: 'titanic' },
      '/movies/ID-titanic',
      `${film} /api/nominations?movie_ids=ID&limit=50`,
    ],
    [
      'film_awards',
      { imdb_id: 'tt0120338', winner: true, sort: null },
      '/movies/ID-titanic',
      `${film} /api/nominations?movie_ids=ID&limit=50&winner=true`,
    ],
    [
      'person_awards',
      { name: 'STREEP', include: ['details'], limit: 1 },
      '/nominees/ID-meryl-streep',
      '/api/nominees?ids=ID&include=counts /api/nominations?nominee_ids=ID&limit=1&include=details',
    ],
    ['ceremony', { number: 70, category: 'actress' }, '/ceremonies/ID-1998', `${ceremony}&category=actress`],
    ['ceremony', { year: 1998 }, '/ceremonies/ID-1998', ceremony],
    [
      'ranking',
      { ranking: 'top-nominees', category: 'directing', limit: 5 },
      '/rankings/top-nominees?',
      '/api/stats/top-nominees?category=directing&limit=5',
    ],
    [
      'count',
      { by: 'decade', winner: true, movie_ids: [1, 2] },
      '/nominations?winner=true&movie_ids=1,2',
      '/api/stats/counts?by=decade&winner=true&movie_ids=1,2',
    ],
  ])(
    '%s %j hands on documents of the API, and names pages that exist',
    async (tool, given, page, addresses) => {
      const { first, documents, isError } = await call(await connected(send, mode), tool, given);
      expect(isError).toBeUndefined();
      const [, id = ''] = /^[a-z ]+ (\d+), /.exec(first) ?? [];
      expect(first).toContain(origin + page.replace('ID', id));
      const named = addresses.replaceAll('ID', id).split(' ');
      const data = first.matchAll(/^Data: (.*)$/gm);
      expect([...data].map(([, address]) => address)).toEqual(named.map((address) => origin + address));
      for (const [i, address] of named.entries()) {
        const { status, body } = await service.ask(address);
        expect([status, `${documents[i]}\n`]).toEqual([200, body.toString()]);
      }
      for (const [link] of first.replaceAll(/\{\w+\}/g, '1').matchAll(/https:\S+[^\s:,]/g)) {
        const { status } = await service.ask(link.slice(origin.length));
        expect([link, status]).toEqual([link, link.endsWith('/1') ? 301 : 200]);
      }
    },
  );
});

it('an answer says how many are left out and where they are, and which other records match', async () => {
  const client = await connected(throughServe);
  const part = await call(client, 'ceremony', { number: 98, limit: 10 });
  const total = JSON.parse(part.documents[1]!).pagination.total as number;
  const next = `${origin}/nominations?ceremony_ids=98&limit=10&page=2`;
  expect(part.first).toContain(`\n10 of ${total} are here; page 2 has the next ones: ${next}\n`);
  const last = await call(client, 'search', { q: 'the', limit: 100, page: 999 });
  expect(last.first).toMatch(/\n0 of \d+ are here\n/);
  // An exact title wins over one with more nominations; articles and case do not count.
  expect((await call(client, 'film_awards', { title: 'Godfather' })).first).toMatch(
    /^film \d+, The Godfather: [\s\S]*\nOther matches: The Godfather Part II \(id \d+\)/,
  );
  const many = await call(client, 'film_awards', { title: 'the' });
  expect(many.first.match(/ \(id \d+\)/g)).toHaveLength(10);
  expect(many.first).toContain(`, and more: ${origin}/movies?title=the\n`);
  expect((await call(client, 'ceremony', { year: 1930 })).first).toMatch(/\nOther matches: 1930 \(id 2\)\n/);
});

describe('what is wrong with a call', () => {
  it.each<[tool: string, given: Given, api: string]>([
    ['search', {}, '/api/search'],
    ['search', { q: 'ann', yeer: 1, winner: 'yes' }, '/api/search?q=ann&yeer=1'],
    ['search', { q: 'ann', winner: 'yes', limit: 0, sort: '' }, '/api/search?q=ann&winner=yes&limit=0&sort='],
    ['film_awards', { title: '' }, '/api/movies?title='],
    ['film_awards', { id: 'x' }, '/api/movies?ids=x'],
    ['person_awards', { imdb_id: '' }, '/api/nominees?filmindex_id='],
    ['film_awards', { id: 1, year: 1.5 }, '/api/nominations?movie_ids=1&year=1.5'],
    ['ceremony', { year: 0 }, '/api/ceremonies?year=0'],
    ['ranking', { ranking: 'top-movies', category: 'a' }, '/api/stats/top-movies?category=a'],
    ['count', { by: 'yaer', yearStart: 2, yearEnd: 1 }, '/api/stats/counts?by=yaer&yearStart=2&yearEnd=1'],
  ])('%s %j has the message of the API', async (tool, given, address) => {
    const { first, isError } = await call(await connected(throughServe), tool, given);
    const { detail } = JSON.parse((await service.ask(address)).body.toString()) as { detail: string };
    expect([isError, first]).toEqual([true, detail]);
  });

  it.each<[tool: string, given: Given, message: string | RegExp]>([
    ['film_awards', { title: 'titanic', id: 1 }, 'one of title, imdb_id, id is needed'],
    ['film_awards', { winner: true }, 'one of title, imdb_id, id is needed'],
    [
      'film_awards',
      { title: 'titanik' },
      'there is no film with the title "titanik"; similar words on record: titanic',
    ],
    ['person_awards', { imdb_id: 'titanik' }, /^there is no person or company with the imdb_id "titanik"$/],
    ['ceremony', { year: 2090 }, 'there is no ceremony with the year "2090"'],
    ['ranking', {}, 'ranking must be one of top-movies, top-nominees'],
    ['search', { q: 'ann', format: 'csv' }, 'unknown parameter "format"; this tool takes q, fuzzy,'],
    ['search', { q: { a: [] } }, 'q must be a text, a number, true, false, or a list of these'],
    ['count', { by: 'year', ids: [[1]] }, 'ids must be a text,'],
  ])('%s %j is told', async (tool, given, message) => {
    const { first, documents, isError } = await call(await connected(throughServe), tool, given);
    expect([isError, documents]).toEqual([true, []]);
    expect(first).toMatch(message);
  });

  it('an unknown tool is an error of the protocol', async () => {
    for (const name of ['serch', 'toString'])
      await expect(call(await connected(throughServe), name, {})).rejects.toMatchObject({
        code: -32602,
        message: expect.stringContaining(`unknown tool "${name}"`),
      });
  });

  it('a record that cannot be read is one, with the detail of the API; nothing else leaves', async () => {
    const shard = async () => {
      throw new SnapshotUnavailable('a shard cannot be read', new Error('/secret/folder'));
    };
    const broken = { file: fileSource(inject('sample').out).file, shard };
    const failures: unknown[] = [];
    const client = await connected(throughEdge(broken, (error) => failures.push(error)));
    const { first, isError } = await call(client, 'search', { q: 'ann' });
    expect(first).toMatch(/^the snapshot is incomplete: shards\/\w+\/\w+\.json cannot be read$/);
    expect([isError, failures.length > 0]).toEqual([true, true]);
  });
});

it('a failure of the service itself is reported, and its message does not leave', async () => {
  const failures: unknown[] = [];
  const failing = mcpService(
    async () => Promise.reject(new Error('secret')),
    (error) => failures.push(error),
  );
  const params = {
    protocolVersion: '2025-06-18',
    capabilities: {},
    clientInfo: { name: 'raw', version: '1' },
  };
  for (const message of [
    { method: 'initialize', params },
    { method: 'tools/call', params: { name: 'search', arguments: { q: 'ann' } } },
  ]) {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, ...message });
    const answer = await failing(new Request(`${origin}/mcp`, { method: 'POST', headers, body }), origin);
    expect(new TextDecoder().decode(answer.body!)).toMatch(
      /^(?!.*secret).* could not be answered; it has been logged/,
    );
  }
  expect(failures).toHaveLength(2);
});

describe('the address', () => {
  const post = (message: object, more: Record<string, string> = {}) =>
    service.ask('/mcp', { method: 'POST', headers: { ...headers, ...more }, body: JSON.stringify(message) });
  const ping = { jsonrpc: '2.0', id: 1, method: 'ping' };

  it('opens no stream: GET and DELETE are refused at once, a subscription too, and every answer is JSON', async () => {
    for (const method of ['GET', 'DELETE', 'PUT']) {
      const reply = await service.ask('/mcp', { method, headers: { Accept: 'text/event-stream' } });
      expect([reply.status, reply.headers.allow]).toEqual([405, 'POST, OPTIONS']);
      expectProblem(reply.body, 405);
    }
    const prefix = 'io.modelcontextprotocol';
    const revision = '2026-07-28';
    const clientInfo = { name: 'raw', version: '1' };
    const _meta = {
      ...{ [`${prefix}/protocolVersion`]: revision, [`${prefix}/clientInfo`]: clientInfo },
      [`${prefix}/clientCapabilities`]: {},
    };
    const method = 'subscriptions/listen';
    const listen = { ...ping, method, params: { _meta, notifications: { toolsListChanged: true } } };
    const refused = await post(listen, { 'MCP-Protocol-Version': revision, 'Mcp-Method': method });
    expect(JSON.parse(refused.body.toString())).toMatchObject({ id: 1, error: { code: -32603 } });
    const params = { protocolVersion: '2025-03-26', capabilities: {}, clientInfo };
    const initialize = { ...ping, method: 'initialize', params };
    for (const reply of [refused, await post(initialize), await post(ping)]) {
      expect(reply.headers['content-type']).toBe('application/json; charset=utf-8');
      expect([reply.headers['cache-control'], reply.headers['mcp-session-id']]).toEqual([
        'no-store',
        undefined,
      ]);
    }
  });

  it('may be asked by pages of other sites', async () => {
    const { status, headers: allowed } = await service.ask('/mcp', { method: 'OPTIONS' });
    expect([status, allowed['access-control-allow-methods']]).toEqual([204, 'POST, OPTIONS']);
    expect(allowed['access-control-allow-headers']).toBe('*');
    expect((await post(ping)).headers['access-control-allow-origin']).toBe('*');
  });

  it('takes a body up to the limit, refuses a larger one however it is sent, and the connection goes on', async () => {
    const sized = (bytes: number) => JSON.stringify(ping).padEnd(bytes);
    for (const more of [{}, { 'Transfer-Encoding': 'chunked' }])
      for (const bytes of [maxBodyBytes, maxBodyBytes + 1, 40 * maxBodyBytes]) {
        const status = bytes > maxBodyBytes ? 413 : 200;
        const reply = await service.ask('/mcp', {
          method: 'POST',
          headers: { ...headers, ...more },
          body: sized(bytes),
        });
        expect([bytes, reply.status]).toEqual([bytes, status]);
        if (status === 413) expectProblem(reply.body, 413);
      }
    expect((await post(ping)).status).toBe(200);
    expect(service.failures).toEqual([]);
  });

  it('counts as a read of the API, and a batch of messages is refused', async () => {
    const limited = await startService(inject('sample').out, { readLimit: 3 });
    onTestFinished(limited.stop);
    const ask = (body: object) =>
      limited.ask('/mcp', { method: 'POST', headers, body: JSON.stringify(body) });
    expect((await limited.ask('/mcp')).headers.ratelimit).toBeUndefined();
    expect((await limited.ask('/api/movies')).headers.ratelimit).toMatch(/r=2;/);
    expect((await ask(ping)).headers.ratelimit).toMatch(/r=1;/);
    const batch = await ask([ping, ping]);
    expect([batch.status, JSON.parse(batch.body.toString()).error.code]).toEqual([400, -32600]);
    const refused = await ask(ping);
    expect([refused.status, Number(refused.headers['retry-after']) > 0]).toEqual([429, true]);
    expectProblem(refused.body, 429);
    expect((await limited.ask('/api/movies')).status).toBe(429);
  });
});
