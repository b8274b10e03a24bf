/** The client gives the same answers and errors over HTTP and over a snapshot, and its types are those of the answers. */
import { afterEach, beforeAll, beforeEach, describe, expect, expectTypeOf, it, vi } from 'vitest';
import {
  ApiProblem,
  type Client,
  createClient,
  etagOf,
  fetchSource,
  type Honor,
  type Movie,
  type NewRecord,
  snapshotFetch,
} from '../../api/client/index.ts';
import type { DocumentAt, ReadPath } from '../../api/client/types.ts';
import type { ChangeIndex, ChangeList, ChangesAnswer, ReleaseIndex } from '../../api/contract/answers.ts';
import { fileSource } from '../../api/read/node-source.ts';
import { useWritingService } from '../support/writing-service.ts';

const running = useWritingService();
const address = () => `http://127.0.0.1:${running.service.port}`;
let overHttp: Client;
let overSnapshot: Client;
beforeAll(() => {
  overHttp = createClient({ baseUrl: `${address()}/`, key: running.service.key });
  overSnapshot = createClient({ fetch: snapshotFetch(fileSource(running.service.out)) });
});

const problemOf = async (asked: Promise<unknown>): Promise<ApiProblem> => {
  const error: unknown = await asked.catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(ApiProblem);
  return error as ApiProblem;
};
async function collected<T>(records: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const record of records) all.push(record);
  return all;
}

describe.each([
  ['over HTTP', () => overHttp],
  ['over a snapshot', () => overSnapshot],
])('%s', (_name, clientNow) => {
  it('the documents and their types have the members that include and fields ask for', async () => {
    const client = clientNow();
    const movies = await client.get('/api/movies', { limit: 2, ids: [1, 2, 3] });
    expect(movies.pagination).toMatchObject({ total: 3, limit: 2, hasNextPage: true });
    expectTypeOf(movies.data).toExtend<Movie[]>();
    const films = await client.get('/api/movies', {
      ...{ ids: [1, 3], sort: '-title', include: ['nominations', 'counts'] },
      fields: ['title', 'nominations', 'counts'],
    });
    const [film] = films.data;
    expect(Object.keys(film!)).toEqual(['title', 'nominations', 'counts']);
    expect(film!.nominations).toHaveLength(film!.counts.nominations);
    expectTypeOf(film!).not.toHaveProperty('runtime');
    expectTypeOf(film!.nominations[0]!).not.toHaveProperty('details');
    expectTypeOf(movies.data[0]!).not.toHaveProperty('counts');
    const detailed = await client.get('/api/nominees/1', { include: ['details'] });
    expect(detailed.nominations[0]!.details.official).toBeTypeOf('boolean');
    const dated = await client.get('/api/movies', { include: ['film_year'], fields: ['id', 'film_year'] });
    expect(Object.keys(dated.data[0]!)).toEqual(['id', 'film_year']);
    expectTypeOf(dated.data[0]!.film_year).toEqualTypeOf<number | null>();
    const honors = await client.get('/api/honors');
    const { ceremony_id } = honors.data[0]!;
    const ceremony = await client.get(`/api/ceremonies/${ceremony_id}`, { include: ['honors'] });
    expect(ceremony.honors).toEqual(honors.data.filter((honor) => honor.ceremony_id === ceremony_id));
    expectTypeOf(ceremony.honors).toEqualTypeOf<Honor[]>();
  });

  it('what publishes changed is asked and typed like the other documents', async () => {
    const client = clientNow();
    const changes = await client.get('/api/changes');
    expect(changes).toEqual({ snapshot: running.service.snapshot(), data: [] });
    expectTypeOf(changes.data).toEqualTypeOf<ChangesAnswer['data']>();
    type At<P extends ReadPath> = DocumentAt<P>;
    expectTypeOf<At<'/changes/2025.json'>>().toEqualTypeOf<ChangeList>();
    expectTypeOf<At<'/changes/index.json'>>().toEqualTypeOf<ChangeIndex>();
    expectTypeOf<At<'/downloads/releases.json'>>().toEqualTypeOf<ReleaseIndex>();
  });

  it('an iteration has the records of all pages of a list, and of a list without pages', async () => {
    const client = clientNow();
    const { pagination } = await client.get('/api/nominations', { limit: 1 });
    const ids = (await collected(client.all('/api/nominations'))).map(({ id }) => id);
    expect(ids).toHaveLength(pagination.total);
    expect(ids).toEqual([...new Set(ids)].sort((a, b) => a - b));
    expect(await collected(client.all('/api/categories'))).toHaveLength(
      (await client.get('/api/categories')).count,
    );
  });

  it('the known document is returned if it is still current', async () => {
    const client = clientNow();
    const movie = await client.get('/api/movies/3');
    expect(etagOf(movie)).toMatch(/^"[0-9a-f]{20}"$/);
    expect(await client.get('/api/movies/3', {}, { known: movie })).toBe(movie);
    expect(await client.get('/api/movies/3')).not.toBe(movie);
  });

  it('a refusal is an ApiProblem with every fault', async () => {
    const wrong = { page: 0, catagory: 'x' } as { page: number };
    const problem = await problemOf(clientNow().get('/api/nominations', wrong));
    expect(problem).toMatchObject({
      status: 400,
      code: 'invalid-parameters',
      message: expect.stringContaining('page'),
    });
    expect(problem.errors).toMatchObject([{ parameter: 'page' }, { parameter: 'catagory' }]);
    expect(await problemOf(clientNow().get('/api/songs/999999'))).toMatchObject({ code: 'no-such-record' });
  });
});

it('the answers and their ETags are the same over HTTP and over a snapshot, at an address with or without a slash', async () => {
  const questions: ((client: Client) => Promise<object>)[] = [
    (client) => client.get('/api/movies', { title: 'a&b=c+d%' }),
    (client) => client.get('/api/nominations/1'),
    (client) => client.get('/api/stats/top-nominees', { category_group: 'acting' }),
  ];
  const others = ['', '/'].map((end) => createClient({ fetch: snapshotFetch(fetchSource(address() + end)) }));
  for (const ask of questions)
    for (const client of [overSnapshot, createClient({ baseUrl: address() }), ...others]) {
      const [there, here] = [await ask(overHttp), await ask(client)];
      expect([here, etagOf(here)]).toEqual([there, etagOf(there)]);
    }
});

it('a signal ends a request that gets no answer, over HTTP and over a snapshot', async () => {
  const never = new Promise<never>(() => {});
  const untilAborted = (_input: unknown, { signal }: RequestInit = {}) =>
    new Promise<never>((_resolve, reject) =>
      signal!.addEventListener('abort', () => reject(signal!.reason as Error)),
    );
  for (const fetch of [untilAborted, snapshotFetch({ file: () => never, shard: () => never })]) {
    const asked = createClient({ baseUrl: 'http://slow.invalid', fetch }).get(
      '/api/movies',
      {},
      { signal: AbortSignal.timeout(20) },
    );
    await expect(asked).rejects.toMatchObject({ name: 'TimeoutError' });
  }
});

describe('a write', () => {
  it('returns the record, its ETag, its receipt and the snapshot', async () => {
    const created = await overHttp.post('/api/songs', { original_title: 'Fourth Song' });
    const path = `/api/songs/${created.record.id}` as const;
    expect(created.snapshot).toBe(running.service.snapshot());
    expect(etagOf(await overHttp.get(path))).toBe(created.etag);
    const changed = await overHttp.patch(path, { streaming_year: 1999 }, { ifMatch: created.etag });
    expect(changed.record).toMatchObject({ streaming_year: 1999 });
    const late = await problemOf(overHttp.delete(path, { ifMatch: created.etag }));
    expect(late).toMatchObject({ status: 412, code: 'precondition-failed' });
    expect(await overHttp.get(`/receipts/${changed.receipt!}`)).toMatchObject({
      action: 'update',
      key: 'editor',
    });
    const removed = await overHttp.delete(path, { ifMatch: changed.etag });
    expect(removed).toMatchObject({ record: { original_title: 'Fourth Song' }, etag: undefined });
    expect((await problemOf(overHttp.get(path))).code).toBe('no-such-record');
  });

  it('may be one of a batch, whose faults have positions', async () => {
    const { etag } = await overHttp.post('/api/songs', { id: 70, original_title: 'Fifth Song' });
    const { group, snapshot, ...batch } = await overHttp.batch([
      { method: 'POST', path: '/api/movies', body: { id: 70, title: 'Batched' } },
      { method: 'PATCH', path: '/api/songs/70', body: { streaming_year: 2001 }, if_match: etag },
    ]);
    const writes = batch.data;
    expect([snapshot, writes[0]!.receipt]).toEqual([running.service.snapshot(), group]);
    expect(writes[0]!.etag).toBe(etagOf(await overHttp.get('/api/movies/70')));
    const refused = overHttp.batch([{ method: 'PATCH', path: '/api/movies/71', body: { title: 'Never' } }]);
    expect(await problemOf(refused)).toMatchObject({
      code: 'no-such-record',
      errors: [{ pointer: '/0/path' }],
    });
  });

  it('that is refused is an ApiProblem with every fault of the body', async () => {
    const wrong = { title: '', runtime: -1 } satisfies NewRecord<'movies'>;
    const { errors } = await problemOf(overHttp.post('/api/movies', wrong));
    expect(errors).toMatchObject([{ pointer: '/title' }, { pointer: '/runtime' }]);
    const codeOf = async (client: Client) =>
      (await problemOf(client.post('/api/movies', { title: 'x' }))).code;
    expect(await codeOf(createClient({ baseUrl: address() }))).toBe('unauthorized');
    expect(await codeOf(overSnapshot)).toBe('method-not-allowed');
  });

  it('is not refused because a proxy compresses and makes the ETags of answers weak', async () => {
    const compressing: typeof fetch = async (input, init) => {
      const answer = await fetch(input, init);
      const headers = new Headers(answer.headers);
      headers.set('ETag', `W/${headers.get('ETag')}`);
      return new Response(await answer.text(), { status: answer.status, headers });
    };
    const client = createClient({ baseUrl: address(), key: running.service.key, fetch: compressing });
    const { etag } = await client.patch(
      '/api/movies/2',
      { runtime: 101 },
      { ifMatch: etagOf(await client.get('/api/movies/2')) },
    );
    expect((await client.patch('/api/movies/2', { runtime: 102 }, { ifMatch: etag })).record.runtime).toBe(
      102,
    );
  });
});

it('an answer that is not one of the service is an ApiProblem without a code', async () => {
  const html = (status: number) =>
    new Response('<h1>Sign in</h1>', { status, headers: { 'Retry-After': '7' } });
  for (const status of [502, 200]) {
    const client = createClient({ baseUrl: 'http://proxy.invalid', fetch: async () => html(status) });
    const problem = { status, type: 'about:blank', code: undefined, retryAfter: 7 };
    expect(await problemOf(client.get('/api/movies'))).toMatchObject(problem);
  }
});

it('the key is sent only with requests that need it', async () => {
  const shown: string[] = [];
  const watch: typeof fetch = async (input, init) => {
    if (new Headers(init?.headers).has('x-api-key')) shown.push(new URL(String(input)).pathname);
    return Response.json({});
  };
  const client = createClient({ baseUrl: 'http://a.invalid', key: 'secret', fetch: watch });
  for (const path of ['/api/movies', '/receipts', '/downloads/index.json'] as const) await client.get(path);
  await client.patch('/api/movies/1', {});
  expect(shown).toEqual(['/receipts', '/api/movies/1']);
});

describe('at the rate limit of the service', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  /** The ids of three pages of one record. @param refuses whether the request with a number, from 1, is answered with 429 */
  const idsOf = async (refuses: (request: number) => boolean) => {
    let requests = 0;
    const answers: typeof fetch = async (input) => {
      requests += 1;
      const page = Number(/page=(\d+)/.exec(String(input))![1]);
      if (!refuses(requests))
        return Response.json({ data: [{ id: page }], pagination: { hasNextPage: page < 3 } });
      const problem = { type: 'about:blank', title: 'Too many requests', detail: 'wait' };
      return Response.json(problem, { status: 429, headers: { 'Retry-After': '60' } });
    };
    return (await collected(createClient({ fetch: answers }).all('/api/movies'))).map(({ id }) => id);
  };

  it('an iteration waits as long as the service says, and misses no record', async () => {
    const done = vi.fn();
    const ids = idsOf((request) => request % 2 === 0).finally(done);
    await vi.advanceTimersByTimeAsync(119_000);
    expect(done).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1000);
    expect(await ids).toEqual([1, 2, 3]);
  });
});
