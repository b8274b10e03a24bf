/** A write with several faults is refused for the first one, in the documented order, and nothing is written. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type WritableResource, writableResources } from '../../api/contract/names.ts';
import { createKey } from '../../data/record/keys.ts';
import { expectProblem } from './raw-connection.ts';
import type { Reply } from '../support/http.ts';
import { runs } from '../support/settings.ts';
import { smallestBody } from './random-bodies.ts';
import { seldom } from './random-writes.ts';
import { useWritingService } from './writing-service.ts';

/** The key of this name has no writes left. */
const busy = 'busy';
const running = useWritingService({
  proxies: ['127.0.0.1'],
  adapt: (writing) => ({
    ...writing,
    writes: { count: () => ({}), refusal: (name) => (name === busy ? {} : undefined) },
  }),
});

/** Ids of existing records. */
const knownIds: Record<WritableResource, number> = {
  nominations: 8,
  ceremonies: 97,
  movies: 27,
  nominees: 25,
  songs: 25,
};

type Headers = Record<string, string | string[]>;
/** The faults of a write; undefined or false for none. */
interface Faults {
  method: 'POST' | 'PATCH' | 'DELETE';
  resource: WritableResource;
  address: 'unknown' | 'of no record' | 'method' | undefined;
  key: 'missing' | 'unknown' | 'doubled' | undefined;
  spent: boolean;
  type: Headers | undefined;
  large: boolean;
  unreadable: 'tail' | 'twice' | 'empty' | 'bytes' | undefined;
  invalid: boolean;
  absent: boolean;
  present: boolean;
  ifMatch: boolean;
}

/** Id of the records that no other refers to. */
const freeId = 4001;

/** Adds a record to each resource that nothing refers to, and a nomination that refers to the known ones. */
async function addRecordsToDelete(): Promise<void> {
  const { service } = running;
  for (const resource of writableResources) {
    const record = { ...smallestBody[resource], id: freeId };
    expect((await service.write('POST', `/api/${resource}`, record)).status).toBe(201);
  }
  const { ceremonies, movies, nominees, songs } = knownIds;
  const references = { ceremony_id: ceremonies, movie_id: movies, nominee_id: nominees, song_id: songs };
  const nomination = { ...smallestBody.nominations, id: freeId + 1, ...references };
  expect((await service.write('POST', '/api/nominations', nomination)).status).toBe(201);
}

const oneIn = (times: number) => seldom(fc.constant(true), times).map((is) => is === true);
const faults: fc.Arbitrary<Faults> = fc.record({
  method: fc.constantFrom('POST', 'PATCH', 'DELETE'),
  resource: fc.constantFrom(...writableResources),
  address: seldom(fc.constantFrom('unknown', 'of no record', 'method'), 8),
  key: seldom(fc.constantFrom('missing', 'unknown', 'doubled'), 8),
  spent: oneIn(8),
  type: seldom(
    fc.constantFrom<Headers>(
      {},
      { 'Content-Type': 'text/plain' },
      { 'Content-Type': 'application/json; charset=latin1' },
      { 'Content-Type': 'application/json', 'Content-Encoding': 'gzip' },
    ),
    6,
  ),
  large: oneIn(3),
  unreadable: seldom(fc.constantFrom('tail', 'twice', 'empty', 'bytes'), 4),
  invalid: oneIn(3),
  absent: oneIn(3),
  present: oneIn(3),
  ifMatch: oneIn(3),
});

/** The status of the first fault, in the order of the decisions. */
function dueStatus(it: Faults): number {
  if (it.address !== undefined) return it.address === 'method' ? 405 : 404;
  if (it.key !== undefined) return 401;
  if (it.spent) return 429;
  const isDelete = it.method === 'DELETE';
  if (it.type !== undefined && !isDelete) return 415;
  if (it.large) return 413;
  if (it.unreadable !== undefined && !(isDelete && it.unreadable === 'empty')) return 400;
  if (it.invalid && !isDelete) return 422;
  if (it.method !== 'POST' && it.absent) return 404;
  if (it.method === 'POST' && it.present) return 409;
  if (isDelete && it.present && it.resource !== 'nominations') return 409;
  // A DELETE of these tests never succeeds.
  if (it.ifMatch || isDelete) return 412;
  return it.method === 'POST' ? 201 : 200;
}

let fresh = 100_000;

function targetOf({ method, resource, address, absent, present }: Faults): string {
  if (address === 'unknown') return '/api/films';
  const isFree = method === 'DELETE' && !present;
  const id = absent ? 424_242 : isFree ? freeId : knownIds[resource];
  // POST to /api/movies/abc is 405, as the address of a record takes no POST.
  if (address === 'of no record') return method === 'POST' ? `/api/${resource}/` : `/api/${resource}/abc`;
  const takesPost = (method === 'POST') === (address === undefined);
  return takesPost ? `/api/${resource}` : `/api/${resource}/${id}`;
}

function bodyOf({ method, resource, large, unreadable, invalid, present }: Faults): Buffer {
  if (method === 'DELETE')
    return Buffer.from(
      ' '.repeat(large ? 70_000 : unreadable === undefined || unreadable === 'empty' ? 0 : 1),
    );
  if (unreadable === 'empty') return Buffer.from(large ? ' '.repeat(70_000) : '');
  const id = present ? knownIds[resource] : fresh++;
  const fields = method === 'PATCH' ? {} : { ...smallestBody[resource], id };
  const members = JSON.stringify({ ...fields, ...(invalid && { nonsense: 1 }) }).slice(1, -1);
  const text = `{${members}${unreadable === 'twice' ? `${members && ','}"a":1,"a":2` : ''}}${unreadable === 'tail' ? '}' : ''}`;
  const end = unreadable === 'bytes' ? [0xff] : [];
  return Buffer.concat([Buffer.from(text + ' '.repeat(large ? 70_000 : 0)), Buffer.from(end)]);
}

function keyHeaders(it: Faults, keys: { good: string; spent: string }): Headers {
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
    await addRecordsToDelete();
    await fc.assert(
      fc.asyncProperty(faults, async (it) => {
        client += 1;
        const due = dueStatus(it);
        const receipts = service.receipts();
        const body = bodyOf(it);
        const reply = await service.ask(targetOf(it), {
          method: it.method,
          headers: {
            'Content-Length': String(body.length),
            'X-Forwarded-For': `10.0.${client >> 8}.${client & 255}`,
            ...keyHeaders(it, keys),
            ...(it.type ?? { 'Content-Type': 'application/json' }),
            ...((it.ifMatch || it.method === 'DELETE') && { 'If-Match': '"stale"' }),
          },
          body,
        });
        expect(reply.status, reply.body.toString()).toBe(due);
        if (due >= 400) expectRefused(reply, due);
        expect(service.receipts()).toBe(receipts + (due === 201 ? 1 : 0));
      }),
      { numRuns: runs(120) },
    );
  });

  const read = 'GET, HEAD, OPTIONS';
  type Row = [method: string, allow: string | undefined, targets: string];
  const otherMethods = ['PUT', 'DELETE', 'TRACE', 'PROPFIND', 'SEARCH'];
  it.each<Row>([
    ['POST', read, '/api/categories /api/search /receipts /receipts/1'],
    ['PATCH', read, '/api/categories/1 /api/stats/top-movies /receipts /receipts/1'],
    ...otherMethods.map((method): Row => [method, read, '/receipts /receipts/1']),
    ['PUT', `${read}, PATCH, DELETE`, '/api/movies/27'],
    ['DELETE', read, '/api/categories/1 /api/honors/1 /api/search'],
    ['DELETE', `${read}, POST`, '/api/movies'],
    ['POST', `${read}, PATCH, DELETE`, '/api/movies/27'],
    ['PATCH', `${read}, POST`, '/api/movies'],
    ['PATCH', undefined, '/api/movies/abc /api/movies/0 /api/movies/027 /api/movies/%32%37 /api/movies/27/'],
    ['PATCH', undefined, '/api/movies/9007199254740992 /api/Movies/27'],
    ['DELETE', undefined, '/api/movies/abc /api/movies/0 /api/movies/027 /api/films/27 /api/movies/'],
    ['POST', undefined, '/api/movies/ //api/movies /api/films / /receipts/'],
  ])(
    '%s with the allowed methods %s is refused before the key and the body are read: %s',
    async (method, allow, targets) => {
      for (const target of targets.split(' '))
        for (const headers of [{}, { 'x-api-key': running.service.key, 'Content-Type': 'nonsense' }]) {
          // Node's client sends the body of a DELETE without its length.
          const length = { 'Content-Length': '100000' };
          const sent = { method, headers: { ...headers, ...length }, body: 'x'.repeat(100_000) };
          const reply = await running.service.ask(target, sent);
          const status = allow === undefined ? 404 : 405;
          expect([target, reply.status, reply.headers.allow]).toEqual([target, status, allow]);
          expectProblem(reply.body, status);
        }
    },
  );
});
