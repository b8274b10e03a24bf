/** A write with several faults is refused for the first of them, in the documented order, and nothing is written. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { WritableResource } from '../../api/contract/names.ts';
import { createKey } from '../../data/keys.ts';
import { expectProblem } from '../service/raw-connection.ts';
import type { Reply } from '../service/running-service.ts';
import { runs } from '../settings.ts';
import { seldom } from './any-writes.ts';
import { useWritingService } from './writing-service.ts';

/** The key of this name has used up its writes; each client has an address of its own, so that wrong keys do not add up. */
const busy = 'busy';
const running = useWritingService({
  proxies: ['127.0.0.1'],
  adapt: (writing) => ({ ...writing, writes: async (name) => ({ allowed: name !== busy, headers: {} }) }),
});

/** A record that is there, and what suffices for a new one. */
const known: Record<WritableResource, { id: number; least: Record<string, string | number> }> = {
  nominations: { id: 8, least: { ceremony_id: 1, category_id: 1, movie_id: 1, nominee_id: 1 } },
  ceremonies: { id: 97, least: { ceremony_year: 2000 } },
  movies: { id: 27, least: { title: 'New' } },
  nominees: { id: 25, least: { name: 'New' } },
  songs: { id: 25, least: { original_title: 'New' } },
};
const resources = Object.keys(known) as WritableResource[];

/** The faults a write can have, each in any of its guises; undefined for none. */
interface Faults {
  method: 'POST' | 'PATCH';
  resource: WritableResource;
  address: 'unknown' | 'of no record' | 'method' | undefined;
  key: 'missing' | 'unknown' | 'doubled' | undefined;
  spent: boolean;
  type: Record<string, string | string[]> | undefined;
  large: boolean;
  unreadable: 'tail' | 'twice' | 'empty' | 'bytes' | undefined;
  invalid: boolean;
  absent: boolean;
  present: boolean;
  ifMatch: boolean;
}

const sometimes = seldom(fc.constant(true), 3).map((is) => is === true);
const faults: fc.Arbitrary<Faults> = fc.record({
  method: fc.constantFrom('POST', 'PATCH'),
  resource: fc.constantFrom(...resources),
  address: seldom(fc.constantFrom('unknown', 'of no record', 'method'), 8),
  key: seldom(fc.constantFrom('missing', 'unknown', 'doubled'), 8),
  spent: seldom(fc.constant(true), 8).map((is) => is === true),
  type: seldom(
    fc.constantFrom<Record<string, string | string[]>>(
      {},
      { 'Content-Type': 'text/plain' },
      { 'Content-Type': 'application/json; charset=latin1' },
      { 'Content-Type': 'application/json', 'Content-Encoding': 'gzip' },
    ),
    6,
  ),
  large: sometimes,
  unreadable: seldom(fc.constantFrom('tail', 'twice', 'empty', 'bytes'), 4),
  invalid: sometimes,
  absent: sometimes,
  present: sometimes,
  ifMatch: sometimes,
});

/** The status of the first fault, in the order of the decisions. */
function dueStatus(it: Faults): number {
  if (it.address !== undefined) return it.address === 'method' ? 405 : 404;
  if (it.key !== undefined) return 401;
  if (it.spent) return 429;
  if (it.type !== undefined) return 415;
  if (it.large) return 413;
  if (it.unreadable !== undefined) return 400;
  if (it.invalid) return 422;
  if (it.method === 'PATCH' && it.absent) return 404;
  if (it.method === 'POST' && it.present) return 409;
  if (it.ifMatch) return 412;
  return it.method === 'POST' ? 201 : 200;
}

let fresh = 100_000;

function targetOf({ method, resource, address, absent }: Faults): string {
  if (address === 'unknown') return '/api/films';
  const id = absent ? 424_242 : known[resource].id;
  // A POST to what looks like the page of a record has the wrong method, as every address there has.
  if (address === 'of no record') return method === 'POST' ? `/api/${resource}/` : `/api/${resource}/abc`;
  const takesPost = (method === 'POST') === (address === undefined);
  return takesPost ? `/api/${resource}` : `/api/${resource}/${id}`;
}

function bodyOf({ method, resource, large, unreadable, invalid, present }: Faults): Buffer {
  if (unreadable === 'empty') return Buffer.from(large ? ' '.repeat(70_000) : '');
  const { id, least } = known[resource];
  const fields = method === 'PATCH' ? {} : { ...least, id: present ? id : fresh++ };
  const members = JSON.stringify({ ...fields, ...(invalid && { nonsense: 1 }) }).slice(1, -1);
  const text = `{${members}${unreadable === 'twice' ? `${members && ','}"a":1,"a":2` : ''}}${unreadable === 'tail' ? '}' : ''}`;
  const end = unreadable === 'bytes' ? [0xff] : [];
  return Buffer.concat([Buffer.from(text + ' '.repeat(large ? 70_000 : 0)), Buffer.from(end)]);
}

function keyHeaders(it: Faults, keys: { good: string; spent: string }): Record<string, string | string[]> {
  const good = it.spent ? keys.spent : keys.good;
  if (it.key === undefined) return { 'x-api-key': good };
  if (it.key === 'missing') return {};
  return { 'x-api-key': it.key === 'doubled' ? [good, good] : 'fa_nobody' };
}

function expectRefused(reply: Reply, status: number): void {
  expectProblem(reply.body, status);
  expect(reply.headers['cache-control']).toBe('no-store');
  expect(reply.headers['access-control-allow-origin']).toBe('*');
  if (status === 405) expect(reply.headers.allow).toMatch(/^GET, HEAD, OPTIONS/);
  if (status === 401) expect(reply.headers['www-authenticate']).toBeDefined();
  if (status === 415) expect(reply.headers['accept-patch'] ?? reply.headers['accept-post']).toBeDefined();
}

describe('a write', () => {
  it('with several faults is refused for the first of them, and nothing is written', async () => {
    const { service } = running;
    const keys = { good: service.key, spent: createKey(service.connection, busy, new Date()) };
    let client = 0;
    await fc.assert(
      fc.asyncProperty(faults, async (it) => {
        client += 1;
        const due = dueStatus(it);
        const receipts = service.receipts();
        const reply = await service.ask(targetOf(it), {
          method: it.method,
          headers: {
            'X-Forwarded-For': `10.0.${client >> 8}.${client & 255}`,
            ...keyHeaders(it, keys),
            ...(it.type ?? { 'Content-Type': 'application/json' }),
            ...(it.ifMatch && { 'If-Match': '"stale"' }),
          },
          body: bodyOf(it),
        });
        expect(reply.status, reply.body.toString()).toBe(due);
        if (due >= 400) expectRefused(reply, due);
        expect(service.receipts()).toBe(receipts + (due === 201 ? 1 : 0));
      }),
      { numRuns: runs(300) },
    );
  });

  it.each([
    ['POST', '/api/categories', 405, 'GET, HEAD, OPTIONS'],
    ['PATCH', '/api/categories/1', 405, 'GET, HEAD, OPTIONS'],
    ['PUT', '/api/movies/27', 405, 'GET, HEAD, OPTIONS, PATCH'],
    ['DELETE', '/api/movies/27', 405, 'GET, HEAD, OPTIONS, PATCH'],
    ['POST', '/api/movies/27', 405, 'GET, HEAD, OPTIONS, PATCH'],
    ['PATCH', '/api/movies', 405, 'GET, HEAD, OPTIONS, POST'],
    ['POST', '/api/search', 405, 'GET, HEAD, OPTIONS'],
    ['PATCH', '/api/stats/top-movies', 405, 'GET, HEAD, OPTIONS'],
    ['POST', '/receipts', 405, 'GET, HEAD, OPTIONS'],
    ['PATCH', '/receipts/1', 405, 'GET, HEAD, OPTIONS'],
    ['PATCH', '/api/movies/abc', 404, undefined],
    ['PATCH', '/api/movies/0', 404, undefined],
    ['PATCH', '/api/movies/027', 404, undefined],
    ['PATCH', '/api/movies/%32%37', 404, undefined],
    ['PATCH', '/api/movies/9007199254740992', 404, undefined],
    ['PATCH', '/api/movies/27/', 404, undefined],
    ['PATCH', '/api/Movies/27', 404, undefined],
    ['POST', '/api/movies/', 404, undefined],
    ['POST', '//api/movies', 404, undefined],
    ['POST', '/api/films', 404, undefined],
    ['POST', '/', 404, undefined],
    ['POST', '/receipts/', 404, undefined],
  ])(
    '%s %s is refused before anybody asks for a key or a body: %i',
    async (method, target, status, allow) => {
      for (const headers of [{}, { 'x-api-key': running.service.key, 'Content-Type': 'nonsense' }]) {
        const reply = await running.service.ask(target, { method, headers, body: 'x'.repeat(100_000) });
        expect([reply.status, reply.headers.allow]).toEqual([status, allow]);
        expectProblem(reply.body, status);
      }
    },
  );
});
