/** Requests per client and minute, and the headers that tell a client about its limit. */
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { countedClients, filesPerRead } from '../../api/contract/limits.ts';
import { rateLimit } from '../../api/write/rate-limit.ts';
import type { ServiceOptions } from '../../api/server/app.ts';
import { expectProblem } from './raw-connection.ts';
import { type BuiltFolder, builtFolder, type RunningService, startService } from './running-service.ts';

let built: BuiltFolder;
let service: RunningService;
beforeAll(async () => {
  built = await builtFolder(undefined, ['pages', 'site']);
});
const start = async (options: Partial<ServiceOptions>) => {
  service = await startService(built.out, options);
};
afterEach(() => service.stop());

const remaining = (field: string | string[] | undefined) =>
  Number(/^"default";r=(\d+);t=\d+$/.exec(String(field))?.[1]);

it('every answer to GET and HEAD tells the limit and the rest of it', async () => {
  await start({ readLimit: 100 });
  const { etag } = (await service.ask('/api/movies/27')).headers;
  let left = 99;
  for (const [path, status, asking] of [
    ['/api/movies', 200, {}],
    ['/api/movies', 200, { method: 'HEAD' }],
    ['/api/movies/27', 304, { headers: { 'If-None-Match': etag! } }],
    ['/api/movies?page=x', 400, {}],
    ['/api/movies/x', 404, {}],
    ['/api/films', 404, { method: 'HEAD' }],
  ] as const) {
    const reply = await service.ask(path, asking);
    left -= 1;
    expect(reply.status).toBe(status);
    expect(reply.headers['ratelimit-policy']).toBe('"default";q=100;w=60');
    expect(remaining(reply.headers.ratelimit)).toBe(left);
    expect(reply.headers['retry-after']).toBeUndefined();
  }
});

it('the address of a page counts once, also without a site', async () => {
  const { connection, out } = await builtFolder();
  service = await startService(out, { readLimit: 1 });
  for (const left of [9, 8, 7]) {
    const { status, headers } = await service.ask('/movies');
    expect([status, remaining(headers.ratelimit)]).toEqual([404, left]);
  }
  connection.close();
});

describe('over the limit', () => {
  it('GET and HEAD get 429 with Retry-After, readable for a page of another origin', async () => {
    await start({ readLimit: 3 });
    for (let request = 0; request < 3; request += 1)
      expect((await service.ask('/api/movies')).status).toBe(200);
    for (const method of ['GET', 'HEAD']) {
      const { status, headers, body } = await service.ask('/api/movies', { method });
      expect(status).toBe(429);
      expect(Number(headers['retry-after'])).toBeGreaterThan(0);
      expect(Number(headers['retry-after'])).toBeLessThanOrEqual(60);
      expect(headers['ratelimit-policy']).toBe('"default";q=3;w=60');
      expect(remaining(headers.ratelimit)).toBe(0);
      expect(headers['access-control-allow-origin']).toBe('*');
      expect(headers['access-control-expose-headers']!.split(', ')).toEqual(
        expect.arrayContaining(['RateLimit', 'RateLimit-Policy', 'Retry-After']),
      );
      expect(headers['cache-control']).toBe('no-store');
      expect(headers['x-content-type-options']).toBe('nosniff');
      if (method === 'GET') expectProblem(body, 429);
      else expect(body.length).toBe(0);
    }
  });

  it('preflights and refused methods are neither counted nor limited', async () => {
    await start({ readLimit: 1 });
    for (let request = 0; request < 5; request += 1) {
      expect((await service.ask('/api/movies', { method: 'OPTIONS' })).status).toBe(204);
      expect((await service.ask('/api/movies', { method: 'DELETE' })).status).toBe(405);
    }
    expect((await service.ask('/api/movies')).status).toBe(200);
    expect((await service.ask('/api/movies')).status).toBe(429);
    expect((await service.ask('/api/movies', { method: 'OPTIONS' })).status).toBe(204);
  });

  it('exactly the allowed number of parallel requests is answered', async () => {
    await start({ readLimit: 50 });
    const replies = await Promise.all(Array.from({ length: 120 }, () => service.ask('/api/ceremonies/1')));
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(50);
    expect(replies.filter(({ status }) => status === 429)).toHaveLength(70);
  });
});

describe('files and pages', () => {
  const allowed = 2 * filesPerRead;
  /** A file, a page, and an address of neither. */
  const targets = ['/manifest.json', '/movies/27', '/no/such/file.txt'];

  it('have a limit of their own, ten times that of the API: beyond it all others are answered', async () => {
    await start({ readLimit: 2 });
    for (let request = 0; request < allowed; request += 1)
      expect((await service.ask(targets[request % targets.length]!)).status).not.toBe(429);
    for (const target of targets) expect((await service.ask(target)).status).toBe(429);
    const { headers, body } = await service.ask('/manifest.json');
    expectProblem(body, 429);
    expect(body.toString()).toContain(`no more than ${allowed} requests a minute`);
    expect(headers['ratelimit-policy']).toBe(`"default";q=${allowed};w=60`);
    expect(remaining(headers.ratelimit)).toBe(0);
    expect(Number(headers['retry-after'])).toBeGreaterThan(0);
    for (const status of [200, 200, 429]) expect((await service.ask('/api/movies')).status).toBe(status);
    const limited = await service.ask('/api/movies');
    expect(Object.keys(headers)).toEqual(Object.keys(limited.headers));
    for (const probe of ['/healthz', '/readyz']) expect((await service.ask(probe)).status).toBe(200);
  });

  it('are answered beyond the limit of the API, and without limit where that is 0', async () => {
    await start({ readLimit: 1 });
    for (const status of [200, 429]) expect((await service.ask('/api/movies')).status).toBe(status);
    for (const target of targets) expect((await service.ask(target)).status).not.toBe(429);
    await service.stop();
    await start({ readLimit: 0 });
    for (let request = 0; request < allowed; request += 1)
      expect((await service.ask('/manifest.json')).status).toBe(200);
  });
});

describe('each client', () => {
  it('behind a listed proxy has its own limit; a /64 network shares one', async () => {
    await start({ readLimit: 1, proxies: ['127.0.0.1'] });
    const ask = async (forwarded: string) =>
      (await service.ask('/api/movies', { headers: { 'X-Forwarded-For': forwarded } })).status;
    expect(await ask('203.0.113.7')).toBe(200);
    expect(await ask('1.2.3.4, 203.0.113.7')).toBe(429);
    expect(await ask('203.0.113.8')).toBe(200);
    expect(await ask('2001:db8:1:2::1')).toBe(200);
    expect(await ask('2001:db8:1:2:ffff::1')).toBe(429);
    expect(await ask('2001:db8:1:3::1')).toBe(200);
  });

  it('gets no other limit by forwarding headers of its own', async () => {
    await start({ readLimit: 1 });
    const ask = async (name: string, value: string) =>
      (await service.ask('/api/movies', { headers: { [name]: value } })).status;
    expect(await ask('X-Forwarded-For', '203.0.113.7')).toBe(200);
    expect(await ask('X-Forwarded-For', '203.0.113.8')).toBe(429);
    expect(await ask('Forwarded', 'for=203.0.113.9')).toBe(429);
    expect(await ask('X-Real-IP', '203.0.113.9')).toBe(429);
  });
});

it('a limit of 0 is no limit, and answers have no RateLimit headers', async () => {
  await start({ readLimit: 0 });
  const replies = await Promise.all(Array.from({ length: 300 }, () => service.ask('/api/ceremonies/1')));
  expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]));
  expect(replies[0]!.headers.ratelimit).toBeUndefined();
  expect(replies[0]!.headers['ratelimit-policy']).toBeUndefined();
});

it('the window begins with the first request of a client and lasts a minute', () => {
  vi.useFakeTimers();
  const limit = rateLimit(2)!;
  const policy = { 'RateLimit-Policy': '"default";q=2;w=60' };
  expect(limit.count('a')).toEqual({ ...policy, RateLimit: '"default";r=1;t=60' });
  vi.advanceTimersByTime(20_500);
  expect(limit.count('a').RateLimit).toBe('"default";r=0;t=40');
  vi.advanceTimersByTime(30_000);
  expect(limit.refusal('a')).toEqual({ ...policy, RateLimit: '"default";r=0;t=10', 'Retry-After': '10' });
  expect(limit.refusal('b')).toBeUndefined();
  vi.advanceTimersByTime(10_000);
  expect(limit.count('a').RateLimit).toBe('"default";r=1;t=60');
  vi.useRealTimers();
});

it('a jump of the system clock neither prolongs a window nor ends it', () => {
  vi.useFakeTimers();
  const limit = rateLimit(1)!;
  limit.count('a');
  for (const hours of [-1, 1, -1000]) {
    vi.setSystemTime(Date.now() + hours * 3_600_000);
    expect(limit.refusal('a')!['Retry-After']).toBe('60');
  }
  vi.advanceTimersByTime(60_000);
  expect(limit.refusal('a')).toBeUndefined();
  expect(limit.count('a').RateLimit).toBe('"default";r=0;t=60');
  vi.useRealTimers();
});

it('no answer names more seconds than the window has', () => {
  const clock = vi.spyOn(performance, 'now');
  const limit = rateLimit(1)!;
  for (let at = 0; at < 100; at += 1) {
    clock.mockReturnValue(509_508.898_733_458_2 + at * 1000.1);
    expect(limit.count(`client ${at}`).RateLimit).toBe('"default";r=0;t=60');
    expect(limit.refusal(`client ${at}`)!['Retry-After']).toBe('60');
  }
  clock.mockRestore();
});

it('only the clients that sent requests last are counted, so that memory is bounded', () => {
  const limit = rateLimit(1)!;
  const clients = Array.from({ length: countedClients }, (_, at) => `2001:db8:${at.toString(16)}::/64`);
  for (const client of ['first', ...clients.slice(1), 'first', clients[0]!, 'last']) limit.count(client);
  expect(limit.refusal('first')).toBeDefined();
  expect(limit.refusal(clients[0]!)).toBeDefined();
  expect(limit.refusal(clients[1]!)).toBeUndefined();
  expect(limit.refusal(clients[3]!)).toBeDefined();
});
