/** What is checked before a record is: the address, the key, the limits, the type and the size, in this order. */
import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { createKey, listKeys, revokeKey } from '../../data/record/keys.ts';
import type { Reply } from '../support/http.ts';
import { expectProblem } from './running-service.ts';
import { documentOf, receiptOf, useWritingService } from './writing-service.ts';

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
  Number(/^"default";r=(\d+);t=\d+$/.exec(String(headers.ratelimit))?.[1]);

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
      expect(reply.headers).toMatchObject({
        'cache-control': 'no-store',
        'access-control-allow-origin': '*',
      });
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

const read = 'GET, HEAD, OPTIONS';
it.each<[method: string, allow: string | undefined, targets: string]>([
  ['POST', read, '/api/categories /api/search /receipts /receipts/1'],
  ['PUT', read, '/receipts /receipts/1'],
  ['DELETE', read, '/api/categories/1 /api/honors/1 /api/search /receipts/1'],
  ['DELETE', `${read}, POST`, '/api/movies'],
  ['POST', `${read}, PATCH, DELETE`, '/api/movies/27'],
  ['PATCH', 'OPTIONS, POST', '/api/batch'],
  [
    'PATCH',
    undefined,
    '/api/movies/abc /api/movies/0 /api/movies/027 /api/movies/%32%37 /api/movies/27/ /api/Movies/27',
  ],
  ['DELETE', undefined, '/api/movies/abc /api/movies/9007199254740992 /api/films/27 /api/movies/'],
  ['POST', undefined, '/api/movies/ //api/movies /api/films / /receipts/'],
])('%s with the allowed methods %s is refused before the key: %s', async (method, allow, targets) => {
  for (const target of targets.split(' '))
    for (const headers of [{}, { 'x-api-key': running.service.key, 'Content-Type': 'nonsense' }]) {
      const reply = await running.service.ask(target, { method, headers });
      expect([target, reply.status, reply.headers.allow]).toEqual([target, allow ? 405 : 404, allow]);
      expectProblem(reply.body, reply.status);
    }
});

it.each<[string, number, Record<string, string | string[]>]>([
  ['none', 415, {}],
  ['an empty one', 415, { 'Content-Type': ' ' }],
  ['no type', 415, { 'Content-Type': 'json' }],
  ['a type like it', 415, { 'Content-Type': 'application/json+json' }],
  ['two types', 415, { 'Content-Type': ['application/json', 'application/json'] }],
  ['two types in one', 415, { 'Content-Type': 'application/json, application/json' }],
  ['UTF-16', 415, { 'Content-Type': 'application/json; charset=utf-16' }],
  ['a coding', 415, { ...json, 'Content-Encoding': 'gzip' }],
  ['a coding on the way', 415, { ...json, 'Transfer-Encoding': 'gzip, chunked' }],
  ['parameters', 200, { 'Content-Type': 'Application/JSON ; charset="utf-8"; profile="a;b"' }],
  ['a merge patch', 200, { 'Content-Type': 'application/merge-patch+json' }],
  ['the coding identity', 200, { ...json, 'Content-Encoding': 'Identity' }],
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
    const spoiled = `KEY, |Bearer KEY|KEY0|"KEY"|\xffKEY||editor|environment|fa_*|%|' OR 1=1 --`.replaceAll(
      'KEY',
      key,
    );
    const wrong: (string | string[])[] = [
      ...spoiled.split('|'),
      key.slice(1),
      key.toLowerCase(),
      unknown,
      revoked,
    ];
    wrong.push(digest, 'k'.repeat(10_000), [key, key], [key, unknown], [unknown, key], [environmentKey, key]);
    const withoutDate = ({ status, headers, body }: Reply) => {
      const { date: _, ...others } = headers;
      return [status, others, body.toString()];
    };
    const refused = withoutDate(await change([]));
    expect(refused[0]).toBe(401);
    for (const one of wrong) expect(withoutDate(await change(one)), String(one)).toEqual(refused);
    for (const target of ['/receipts', '/receipts/1', '/receipts/424242', '/receipts?before=x'])
      expect(withoutDate(await running.service.ask(target)), target).toEqual(refused);
    for (const right of [key, environmentKey, ` \t ${key} \t`])
      expect((await change(right)).status).toBe(200);
    for (const any of ['wrong', ['a', 'b']])
      expect((await running.service.ask('/api/movies/27', { headers: { 'x-api-key': any } })).status).toBe(
        200,
      );
  });

  it('is valid as soon as it is created, until it is revoked, and shows when it was last used', async () => {
    const { connection } = running.service;
    const lastUsed = (name: string) => listKeys(connection).find((own) => own.name === name)!.lastUsedAt;
    const key = newKey('used');
    await change(`${key}x`);
    expect(lastUsed('used')).toBeNull();
    const before = Date.now();
    expect((await change(key)).status).toBe(200);
    const noted = lastUsed('used')!;
    expect(Date.parse(noted)).toBeGreaterThanOrEqual(before);
    await change(key);
    // To the minute.
    expect(lastUsed('used')).toBe(noted);
    revokeKey(connection, 'used', new Date());
    expect((await change(key)).status).toBe(401);
  });

  it('of the environment has its own name in receipts', async () => {
    const { service } = running;
    const receipt = await receiptOf(service, await change(environmentKey, { runtime: 77 }));
    expect(receipt).toMatchObject({ key: 'environment', after: { runtime: 77 } });
    expect(listKeys(service.connection).map(({ name }) => name)).not.toContain('environment');
  });

  it('appears in no answer, no reported error, and no byte of the database', async () => {
    const { service } = running;
    const key = newKey('secret');
    // A reference without a record makes the build fail, which the service reports, until it is mended.
    service.connection.pragma('foreign_keys = OFF');
    service.connection.exec(
      'INSERT INTO nominations (id, ceremony_id, category_id, movie_id, nominee_id, winner) VALUES (6000, 1, 1, 424242, 1, 0)',
    );
    const replies = [
      await change(key, { runtime: 1 }),
      await change(key, { runtime: 2 }),
      await change(key, { no: 1 }),
    ];
    // The first write is pending, unless the writer has noticed the fault before; further ones are refused.
    expect([replies[0]!.headers['snapshot-pending'], replies[0]!.status]).toBeOneOf([
      ['?1', 200],
      [undefined, 503],
    ]);
    expect([replies[1]!.status, replies[1]!.headers['retry-after']]).toEqual([503, '1']);
    replies.push(await change([key, key]), await service.ask('/receipts', { headers: { 'x-api-key': key } }));
    service.connection.exec('DELETE FROM nominations WHERE id = 6000');
    service.connection.pragma('foreign_keys = ON');
    const repaired = async () => (await change(environmentKey, {})).headers.snapshot;
    await expect.poll(repaired, { timeout: 10_000, interval: 500 }).toBeDefined();
    const reported = service.failures.splice(0).map((failure) => (failure as Error).stack ?? String(failure));
    expect(reported.join()).toMatch(/inconsistent: nominations 6000/);
    const said = replies.map(({ headers, body }) => JSON.stringify(headers) + body.toString());
    const secret = key.slice(3, 33);
    for (const text of [...said, ...reported, service.connection.serialize().toString('latin1')])
      expect(text.includes(secret)).toBe(false);
  });

  it('has a number of writes a minute, refused ones included, and every answer has the rest', async () => {
    const key = newKey();
    const send = (headers: Record<string, string>, body = '{}') =>
      running.service.ask('/api/movies/27', {
        method: 'PATCH',
        headers: { 'x-api-key': key, ...headers },
        body,
      });
    const sent: Parameters<typeof send>[] = [
      [json],
      [{}],
      [json, ' '.repeat(70_000)],
      [json, '{'],
      [json, '{"nonsense":1}'],
    ];
    sent.push([{ ...json, 'If-Match': '"stale"' }]);
    const replies: Reply[] = [];
    for (const one of sent) replies.push(await send(...one));
    expect(replies.map(({ status }) => status)).toEqual([200, 415, 413, 400, 422, 412]);
    expect(replies.map(remaining)).toEqual([5, 4, 3, 2, 1, 0]);
    expectTooMany(await send(json), 6);
    for (const target of ['/receipts', '/api/movies/27'])
      expect((await running.service.ask(target, { headers: { 'x-api-key': key } })).status).toBe(200);
  });

  it('spends as many writes as a batch has, refused or not; the last batch may have more than are left', async () => {
    const key = newKey();
    const send = (count: number, path = '/api/movies/27') => {
      const writes = Array.from({ length: count }, () => ({ method: 'PATCH', path, body: {} }));
      return running.service.write('POST', '/api/batch', writes, { 'x-api-key': key });
    };
    const replies = [await send(2), await send(1, '/nowhere'), await send(201), await send(200)];
    expect(replies.map(({ status }) => status)).toEqual([200, 422, 422, 200]);
    expect(replies.map(remaining)).toEqual([4, 3, 2, 0]);
    expectTooMany(await send(1), 6);
  });
});

function expectTooMany(reply: Reply, limit: number): void {
  expect([reply.status, reply.headers['ratelimit-policy'], remaining(reply)]).toEqual([
    429,
    `"default";q=${limit};w=60`,
    0,
  ]);
  expectProblem(reply.body, 429);
  expect(Number(reply.headers['retry-after'])).toBeGreaterThan(0);
}

it('a client may try ten wrong keys a minute; then each key is refused before it is looked at, and reads are answered', async () => {
  const { service } = running;
  const client = newClient();
  const send = (key: string | string[], target = '/api/movies/27', from = client) =>
    service.write('PATCH', target, {}, { 'x-api-key': key, 'X-Forwarded-For': from });
  // Valid keys, and requests without one, count as no guess.
  for (const key of [service.key, [], []]) await send(key);
  for (let tried = 0; tried < 10; tried += 1)
    expect((await send(tried % 2 ? `wrong ${tried}` : [service.key, service.key])).status).toBe(401);
  looks = 0;
  const [valid, guess] = [await send(service.key), await send('wrong', '/api/songs/1')];
  for (const reply of [valid, guess]) expectTooMany(reply, 10);
  expect([looks, documentOf(valid)]).toEqual([0, documentOf(guess)]);
  const headers = { 'x-api-key': 'wrong', 'X-Forwarded-For': client };
  expect((await service.ask('/receipts', { headers })).status).toBe(429);
  expect((await service.ask('/api/movies/27', { headers })).status).toBe(200);
  expect((await send([])).status).toBe(401);
  expect((await send(service.key, '/api/movies/27', newClient())).status).toBe(200);
});
