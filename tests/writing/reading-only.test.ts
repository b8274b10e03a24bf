/** A service over a snapshot without its database reads only, and says so. */
import { describe, expect, it } from 'vitest';
import { writableResources } from '../../api/contract/bodies.ts';
import { expectProblem } from '../service/raw-connection.ts';
import { useService } from '../service/running-service.ts';

const running = useService();

describe('where there is nothing to write to', () => {
  it.each(writableResources.map((resource) => [resource]))('%s can only be read', async (resource) => {
    for (const [method, target] of [
      ['POST', `/api/${resource}`],
      ['PATCH', `/api/${resource}/1`],
      ['PATCH', `/api/${resource}/424242`],
    ] as const) {
      const headers = { 'x-api-key': 'any', 'Content-Type': 'application/json' };
      const reply = await running.service.ask(target, { method, headers, body: '{}' });
      expect([reply.status, reply.headers.allow]).toEqual([405, 'GET, HEAD, OPTIONS']);
      expectProblem(reply.body, 405);
      const preflight = await running.service.ask(target, { method: 'OPTIONS' });
      expect([preflight.status, preflight.headers.allow]).toEqual([204, 'GET, HEAD, OPTIONS']);
      expect(preflight.headers['access-control-allow-methods']).toBe('GET, HEAD, OPTIONS');
    }
    expect((await running.service.ask(`/api/${resource}/1`)).status).toBe(200);
  });

  it('there are no receipts either', async () => {
    for (const target of ['/receipts', '/receipts/1'])
      for (const method of ['GET', 'POST', 'OPTIONS'])
        expect((await running.service.ask(target, { method, headers: { 'x-api-key': 'any' } })).status).toBe(
          404,
        );
  });
});
