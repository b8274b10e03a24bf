/** A write needs one valid key. All other requests get the same 401, byte for byte. */
import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { createKey, listKeys, revokeKey } from '../../data/record/keys.ts';
import { exchange, expectRefusal, readReplies } from './raw-connection.ts';
import { documentOf, useWritingService } from './writing-service.ts';

const environmentKey = 'a key of the operator, $pecial & long';
const running = useWritingService({ environmentKey, proxies: ['127.0.0.1'] });

let clients = 0;
/** Each request comes from another network, because wrong keys are limited per client. */
const newClient = () => `X-Forwarded-For: 2001:db8:${(clients++).toString(16)}::1\r\n`;

/** The bytes of the answer to a write with these header lines, without the Date. */
async function answerTo(lines: readonly string[], start = 'PATCH /api/movies/27'): Promise<string> {
  const head = `${start} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n${newClient()}Content-Type: application/json\r\n`;
  const sent = `${head}Content-Length: 2\r\n${lines.map((line) => `${line}\r\n`).join('')}\r\n{}`;
  const received = await exchange(running.service.port, sent);
  return received.toString('latin1').replace(/^Date: .*\r\n/im, '');
}

const create = (name: string) => createKey(running.service.connection, name, new Date());
const change = (key: string, body = {}) =>
  running.service.write('PATCH', '/api/movies/27', body, { 'x-api-key': key });

describe('401', () => {
  it('has the same bytes for every wrong key', async () => {
    const { service } = running;
    const { key } = service;
    const revoked = create('revoked');
    revokeKey(service.connection, 'revoked', new Date());
    const unknown = `fa_${'0'.repeat(36)}`;
    const digest = createHash('sha256').update(key).digest('hex');
    const refused = await answerTo([]);
    const spoiled = ['KEY, ', 'Bearer KEY', 'KEY0', '"KEY"', 'KEY,KEY', '\xffKEY'];
    const wrong = spoiled.map((value) => value.replaceAll('KEY', key));
    wrong.push('', ' ', ...'editor environment fa_ * %'.split(' '));
    wrong.push(unknown, revoked, digest, key.slice(0, -1), key.toLowerCase());
    for (const lines of [
      ...wrong.map((it) => [`x-api-key: ${it}`]),
      [`x-api-key: ${key}`, `x-api-key: ${key}`],
      [`x-api-key: ${key}`, `X-API-KEY: ${unknown}`],
      [`x-api-key: ${unknown}`, `x-api-key: ${key}`],
      [`x-api-key: ${key}`, 'x-api-key: '],
      [`x-api-key: ${environmentKey}`, `x-api-key: ${key}`],
      [`Authorization: ${key}`],
      [`Cookie: x-api-key=${key}`],
      [`x_api_key: ${key}`],
      ["x-api-key: ' OR 1=1 --"],
      [`x-api-key: ${'k'.repeat(10_000)}`],
    ])
      expect(await answerTo(lines), lines.join()).toBe(refused);
    const starts =
      'POST /api/songs,GET /receipts,GET /receipts/1,GET /receipts/424242,GET /receipts?before=x'.split(',');
    for (const start of [`PATCH /api/movies/27?x-api-key=${key}`, ...starts])
      expect(await answerTo([], start), start).toBe(refused);
    const [reply] = readReplies(Buffer.from(refused, 'latin1'));
    expectRefusal(reply!, 401);
    expect(reply!.headers.get('www-authenticate')).toMatch(/^ApiKey .*x-api-key/);
  });

  it('is no answer to a valid key', async () => {
    for (const lines of [
      [`x-api-key: ${running.service.key}`],
      [`X-Api-Key:${running.service.key}`],
      [`x-api-key: \t ${running.service.key} \t`],
      [`x-api-key: ${environmentKey}`],
    ])
      expect(await answerTo(lines)).toMatch(/^HTTP\/1\.1 200 /);
  });
});

describe('a key', () => {
  it('is valid as soon as it is created, and invalid as soon as it is revoked', async () => {
    for (const name of ['one', 'two', 'three']) {
      const key = create(name);
      expect((await change(key)).status).toBe(200);
      revokeKey(running.service.connection, name, new Date());
      expect((await change(key)).status).toBe(401);
    }
    expect((await change(running.service.key)).status).toBe(200);
  });

  it('is not needed for reading, and a wrong one does not matter', async () => {
    for (const headers of [{}, { 'x-api-key': 'wrong' }, { 'x-api-key': ['a', 'b'] }])
      expect((await running.service.ask('/api/movies/27', { headers })).status).toBe(200);
  });

  it('shows when it was last used, to the minute', async () => {
    const { connection } = running.service;
    const lastUsed = (name: string) => listKeys(connection).find((key) => key.name === name)!.lastUsedAt;
    const [used, unused] = [create('used'), create('unused')];
    expect(lastUsed('used')).toBeNull();
    const before = Date.now();
    await change(used);
    const noted = lastUsed('used')!;
    expect(Date.parse(noted)).toBeGreaterThanOrEqual(before);
    expect(Date.parse(noted)).toBeLessThanOrEqual(Date.now());
    await change(used);
    expect(lastUsed('used')).toBe(noted);
    await change(`${unused}x`);
    expect(lastUsed('unused')).toBeNull();
  });

  it('of the environment has its own name in receipts', async () => {
    const reply = await change(environmentKey, { runtime: 77 });
    const receipt = await running.service.ask(reply.headers.receipt as string, {
      headers: { 'x-api-key': environmentKey },
    });
    expect(documentOf(receipt)).toMatchObject({ key: 'environment', after: { runtime: 77 } });
    expect(listKeys(running.service.connection).map(({ name }) => name)).not.toContain('environment');
  });

  it('appears in no answer, no reported error, and no byte of the database', async () => {
    const { service } = running;
    const own = create('secret');
    const keys = [own, environmentKey, service.key];
    const said: string[] = [];
    // A reference without a record makes the build fail, which the service reports.
    service.connection.pragma('foreign_keys = OFF');
    service.connection.exec(
      'INSERT INTO nominations (id, ceremony_id, category_id, movie_id, nominee_id, song_id, winner) VALUES (6000, 1, 1, 424242, 1, NULL, 0)',
    );
    for (const key of keys) {
      for (const body of [{ runtime: 1 + keys.indexOf(key) }, { nonsense: 1 }]) {
        const { status, headers, body: answer } = await change(key, body);
        // The first write is pending, further ones are refused.
        expect(status === 200 ? headers['snapshot-pending'] : status).toBeOneOf(['?1', 422, 503]);
        said.push(JSON.stringify(headers), answer.toString());
      }
      said.push(
        await answerTo([`x-api-key: ${key}`, `x-api-key: ${key}`]),
        await answerTo([`x-api-key: ${key}!`]),
      );
      said.push(
        JSON.stringify((await service.ask('/receipts', { headers: { 'x-api-key': key } })).body.toString()),
      );
    }
    service.connection.exec('DELETE FROM nominations WHERE id = 6000');
    service.connection.pragma('foreign_keys = ON');
    await expect
      .poll(async () => (await change(own, { runtime: 99 })).headers.snapshot, { timeout: 10_000 })
      .toBeDefined();
    const reported = service.failures.splice(0).map((failure) => (failure as Error).stack ?? String(failure));
    expect(reported.join()).toMatch(/inconsistent: nominations 6000/);
    const stored = service.connection.serialize().toString('latin1');
    for (const key of keys)
      for (const text of [...said, ...reported, stored]) expect(text.includes(key.slice(3, 33))).toBe(false);
  });
});
