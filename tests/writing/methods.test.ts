/** Who asks is told which methods an address has: those that write where there is somebody to write, and nowhere else. */
import { describe, expect, it } from 'vitest';
import {
  matchReceipt,
  matchRoute,
  methodsOf,
  receiptPath,
  receiptsPath,
  routes,
  writeMethod,
} from '../../api/contract/routes.ts';
import { Resolver } from '../../api/read/resolve.ts';
import type { Source } from '../../api/read/source.ts';

/** Methods are known without a look at the snapshot. */
const nothing: Source = { manifest: async () => undefined, shard: async () => undefined };

const written: Record<string, 'POST' | 'PATCH'> = {
  '/api/nominations': 'POST',
  '/api/nominations/{id}': 'PATCH',
  '/api/ceremonies': 'POST',
  '/api/ceremonies/{id}': 'PATCH',
  '/api/movies': 'POST',
  '/api/movies/{id}': 'PATCH',
  '/api/nominees': 'POST',
  '/api/nominees/{id}': 'PATCH',
  '/api/songs': 'POST',
  '/api/songs/{id}': 'PATCH',
};

it('lists of five resources take POST, their records PATCH, and no other address is written', () => {
  const found = [...routes].flatMap(([path, route]) => {
    const method = writeMethod(route);
    return method ? [[path, method]] : [];
  });
  expect(Object.fromEntries(found)).toEqual(written);
});

describe.each([...routes.keys()].map((pattern) => [pattern]))('%s', (pattern) => {
  const path = pattern.replace('{id}', '7');
  const read = 'GET, HEAD, OPTIONS';
  const all = written[pattern] ? `${read}, ${written[pattern]}` : read;

  it('names its methods', () => {
    expect(methodsOf(matchRoute(path)!.route).join(', ')).toBe(all);
  });

  it.each([
    ['as a part of the service', {}, all],
    ['as a part of the service, said outright', { writable: true }, all],
    ['alone', { writable: false }, read],
  ])('is told of by a resolver %s: preflight and refusal', async (_name, options, expected) => {
    const resolver = new Resolver(nothing, options);
    const preflight = await resolver.answer({ method: 'OPTIONS', path, queryString: '' });
    expect(preflight.status).toBe(204);
    expect(preflight.headers.Allow).toBe(expected);
    expect(preflight.headers['Access-Control-Allow-Methods']).toBe(expected);
    expect(preflight.headers['Access-Control-Allow-Headers']).toContain('x-api-key');
    for (const method of ['POST', 'PATCH', 'DELETE']) {
      const refusal = await resolver.answer({ method, path, queryString: '' });
      expect([refusal.status, refusal.headers.Allow]).toEqual([405, expected]);
    }
  });
});

describe('the address of a receipt', () => {
  it('leads to that receipt, and the one without id to the list', () => {
    expect(matchReceipt(receiptPath(7))).toEqual({ id: 7 });
    expect(matchReceipt(receiptsPath)).toEqual({});
  });

  it.each([
    '/receipts/',
    '/receipts/0',
    '/receipts/01',
    '/receipts/a',
    '/receipts/1/2',
    '/receiptss',
    '/api/movies',
    '',
  ])('is not %j', (path) => {
    expect(matchReceipt(path)).toBeUndefined();
  });

  it('is none of the snapshot', () => {
    for (const path of [receiptsPath, receiptPath(7)]) expect(matchRoute(path)).toBeUndefined();
  });
});
