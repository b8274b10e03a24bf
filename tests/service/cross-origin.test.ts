/** A page of any other origin may use the service from a browser. */
import { describe, expect, it } from 'vitest';
import { useService } from './running-service.ts';

const running = useService();

const refusals = ['/api/movies?page=0', '/api/search', '/api/movies/1000000', '/api/films'];

describe('a page of another origin', () => {
  const exposed = ['ETag', 'Link', 'RateLimit', 'RateLimit-Policy', 'Retry-After'];

  it('may read every answer and its headers, also 304 and refusals', async () => {
    const { etag } = (await running.service.ask('/api/movies')).headers;
    const replies = [
      await running.service.ask('/api/movies', { headers: { Origin: 'https://example.org' } }),
      await running.service.ask('/api/movies', { headers: { 'If-None-Match': etag! } }),
      ...(await Promise.all(refusals.map((path) => running.service.ask(path)))),
      await running.service.ask('/api/movies', { method: 'DELETE' }),
    ];
    for (const { headers, status } of replies) {
      expect(headers['access-control-allow-origin'], String(status)).toBe('*');
      expect(headers['access-control-expose-headers']!.split(', ')).toEqual(expect.arrayContaining(exposed));
      expect(headers['x-content-type-options']).toBe('nosniff');
    }
  });

  it('learns from OPTIONS what it may send', async () => {
    for (const path of ['/api/movies', '/api/movies/1', '/api/movies/none', '/api/stats/top-movies?sort=x']) {
      const { status, headers, body } = await running.service.ask(path, {
        method: 'OPTIONS',
        headers: {
          Origin: 'https://example.org',
          'Access-Control-Request-Method': 'GET',
          'Access-Control-Request-Headers': 'if-none-match',
        },
      });
      expect(status).toBe(204);
      expect(body.length).toBe(0);
      expect(headers['access-control-allow-origin']).toBe('*');
      expect(headers['access-control-allow-methods']!.split(', ')).toEqual(
        expect.arrayContaining(['GET', 'HEAD']),
      );
      expect(headers['access-control-allow-headers']!.toLowerCase()).toContain('if-none-match');
      expect(Number(headers['access-control-max-age'])).toBeGreaterThan(0);
      expect(headers.allow).toBe('GET, HEAD, OPTIONS');
    }
    expect((await running.service.ask('/api/films', { method: 'OPTIONS' })).status).toBe(404);
  });
});
