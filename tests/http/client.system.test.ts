/** The client gives the same answers and errors over HTTP and over a snapshot. */
import { afterEach, beforeAll, beforeEach, describe, expect, expectTypeOf, it, vi } from 'vitest';
import {
  ApiProblem,
  type Client,
  type ClientOptions,
  createClient,
  etagOf,
  fetchSource,
  type Movie,
  type NewRecord,
  type RequiredFieldOf,
  snapshotFetch,
} from '../../api/client/index.ts';
import { requiredFields } from '../../api/contract/bodies.ts';
import type { WritableResource } from '../../api/contract/names.ts';
import { defaultLimit } from '../../api/contract/parameters.ts';
import { fileSource } from '../../api/read/node-source.ts';
import { useWritingService } from './writing-service.ts';

const running = useWritingService();
let overHttp: Client;
let overSnapshot: Client;
beforeAll(() => {
  const { port, out, key } = running.service;
  overHttp = createClient({ baseUrl: `http://127.0.0.1:${port}/`, key });
  overSnapshot = createClient({ fetch: snapshotFetch(fileSource(out)) });
});

const never = new Promise<never>(() => {});
const neverBefore = (signal: AbortSignal): Promise<never> =>
  new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)));

const problemOf = async (asked: Promise<unknown>): Promise<ApiProblem> => {
  const error: unknown = await asked.catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(ApiProblem);
  return error as ApiProblem;
};

describe.each([
  ['over HTTP', () => overHttp],
  ['over a snapshot', () => overSnapshot],
])('%s', (_name, clientNow) => {
  it('lists, reads, searches and ranks', async () => {
    const client = clientNow();
    const movies = await client.get('/api/movies', { limit: 2, ids: [1, 2, 3] });
    expect(movies.pagination).toMatchObject({ total: 3, limit: 2, hasNextPage: true });
    expect((await client.get('/api/movies/3')).title).toBe('Third Film');
    const { data } = await client.get('/api/ceremonies');
    expect(data.length).toBeGreaterThan(1);
    const found = await client.get('/api/search', { q: 'an', limit: 1 });
    expect(found.query).toBe('an');
    const { count } = await client.get('/api/stats/top-movies', { sort: 'wins', limit: 3 });
    expect(count).toBe(3);
    const totals = await client.get('/api/stats/counts', { by: 'genre', winner: true });
    expect(totals).toMatchObject({ by: 'genre', count: totals.data.length });
    expectTypeOf(totals.data[0]!.key).toEqualTypeOf<number | string | null>();
    expectTypeOf(movies.data).toExtend<Movie[]>();
  });

  it('has the members in its types that include and fields ask for', async () => {
    const client = clientNow();
    const films = await client.get('/api/movies', {
      ids: [1, 3],
      include: ['nominations', 'counts'],
      fields: ['title', 'nominations', 'counts'],
      sort: '-title',
    });
    const [film] = films.data;
    expect(Object.keys(film!)).toEqual(['title', 'nominations', 'counts']);
    expect(film!.nominations).toHaveLength(film!.counts.nominations);
    expectTypeOf(film!).toHaveProperty('counts');
    expectTypeOf(film!).not.toHaveProperty('runtime');
    expectTypeOf(film!.nominations[0]!).not.toHaveProperty('details');
    const [plain] = (await client.get('/api/movies')).data;
    expectTypeOf(plain!).toHaveProperty('runtime');
    expectTypeOf(plain!).not.toHaveProperty('counts');
    const detailed = await client.get('/api/nominees/1', { include: ['details'] });
    expect(detailed.nominations[0]!.details.official).toBeTypeOf('boolean');
    const { name } = await client.get('/api/nominees/1', { fields: ['name'] });
    expect(name).toBe(detailed.name);
    for await (const hit of client.all('/api/search', {
      q: 'an',
      fields: ['id', 'details'],
      include: ['details'],
    })) {
      expect(Object.keys(hit)).toEqual(['id', 'details']);
      expectTypeOf(hit).not.toHaveProperty('movie');
    }
    // @ts-expect-error: the list of songs has no counts
    const wrong = await problemOf(client.get('/api/songs', { include: ['counts'] }));
    expect(wrong.errors).toHaveLength(1);
    // @ts-expect-error: films have no artist to sort by
    const unsorted = await problemOf(client.get('/api/movies', { limit: 2, sort: 'artist' }));
    expect(unsorted.errors).toHaveLength(1);
    // @ts-expect-error: films have no member titel
    const untitled = await problemOf(client.get('/api/movies', { fields: ['titel'] }));
    expect(untitled.message).toContain('did you mean "title"?');
  });

  it('iterates over all pages of a list and of a search, and over a list without pages', async () => {
    const client = clientNow();
    const { pagination } = await client.get('/api/nominations');
    expect(pagination.total).toBeGreaterThan(defaultLimit);
    const ids: number[] = [];
    for await (const { id } of client.all('/api/nominations')) ids.push(id);
    expect(ids).toHaveLength(pagination.total);
    expect(ids).toEqual([...ids].sort((a, b) => a - b));
    const { pagination: hits } = await client.get('/api/search', { q: 'an', limit: 100 });
    let found = 0;
    for await (const _hit of client.all('/api/search', { q: 'an', limit: 7 })) found += 1;
    expect(found).toBe(hits.total);
    let categories = 0;
    for await (const _category of client.all('/api/categories')) categories += 1;
    expect(categories).toBe((await client.get('/api/categories')).count);
  });

  it('returns the known document if it is still current', async () => {
    const client = clientNow();
    const movie = await client.get('/api/movies/3');
    expect(etagOf(movie)).toMatch(/^"[0-9a-f]{20}"$/);
    expect(await client.get('/api/movies/3', {}, { known: movie })).toBe(movie);
    expect(await client.get('/api/movies/3')).not.toBe(movie);
    const other = await client.get('/api/movies/1', {}, { known: movie });
    expect(other.id).toBe(1);
  });

  it('throws an ApiProblem with every fault of a query', async () => {
    const wrong = { page: 0, catagory: 'x' } as { page: number };
    const problem = await problemOf(clientNow().get('/api/nominations', wrong));
    expect(problem).toMatchObject({ status: 400, code: 'invalid-parameters' });
    const names = problem.errors.map((fault) => 'parameter' in fault && fault.parameter);
    expect(names).toEqual(['page', 'catagory']);
    expect(problem.message).toContain('page');
    expect(await problemOf(clientNow().get('/api/songs/999999'))).toMatchObject({ code: 'no-such-record' });
  });

  it('stops when its signal is aborted', async () => {
    const stop = new AbortController();
    stop.abort();
    await expect(clientNow().get('/api/movies', {}, { signal: stop.signal })).rejects.toMatchObject({
      name: 'AbortError',
    });
  });
});

it.each(['', '/'])('takes the address of the service and of the files with "%s" at its end', async (end) => {
  const address = `http://127.0.0.1:${running.service.port}${end}`;
  for (const options of [{ baseUrl: address }, { fetch: snapshotFetch(fetchSource(address)) }])
    expect((await createClient(options).get('/api/movies/3')).title).toBe('Third Film');
});

it('answers the same with the same ETag over HTTP and over a snapshot', async () => {
  const questions: ((client: Client) => Promise<object>)[] = [
    (client) => client.get('/api/nominations', { winner: true, category: 'é', yearStart: 1900 }),
    (client) => client.get('/api/movies', { title: 'a&b=c+d%' }),
    (client) => client.get('/api/nominations/1'),
    (client) => client.get('/api/stats/top-nominees', { category_group: 'acting' }),
    (client) => client.get('/api/stats/counts', { by: 'decade', yearStart: 1930 }),
  ];
  for (const ask of questions) {
    const [there, here] = [await ask(overHttp), await ask(overSnapshot)];
    expect(here).toEqual(there);
    expect(etagOf(here)).toBe(etagOf(there));
  }
});

it.each([
  [
    'over HTTP',
    () => ({ baseUrl: 'http://slow.invalid', fetch: (_input, init) => neverBefore(init.signal!) }),
  ],
  ['over a snapshot', () => ({ fetch: snapshotFetch({ file: () => never, shard: () => never }) })],
] satisfies [string, () => ClientOptions][])(
  '%s a signal ends a request that gets no answer',
  async (_name, options) => {
    const client = createClient(options());
    const signal = AbortSignal.timeout(20);
    await expect(client.get('/api/movies', {}, { signal })).rejects.toMatchObject({ name: 'TimeoutError' });
  },
);

it('adds and changes a record, and reads both receipts', async () => {
  const created = await overHttp.post('/api/songs', { original_title: 'Fourth Song' });
  const { id } = created.record;
  expect(created.snapshot).toBe(running.service.snapshot());
  const song = await overHttp.get(`/api/songs/${id}`);
  expect(etagOf(song)).toBe(created.etag);
  const changed = await overHttp.patch(
    `/api/songs/${id}`,
    { streaming_year: 1999 },
    { ifMatch: created.etag },
  );
  expect(changed.record).toMatchObject({ id, streaming_year: 1999 });
  const late = await problemOf(
    overHttp.patch(`/api/songs/${id}`, { streaming_year: 2000 }, { ifMatch: created.etag }),
  );
  expect(late).toMatchObject({ status: 412, code: 'precondition-failed' });
  const receipt = await overHttp.get(`/receipts/${changed.receipt!}`);
  expect(receipt).toMatchObject({ action: 'update', resource: 'songs', record_id: id, key: 'editor' });
  const { data } = await overHttp.get('/receipts', { before: changed.receipt });
  expect(data[0]!.id).toBe(created.receipt);
  expect((await overHttp.patch(`/api/songs/${id}`, {})).receipt).toBeUndefined();
});

it('writes the details of a nomination, and no other record takes details', async () => {
  const { record: known } = await overHttp.patch('/api/nominations/1', { details: { note: 'A remark.' } });
  expect(known.details).toMatchObject({ note: 'A remark.', official: true });
  expectTypeOf(known.details!.entry).toEqualTypeOf<number | null>();
  const references = { ceremony_id: 1, category_id: 1, movie_id: 1, nominee_id: 1 };
  const added = await overHttp.post('/api/nominations', {
    id: 900,
    ...references,
    details: { character: 'Herself' },
  });
  expect(added.record.details!.character).toBe('Herself');
  const body = { details: { character: null } };
  const { data: writes } = await overHttp.batch([{ method: 'PATCH', path: '/api/nominations/900', body }]);
  expect(writes[0]!.record).toMatchObject({ details: { character: null } });
  // @ts-expect-error: films have no details
  const wrong = await problemOf(overHttp.patch('/api/movies/1', { details: null }));
  expect(wrong.errors).toHaveLength(1);
});

it('deletes a record', async () => {
  const { record, etag } = await overHttp.post('/api/songs', { original_title: 'Short-lived' });
  const path = `/api/songs/${record.id}` as const;
  const refused = await problemOf(overHttp.delete(path, { ifMatch: '"x"' }));
  expect(refused.code).toBe('precondition-failed');
  const removed = await overHttp.delete(path, { ifMatch: etag });
  expect(removed).toMatchObject({
    record: { id: record.id, original_title: 'Short-lived' },
    etag: undefined,
  });
  const receipt = await overHttp.get(`/receipts/${removed.receipt!}`);
  expect(receipt).toMatchObject({ action: 'delete', record_id: record.id });
  expect((await problemOf(overHttp.get(path))).code).toBe('no-such-record');
  expect((await problemOf(overHttp.delete('/api/movies/27'))).code).toBe('still-referenced');
});

it('carries out a batch, and names the positions of its faults', async () => {
  const { etag } = await overHttp.post('/api/songs', { id: 70, original_title: 'Fifth Song' });
  const {
    group,
    snapshot,
    data: writes,
  } = await overHttp.batch([
    { method: 'POST', path: '/api/movies', body: { id: 70, title: 'Batched' } },
    { method: 'PATCH', path: '/api/songs/70', body: { streaming_year: 2001 }, if_match: etag },
    { method: 'POST', path: '/api/movies', body: { id: 69, title: 'Short-lived' } },
    { method: 'DELETE', path: '/api/movies/69' },
  ]);
  expect(snapshot).toBe(running.service.snapshot());
  expect(writes.map(({ record }) => record)).toMatchObject([
    { title: 'Batched' },
    { streaming_year: 2001 },
    { title: 'Short-lived' },
    { title: 'Short-lived' },
  ]);
  expect(writes[0]!.etag).toBe(etagOf(await overHttp.get('/api/movies/70')));
  expect(writes.map(({ record }) => etagOf(record) ?? null)).toEqual(writes.map((write) => write.etag));
  expect(writes[0]!.receipt).toBe(group);
  const problem = await problemOf(
    overHttp.batch([
      { method: 'PATCH', path: '/api/movies/70', body: { title: 'Never' } },
      { method: 'PATCH', path: '/api/movies/71', body: { title: 'Never' } },
    ]),
  );
  expect(problem).toMatchObject({ code: 'no-such-record', errors: [{ pointer: '/1/path' }] });
  expect((await overHttp.get('/api/movies/70')).title).toBe('Batched');
});

it('throws an ApiProblem with every fault of a body, and for a write that is not possible', async () => {
  const problem = await problemOf(
    overHttp.post('/api/movies', { title: '', runtime: -1 } satisfies NewRecord<'movies'>),
  );
  expect(problem.errors.map((fault) => 'pointer' in fault && fault.pointer)).toEqual(['/title', '/runtime']);
  const withoutKey = createClient({ baseUrl: `http://127.0.0.1:${running.service.port}` });
  const codeOf = async (client: Client) => (await problemOf(client.post('/api/movies', { title: 'x' }))).code;
  expect(await codeOf(withoutKey)).toBe('unauthorized');
  expect(await codeOf(overSnapshot)).toBe('method-not-allowed');
});

it('throws an ApiProblem without a code for an answer that is not a problem document', async () => {
  const away: typeof fetch = async () =>
    new Response('<h1>Bad gateway</h1>', { status: 502, headers: { 'Retry-After': '7' } });
  const client = createClient({ baseUrl: 'http://proxy.invalid', fetch: away });
  expect(await problemOf(client.get('/api/movies'))).toMatchObject({
    status: 502,
    type: 'about:blank',
    code: undefined,
    retryAfter: 7,
  });
});

it('throws an ApiProblem for a page in place of a document', async () => {
  const away: typeof fetch = async () =>
    new Response('<h1>Sign in</h1>', { headers: { 'Content-Type': 'text/html; charset=utf-8' } });
  const client = createClient({ baseUrl: 'http://network.invalid', fetch: away });
  expect(await problemOf(client.get('/api/movies'))).toMatchObject({ status: 200, type: 'about:blank' });
});

it('refuses no write because a proxy compresses and makes the ETag of an answer weak', async () => {
  const { port, key } = running.service;
  const compressing: typeof fetch = async (input, init) => {
    const answer = await fetch(input, init);
    const headers = new Headers(answer.headers);
    headers.set('ETag', `W/${headers.get('ETag')}`);
    return new Response(await answer.text(), { status: answer.status, headers });
  };
  const client = createClient({ baseUrl: `http://127.0.0.1:${port}`, key, fetch: compressing });
  const film = await client.get('/api/movies/2');
  const { etag } = await client.patch('/api/movies/2', { runtime: 101 }, { ifMatch: etagOf(film) });
  const { record } = await client.patch('/api/movies/2', { runtime: 102 }, { ifMatch: etag });
  expect(record.runtime).toBe(102);
});

it('sends the key only with requests that need it', async () => {
  const shown: [string, boolean][] = [];
  const watch: typeof fetch = async (input, init) => {
    shown.push([new URL(String(input)).pathname, new Headers(init?.headers).has('x-api-key')]);
    return Response.json({});
  };
  const client = createClient({ baseUrl: 'http://a.invalid', key: 'secret', fetch: watch });
  await client.get('/api/movies');
  await client.get('/receipts');
  await client.get('/downloads/index.json');
  await client.patch('/api/movies/1', {});
  expect(shown).toEqual([
    ['/api/movies', false],
    ['/receipts', true],
    ['/downloads/index.json', false],
    ['/api/movies/1', true],
  ]);
});

it('requires the same fields of a new record as the service', () => {
  const fields: { [R in WritableResource]: Record<RequiredFieldOf[R], true> } = {
    nominations: { id: true, ceremony_id: true, category_id: true, movie_id: true, nominee_id: true },
    ceremonies: { ceremony_year: true },
    movies: { title: true },
    nominees: { name: true },
    songs: { original_title: true },
  };
  for (const [resource, own] of Object.entries(fields))
    expect(Object.keys(own)).toEqual(requiredFields[resource as WritableResource]);
});

describe('at the rate limit of the service', () => {
  /** Answers pages of one record. @param refuses whether the request with a number, from 1, is answered with 429 */
  const limited = (pages: number, refuses: (request: number) => boolean) => {
    let requests = 0;
    const answers: typeof fetch = async (input) => {
      requests += 1;
      const page = Number(/page=(\d+)/.exec(String(input))![1]);
      if (!refuses(requests))
        return Response.json({ data: [{ id: page }], pagination: { hasNextPage: page < pages } });
      const problem = { type: 'about:blank', title: 'Too many requests', detail: 'wait' };
      return Response.json(problem, { status: 429, headers: { 'Retry-After': '60' } });
    };
    return createClient({ fetch: answers });
  };
  const idsOf = async (client: Client, signal?: AbortSignal) => {
    const ids: number[] = [];
    for await (const { id } of client.all('/api/movies', {}, { signal })) ids.push(id);
    return ids;
  };

  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it('an iteration waits as long as the service says, and misses no record', async () => {
    const ids = idsOf(limited(3, (request) => request % 2 === 0));
    let isDone = false;
    void ids.then(() => {
      isDone = true;
    });
    await vi.advanceTimersByTimeAsync(119_000);
    expect(isDone).toBe(false);
    await vi.advanceTimersByTimeAsync(1000);
    expect(await ids).toEqual([1, 2, 3]);
  });

  it('an iteration ends if the page is refused again after the wait', async () => {
    const problem = problemOf(idsOf(limited(3, (request) => request > 1)));
    await vi.advanceTimersByTimeAsync(60_000);
    expect((await problem).status).toBe(429);
  });

  it('a signal ends the wait', async () => {
    const controller = new AbortController();
    const ended = idsOf(
      limited(3, (request) => request === 2),
      controller.signal,
    ).catch((reason: unknown) => reason);
    await vi.advanceTimersByTimeAsync(1000);
    controller.abort(new Error('enough'));
    expect(await ended).toEqual(new Error('enough'));
    expect(vi.getTimerCount()).toBe(0);
  });
});
