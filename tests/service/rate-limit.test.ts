/** Nobody gets more than a share of the service: requests per client and minute, and what a client is told about it. */
import { afterEach, describe, expect, it, vi } from 'vitest';
import { rateLimit } from '../../api/serve/rate-limit.ts';
import type { ServeOptions } from '../../api/serve/server.ts';
import { expectProblem } from './raw-connection.ts';
import { type BuiltFolder, builtFolder, type RunningService, startService } from './running-service.ts';
import { removeTemporaryFolders } from './temporary-folder.ts';

removeTemporaryFolders();
let built: BuiltFolder | undefined;
let service: RunningService;
async function start(options: Partial<ServeOptions>): Promise<RunningService> {
  built ??= await builtFolder();
  service = await startService(built.out, options);
  return service;
}
afterEach(async () => {
  vi.useRealTimers();
  await service.stop();
});

const remaining = (field: string | string[] | undefined) =>
  Number(/^"default";r=(\d+);t=\d+$/.exec(String(field))?.[1]);

describe('every answer to GET and HEAD', () => {
  it('tells the limit and what is left of it, whatever the answer is', async () => {
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
});

describe('over the limit', () => {
  it('GET and HEAD are answered with 429: when to come back, readable for a page of another origin', async () => {
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

  it('preflights and methods that are refused anyway are neither counted nor limited', async () => {
    await start({ readLimit: 1 });
    for (let request = 0; request < 5; request += 1) {
      expect((await service.ask('/api/movies', { method: 'OPTIONS' })).status).toBe(204);
      expect((await service.ask('/api/movies', { method: 'DELETE' })).status).toBe(405);
    }
    expect((await service.ask('/api/movies')).status).toBe(200);
    expect((await service.ask('/api/movies')).status).toBe(429);
    expect((await service.ask('/api/movies', { method: 'OPTIONS' })).status).toBe(204);
  });

  it('exactly as many requests are answered as allowed, however many come at once', async () => {
    await start({ readLimit: 50 });
    const replies = await Promise.all(Array.from({ length: 120 }, () => service.ask('/api/ceremonies/1')));
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(50);
    expect(replies.filter(({ status }) => status === 429)).toHaveLength(70);
  });
});

describe('each client', () => {
  it('behind a listed proxy has a limit of its own, all of a /64 share one', async () => {
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

  it('cannot get another limit by claiming to be forwarded', async () => {
    await start({ readLimit: 1 });
    const ask = async (name: string, value: string) =>
      (await service.ask('/api/movies', { headers: { [name]: value } })).status;
    expect(await ask('X-Forwarded-For', '203.0.113.7')).toBe(200);
    expect(await ask('X-Forwarded-For', '203.0.113.8')).toBe(429);
    expect(await ask('Forwarded', 'for=203.0.113.9')).toBe(429);
    expect(await ask('X-Real-IP', '203.0.113.9')).toBe(429);
  });
});

describe('a limit of 0', () => {
  it('is none, and nothing is said about one', async () => {
    await start({ readLimit: 0 });
    const replies = await Promise.all(Array.from({ length: 300 }, () => service.ask('/api/ceremonies/1')));
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]));
    expect(replies[0]!.headers.ratelimit).toBeUndefined();
    expect(replies[0]!.headers['ratelimit-policy']).toBeUndefined();
  });
});

describe('the window', () => {
  it('begins with a client’s first request and lasts a minute', async () => {
    await start({});
    vi.useFakeTimers();
    const limit = rateLimit(2)!;
    expect((await limit('a')).headers).toEqual({
      'RateLimit-Policy': '"default";q=2;w=60',
      RateLimit: '"default";r=1;t=60',
    });
    vi.advanceTimersByTime(20_500);
    expect((await limit('a')).headers.RateLimit).toBe('"default";r=0;t=40');
    vi.advanceTimersByTime(30_000);
    const refused = await limit('a');
    expect(refused.allowed).toBe(false);
    expect(refused.headers).toMatchObject({ RateLimit: '"default";r=0;t=10', 'Retry-After': '10' });
    expect((await limit('b')).allowed).toBe(true);
    vi.advanceTimersByTime(10_000);
    expect((await limit('a')).headers.RateLimit).toBe('"default";r=1;t=60');
  });
});
