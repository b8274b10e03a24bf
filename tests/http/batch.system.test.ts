/** A batch is carried out as a whole or not at all, with one group of receipts, and shown by every GET when it is answered. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { JsonValue } from '../../api/contract/bodies.ts';
import { writableResources } from '../../api/contract/names.ts';
import type { Reply } from '../support/http.ts';
import { runs } from '../support/settings.ts';
import { anyBadField, anyBody, smallestBody } from './random-bodies.ts';
import { expectProblem } from '../support/running-service.ts';
import {
  documentOf,
  expectShown,
  faultsOf as refusedFaults,
  receiptOf,
  useWritingService,
} from '../support/writing-service.ts';

const running = useWritingService();
const send = (writes: JsonValue, headers = {}) =>
  running.service.write('POST', '/api/batch', writes, headers);
const post = (resource: string, body: JsonValue) => ({ method: 'POST', path: `/api/${resource}`, body });
const patch = (path: string, body: JsonValue, ifMatch?: string) => ({
  ...{ method: 'PATCH', path: `/api/${path}`, body },
  ...(ifMatch !== undefined && { if_match: ifMatch }),
});
const remove = (path: string) => ({ method: 'DELETE', path: `/api/${path}` });
const nomination = (id: number, references: Record<string, JsonValue> = {}) =>
  post('nominations', { id, ...smallestBody.nominations, ...references });

interface Result {
  group: number | null;
  data: {
    status: number;
    path: string;
    etag: string | null;
    receipt: number | null;
    record: Record<string, JsonValue>;
  }[];
}
function resultOf(reply: Reply): Result {
  expect(reply.status, reply.body.toString()).toBe(200);
  return documentOf(reply) as unknown as Result;
}
const receipt = (id: number | null) => receiptOf(running.service, `/receipts/${id}`);
/** The faults of a batch that is refused, each as "pointer: message". */
const faultsOf = (status: number, writes: JsonValue, headers = {}) =>
  refusedFaults(running.service, status, () => send(writes, headers));

describe('a batch', () => {
  it('adds a film, a person and their nomination at once, in one snapshot and one group of receipts', async () => {
    const { service } = running;
    const reply = await send([
      post('movies', { id: 5001, title: 'Batched Film' }),
      post('nominees', { id: 5001, name: 'Batched Person' }),
      nomination(5001, { movie_id: 5001, nominee_id: 5001, movie: 'Batched Film', winner: true }),
      patch('ceremonies/1', { venue: 'Batched Hall' }),
    ]);
    const { group, data } = resultOf(reply);
    expect(data).toMatchObject([
      { status: 201, path: '/api/movies/5001' },
      { status: 201, path: '/api/nominees/5001' },
      {
        status: 201,
        path: '/api/nominations/5001',
        record: { movie: 'Batched Film', nominee: 'Batched Person' },
      },
      { status: 200, path: '/api/ceremonies/1' },
    ]);
    expect(reply.headers.snapshot).toBe(service.snapshot());
    for (const { path, etag } of data) expect((await service.ask(path)).headers.etag).toBe(etag);
    await expectShown(service, ...data.map(({ path }) => path), '/api/search?q=batched');
    expect(group).toBe(data[0]!.receipt);
    for (const one of data)
      expect(await receipt(one.receipt)).toMatchObject({ group, snapshot: reply.headers.snapshot });
    const single = await service.write('PATCH', '/api/movies/1', { tagline: 'Single' });
    expect(await receiptOf(service, single)).not.toHaveProperty('group');
  });

  it('sees in later writes what earlier ones wrote: ids, changes and deletions', async () => {
    const { service } = running;
    const { data } = resultOf(
      await send([
        ...[post('songs', { original_title: 'A' }), post('songs', { original_title: 'B' })],
        ...[patch('movies/2', { title: 'One' }), patch('movies/2', { title: 'Two' })],
        ...[nomination(5200, { movie_id: 5001 }), remove('nominations/5200')],
      ]),
    );
    expect(Number(data[1]!.record.id)).toBe(Number(data[0]!.record.id) + 1);
    expect([data[2]!.record.title, data[3]!.record.title]).toEqual(['One', 'Two']);
    // Only the last state of a record has an ETag.
    expect([data[2]!.etag, data[3]!.etag]).toEqual([null, (await service.ask('/api/movies/2')).headers.etag]);
    expect((await receipt(data[3]!.receipt)).before).toEqual({ title: 'One' });
    expect(data[5]).toMatchObject({ status: 200, etag: null, record: { id: 5200, movie_id: 5001 } });
    await expectShown(service, '/api/nominations/5200', '/api/movies/5001');
  });

  it('has 1 to 1000 writes', async () => {
    const writes = (count: number) =>
      Array.from({ length: count }, (_, i) => patch('movies/1', { tagline: `Of ${i}` }));
    for (const count of [0, 1001])
      expect(await faultsOf(422, writes(count))).toEqual([': must be a list of 1 to 1000 writes']);
    expect(await faultsOf(422, {})).toEqual([': must be a list of 1 to 1000 writes']);
    expect(resultOf(await send(writes(1000))).data).toHaveLength(1000);
  });

  it('keeps the note of each write in its receipt, and refuses one that is empty or too long', async () => {
    const noted = (runtime: number, note: JsonValue) => ({ ...patch('movies/1', { runtime }), note });
    const { data } = resultOf(
      await send([
        noted(91, 'source: the programme'),
        { ...post('songs', { id: 5300, original_title: 'Noted' }), note: 'source: \u266a' },
        { ...remove('songs/5300'), note: 'twice' },
        patch('movies/1', { runtime: 92 }),
      ]),
    );
    const notes = await Promise.all(data.map(async (one) => (await receipt(one.receipt)).note));
    expect(notes).toEqual(['source: the programme', 'source: \u266a', 'twice', undefined]);
    for (const note of ['', 'x'.repeat(1001), 7, null])
      expect(await faultsOf(422, [noted(93, note)])).toEqual([
        '/0/note: must be a text of 1 to 1000 characters',
      ]);
  });

  it('compares if_match with the records as they were before it', async () => {
    const etag = (await running.service.ask('/api/movies/1')).headers.etag!;
    const writes = [patch('movies/1', { runtime: 77 }, etag), patch('movies/1', { runtime: 78 }, etag)];
    expect(resultOf(await send(writes)).data[1]!.record.runtime).toBe(78);
    expect(await faultsOf(412, writes)).toEqual([expect.stringMatching('^/0/if_match: ')]);
  });
});

describe('a batch is refused, with nothing changed,', () => {
  /** Status, write → its faults. */
  const table = `
422 {"method":"PATCH","path":"/api/movies/1","body":{"titel":1,"runtime":-1}} → /body/titel: unknown field "titel"; did you mean "title"? | /body/runtime: must be a whole number from 0 to 9007199254740991 or null
422 {"method":"POST","path":"/api/nominations","body":{"id":5100,"ceremony_id":1,"category_id":1,"movie_id":424242,"nominee_id":1}} → /body/movie_id: there is no movie with id 424242
422 {"method":"PUT","path":"/api/movies","body":{},"more":1} → /more: unknown member "more"; a write has method, path, body, if_match, note | /method: must be POST, PATCH or DELETE
422 {"path":"/api/categories/1","body":{}} → /method: is required | /path: must be the address of a list, such as /api/movies, or of a record, such as /api/movies/1
422 {"method":"POST","path":"/api/movies/1","body":{}} → /path: takes PATCH and DELETE, not POST
422 {"method":"DELETE","path":"/api/movies/1","body":{},"if_match":1} → /body: must be left out of a DELETE | /if_match: must be a text
404 {"method":"PATCH","path":"/api/movies/424242","body":{"title":"x"}} → /path: there is no record 424242
409 {"method":"POST","path":"/api/movies","body":{"id":1,"title":"x"}} → /body/id: there is a record 1 already; PATCH changes it
409 {"method":"DELETE","path":"/api/movies/5001"} → /path: /api/movies/5001 is still referred to by 1 nomination
412 {"method":"PATCH","path":"/api/movies/2","body":{},"if_match":"\\"stale\\""} → /if_match: If-Match does not list the current strong ETag of /api/movies/2; read the record again`;
  it.each(table.trim().split('\n'))('with the place of each fault: %s', async (row) => {
    const [, status, write, faults] = /^(\d+) (.*) → (.*)$/.exec(row)!;
    const batch = [patch('movies/3', { tagline: 'Never' }), JSON.parse(write!) as JsonValue, 7];
    expect(await faultsOf(Number(status), batch)).toEqual(faults!.split(' | ').map((fault) => `/1${fault}`));
  });

  it('with the header If-Match', async () => {
    const { etag } = (await running.service.ask('/api/movies/2')).headers;
    for (const condition of ['*', etag!])
      expect(await faultsOf(412, [patch('movies/2', { runtime: 61 })], { 'If-Match': condition })).toEqual(
        [],
      );
  });
});

it('any batch is either refused with nothing changed, or carried out as a whole and shown', async () => {
  const { service } = running;
  const anyMember = fc.constantFrom(...writableResources).chain((resource) => {
    const body = anyBody(resource).map(({ id: _, ...fields }) => fields);
    const bad = fc
      .tuple(body, anyBadField(resource))
      .map(([fields, [field, value]]) => ({ ...fields, [field]: value }));
    const numbered = fc
      .tuple(body, fc.integer({ min: 1, max: 60 }))
      .map(([fields, id]) => ({ ...fields, id }));
    return fc.oneof(
      { weight: 6, arbitrary: numbered.map((fields) => post(resource, fields)) },
      { weight: 9, arbitrary: body.map((fields) => patch(`${resource}/2`, fields)) },
      { weight: 1, arbitrary: bad.map((fields) => patch(`${resource}/1`, fields)) },
      { weight: 2, arbitrary: fc.integer({ min: 1, max: 60 }).map((id) => remove(`${resource}/${id}`)) },
    );
  });
  let accepted = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(anyMember, { minLength: 1, maxLength: 3 }), async (batch) => {
      const receipts = service.receipts();
      const reply = await send(batch as JsonValue);
      if (reply.status >= 400) {
        expect(reply.status).toBeLessThan(500);
        expectProblem(reply.body, reply.status);
        expect(service.receipts()).toBe(receipts);
        return;
      }
      accepted += 1;
      const { data } = resultOf(reply);
      expect(data.map(({ status }) => status)).toEqual(
        batch.map(({ method }) => (method === 'POST' ? 201 : 200)),
      );
      expect(service.receipts()).toBe(receipts + data.filter((one) => one.receipt !== null).length);
      expect(reply.headers.snapshot).toBe(service.snapshot());
      await expectShown(service, ...data.map(({ path }) => path));
    }),
    { numRuns: runs(16) },
  );
  expect(accepted).toBeGreaterThan(0);
});
