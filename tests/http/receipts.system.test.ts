/** Every write that changes something leaves a receipt: key, time, fields before and after, and the files it changed. */

import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { manifestPath } from '../../api/contract/snapshot.ts';
import { createKey } from '../../data/record/keys.ts';
import type { ReceiptDocument } from '../../api/contract/answers.ts';
import { expectProblem } from './raw-connection.ts';
import { runs } from '../support/settings.ts';
import { documentOf, receiptOf, useWritingService } from './writing-service.ts';

const running = useWritingService();

/** Asks for receipts, with the key. */
const ask = (target: string, method = 'GET') =>
  running.service.ask(target, { method, headers: { 'x-api-key': running.service.key } });

async function list(target: string): Promise<ReceiptDocument[]> {
  const reply = await ask(target);
  expect(reply.status, reply.body.toString()).toBe(200);
  return (documentOf(reply) as unknown as { data: ReceiptDocument[] }).data;
}

describe('a receipt', () => {
  it('of a change has key, time, the changed fields before and after, and the affected files', async () => {
    const { service } = running;
    const key = createKey(service.connection, 'second.editor', new Date());
    const began = Date.now();
    const body = { title: 'Receipted', runtime: 122 };
    const write = await service.write('PATCH', '/api/movies/27', body, { 'x-api-key': key });
    const receipt = await receiptOf(running.service, write);
    expect(receipt).toMatchObject({
      key: 'second.editor',
      action: 'update',
      resource: 'movies',
      record_id: 27,
      before: { title: 'Am\u00e9lie' },
      after: { title: 'Receipted' },
      snapshot: write.headers.snapshot,
    });
    expect(Object.keys(receipt.before!)).toEqual(['title']);
    expect(Object.keys(receipt.after!)).toEqual(['title']);
    expect(write.headers.receipt).toBe(`/receipts/${receipt.id}`);
    expect(receipt.at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    expect(Date.parse(receipt.at)).toBeGreaterThanOrEqual(began);
    expect(Date.parse(receipt.at)).toBeLessThanOrEqual(Date.now());
    const paths = receipt.files!.map(({ path }) => path);
    for (const family of ['titles', 'records/movies'])
      expect(paths).toContainEqual(expect.stringMatching(`^shards/${family}/[0-9a-f]{20}[.]json$`));
    expect(paths).toContain(manifestPath);
    expect(new Set(paths).size).toBe(paths.length);
    for (const { action, cause } of receipt.files!) {
      expect(['written', 'removed']).toContain(action);
      expect(cause).toMatch(/./);
    }
  });

  it('of a new record has the whole record after, and null before', async () => {
    for (const [target, body] of [
      ['/api/songs', { original_title: 'New' }],
      ['/api/nominations', { id: 4242, ceremony_id: 1, category_id: 1, movie_id: 1, nominee_id: 1 }],
    ] as const) {
      const write = await running.service.write('POST', target, body);
      const receipt = await receiptOf(running.service, write);
      expect(receipt).toMatchObject({ action: 'create', before: null, record_id: documentOf(write).id });
      expect(JSON.stringify(receipt.after)).toBe(write.body.toString().trimEnd());
    }
  });

  it('of a changed reference has the derived fields, too', async () => {
    const write = await running.service.write('PATCH', '/api/nominations/8', { movie_id: 1 });
    expect(await receiptOf(running.service, write)).toMatchObject({
      before: { movie_id: 27, movie: 'Receipted' },
      after: { movie_id: 1, movie: '1917' },
    });
  });

  it('has its own change, also if several writes share a build', async () => {
    const writes = await Promise.all(
      [2, 24, 25].map((id) => running.service.write('PATCH', `/api/movies/${id}`, { tagline: `Of ${id}` })),
    );
    for (const [at, write] of writes.entries()) {
      const receipt = await receiptOf(running.service, write);
      expect(receipt).toMatchObject({ record_id: [2, 24, 25][at], snapshot: write.headers.snapshot });
      expect(receipt.files!.map(({ path }) => path)).toContain(manifestPath);
    }
  });
});

describe('the list of receipts', () => {
  it('has all, newest first, a hundred per page, without files', async () => {
    const { service } = running;
    for (let write = service.receipts(); write < 205; write += 1)
      service.connection.exec(
        "INSERT INTO receipts (at, key_name, action, resource, record_id, before, after, revision) VALUES ('2024-01-01T00:00:00.000Z', 'old', 'update', 'movies', 1, '{}', '{}', 0)",
      );
    const all: ReceiptDocument[] = [];
    for (let page = await list('/receipts'); page.length > 0; ) {
      expect(page.length).toBeLessThanOrEqual(100);
      all.push(...page);
      page = await list(`/receipts?before=${page.at(-1)!.id}`);
    }
    expect(all.map(({ id }) => id)).toEqual(Array.from({ length: 205 }, (_, at) => 205 - at));
    expect(Object.keys(all[0]!)).not.toContain('files');
    const { files: _, ...whole } = documentOf(await ask('/receipts/1'));
    expect(all.at(-1)).toEqual(whole);
  });
});

describe('the search in receipts', () => {
  const made = {
    keys: ['anne', 'bob', 'import'],
    resources: ['movies', 'nominees'],
    times: ['2001-02-03T23:59:59.999Z', '2001-02-04T00:00:00.000Z', '2001-02-04T12:30:00.000Z'],
    groups: [null, 9001],
  };
  let all: ReceiptDocument[];
  beforeAll(async () => {
    const { connection } = running.service;
    const add = connection.prepare(
      `INSERT INTO receipts (at, key_name, action, resource, record_id, before, after, revision, group_id)
       VALUES (?, ?, 'update', ?, ?, '{}', '{}', 0, ?)`,
    );
    for (const key of made.keys)
      for (const resource of made.resources)
        for (const at of made.times)
          for (const group of made.groups) for (const id of [1, 2]) add.run(at, key, resource, id, group);
    all = await everything('');
  });

  /** The receipts of all pages. */
  async function everything(queryString: string): Promise<ReceiptDocument[]> {
    const found: ReceiptDocument[] = [];
    for (let target: string | undefined = `/receipts?${queryString}`; target !== undefined; ) {
      const reply = await ask(target);
      expect(reply.status, `${target} ${reply.body}`).toBe(200);
      found.push(...(documentOf(reply) as unknown as { data: ReceiptDocument[] }).data);
      target = /^<(.*)>; rel="next"$/.exec(String(reply.headers.link ?? ''))?.[1];
    }
    return found;
  }

  const oneOf = <T>(values: readonly T[]) => fc.option(fc.constantFrom(...values), { nil: undefined });
  const filters = fc.record({
    key: oneOf([...made.keys, 'nobody']),
    resource: oneOf(made.resources),
    record_id: oneOf([1, 2, 3]),
    group: oneOf([9001, 9002]),
    since: oneOf([...made.times, '2001-02-04', '2001-02-04T13:30:00+01:00']),
    until: oneOf([...made.times, '2001-02-04', '2001-02-03']),
    limit: oneOf([1, 7, 1000]),
  });

  it('finds exactly the receipts that match all filters, on pages linked with each other', async () => {
    const dayEnd = (text: string) => (text.length === 10 ? `${text}T23:59:59.999Z` : text);
    await fc.assert(
      fc.asyncProperty(filters, async ({ limit, since, until, ...exact }) => {
        fc.pre(!since || !until || Date.parse(since) <= Date.parse(dayEnd(until)));
        const expected = all.filter(
          (receipt) =>
            Object.entries(exact).every(
              ([name, value]) => value === undefined || receipt[name as keyof ReceiptDocument] === value,
            ) &&
            (!since || Date.parse(receipt.at) >= Date.parse(since)) &&
            (!until || Date.parse(receipt.at) <= Date.parse(dayEnd(until))),
        );
        const query = Object.entries({
          ...exact,
          since,
          until,
          limit: expected.length > 30 ? undefined : limit,
        })
          .filter(([, value]) => value !== undefined)
          .map(([name, value]) => `${name}=${encodeURIComponent(String(value))}`);
        expect(await everything(query.join('&'))).toEqual(expected);
      }),
      { numRuns: runs(24) },
    );
  });

  it('has no Link on the last page, and on others one that keeps the filters', async () => {
    const { headers } = await ask('/receipts?key=bob&limit=2&before=424242');
    expect(headers.link).toMatch(/^<\/receipts\?key=bob&limit=2&before=[0-9]+>; rel="next"$/);
    expect((await ask('/receipts?key=bob&limit=24')).headers.link).toBeUndefined();
  });

  it.each<[string, string]>([
    ['resorce=movies', 'unknown parameter "resorce"; did you mean "resource"?'],
    ['page=1', 'unknown parameter "page"; '],
    ['resource=films', 'resource must be one of nominations, '],
    ['record_id=0', 'record_id must be an id'],
    ['key=', 'key is empty'],
    ['key=a&key=b', 'key is given more than once'],
    ['since=2001-02-30', 'since must be a date such as'],
    ['since=2001-02-03T24:00:00Z', 'since must be a date such as'],
    ['until=yesterday', 'until must be a date such as'],
    ['since=2001-02-03T10:00:00', 'since must be a date such as'],
    ['since=2001-02-04&until=2001-02-03', 'since 2001-02-04 is after until 2001-02-03'],
    ['limit=0', 'limit must be at least 1'],
    ...['0', '-1', '01', 'x', '', '1.5', '1e3', '99999999999999999', '%00'].map(
      (before): [string, string] => [`before=${before}`, 'before '],
    ),
    ['resource=movies?limit=1', 'resource must be one of nominations, '],
  ])('refuses %s', async (query, message) => {
    const reply = await ask(`/receipts?${query}`);
    expectProblem(reply.body, 400);
    expect(documentOf(reply).errors).toEqual([
      { parameter: query.split('=')[0], message: expect.stringContaining(message) },
    ]);
  });
});

describe('receipts', () => {
  it('are not cached', async () => {
    for (const target of ['/receipts', '/receipts/1']) {
      const { headers, body } = await ask(target);
      expect(headers).toMatchObject({
        'cache-control': 'no-store',
        'content-type': 'application/json; charset=utf-8',
        'content-length': String(body.length),
        'access-control-allow-origin': '*',
        'x-content-type-options': 'nosniff',
      });
      const head = await ask(target, 'HEAD');
      expect([head.status, head.body.length]).toEqual([200, 0]);
      expect(head.headers['content-length']).toBe(headers['content-length']);
    }
  });

  it('with an unknown or impossible id are not found', async () => {
    const ids = '424242 9007199254740991 0 01 x 9007199254740992 1/files %31'.split(' ');
    for (const id of [...ids, '']) {
      const reply = await ask(`/receipts/${id}`);
      expect(reply.status, id).toBe(404);
      expectProblem(reply.body, 404);
    }
  });
});
