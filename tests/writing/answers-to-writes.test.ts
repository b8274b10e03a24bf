/** What a write is answered with: the record as a list shows it, where it is, which snapshot holds it, and nothing to keep. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { writableResources } from '../../api/contract/bodies.ts';
import type { WritableResource } from '../../api/contract/names.ts';
import type { JsonValue } from '../../api/write/strict-json.ts';
import type { Receipt } from '../../data/receipts.ts';
import { runs } from '../settings.ts';
import { anyBody, type Body } from './any-bodies.ts';
import { documentOf, expectShown, receiptOf, useWritingService } from './writing-service.ts';

const running = useWritingService();

/** What suffices for a new record, its id given; and a change to it. */
const bodies: Record<
  WritableResource,
  [least: Record<string, string | number>, change: Record<string, string | boolean>]
> = {
  nominations: [{ id: 5001, ceremony_id: 1, category_id: 2, movie_id: 3, nominee_id: 1 }, { winner: true }],
  ceremonies: [{ id: 5001, ceremony_year: 1999 }, { venue: 'A hall' }],
  movies: [{ id: 5001, title: 'New' }, { tagline: 'Newer' }],
  nominees: [{ id: 5001, name: 'New' }, { birthday: '2000-02-29' }],
  songs: [{ id: 5001, original_title: 'New' }, { artist_names: 'Nobody' }],
};

describe.each(writableResources.map((resource) => [resource]))('%s', (resource) => {
  const [least, change] = bodies[resource];
  const address = `/api/${resource}/5001`;

  it.each([
    ['POST', `/api/${resource}`, least, 201],
    ['PATCH', address, change, 200],
  ] as const)('a %s is answered with all that an editor needs', async (method, target, body, status) => {
    const { service } = running;
    const reply = await service.write(method, target, body);
    expect(reply.status).toBe(status);
    const page = await service.ask(address);
    expect(page.status).toBe(200);
    expect(reply.headers).toMatchObject({
      etag: page.headers.etag,
      snapshot: service.snapshot(),
      receipt: `/receipts/${service.receipts()}`,
      'content-type': 'application/json; charset=utf-8',
      'content-length': String(reply.body.length),
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'access-control-allow-origin': '*',
    });
    expect(reply.headers.location).toBe(status === 201 ? address : undefined);
    const { data } = await service.read<{ data: unknown[] }>(`/api/${resource}?ids=5001`);
    expect(reply.body.toString()).toBe(`${JSON.stringify(data[0])}\n`);
    expect(documentOf(reply)).toMatchObject(body);
    await expectShown(service, address, `/api/${resource}?ids=5001`, `/api/${resource}`);
  });

  it('tells the same when nothing is changed, save that there is no receipt', async () => {
    const { service } = running;
    const before = await service.write('PATCH', address, change);
    const receipts = service.receipts();
    for (const body of [{}, change, { id: 5001 }]) {
      const reply = await service.write('PATCH', address, body);
      expect(reply.status).toBe(200);
      expect(reply.body.equals(before.body)).toBe(true);
      expect(reply.headers.receipt).toBeUndefined();
      expect(reply.headers.etag).toBe(before.headers.etag);
      expect(reply.headers.snapshot).toBe(before.headers.snapshot);
    }
    expect(service.receipts()).toBe(receipts);
  });
});

describe('a page of another origin', () => {
  it('may read the headers of an answer to a write', async () => {
    const { headers } = await running.service.write(
      'PATCH',
      '/api/movies/27',
      {},
      { Origin: 'https://a.example' },
    );
    expect(headers['access-control-allow-origin']).toBe('*');
    expect(headers['access-control-expose-headers']!.split(', ')).toEqual(
      expect.arrayContaining([
        'ETag',
        'Location',
        'RateLimit',
        'Receipt',
        'Retry-After',
        'Snapshot',
        'Snapshot-Pending',
      ]),
    );
  });

  it.each([
    ['/api/movies', 'POST'],
    ['/api/movies/27', 'PATCH'],
    ['/api/categories', 'GET'],
    ['/receipts', 'GET'],
    ['/receipts/1', 'GET'],
  ])('learns from OPTIONS what it may send to %s', async (address, method) => {
    const { status, headers, body } = await running.service.ask(address, { method: 'OPTIONS' });
    expect([status, body.length]).toEqual([204, 0]);
    expect(headers['access-control-allow-origin']).toBe('*');
    expect(headers['access-control-allow-methods']!.split(', ')).toContain(method);
    expect(headers['access-control-allow-methods']).toBe(headers.allow);
    const allowed = headers['access-control-allow-headers']!.toLowerCase().split(', ');
    expect(allowed).toEqual(expect.arrayContaining(['content-type', 'if-match', 'x-api-key']));
  });
});

it('with the receipt of a change it can be undone: what was before, sent as a change, brings back every byte', async () => {
  const anyChange = fc.constantFrom(...writableResources).chain((resource) =>
    fc.record({
      target: fc.constantFrom(1, 2).map((id) => `/api/${resource}/${id}`),
      changes: fc.array(
        anyBody(resource).map(
          (body): Body => Object.fromEntries(Object.entries(body).filter(([it]) => it !== 'id')),
        ),
        { minLength: 1, maxLength: 3 },
      ),
    }),
  );
  await fc.assert(
    fc.asyncProperty(anyChange, async ({ target, changes }) => {
      const { service } = running;
      const before = await service.ask(target);
      const receipts: Receipt[] = [];
      for (const body of changes) {
        const write = await service.write('PATCH', target, body);
        expect(write.status).toBe(200);
        if (write.headers.receipt !== undefined) receipts.unshift(await receiptOf(service, write));
      }
      const snapshot = receipts.length > 0 ? receipts.at(-1)!.snapshot : null;
      for (const receipt of receipts) {
        const write = await service.write('PATCH', target, receipt.before as JsonValue);
        expect(write.status, write.body.toString()).toBe(200);
        const undone = await receiptOf(service, write);
        expect([undone.before, undone.after]).toEqual([receipt.after, receipt.before]);
      }
      const after = await service.ask(target);
      expect(after.headers.etag).toBe(before.headers.etag);
      expect(after.body.equals(before.body)).toBe(true);
      expect(service.snapshot()).not.toBe(snapshot);
      await expectShown(service, target);
    }),
    { numRuns: runs(8) },
  );
});
