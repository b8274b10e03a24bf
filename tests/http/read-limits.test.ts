/** Requests per client and minute, and the headers that tell a client about its limit. */
import { afterEach, describe, expect, it, vi } from 'vitest';
import { countedClients, filesPerRead } from '../../api/contract/limits.ts';
import type { ServiceOptions } from '../../api/server/app.ts';
import { rateLimit } from '../../api/write/rate-limit.ts';
import { expectProblem, inProcess, type Service, useInProcess } from './running-service.ts';

const running = useInProcess({}, undefined, ['pages', 'site']);
let service: Service | undefined;
afterEach(() => service?.stop());

/** A new service, and what asks it for the status and the rest of the limit. */
function start(options: Partial<ServiceOptions>) {
  const own = inProcess(running.built.out, options);
  service = own;
  return async (target: string, headers: Record<string, string> = {}, method = 'GET') => {
    const reply = await own.ask(target, { method, headers });
    const [, left] = /^"default";r=(\d+);t=\d+$/.exec(reply.headers.ratelimit as string) ?? [];
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
    expect(reply.headers['ratelimit-policy']).toBe(isCounted ? '"default";q=100;w=60' : undefined);
    expect(reply.headers['retry-after']).toBeUndefined();
  }
});

it('over the limit GET and HEAD get 429 with Retry-After, and a page says so in HTML', async () => {
  const ask = start({ readLimit: 3 });
  const parallel = await Promise.all(Array.from({ length: 8 }, () => ask('/api/movies')));
  expect(parallel.filter(({ status }) => status === 200)).toHaveLength(3);
  for (const method of ['GET', 'HEAD']) {
    const { status, headers, body, left } = await ask('/api/movies', {}, method);
    expect([status, left, headers['ratelimit-policy']]).toEqual([429, 0, '"default";q=3;w=60']);
    expect(Number(headers['retry-after'])).toBeGreaterThan(0);
    expect([headers['cache-control'], headers['access-control-allow-origin']]).toEqual(['no-store', '*']);
    if (method === 'GET') expectProblem(body, 429);
  }
  expect((await ask('/api/movies', {}, 'OPTIONS')).status).toBe(204);
  for (let left = 3 * filesPerRead - 1; left >= 0; left -= 1) expect((await ask('/movies')).left).toBe(left);
  const page = await ask('/movies');
  expect([page.status, page.headers['cache-control']]).toEqual([429, 'no-store']);
  expect(page.body.toString()).toMatch(/<h1[^>]*>Too many requests<\/h1>/);
});

it('files and pages have a limit of their own, ten times that of the API', async () => {
  const ask = start({ readLimit: 2 });
  const targets = ['/manifest.json', '/movies/27', '/no/such/file.txt'];
  for (const status of [200, 200, 429]) expect((await ask('/api/movies')).status).toBe(status);
  for (let left = 20; left > 0; left -= 1) expect((await ask(targets[left % 3]!)).left).toBe(left - 1);
  for (const target of targets) expect((await ask(target)).status).toBe(429);
  const { body } = await ask('/manifest.json');
  expectProblem(body, 429);
  expect(body.toString()).toContain('no more than 20 requests a minute');
  for (const probe of ['/healthz', '/readyz']) expect((await ask(probe)).left).toBeUndefined();
});

it('a limit of 0 is no limit, and answers have no RateLimit headers', async () => {
  const ask = start({ readLimit: 0 });
  for (let request = 0; request < 30; request += 1) {
    const { status, headers } = await ask('/manifest.json');
    expect([status, headers.ratelimit, headers['ratelimit-policy']]).toEqual([200, undefined, undefined]);
  }
});

it('each client behind a listed proxy has its own limit, and gets no other one by its own headers', async () => {
  const behind = start({ readLimit: 1, proxies: ['127.0.0.1'] });
  for (const [forwarded, status] of [
    ['203.0.113.7', 200],
    ['1.2.3.4, 203.0.113.7', 429],
    ['203.0.113.8', 200],
    ['2001:db8:1:2::1', 200],
    ['2001:db8:1:2:ffff::1', 429],
    ['2001:db8:1:3::1', 200],
  ] as const)
    expect([forwarded, (await behind('/api/movies', { 'X-Forwarded-For': forwarded })).status]).toEqual([
      forwarded,
      status,
    ]);
  await service!.stop();
  const ask = start({ readLimit: 1 });
  expect((await ask('/api/movies', { 'X-Forwarded-For': '203.0.113.7' })).status).toBe(200);
  for (const [name, value] of [
    ['X-Forwarded-For', '203.0.113.8'],
    ['Forwarded', 'for=203.0.113.9'],
    ['X-Real-IP', '203.0.113.9'],
  ] as const)
    expect((await ask('/api/movies', { [name]: value })).status).toBe(429);
});

describe('a window', () => {
  afterEach(() => void vi.useRealTimers());

  it('begins with the first request of a client and lasts a minute, also if the system clock jumps', () => {
    vi.useFakeTimers();
    const limit = rateLimit(2)!;
    const policy = { 'RateLimit-Policy': '"default";q=2;w=60' };
    expect(limit.count('a')).toEqual({ ...policy, RateLimit: '"default";r=1;t=60' });
    vi.advanceTimersByTime(20_500);
    expect(limit.count('a').RateLimit).toBe('"default";r=0;t=40');
    vi.advanceTimersByTime(30_000);
    for (const hours of [0, -1, 1, -1000]) {
      vi.setSystemTime(Date.now() + hours * 3_600_000);
      expect(limit.refusal('a')).toEqual({ ...policy, RateLimit: '"default";r=0;t=10', 'Retry-After': '10' });
      expect(limit.refusal('b')).toBeUndefined();
    }
    vi.advanceTimersByTime(10_000);
    expect(limit.refusal('a')).toBeUndefined();
    expect(limit.count('a').RateLimit).toBe('"default";r=1;t=60');
  });

  it('never has more than sixty seconds left', () => {
    const clock = vi.spyOn(performance, 'now');
    const limit = rateLimit(1)!;
    for (let at = 0; at < 100; at += 1) {
      clock.mockReturnValue(509_508.898_733_458_2 + at * 1000.1);
      expect(limit.count(`client ${at}`).RateLimit).toBe('"default";r=0;t=60');
      expect(limit.refusal(`client ${at}`)!['Retry-After']).toBe('60');
    }
    clock.mockRestore();
  });
});

it('only the clients that sent requests last are counted, so that memory is bounded', () => {
  const limit = rateLimit(1)!;
  const clients = Array.from({ length: countedClients }, (_, at) => `2001:db8:${at.toString(16)}::/64`);
  for (const client of ['first', ...clients.slice(1), 'first', clients[0]!, 'last']) limit.count(client);
  const isCounted = ['first', clients[0]!, clients[1]!, clients[3]!].map(
    (client) => limit.refusal(client) !== undefined,
  );
  expect(isCounted).toEqual([true, true, false, true]);
});
