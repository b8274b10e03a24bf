/** The answer to a write: the record as a list shows it, its address, the snapshot that holds it, and no caching. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { JsonValue } from '../../api/contract/bodies.ts';
import { type WritableResource, writableResources } from '../../api/contract/names.ts';
import type { ReceiptDocument } from '../../api/contract/answers.ts';
import { runs } from '../support/settings.ts';
import { anyBody, type Body, smallestBody } from './random-bodies.ts';
import { documentOf, expectShown, receiptOf, useWritingService } from './writing-service.ts';

const running = useWritingService();

const changes: Record<WritableResource, Record<string, string | boolean>> = {
  nominations: { winner: true },
  ceremonies: { venue: 'A hall' },
  movies: { tagline: 'Newer' },
  nominees: { birthday: '2000-02-29' },
  songs: { artist_names: 'Nobody' },
};

describe.each(writableResources)('%s', (resource) => {
  const change = changes[resource];
  const address = `/api/${resource}/5001`;

  it.each([
    ['POST', `/api/${resource}`, { id: 5001, ...smallestBody[resource] }, 201],
    ['PATCH', address, change, 200],
  ] as const)('%s is answered with everything that an editor needs', async (method, target, body, status) => {
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
    const exposed = 'ETag Location RateLimit Receipt Retry-After Snapshot Snapshot-Pending'.split(' ');
    expect(reply.headers['access-control-expose-headers']!.split(', ')).toEqual(
      expect.arrayContaining(exposed),
    );
    expect(reply.headers.location).toBe(status === 201 ? address : undefined);
    const { data } = await service.read<{ data: unknown[] }>(`/api/${resource}?ids=5001`);
    expect(reply.body.toString()).toBe(`${JSON.stringify(data[0])}\n`);
    expect(documentOf(reply)).toMatchObject(body);
    await expectShown(service, address, `/api/${resource}?ids=5001`, `/api/${resource}`);
  });

  it('has the same answer without a receipt if nothing is changed', async () => {
    const { service } = running;
    const before = await service.write('PATCH', address, change);
    const receipts = service.receipts();
    const { etag, snapshot } = before.headers;
    for (const body of [{}, change, { id: 5001 }]) {
      const { status, headers, body: document } = await service.write('PATCH', address, body);
      expect([status, headers.etag, headers.snapshot]).toEqual([200, etag, snapshot]);
      expect(headers.receipt).toBeUndefined();
      expect(document.equals(before.body)).toBe(true);
    }
    expect(service.receipts()).toBe(receipts);
  });
});

it.each([
  ['/api/movies', 'POST'],
  ['/api/movies/27', 'PATCH'],
  ['/api/categories', 'GET'],
  ['/receipts', 'GET'],
  ['/receipts/1', 'GET'],
])('OPTIONS %s tells a page of another origin what it may send', async (address, method) => {
  const { status, headers, body } = await running.service.ask(address, { method: 'OPTIONS' });
  expect([status, body.length]).toEqual([204, 0]);
  expect(headers['access-control-allow-origin']).toBe('*');
  expect(headers['access-control-allow-methods']!.split(', ')).toContain(method);
  expect(headers['access-control-allow-methods']).toBe(headers.allow);
  const allowed = headers['access-control-allow-headers']!.toLowerCase().split(', ');
  expect(allowed).toEqual(expect.arrayContaining(['content-type', 'if-match', 'x-api-key']));
});

it('the receipt of a change undoes it: `before`, sent as a change, brings back every byte', async () => {
  const withoutId = ({ id: _, ...body }: Body): Body => body;
  const anyChanges = fc.constantFrom(...writableResources).chain((resource) =>
    fc.record({
      // A write ignores the query string.
      target: fc.constantFrom(1, 2).map((id) => `/api/${resource}/${id}?include=details`),
      bodies: fc.array(anyBody(resource).map(withoutId), { minLength: 1, maxLength: 3 }),
    }),
  );
  await fc.assert(
    fc.asyncProperty(anyChanges, async ({ target, bodies }) => {
      const { service } = running;
      const before = await service.ask(target);
      const receipts: ReceiptDocument[] = [];
      for (const body of bodies) {
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
    { numRuns: runs(4) },
  );
});
