/** The methods of each address, in preflights and in 405: with the writing methods only where a write service is. */
import { describe, expect, it } from 'vitest';
import {
  matchReceipt,
  matchRoute,
  receiptPath,
  receiptsPath,
  routes,
  writeMethods,
} from '../../api/contract/routes.ts';
import { Resolver } from '../../api/read/resolve.ts';
import type { Source } from '../../api/read/source.ts';

/** Methods need no snapshot. */
const nothing: Source = { file: async () => undefined, shard: async () => undefined };

const writable = ['nominations', 'ceremonies', 'movies', 'nominees', 'songs'];
const written: Record<string, string> = {
  ...Object.fromEntries(
    writable.flatMap((resource) => [
      [`/api/${resource}`, 'POST'],
      [`/api/${resource}/{id}`, 'PATCH, DELETE'],
    ]),
  ),
  '/api/batch': 'POST',
};

it('lists of five resources and batches take POST, records PATCH and DELETE, and no other address is written', () => {
  const found = [...routes].flatMap(([path, route]) => {
    const methods = writeMethods(route);
    return methods.length > 0 ? [[path, methods.join(', ')]] : [];
  });
  expect(Object.fromEntries(found)).toEqual(written);
});

describe.each([...routes.keys()].map((pattern) => [pattern]))('%s', (pattern) => {
  const path = pattern.replace('{id}', '7');
  const read = pattern === '/api/batch' ? 'OPTIONS' : 'GET, HEAD, OPTIONS';
  const all = written[pattern] ? `${read}, ${written[pattern]}` : read;

  it.each([
    ['by default', {}, all],
    ['of a writable service', { writable: true }, all],
    ['of a read-only service', { writable: false }, read],
  ])('has them in preflights and refusals of a resolver %s', async (_name, options, expected) => {
    const resolver = new Resolver(nothing, options);
    const preflight = await resolver.answer({ method: 'OPTIONS', path, queryString: '' });
    expect(preflight.status).toBe(204);
    expect(preflight.headers.Allow).toBe(expected);
    expect(preflight.headers['Access-Control-Allow-Methods']).toBe(expected);
    expect(preflight.headers['Access-Control-Allow-Headers']).toMatch(/if-none-match/i);
    expect(preflight.headers['Access-Control-Allow-Headers']).toContain('x-api-key');
    expect(preflight.headers['Access-Control-Max-Age']).toMatch(/^[1-9]/);
    for (const method of ['POST', 'PATCH', 'DELETE']) {
      const refusal = await resolver.answer({ method, path, queryString: '' });
      expect([refusal.status, refusal.headers.Allow]).toEqual([405, expected]);
    }
  });

  it('answers HEAD with the status and headers of GET', async () => {
    const [get, head] = await Promise.all(
      ['GET', 'HEAD'].map((method) => new Resolver(nothing).answer({ method, path, queryString: '' })),
    );
    expect(head).toEqual({ ...get, body: null });
  });
});

describe('the address of a receipt', () => {
  it('leads to that receipt, and the one without id to the list', () => {
    expect(matchReceipt(receiptPath(7))).toEqual({ id: 7 });
    expect(matchReceipt(receiptsPath)).toEqual({});
  });

  it.each('/receipts/ /receipts/0 /receipts/01 /receipts/a /receipts/1/2 /receiptss /api/movies'.split(' '))(
    'is not %j',
    (path) => expect(matchReceipt(path)).toBeUndefined(),
  );

  it('is none of the snapshot', () => {
    for (const path of [receiptsPath, receiptPath(7)]) expect(matchRoute(path)).toBeUndefined();
  });
});
