/** A batch is carried out as a whole or not at all, with one group of receipts, and shown by every GET when it is answered. */
import { describe, expect, it } from 'vitest';
import type { JsonValue } from '../../api/contract/bodies.ts';
import type { Reply } from '../support/http.ts';
import { smallestBody } from './random-bodies.ts';
import {
  documentOf,
  expectShown,
  faultsOf as refusedFaults,
  receiptAt,
  receiptOf,
  useWritingService,
} from './writing-service.ts';

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

const receipt = (id: number | null) => receiptAt(running.service, `/receipts/${id}`);

/** The faults of a batch that is refused, each as "pointer: message". */
const faultsOf = (status: number, writes: JsonValue) =>
  refusedFaults(running.service, status, () => send(writes));

describe('a batch', () => {
  it('adds a film, a person and their nomination at once, in one snapshot', async () => {
    const { service } = running;
    const before = service.snapshot();
    const reply = await send([
      post('movies', { id: 5001, title: 'Batched Film' }),
      post('nominees', { id: 5001, name: 'Batched Person' }),
      nomination(5001, { movie_id: 5001, nominee_id: 5001, movie: 'Batched Film', winner: true }),
      patch('ceremonies/1', { venue: 'Batched Hall' }),
    ]);
    const { group, data } = resultOf(reply);
    expect(data.map(({ status, path }) => [status, path])).toEqual([
      [201, '/api/movies/5001'],
      [201, '/api/nominees/5001'],
      [201, '/api/nominations/5001'],
      [200, '/api/ceremonies/1'],
    ]);
    expect(data[2]!.record).toMatchObject({ movie: 'Batched Film', nominee: 'Batched Person', winner: true });
    expect(service.snapshot()).not.toBe(before);
    expect(reply.headers.snapshot).toBe(service.snapshot());
    for (const { path, etag } of data) expect((await service.ask(path)).headers.etag).toBe(etag);
    await expectShown(service, ...data.map(({ path }) => path), '/api/search?q=batched');
    const receipts = await Promise.all(data.map((one) => receipt(one.receipt)));
    expect(receipts.map((one) => one.group)).toEqual(Array(4).fill(group));
    expect(group).toBe(data[0]!.receipt);
    expect(new Set(receipts.map(({ snapshot }) => snapshot))).toEqual(new Set([reply.headers.snapshot]));
  });

  it('writes without an id get the next free ones in order', async () => {
    const { data } = resultOf(
      await send([post('songs', { original_title: 'A' }), post('songs', { original_title: 'B' })]),
    );
    const [first, second] = data.map(({ record }) => Number(record.id));
    expect(second).toBe(first! + 1);
  });

  it('later writes see earlier ones: the last of several changes of a record stays', async () => {
    const { service } = running;
    const { data } = resultOf(
      await send([patch('movies/2', { title: 'One' }), patch('movies/2', { title: 'Two' })]),
    );
    expect(data.map(({ record }) => record.title)).toEqual(['One', 'Two']);
    const { headers } = await service.ask('/api/movies/2');
    expect(data.map(({ etag }) => etag)).toEqual([null, headers.etag]);
    expect((await receipt(data[1]!.receipt)).before).toEqual({ title: 'One' });
  });

  it('that changes nothing leaves no receipt and no group', async () => {
    const { service } = running;
    const receipts = service.receipts();
    const { group, data } = resultOf(await send([patch('movies/1', {}), patch('movies/3', {})]));
    expect(group).toBeNull();
    expect(data.map((one) => one.receipt)).toEqual([null, null]);
    expect(service.receipts()).toBe(receipts);
  });

  it('deletes records after what referred to them', async () => {
    const { service } = running;
    await send([post('movies', { id: 5200, title: 'Gone' }), nomination(5200, { movie_id: 5200 })]);
    expect(await faultsOf(409, [remove('movies/5200'), remove('nominations/5200')])).toEqual([
      '/0/path: /api/movies/5200 is still referred to by 1 nomination',
    ]);
    const etag = (await service.ask('/api/movies/5200')).headers.etag!;
    const { data } = resultOf(
      await send([remove('nominations/5200'), { ...remove('movies/5200'), if_match: etag }]),
    );
    expect(data).toMatchObject([
      { status: 200, path: '/api/nominations/5200', etag: null, record: { id: 5200, movie: 'Gone' } },
      { status: 200, path: '/api/movies/5200', etag: null, record: { id: 5200, title: 'Gone' } },
    ]);
    await expectShown(service, '/api/movies/5200', '/api/nominations/5200', '/api/search?q=gone');
  });

  it('a single write has no group', async () => {
    const write = await running.service.write('PATCH', '/api/movies/1', { tagline: 'Single' });
    expect(await receiptOf(running.service, write)).not.toHaveProperty('group');
  });

  it('has at most 200 writes, and all of them arrive in one snapshot', async () => {
    const renamed = (count: number) =>
      Array.from({ length: count }, (_, i) => patch(`movies/${1 + (i % 3)}`, { tagline: `Of ${i}` }));
    expect(await faultsOf(422, renamed(201))).toEqual([': must be a list of 1 to 200 writes']);
    expect(await faultsOf(422, [])).toEqual([': must be a list of 1 to 200 writes']);
    const { data } = resultOf(await send(renamed(200)));
    expect(data).toHaveLength(200);
    const receipts = await Promise.all([data[0]!, data[199]!].map((one) => receipt(one.receipt)));
    expect(receipts[0]!.snapshot).toBe(receipts[1]!.snapshot);
  });
});

describe('a refused batch', () => {
  it('names the position of its first refused write and every fault of it, and changes nothing', async () => {
    const address =
      'must be the address of a list, such as /api/movies, or of a record, such as /api/movies/1';
    const refused: [write: JsonValue, ...faults: string[]][] = [
      [
        patch('movies/1', { titel: 'x', runtime: -1 }),
        '/body/titel: unknown field "titel"; did you mean "title"?',
        '/body/runtime: must be a whole number from 0 to 9007199254740991 or null',
      ],
      [nomination(5100, { movie_id: 424_242 }), '/body/movie_id: there is no movie with id 424242'],
      [7, ': must be a JSON object'],
      [
        { method: 'PUT', path: '/api/movies', body: {}, more: 1 },
        '/more: unknown member "more"; a write has method, path, body, if_match',
        '/method: must be POST, PATCH or DELETE',
      ],
      [{ path: '/api/categories/1', body: {} }, '/method: is required', `/path: ${address}`],
      [post('movies/1', {}), '/path: takes PATCH and DELETE, not POST'],
      [{ method: 'DELETE', path: '/api/movies' }, '/path: takes POST, not DELETE'],
      [{ ...remove('movies/1'), body: {} }, '/body: must be left out of a DELETE'],
      [{ method: 'PATCH', path: '/api/movies/1' }, '/body: is required'],
      [patch('movies/abc', {}), `/path: ${address}`],
      [post('batch', []), `/path: ${address}`],
      [{ ...patch('movies/1', {}), if_match: 1 }, '/if_match: must be a text'],
      [patch('movies/1', null), '/body: must be a JSON object'],
    ];
    for (const [write, ...faults] of refused)
      expect(
        await faultsOf(422, [
          patch('movies/1', { title: 'Never' }),
          write,
          patch('movies/1', { titel: 'x' }),
        ]),
      ).toEqual(faults.map((fault) => `/1${fault}`));
  });

  it('is refused as its first refused write would be: 422, 404, 409, 412', async () => {
    const invalid = patch('movies/1', { runtime: 'x' });
    const missing = patch('movies/424242', {});
    const taken = nomination(1);
    const stale = patch('movies/2', {}, '"stale"');
    expect(await faultsOf(422, [invalid, missing])).toEqual([expect.stringMatching('^/0/body/runtime: ')]);
    expect(await faultsOf(404, [missing, taken])).toEqual(['/0/path: there is no record 424242']);
    expect(await faultsOf(409, [taken, stale])).toEqual([
      '/0/body/id: there is a record 1 already; PATCH changes it',
    ]);
    expect(await faultsOf(412, [stale, invalid])).toEqual([
      '/0/if_match: If-Match does not list the current strong ETag of /api/movies/2; read the record again',
    ]);
  });

  it('is refused with the header If-Match, if everything else is valid', async () => {
    const { service } = running;
    const receipts = service.receipts();
    for (const condition of ['*', '"x"', (await service.ask('/api/movies/2')).headers.etag!]) {
      const status = async (...writes: JsonValue[]) => (await send(writes, { 'If-Match': condition })).status;
      expect(await status(patch('movies/2', { runtime: 61 }), post('movies', { title: 'New' }))).toBe(412);
      expect(await status(patch('movies/2', { runtime: 'x' }))).toBe(422);
      expect(await status(nomination(1))).toBe(409);
    }
    expect(service.receipts()).toBe(receipts);
  });

  it('a record is compared with if_match as it was before the batch', async () => {
    const { service } = running;
    const etag = (await service.ask('/api/movies/1')).headers.etag!;
    const writes = [patch('movies/1', { runtime: 77 }, etag), patch('movies/1', { runtime: 78 }, etag)];
    expect(resultOf(await send(writes)).data[1]!.record.runtime).toBe(78);
    expect(await faultsOf(412, writes)).toEqual([expect.stringMatching('^/0/if_match: ')]);
  });

  it('the checks before the body are those of single writes', async () => {
    const { service } = running;
    const batch = JSON.stringify([patch('movies/1', { runtime: 1 })]);
    const status = async (method: string, headers: object, body = batch) =>
      (await service.ask('/api/batch', { method, headers: { ...headers }, body })).status;
    const json = { 'Content-Type': 'application/json' };
    const key = { 'x-api-key': service.key };
    expect(await status('PATCH', { ...key, ...json })).toBe(405);
    expect(await status('GET', key)).toBe(405);
    expect(await status('POST', json)).toBe(401);
    expect(await status('POST', { ...key, 'Content-Type': 'application/merge-patch+json' })).toBe(415);
    expect(await status('POST', { ...key, ...json }, batch.padEnd(70_000))).toBe(413);
    expect(await status('POST', { ...key, ...json }, '[{"a":1,"a":2}]')).toBe(400);
    expect(await status('POST', { ...key, ...json }, '{}')).toBe(422);
  });
});
