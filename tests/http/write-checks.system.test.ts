/** What is checked before a record is: the address, the key, the limits, the type and the size, in this order. */
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { describe, expect, it } from 'vitest';
import { createKey, revokeKey } from '../../data/record/keys.ts';
import type { Reply } from '../support/http.ts';
import { expectProblem } from '../support/running-service.ts';
import { receiptOf, useWritingService } from '../support/writing-service.ts';

/** The key of this name has no writes left; others have six a minute, but not the editor. */
const spent = 'spent';
let looks = 0;
const environmentKey = 'a key of the operator, $pecial & long';
const running = useWritingService({
  writeLimit: 6,
  environmentKey,
  proxies: ['127.0.0.1'],
  adapt: (writing) => ({
    ...writing,
    keyOf(key) {
      looks += 1;
      return writing.keyOf(key);
    },
    writes: {
      count: (name, charged) => (name === 'editor' ? {} : writing.writes!.count(name, charged)),
      refusal: (name) => (name === spent ? {} : writing.writes!.refusal(name)),
    },
  }),
});

let made = 0;
const newKey = (name = `key-${++made}`) => createKey(running.service.connection, name, new Date());
/** Wrong keys are limited per client. */
const newClient = () => `198.51.${++made >> 8}.${made & 255}`;
const json = { 'Content-Type': 'application/json' };
const remaining = ({ headers }: Reply) =>
  Number(/^"\w+";r=(\d+);t=\d+$/.exec(String(headers.ratelimit))?.[1]);

interface Sent {
  method: string;
  target: string;
  headers: Record<string, string | string[]>;
  /** The text of the members of the body, and what comes after them. */
  members: string;
  tail: string;
}
const ask = ({ method, target, headers, members, tail }: Sent) => {
  const body = (method === 'DELETE' ? '' : `{${members}}`) + tail;
  const length = { 'Content-Length': String(Buffer.byteLength(body)), 'X-Forwarded-For': newClient() };
  return running.service.ask(target, { method, headers: { ...length, ...headers }, body });
};

const withHeader =
  (name: string, value: () => string | string[]) =>
  ({ headers }: Sent) => ({
    headers: { ...headers, [name]: value() },
  });
/** What a fault changes in a request, in the order of the checks. */
const faults: [name: string, status: number, methods: string, change: (it: Sent) => Partial<Sent>][] = [
  ['an unknown address', 404, 'POST PATCH DELETE', () => ({ target: '/api/films' })],
  ['another method', 405, 'POST PATCH DELETE', () => ({ method: 'PUT' })],
  ['no key', 401, 'POST PATCH DELETE', withHeader('x-api-key', () => [])],
  ['a spent key', 429, 'POST PATCH DELETE', withHeader('x-api-key', () => spentKey)],
  ['another type', 415, 'POST PATCH', withHeader('Content-Type', () => 'text/plain')],
  ['a large body', 413, 'POST PATCH DELETE', ({ tail }) => ({ tail: tail + ' '.repeat(70_000) })],
  ['a body that is not JSON', 400, 'POST PATCH DELETE', ({ tail }) => ({ tail: `${tail}}` })],
  ['a name twice', 400, 'POST PATCH', ({ members }) => ({ members: `${members},"a":1,"a":1` })],
  ['an unknown field', 422, 'POST PATCH', ({ members }) => ({ members: `${members},"nonsense":1` })],
  ['no record', 404, 'PATCH DELETE', () => ({ target: '/api/movies/424242' })],
  ['a record that is there', 409, 'POST', ({ members }) => ({ members: `${members},"id":27` })],
  ['a record that others refer to', 409, 'DELETE', () => ({ target: '/api/movies/27' })],
  ['an ETag of another state', 412, 'POST PATCH DELETE', withHeader('If-Match', () => '"stale"')],
];
let spentKey = '';

describe.each([
  ['POST', '/api/movies'],
  ['PATCH', '/api/movies/3'],
  ['DELETE', '/api/movies/3'],
])('a %s with two faults is refused for the first in the order of the checks', (method, target) => {
  const own = faults.filter(([, , methods]) => methods.split(' ').includes(method));
  it.each(own)('%s: %i', async (name, status, _methods, change) => {
    const { service } = running;
    spentKey ||= newKey(spent);
    const receipts = service.receipts();
    for (const [other, , , changeMore] of own.slice(own.findIndex(([first]) => first === name))) {
      const headers = { 'x-api-key': service.key, ...json };
      let sent: Sent = { method, target, headers, members: '"title":"New"', tail: '' };
      // The first one last: of two addresses, its own is asked.
      for (const add of other === name ? [change] : [changeMore, change]) sent = { ...sent, ...add(sent) };
      const reply = await ask(sent);
      expect([other, reply.status]).toEqual([other, status]);
      expectProblem(reply.body, status);
      expect(reply.headers['cache-control']).toBe('no-store');
      const { allow, 'accept-patch': patch, 'accept-post': post, 'www-authenticate': scheme } = reply.headers;
      if (status === 405) expect(allow).toMatch(/^GET, HEAD, OPTIONS, P/);
      if (status === 415)
        expect([post, patch]).toEqual(
          method === 'POST'
            ? ['application/json', undefined]
            : [undefined, 'application/json, application/merge-patch+json'],
        );
      if (status === 401) expect(scheme).toMatch(/^ApiKey .*x-api-key/);
    }
    expect(service.receipts()).toBe(receipts);
  });
});

it.each<[string, number, Record<string, string | string[]>]>([
  ['none', 415, {}],
  ['two types', 415, { 'Content-Type': ['application/json', 'application/json'] }],
  ['UTF-16', 415, { 'Content-Type': 'application/json; charset=utf-16' }],
  ['a coding', 415, { ...json, 'Content-Encoding': 'gzip' }],
  ['parameters', 200, { 'Content-Type': 'Application/JSON ; charset="utf-8"; profile="a;b"' }],
  ['a merge patch', 200, { 'Content-Type': 'application/merge-patch+json' }],
  [
    'headers that name another request',
    200,
    { ...json, 'X-HTTP-Method-Override': 'DELETE', 'X-Original-URL': '/a' },
  ],
])('a PATCH with the media type %s: %i', async (_name, status, headers) => {
  const sent = { method: 'PATCH', headers: { 'x-api-key': running.service.key, ...headers }, body: '{}' };
  expect((await running.service.ask('/api/movies/27?id=28&page=x', sent)).status).toBe(status);
});

describe('a key', () => {
  const change = (key: string | string[], body = {}) =>
    running.service.write('PATCH', '/api/movies/27', body, {
      'x-api-key': key,
      'X-Forwarded-For': newClient(),
    });

  it('that is none is refused with one and the same 401', async () => {
    const { key, connection } = running.service;
    const revoked = newKey('revoked');
    revokeKey(connection, 'revoked', new Date());
    const unknown = `fa_${'0'.repeat(36)}`;
    const digest = createHash('sha256').update(key).digest('hex');
    const wrong: (string | string[])[] = [
      `${key}, `,
      `${key}0`,
      key.slice(1),
      key.toLowerCase(),
      '',
      'editor',
    ];
    wrong.push(
      unknown,
      revoked,
      digest,
      'k'.repeat(10_000),
      [key, key],
      [unknown, key],
      [environmentKey, key],
    );
    const withoutDate = ({ status, headers, body }: Reply) => {
      const { date: _, ...others } = headers;
      return [status, others, body.toString()];
    };
    const refused = withoutDate(await change([]));
    expect(refused[0]).toBe(401);
    for (const one of wrong) expect(withoutDate(await change(one)), String(one)).toEqual(refused);
    for (const target of ['/receipts', '/receipts/424242', '/receipts?before=x'])
      expect(withoutDate(await running.service.ask(target)), target).toEqual(refused);
    for (const right of [key, environmentKey, ` \t ${key} \t`])
      expect((await change(right)).status).toBe(200);
  });

  it('of the environment has its own name in receipts', async () => {
    const receipt = await receiptOf(running.service, await change(environmentKey, { runtime: 77 }));
    expect(receipt).toMatchObject({ key: 'environment', after: { runtime: 77 } });
  });

  it('has a number of writes a minute, refused ones included, and every answer has the rest', async () => {
    const key = newKey();
    const send = (headers: Record<string, string>, body = '{}') =>
      running.service.ask('/api/movies/27', {
        method: 'PATCH',
        headers: { 'x-api-key': key, ...headers },
        body,
      });
    const replies = [await send(json), await send({}), await send(json, ' '.repeat(70_000))];
    replies.push(await send(json, '{'), await send(json, '{"nonsense":1}'));
    replies.push(await send({ ...json, 'If-Match': '"stale"' }));
    expect(replies.map(({ status }) => status)).toEqual([200, 415, 413, 400, 422, 412]);
    expect(replies.map(remaining)).toEqual([5, 4, 3, 2, 1, 0]);
    expectTooMany(await send(json), 6);
  });

  it('spends a write for each ten of a batch, refused or not; the last batch may have more than are left', async () => {
    const key = newKey();
    const send = (count: number, path = '/api/movies/27') => {
      const writes = Array.from({ length: count }, () => ({ method: 'PATCH', path, body: {} }));
      return running.service.write('POST', '/api/batch', writes, { 'x-api-key': key });
    };
    const replies = [await send(10), await send(11, '/nowhere'), await send(1001), await send(200)];
    expect(replies.map(({ status }) => status)).toEqual([200, 422, 422, 200]);
    expect(replies.map(remaining)).toEqual([5, 3, 2, 0]);
    expectTooMany(await send(1), 6);
  });
});

function expectTooMany(reply: Reply, limit: number, policy = 'writes'): void {
  expect([reply.status, reply.headers['ratelimit-policy'], remaining(reply)]).toEqual([
    429,
    `"${policy}";q=${limit};w=60`,
    0,
  ]);
  expectProblem(reply.body, 429);
  expect(Number(reply.headers['retry-after'])).toBeGreaterThan(0);
}

it('a client may try ten wrong keys a minute; then a wrong one is 429, a right one still writes, and reads are answered', async () => {
  const { service } = running;
  const client = newClient();
  const send = (key: string | string[], target = '/api/movies/27', from = client) =>
    service.write('PATCH', target, {}, { 'x-api-key': key, 'X-Forwarded-For': from });
  // Valid keys, and requests without one, count as no guess.
  for (const key of [service.key, [], []]) await send(key);
  for (let tried = 0; tried < 10; tried += 1)
    expect((await send(tried % 2 ? `wrong ${tried}` : [service.key, service.key])).status).toBe(401);
  for (const guess of ['wrong', [service.key, service.key]]) expectTooMany(await send(guess), 10, 'keys');
  expect((await send(service.key)).status).toBe(200);
  expectTooMany(await send('wrong', '/api/songs/1'), 10, 'keys');
  const headers = { 'x-api-key': 'wrong', 'X-Forwarded-For': client };
  expect((await service.ask('/receipts', { headers })).status).toBe(429);
  expect((await service.ask('/api/movies/27', { headers })).status).toBe(200);
  expect((await send([])).status).toBe(401);
  expect((await send(service.key, '/api/movies/27', newClient())).status).toBe(200);
});

it('a key that is revoked while the body of a write arrives changes nothing', async () => {
  const { service } = running;
  const key = newKey('leaver');
  const sent = request({
    ...{ host: '127.0.0.1', port: service.port, path: '/api/movies/27', method: 'PATCH' },
    headers: { ...json, 'x-api-key': key, 'Content-Length': '14' },
  });
  const before = [service.receipts(), service.snapshot()];
  looks = 0;
  sent.write('{"title":');
  await expect.poll(() => looks).toBe(1);
  revokeKey(service.connection, 'leaver', new Date());
  sent.end('"No"}');
  const [reply] = (await once(sent, 'response')) as [IncomingMessage];
  expect([reply.statusCode, reply.headers['www-authenticate']]).toEqual([401, expect.any(String)]);
  expectProblem(Buffer.concat(await reply.toArray()), 401);
  expect([service.receipts(), service.snapshot()]).toEqual(before);
});
