/**
 * The promise: clients of every revision of the Model Context Protocol, however they differ, find the tools of mcp-tools.txt and get
 * structured answers; a question about a film or a person has an exact answer after at most two calls; addresses are those of pages
 * that exist; no request opens a stream or passes the limit of reads.
 *
 *   AWARDS_UPDATE_GOLDEN=1 npx vitest run tests/http/mcp.system.test.ts && git diff tests/http/mcp-tools.txt
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, inject, it, onTestFinished } from 'vitest';
import { maxBodyBytes } from '../../api/contract/limits.ts';
import { sampleNotice } from '../../api/contract/sample.ts';
import { edgeService } from '../../api/edge/edge-service.ts';
import { mcpService } from '../../api/mcp/mcp.ts';
import { toolList } from '../../api/mcp/tool-list.ts';
import { fileSource, nodeDigest } from '../../api/read/node-source.ts';
import { SnapshotUnavailable } from '../../api/read/source.ts';
import { SitePages } from '../../build/site/explorer/site-pages.ts';
import { lastAnswer, questions } from '../support/assistant-questions.ts';
import { project } from '../support/project.ts';
import { knownClients } from '../support/mcp-clients.ts';
import { expectProblem, type RunningService, startService } from '../support/running-service.ts';

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

/** Calls a tool. @returns its first text, and its structured content */
async function call(client: Client, name: string, given: Given) {
  const { content, structuredContent, isError } = await client.callTool({ name, arguments: given });
  const [first] = content.map((part) => (part.type === 'text' ? part.text : ''));
  return { first: first ?? '', data: (structuredContent ?? {}) as Given, isError };
}

describe.each([
  ['serve', 'legacy', '2025-11-25'],
  ['serve', 'auto', '2026-07-28'],
  ['the edge', 'legacy', '2025-11-25'],
  ['the edge', 'auto', '2026-07-28'],
] as const)('%s, mode %s of the official client', (host, mode, revision) => {
  const send: Send = (url, init) => (host === 'serve' ? throughServe : throughEdge())(url, init);

  it('greets, lists the tools of the record in the repository, and says that it is a sample', async () => {
    const client = await connected(send, mode);
    expect(client.getNegotiatedProtocolVersion()).toBe(revision);
    expect(client.getInstructions()).toContain(sampleNotice);
    const { tools } = await client.listTools();
    const text = tools.map((tool) => `${JSON.stringify(tool, undefined, 1)}\n`).join('');
    const golden = join(project, 'tests/http/mcp-tools.txt');
    if (process.env.AWARDS_UPDATE_GOLDEN) writeFileSync(golden, text);
    expect(text).toBe(readFileSync(golden, 'utf8'));
  });

  it('each tool answers as its schema says, which the client checks, with pages that exist', async () => {
    const client = await connected(send, mode);
    await client.listTools();
    for (const [name, given] of [
      ['search', { query: 'sound' }],
      ['fetch', { id: 'movies/1' }],
      ['film_awards', { title: 'Titanic' }],
      ['person_awards', { name: 'Meryl Streep' }],
      ['ceremony', { number: 70 }],
      ['nominations', { category: 'picture', winner: true, sort: '-year' }],
      ['ranking', { ranking: 'top-movies', limit: 3 }],
      ['count', { by: 'decade' }],
    ] as const) {
      const { first, data, isError } = await call(client, name, given);
      expect([name, isError]).toEqual([name, undefined]);
      expect(first).not.toContain(`${origin}/api`);
      for (const address of [data.page, data.url].filter((own) => typeof own === 'string')) {
        const { status } = await service.ask(address.slice(origin.length));
        expect([address, status]).toEqual([address, 200]);
      }
    }
  });
});

it('the list of tools has at most 2,500 tokens: a token has three characters and more', () => {
  expect(JSON.stringify({ tools: toolList }).length).toBeLessThan(7500);
});

it.each(knownClients.map((own) => [own.client, own] as const))(
  'understands %s',
  async (_client, { path = '/mcp', headers: sent, message, status = 200, answer }) => {
    const init = { method: 'POST', headers: sent, body: JSON.stringify(message) };
    for (const send of [throughServe, throughEdge()]) {
      // Not through fetch(), which adds headers that a client did not send.
      const reply = send === throughServe ? await service.ask(path, init) : undefined;
      const web = reply ? undefined : await send(`${origin}${path}`, init);
      const text = reply ? reply.body.toString() : await web!.text();
      expect([reply?.status ?? web!.status, text === '' ? {} : JSON.parse(text)]).toMatchObject([
        status,
        partly(answer ?? {}),
      ]);
    }
  },
);

/** A value whose lists may have more items than a part of an answer names. */
function partly(value: unknown): unknown {
  if (Array.isArray(value)) return value.length === 0 ? [] : expect.arrayContaining(value.map(partly));
  if (typeof value !== 'object' || value === null) return value;
  return expect.objectContaining(
    Object.fromEntries(Object.entries(value).map(([name, own]) => [name, partly(own)])),
  );
}

// On the whole record, tests/oracle/real-record.slow.test.ts asks these and others.
it.each(questions.filter(({ needsAll }) => !needsAll).map((own) => [own.question, own] as const))(
  'a question that a person asks has its answer: %s',
  async (_, question) => {
    const client = await connected(throughServe);
    const answer = await lastAnswer(question, async (tool, given) => {
      const { data, first, isError } = await call(client, tool, given);
      expect([first, isError]).toEqual([first, undefined]);
      return JSON.stringify(data);
    });
    for (const part of question.answer) expect(answer).toMatch(part);
  },
);

it('a ceremony names its honors, and one without honors has no list of them', async () => {
  const client = await connected(throughServe);
  const { data: latest } = await call(client, 'ceremony', { number: 98 });
  expect((latest.honors as unknown[]).length).toBeGreaterThan(0);
  expect((await call(client, 'ceremony', { number: 70 })).data).not.toHaveProperty('honors');
});

describe('what is wrong with a call is a message that a model can follow', () => {
  it.each<[tool: string, given: Given, message: string | RegExp]>([
    ['search', {}, 'query is required'],
    ['fetch', { id: 'titanic' }, 'id must be one that search gives, such as movies/3669'],
    ['fetch', { id: '//:' }, 'id must be one that search gives, such as movies/3669'],
    ['fetch', { id: '%' }, 'id must be one that search gives, such as movies/3669'],
    ['film_awards', { winner: true }, 'one of title, imdb_id, id is needed'],
    ['film_awards', { movie: 'Titanic' }, 'unknown parameter "movie"; did you mean "title"?'],
    ['film_awards', { id: 'titanic' }, 'id must be a whole number'],
    ['person_awards', { nominee: 'ann' }, 'unknown parameter "nominee"; did you mean "name"?'],
    ['ceremony', { number: 'first' }, 'number must be a whole number'],
    ['ceremony', { ceremony: 3 }, 'unknown parameter "ceremony"; did you mean "number"?'],
    [
      'film_awards',
      { title: 'titanik' },
      /^there is no film with the title "titanik"; the nearest: Titanic \(.*; id \d+\)$/,
    ],
    [
      'film_awards',
      { title: 'Titanic (1960)' },
      /^there is no film "Titanic" of 1960; there is Titanic \(1997, \d+ nominations?, id \d+\)$/,
    ],
    ['film_awards', { imdb_id: 'tt9999999' }, 'there is no film with the id "tt9999999"'],
    ['ceremony', { year: 2090 }, 'there is no ceremony with the year "2090"'],
    ['ceremony', {}, 'one of number, year is needed'],
    ['ranking', {}, 'ranking must be one of top-nominees, top-movies, countries'],
    [
      'ranking',
      { ranking: 'top-movies', sort: 'total_wins' },
      'sort must be one of nominations, wins, unrewarded',
    ],
    // A filter that nothing on record has would look like an answer.
    [
      'ranking',
      { ranking: 'top-nominees', category: 'xyz' },
      /^unknown category "xyz"; the record has Actor in/,
    ],
    ['ranking', { ranking: 'top-movies', genre: 'xyz' }, /^unknown genre "xyz"; the record has Action, /],
    ['count', { by: 'year', category: 'xyz' }, /^unknown category "xyz"; the record has /],
    [
      'nominations',
      { nominee: 'Meril Streep', winner: true },
      /^there is no person or company with the name "Meril Streep"; the nearest: Meryl Streep \(.*; id \d+\)$/,
    ],
    [
      'nominations',
      { movie: 'titanik' },
      /^there is no film with the title "titanik"; the nearest: Titanic /,
    ],
    ['fetch', { id: 'tt9999999' }, 'there is no record with the IMDb id "tt9999999"'],
    ['nominations', { yeer: 1990 }, 'unknown parameter "yeer"; did you mean "year"?'],
    ['nominations', { per_page: 3 }, 'unknown parameter "per_page"; did you mean "limit"?'],
    ['count', { by: 'yaer' }, 'by has an unknown value "yaer"; did you mean "year"?'],
    ['count', { by: 'year', yearStart: 2, yearEnd: 1 }, 'yearStart 2 is after yearEnd 1'],
    ['search', { query: { a: [] } }, 'query must be a text, a number, true, false, or a list of these'],
  ])('%s %j', async (tool, given, message) => {
    const { first, isError } = await call(await connected(throughServe), tool, given);
    expect(isError).toBe(true);
    expect(first).toMatch(message);
  });

  it('an unknown tool is an error of the protocol', async () => {
    for (const name of ['serch', 'toString'])
      await expect(call(await connected(throughServe), name, {})).rejects.toMatchObject({
        code: -32602,
        message: expect.stringContaining(`unknown tool "${name}"`),
      });
  });

  it('a record that cannot be read has the detail of the API; nothing else leaves', async () => {
    const shard = async () => {
      throw new SnapshotUnavailable('a shard cannot be read', new Error('/secret/folder'));
    };
    const broken = { file: fileSource(inject('sample').out).file, shard };
    const failures: unknown[] = [];
    const client = await connected(throughEdge(broken, (error) => failures.push(error)));
    const { first, isError } = await call(client, 'nominations', { nominee: 'ann' });
    expect(first).toMatch(/^the snapshot is incomplete: shards\/\w+\/\w+\.json cannot be read$/);
    expect([isError, failures.length > 0]).toEqual([true, true]);
  });
});

it('a failure of the service itself is reported, and its message does not leave', async () => {
  const failures: unknown[] = [];
  const fail = async () => Promise.reject(new Error('secret'));
  const failing = mcpService({ answer: fail, answered: fail }, (error) => failures.push(error));
  for (const message of [
    { method: 'initialize', params: { protocolVersion: '2025-06-18' } },
    { method: 'tools/call', params: { name: 'search', arguments: { query: 'ann' } } },
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
  const post = (message: object, more: Record<string, string> = {}, from = service) =>
    from.ask('/mcp', { method: 'POST', headers: { ...headers, ...more }, body: JSON.stringify(message) });
  const ping = { jsonrpc: '2.0', id: 1, method: 'ping' };

  it('opens no stream: GET and DELETE are refused at once, a subscription too, and every answer is JSON', async () => {
    for (const path of ['/mcp', '/mcp/'])
      for (const method of ['GET', 'DELETE', 'PUT']) {
        const reply = await service.ask(path, { method, headers: { Accept: 'text/event-stream' } });
        expect([reply.status, reply.headers.allow]).toEqual([405, 'POST, OPTIONS']);
        expectProblem(reply.body, 405);
      }
    const refused = await post({ ...ping, method: 'subscriptions/listen' });
    expect(JSON.parse(refused.body.toString())).toMatchObject({ id: 1, error: { code: -32601 } });
    for (const reply of [refused, await post(ping)]) {
      expect(reply.headers['content-type']).toBe('application/json; charset=utf-8');
      expect([reply.headers['cache-control'], reply.headers['mcp-session-id']]).toEqual([
        'no-store',
        undefined,
      ]);
    }
  });

  it('may be asked by pages of other sites, but not by theirs through a browser of the own machine', async () => {
    const { status, headers: allowed } = await service.ask('/mcp', { method: 'OPTIONS' });
    expect([status, allowed['access-control-allow-methods']]).toEqual([204, 'POST, OPTIONS']);
    expect(allowed['access-control-allow-headers']).toBe('*');
    const foreign = { Origin: 'https://elsewhere.example' };
    expect((await post(ping, foreign)).status).toBe(200);
    const local = await startService(inject('sample').out);
    onTestFinished(local.stop);
    for (const [own, expected] of [
      [foreign, 403],
      [{ Origin: 'null' }, 403],
      [{ Origin: 'http://localhost:5173' }, 200],
      [{}, 200],
      // A proxy in front names the public host.
      [{ ...foreign, Host: 'awards.example' }, 200],
    ] as const)
      expect([own, (await post(ping, own, local)).status]).toEqual([own, expected]);
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

  it('counts as a read of the API', async () => {
    const limited = await startService(inject('sample').out, { readLimit: 2 });
    onTestFinished(limited.stop);
    expect((await limited.ask('/mcp')).headers.ratelimit).toBeUndefined();
    expect((await limited.ask('/api/movies')).headers.ratelimit).toMatch(/r=1;/);
    expect((await post(ping, {}, limited)).headers.ratelimit).toMatch(/r=0;/);
    const refused = await post(ping, {}, limited);
    expect([refused.status, Number(refused.headers['retry-after']) > 0]).toEqual([429, true]);
    expectProblem(refused.body, 429);
  });
});
