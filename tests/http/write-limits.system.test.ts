/** Limits of writes per key and of wrong keys per client, and the headers that tell them. */
import { describe, expect, it } from 'vitest';
import { createKey } from '../../data/record/keys.ts';
import { expectProblem } from './raw-connection.ts';
import type { Reply } from '../support/http.ts';
import { useWritingService } from './writing-service.ts';

/** Keys that were looked up. */
let looks = 0;
const running = useWritingService({
  writeLimit: 6,
  proxies: ['127.0.0.1'],
  adapt: (writing) => ({
    ...writing,
    keyOf: (request) => {
      looks += 1;
      return writing.keyOf(request);
    },
  }),
});
const remaining = ({ headers }: Reply) =>
  Number(/^"default";r=(\d+);t=\d+$/.exec(String(headers.ratelimit))?.[1]);

let clients = 0;
const newClient = () => `198.51.100.${++clients}`;

function expectTooMany(reply: Reply, policy: string): void {
  expect(reply.status).toBe(429);
  expectProblem(reply.body, 429);
  expect(reply.headers['ratelimit-policy']).toBe(policy);
  expect(remaining(reply)).toBe(0);
  expect(Number(reply.headers['retry-after'])).toBeGreaterThan(0);
  expect(Number(reply.headers['retry-after'])).toBeLessThanOrEqual(60);
  expect(reply.headers['cache-control']).toBe('no-store');
}

describe('a key', () => {
  it('has a number of writes a minute, refused ones included, and every answer has the rest', async () => {
    const { service } = running;
    const key = createKey(service.connection, 'limited', new Date());
    const send = (headers: Record<string, string>, body = '{}') =>
      service.ask('/api/movies/27', { method: 'PATCH', headers: { 'x-api-key': key, ...headers }, body });
    const json = { 'Content-Type': 'application/json' };
    const replies = [
      await send(json),
      await send({}),
      await send(json, ' '.repeat(70_000)),
      await send(json, '{'),
      await send(json, '{"nonsense":1}'),
      await send({ ...json, 'If-Match': '"stale"' }),
    ];
    expect(replies.map(({ status }) => status)).toEqual([200, 415, 413, 400, 422, 412]);
    expect(replies.map(remaining)).toEqual([5, 4, 3, 2, 1, 0]);
    for (const { headers } of replies) {
      expect(headers['ratelimit-policy']).toBe('"default";q=6;w=60');
      expect(headers['retry-after']).toBeUndefined();
    }
    // The limit is checked before the type and the body.
    for (const reply of [await send(json), await send({}), await send(json, ' '.repeat(70_000))])
      expectTooMany(reply, '"default";q=6;w=60');
  });

  it('spends as many writes as a batch has, refused or not; the last batch may have more than are left', async () => {
    const { service } = running;
    const key = createKey(service.connection, 'batches', new Date());
    const send = (count: number, path = '/api/movies/27') => {
      const writes = Array.from({ length: count }, () => ({ method: 'PATCH', path, body: {} }));
      return service.write('POST', '/api/batch', writes, { 'x-api-key': key });
    };
    const replies = [await send(2), await send(1, '/nowhere'), await send(201), await send(200)];
    expect(replies.map(({ status }) => status)).toEqual([200, 422, 422, 200]);
    expect(replies.map(remaining)).toEqual([4, 3, 2, 0]);
    for (const { headers } of replies) expect(headers['retry-after']).toBeUndefined();
    expectTooMany(await send(1), '"default";q=6;w=60');
    expectTooMany(
      await service.write('PATCH', '/api/movies/27', {}, { 'x-api-key': key }),
      '"default";q=6;w=60',
    );
  });

  it('has its own limit, from all clients together, also in parallel', async () => {
    const { service } = running;
    const [one, other] = ['one', 'other'].map((name) => createKey(service.connection, name, new Date()));
    const send = (key: string) =>
      service.write('PATCH', '/api/movies/27', {}, { 'x-api-key': key, 'X-Forwarded-For': newClient() });
    const statuses = (await Promise.all(Array.from({ length: 20 }, () => send(one!)))).map(
      ({ status }) => status,
    );
    expect(statuses.filter((status) => status === 200)).toHaveLength(6);
    expect(statuses.filter((status) => status === 429)).toHaveLength(14);
    expect((await send(other!)).status).toBe(200);
  });

  it('without writes left can still read records and receipts', async () => {
    const { service } = running;
    const key = createKey(service.connection, 'reader', new Date());
    const headers = { 'x-api-key': key };
    for (let write = 0; write < 7; write += 1) await service.write('PATCH', '/api/movies/27', {}, headers);
    for (const target of ['/receipts', '/api/movies/27', '/api/movies'])
      expect((await service.ask(target, { headers })).status).toBe(200);
    expect((await service.write('PUT' as 'PATCH', '/api/movies/27', {}, headers)).status).toBe(405);
  });
});

describe('a client', () => {
  const wrong = (client: string, key: string | string[] = 'wrong', target = '/api/movies/27') =>
    running.service.write('PATCH', target, {}, { 'x-api-key': key, 'X-Forwarded-For': client });

  it('may try ten wrong keys a minute, at all addresses together', async () => {
    const client = newClient();
    for (let tried = 0; tried < 10; tried += 1) {
      const reply = await wrong(
        client,
        tried % 2 ? `wrong ${tried}` : [running.service.key, running.service.key],
      );
      expect(reply.status).toBe(401);
      expect(reply.headers['retry-after']).toBeUndefined();
    }
    expectTooMany(await wrong(client), '"default";q=10;w=60');
    expectTooMany(await wrong(client, 'wrong', '/api/songs/1'), '"default";q=10;w=60');
    const onReceipts = { 'x-api-key': 'wrong', 'X-Forwarded-For': client };
    expect((await running.service.ask('/receipts', { headers: onReceipts })).status).toBe(429);
  });

  it('with ten wrong keys is refused with any key, valid or not, before the key is looked at', async () => {
    const { service } = running;
    const client = newClient();
    const key = createKey(service.connection, 'at-last', new Date());
    for (let tried = 0; tried < 9; tried += 1) await wrong(client);
    // A valid key counts as no guess.
    expect((await wrong(client, key)).status).toBe(200);
    expect((await wrong(client)).status).toBe(401);
    looks = 0;
    const [valid, guess] = [await wrong(client, key), await wrong(client)];
    for (const reply of [valid, guess]) expectTooMany(reply, '"default";q=10;w=60');
    expect(valid.body).toEqual(guess.body);
    expect(looks).toBe(0);
    expect((await wrong(newClient(), key)).status).toBe(200);
  });

  it('with ten wrong keys can read and send no key; other clients are not affected', async () => {
    const { service } = running;
    const client = newClient();
    for (let tried = 0; tried < 15; tried += 1) await wrong(client);
    expect((await wrong(client)).status).toBe(429);
    expect((await wrong(newClient())).status).toBe(401);
    const headers = { 'X-Forwarded-For': client };
    expect((await service.ask('/api/movies/27', { headers })).status).toBe(200);
    for (let tried = 0; tried < 15; tried += 1)
      expect((await service.ask('/api/movies/27', { method: 'PATCH', headers })).status).toBe(401);
  });
});
