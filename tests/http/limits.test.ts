/** Requests per client and minute, and the headers that tell a client about its limit. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterEach, describe, expect, it, vi, afterAll, beforeAll } from 'vitest';
import { countedClients } from '../../api/contract/limits.ts';
import type { ServiceOptions } from '../../api/server/app.ts';
import { rateLimit } from '../../api/write/rate-limit.ts';
import { expectProblem, inProcess, type Service, useInProcess } from '../support/running-service.ts';
import fc from 'fast-check';
import fastify, { type FastifyRequest } from 'fastify';
import { clientHeader, secretHeader } from '../../api/edge/write-forwarding.ts';
import { addressRanges } from '../../build/cli/environment.ts';
import { clientKey } from '../../api/server/clients.ts';
import { runs } from '../support/settings.ts';

const running = useInProcess({}, undefined, ['pages', 'site']);
let service: Service | undefined;
afterEach(() => service?.stop());

/** A new service, and what asks it for the status and the rest of the limit. */
function start(options: Partial<ServiceOptions>) {
  const own = inProcess(running.built.out, options);
  service = own;
  return async (target: string, headers: Record<string, string> = {}, method = 'GET') => {
    const reply = await own.ask(target, { method, headers });
    const [, left] = /^"\w+";r=(\d+);t=\d+/.exec(reply.headers.ratelimit as string) ?? [];
    return { ...reply, left: left === undefined ? undefined : Number(left) };
  };
}

it('every answer to GET and HEAD tells the limit and the rest of it; preflights and refusals of methods do not count', async () => {
  const ask = start({ readLimit: 100 });
  let left = 100;
  for (const [method, target, status, headers] of [
    ['GET', '/api/movies', 200, {}],
    ['HEAD', '/api/movies', 200, {}],
    ['GET', '/api/movies/27', 304, { 'If-None-Match': '*' }],
    ['GET', '/api/movies?page=x', 400, {}],
    ['GET', '/api/movies/x', 404, {}],
    ['HEAD', '/api/films', 404, {}],
    ['OPTIONS', '/api/movies', 204, {}],
    ['DELETE', '/api/movies', 405, {}],
  ] as const) {
    const reply = await ask(target, headers, method);
    const isCounted = status !== 204 && status !== 405;
    if (isCounted) left -= 1;
    expect([target, reply.status, reply.left]).toEqual([target, status, isCounted ? left : undefined]);
    expect(reply.headers['ratelimit-policy']).toBe(isCounted ? '"reads";q=100;w=60' : undefined);
    expect(reply.headers['retry-after']).toBeUndefined();
  }
});

it('over the limit GET and HEAD get 429 with Retry-After; files and pages have ten times that limit', async () => {
  const ask = start({ readLimit: 2 });
  const parallel = await Promise.all(Array.from({ length: 8 }, () => ask('/api/movies')));
  expect(parallel.filter(({ status }) => status === 200)).toHaveLength(2);
  for (const method of ['GET', 'HEAD']) {
    const { status, headers, body, left } = await ask('/api/movies', {}, method);
    expect([status, left, headers['ratelimit-policy']]).toEqual([429, 0, '"reads";q=2;w=60']);
    expect(Number(headers['retry-after'])).toBeGreaterThan(0);
    expect([headers['cache-control'], headers['access-control-allow-origin']]).toEqual(['no-store', '*']);
    if (method === 'GET') expectProblem(body, 429);
  }
  expect((await ask('/api/movies', {}, 'OPTIONS')).status).toBe(204);
  const targets = ['/manifest.json', '/movies', '/no/such/file.txt'];
  for (let left = 20; left > 0; left -= 1) expect((await ask(targets[left % 3]!)).left).toBe(left - 1);
  expectProblem((await ask('/manifest.json')).body, 429);
  const page = await ask('/movies');
  expect([page.status, page.headers['cache-control']]).toEqual([429, 'no-store']);
  expect(page.body.toString()).toMatch(/<h1[^>]*>Too many requests<\/h1>/);
  for (const probe of ['/healthz', '/readyz']) expect((await ask(probe)).left).toBeUndefined();
});

it('a page with a search has a limit of its own beside that of pages: three times the reads', async () => {
  const ask = start({ readLimit: 2 });
  const page = { Accept: 'text/html' };
  const addresses = ['/search?q=WORD', '/search?q=WORD&part=options', '/compare/movies?add=WORD'];
  addresses.push('/WORD-is-no-page', '/movies/999999-WORD', '/rankings/WORD');
  for (const [at, address] of addresses.entries()) {
    const { status, headers } = await ask(address.replace('WORD', `first${at}`), page);
    expect([address, status]).toEqual([address, at < 3 ? 200 : 404]);
    expect(headers['ratelimit-policy']).toBe('"pages";q=20;w=60, "searches";q=6;w=60');
    expect(headers.ratelimit).toMatch(
      new RegExp(`^"pages";r=${19 - at};t=\\d+, "searches";r=${5 - at};t=\\d+$`),
    );
  }
  for (const address of addresses) {
    const { status, headers, body } = await ask(address.replace('WORD', 'second'), page);
    expect([address, status, headers['cache-control']]).toEqual([address, 429, 'no-store']);
    expect(Number(headers['retry-after'])).toBeGreaterThan(0);
    expect(body.toString()).toMatch(/<h1[^>]*>Too many requests<\/h1>/);
  }
  // What is in memory, and what does not search.
  for (const address of ['/search?q=first0', '/search', '/movies'])
    expect([address, (await ask(address)).status]).toEqual([address, 200]);
  expect((await ask('/search?q=first0', { 'X-Forwarded-For': '203.0.113.8' })).headers.ratelimit).not.toMatch(
    /searches/,
  );
  expect(service!.failures).toEqual([]);
});

it('many searches at once let other requests have their turn between them', async () => {
  const ask = start({});
  await ask('/search?q=first');
  const finished: string[] = [];
  const asked = async (address: string) => {
    await ask(address);
    finished.push(address);
  };
  const searches = Array.from({ length: 30 }, (_, at) => asked(`/search?q=film+${at}`));
  // The other request arrives in the next turn.
  await nextTurn();
  await Promise.all([...searches, asked('/api/movies')]);
  expect(finished.indexOf('/api/movies')).toBeLessThan(10);
});

it('an export counts as eight reads, however its format is spelled; with fewer left it is refused, and a page is not', async () => {
  const ask = start({ readLimit: 20 });
  const exports = ['/api/movies?format=csv', '/api/search?q=film&%66ormat=%63sv', '/api/songs?format=ndjson'];
  expect(await ask(exports[0]!)).toMatchObject({ status: 200, left: 12 });
  expect(await ask('/api/movies?format=json')).toMatchObject({ status: 200, left: 11 });
  expect(await ask('/api/movies/1?format=csv')).toMatchObject({ left: 10 });
  expect(await ask(exports[1]!, {}, 'HEAD')).toMatchObject({ status: 200, left: 2 });
  for (const address of exports) {
    const { status, left, headers, body } = await ask(address);
    expect([status, left]).toEqual([429, 2]);
    expect(Number(headers['retry-after'])).toBeGreaterThan(0);
    expectProblem(body, 429);
  }
  expect(await ask('/api/movies')).toMatchObject({ status: 200, left: 1 });
  await service!.stop();
  // A limit below eight is no ban.
  const few = start({ readLimit: 2 });
  expect(await few(exports[0]!)).toMatchObject({ status: 200, left: 0 });
});

it('refusals of messages and of paths that no file can have count like what they ask for', async () => {
  const ask = start({ readLimit: 2 });
  const mcp = (type: string) =>
    service!.ask('/mcp', { method: 'POST', headers: { 'Content-Type': type }, body: '{}' });
  const statuses = [await mcp('garbage'), await mcp(''), await mcp('garbage'), await ask('/api/movies')];
  expect(statuses.map(({ status }) => status)).toEqual([400, 400, 429, 429]);
  const paths = [`/${'x'.repeat(5000)}`, '/%zz', `/${'x'.repeat(256)}`, '/a/../%00'];
  for (let left = 20; left > 0; left -= 1) expect((await ask(paths[left % 4]!)).left).toBe(left - 1);
  for (const path of paths) expect((await ask(path)).status).toBe(429);
  expect(service!.failures).toEqual([]);
});

it('each client behind a listed proxy has its own limit, and gets no other one by its own headers', async () => {
  const behind = start({ readLimit: 1, proxies: ['127.0.0.1'] });
  for (const [forwarded, status] of [
    ['203.0.113.7', 200],
    ['1.2.3.4, 203.0.113.7', 429],
    ['203.0.113.8', 200],
  ] as const)
    expect((await behind('/api/movies', { 'X-Forwarded-For': forwarded })).status, forwarded).toBe(status);
  await service!.stop();
  const ask = start({ readLimit: 1 });
  expect((await ask('/api/movies', { 'X-Forwarded-For': '203.0.113.7' })).status).toBe(200);
  const others = { 'X-Forwarded-For': '203.0.113.8', Forwarded: 'for=203.0.113.9' };
  expect((await ask('/api/movies', others)).status).toBe(429);
});

it('a minute begins with the first request of a client, also if the system clock jumps', () => {
  vi.useFakeTimers();
  const limit = rateLimit('reads', 2)!;
  const policy = { 'RateLimit-Policy': '"reads";q=2;w=60' };
  expect(limit.count('a')).toEqual({ ...policy, RateLimit: '"reads";r=1;t=60' });
  vi.advanceTimersByTime(20_500);
  expect(limit.count('a').RateLimit).toBe('"reads";r=0;t=40');
  vi.advanceTimersByTime(30_000);
  for (const hours of [0, -1, 1, -1000]) {
    vi.setSystemTime(Date.now() + hours * 3_600_000);
    expect(limit.refusal('a')).toEqual({ ...policy, RateLimit: '"reads";r=0;t=10', 'Retry-After': '10' });
    expect(limit.refusal('b')).toBeUndefined();
  }
  vi.advanceTimersByTime(10_000);
  expect(limit.refusal('a')).toBeUndefined();
  expect(limit.count('a').RateLimit).toBe('"reads";r=1;t=60');
  vi.useRealTimers();
});

it('only the clients that sent requests last are counted, so that memory is bounded', () => {
  const limit = rateLimit('reads', 1)!;
  const clients = Array.from({ length: countedClients }, (_, at) => `2001:db8:${at.toString(16)}::/64`);
  for (const client of ['first', ...clients.slice(1), 'first', clients[0]!, 'last']) limit.count(client);
  const isCounted = ['first', clients[0]!, clients[1]!, clients[3]!].map(
    (client) => limit.refusal(client) !== undefined,
  );
  expect(isCounted).toEqual([true, true, false, true]);
});

describe('the address that a request is counted for', () => {
  type Headers = Record<string, string | undefined>;
  type KeyOf = (remoteAddress: string | undefined, headers?: Headers | string) => string;

  /** The key of a request from an address, in an app that trusts proxies. Headers are those, or X-Forwarded-For alone. */
  function keyFor(proxies: readonly string[], secret?: string): KeyOf {
    const key = clientKey(secret);
    const app = fastify({ trustProxy: proxies.length > 0 ? [...proxies] : false });
    let request: FastifyRequest | undefined;
    app.get('/', async (received) => {
      request = received;
      return '';
    });
    beforeAll(async () => void (await app.inject('/')));
    afterAll(() => app.close());
    return (remoteAddress, sent = {}) => {
      const headers = typeof sent === 'string' ? { 'x-forwarded-for': sent } : sent;
      const raw = { ...request!.raw, headers, socket: { remoteAddress } };
      return key(
        Object.create(request!, { raw: { value: raw }, headers: { value: headers } }) as FastifyRequest,
      );
    };
  }

  const direct = keyFor([]);
  const besideProxies = keyFor(['10.0.0.0/8']);
  const behind = keyFor(['10.0.0.0/8', '192.0.2.1', '2001:db8:ffff::/48', '::1']);
  const behindCdn = keyFor([], 'a secret');

  it('a client with IPv4 is its address, also as IPv4-mapped IPv6', () => {
    for (const spelled of ['', '::ffff:', '::FFFF:', '0:0:0:0:0:ffff:'].map((start) => `${start}203.0.113.7`))
      expect(direct(spelled)).toBe('203.0.113.7');
    expect(direct('::ffff:cb00:7107')).toBe('203.0.113.7');
  });

  it('a client with IPv6 is its /64 network, in any spelling', () => {
    const group = fc.oneof(fc.constant('0'), fc.stringMatching(/^[1-9a-f][0-9a-f]{0,3}$/));
    const groups = fc.array(group, { minLength: 8, maxLength: 8 });
    fc.assert(
      fc.property(groups, fc.boolean(), fc.boolean(), (all, shorten, upper) => {
        const full = all.join(':');
        fc.pre(!full.startsWith('0:0:0:0:0:ffff:'));
        const short = shorten ? new URL(`http://[${full}]/`).hostname.slice(1, -1) : full;
        expect(direct(upper ? short.toUpperCase() : short)).toBe(`${all.slice(0, 4).join(':')}::/64`);
      }),
      { numRuns: runs(80) },
    );
    expect(direct('fe80::1%eth0')).toBe(direct('fe80::2%br-lan.5'));
    expect(direct('a::c:d:e:f:1.2.3.4')).toBe('a:0:c:d::/64');
  });

  it('a client cannot choose its key by X-Forwarded-For, and has one after it closed its connection', () => {
    for (const forwarded of ['1.2.3.4', 'x', '203.0.113.8, 203.0.113.9'])
      for (const keyOf of [direct, besideProxies])
        expect(keyOf('203.0.113.7', forwarded)).toBe('203.0.113.7');
    expect(direct(undefined)).toBe('');
  });

  it.each([
    ['forwards the address it appended', '10.1.2.3', '203.0.113.7', '203.0.113.7'],
    ['does not vouch for what its client sent', '10.1.2.3', '1.1.1.1, 203.0.113.7', '203.0.113.7'],
    ['may stand behind another', '192.0.2.1', '203.0.113.7, 10.9.9.9, 10.1.1.1', '203.0.113.7'],
    ['is not believed behind a stranger', '10.1.2.3', '203.0.113.7, 198.51.100.1, 10.9.9.9', '198.51.100.1'],
    ['is known as IPv4-mapped IPv6', '::ffff:10.1.2.3', '203.0.113.7,::ffff:a09:909', '203.0.113.7'],
    ['forwards a /64 like any client', '::1', '2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['counts itself if it says nonsense', '10.1.2.3', 'unknown', '10.1.2.3'],
    ['may leave entries empty', '10.1.2.3', '203.0.113.7,,10.8.8.8,', '203.0.113.7'],
    ['is the client if all entries are proxies', '10.1.2.3', '10.7.7.7, 10.8.8.8', '10.7.7.7'],
    ['may append the port of an IPv4 client', '10.1.2.3', '1.1.1.1:80, 203.0.113.7:4711', '203.0.113.7'],
  ])('a listed proxy %s', (_name, peer, forwarded, key) => {
    expect(behind(peer, forwarded)).toBe(key);
  });

  it('a proxy is listed as an address or a CIDR range; anything else is refused with its name', () => {
    const wrong =
      '10.0.0.0/33 10.0.0.0/ 10.0.0.0/8/9 10.0.0.0/-1 10.0.0.0/0x8 10.0.0 ::1/129 * localhost 0.0.0.0/0'.split(
        ' ',
      );
    for (const entry of wrong)
      expect(() => addressRanges(`192.0.2.1, ${entry}`), entry).toThrow(`"${entry}"`);
  });

  const ranges = ['10.0.0.0/8', '::ffff:10.0.0.0/104', '::ffff:10.1.1.1', '10.1.1.1/32', '10.0.0.0/16'];
  const behindRanges = ranges.map((range) => keyFor(addressRanges(`${range} 2001:db8::/128`)));
  it('a proxy is believed if a listed range contains its address', () => {
    expect(behindRanges.map((keyOf) => keyOf('10.1.1.1', '203.0.113.7') === '203.0.113.7')).toEqual([
      true,
      true,
      true,
      true,
      false,
    ]);
  });

  it('a CDN that forwards writes names the client, if it sends the secret', () => {
    const told = (keyOf: KeyOf, secret: string | undefined, client: string | undefined) =>
      keyOf('203.0.113.7', { [secretHeader]: secret, [clientHeader]: client });
    expect(told(behindCdn, 'a secret', '198.51.100.1')).toBe('198.51.100.1');
    for (const secret of ['another', '', undefined])
      expect(told(behindCdn, secret, '198.51.100.1')).toBe('203.0.113.7');
    expect(told(behindCdn, 'a secret', 'elsewhere')).toBe('203.0.113.7');
    expect(told(direct, 'a secret', '198.51.100.1')).toBe('203.0.113.7');
  });
});
