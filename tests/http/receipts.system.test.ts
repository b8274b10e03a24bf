/** Every write that changes something leaves a receipt: key, time, fields before and after, and the files it changed. */
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import type { ReceiptDocument } from '../../api/contract/answers.ts';
import { createKey } from '../../data/record/keys.ts';
import { runs } from '../support/settings.ts';
import { expectProblem } from '../support/running-service.ts';
import { documentOf, receiptOf, useWritingService } from '../support/writing-service.ts';

const running = useWritingService();
/** Asks for receipts, with the key. */
const ask = (target: string, method = 'GET') =>
  running.service.ask(target, { method, headers: { 'x-api-key': running.service.key } });

it('a receipt has the key, the time, the changed fields before and after, and the files', async () => {
  const { service } = running;
  const key = createKey(service.connection, 'second.editor', new Date());
  const began = Date.now();
  const write = await service.write(
    'PATCH',
    '/api/movies/27',
    { title: 'Receipted', runtime: 122 },
    { 'x-api-key': key },
  );
  const receipt = await receiptOf(service, write);
  expect(receipt).toEqual({
    id: service.receipts(),
    at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    key: 'second.editor',
    action: 'update',
    resource: 'movies',
    record_id: 27,
    before: { title: 'Am\u00e9lie' },
    after: { title: 'Receipted' },
    snapshot: write.headers.snapshot,
    files: expect.any(Array),
  });
  expect(write.headers.receipt).toBe(`/receipts/${receipt.id}`);
  expect(Date.parse(receipt.at)).toBeGreaterThanOrEqual(began);
  expect(Date.parse(receipt.at)).toBeLessThanOrEqual(Date.now());
  const paths = receipt.files!.map(({ path }) => path);
  expect(paths).toContain('manifest.json');
  expect(paths).toContainEqual(expect.stringMatching(/^shards\/titles\/[0-9a-f]{20}\.json$/));
  expect(new Set(paths).size).toBe(paths.length);
  for (const { action, cause } of receipt.files!) {
    expect(['written', 'removed']).toContain(action);
    expect(cause).toMatch(/./);
  }
});

it('the list names the key of the request', async () => {
  expect(documentOf(await ask('/receipts?limit=1'))).toMatchObject({ editor: 'editor' });
});

describe('the list of receipts', () => {
  const made = {
    keys: ['anne', 'bob', 'import'],
    resources: ['movies', 'nominees'],
    times: ['2001-02-03T23:59:59.999Z', '2001-02-04T00:00:00.000Z', '2001-02-04T12:30:00.000Z'],
    groups: [null, 9001],
  };
  let all: ReceiptDocument[];
  beforeAll(async () => {
    const add = running.service.connection.prepare(
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
      const { data } = documentOf(reply) as unknown as { data: ReceiptDocument[] };
      expect(data.length).toBeLessThanOrEqual(100);
      found.push(...data);
      target = /^<(.*)>; rel="next"$/.exec(String(reply.headers.link ?? ''))?.[1];
    }
    return found;
  }

  it('has all, newest first, without their files', async () => {
    const { service } = running;
    expect(all.map(({ id }) => id)).toEqual(
      Array.from({ length: service.receipts() }, (_, at) => service.receipts() - at),
    );
    const { files: _, ...whole } = documentOf(await ask('/receipts/1'));
    expect(all.at(-1)).toEqual(whole);
  });

  const oneOf = <T>(values: readonly T[]) => fc.option(fc.constantFrom(...values), { nil: undefined });
  const filters = fc.record({
    key: oneOf([...made.keys, 'nobody']),
    resource: oneOf(made.resources),
    record_id: oneOf([1, 2, 3]),
    group: oneOf([9001, 9002]),
    since: oneOf([...made.times, '2001-02-04', '2001-02-04T13:30:00+01:00']),
    until: oneOf([...made.times, '2001-02-04', '2001-02-03']),
    limit: fc.constantFrom(undefined, 1, 7, 1000),
  });

  it('finds exactly the receipts that match all filters, on pages linked with each other', async () => {
    const dayEnd = (text: string) => (text.length === 10 ? `${text}T23:59:59.999Z` : text);
    await fc.assert(
      fc.asyncProperty(filters, async ({ limit, since, until, ...exact }) => {
        fc.pre(!since || !until || Date.parse(since) <= Date.parse(dayEnd(until)));
        const expected = all.filter(
          (receipt) =>
            Object.entries(exact).every(
              ([name, value]) => value === undefined || receipt[name as 'key'] === value,
            ) &&
            (!since || Date.parse(receipt.at) >= Date.parse(since)) &&
            (!until || Date.parse(receipt.at) <= Date.parse(dayEnd(until))),
        );
        const pages = expected.length > 30 ? undefined : limit;
        const sent = Object.entries({ ...exact, since, until, limit: pages }).filter(
          ([, value]) => value !== undefined,
        );
        const query = sent.map(([name, value]) => `${name}=${encodeURIComponent(String(value))}`);
        expect(await everything(query.join('&'))).toEqual(expected);
      }),
      { numRuns: runs(24) },
    );
  });

  it.each<[string, string]>([
    ['resorce=movies', 'unknown parameter "resorce"; did you mean "resource"?'],
    ['resource=films', 'resource must be one of nominations, '],
    ['record_id=0', 'record_id must be an id'],
    ['key=a&key=b', 'key is given more than once'],
    ['since=2001-02-30', 'since must be a date such as'],
    ['since=2001-02-03T10:00:00', 'since must be a date such as'],
    ['since=2001-02-04&until=2001-02-03', 'since 2001-02-04 is after until 2001-02-03'],
  ])('refuses %s', async (query, message) => {
    const reply = await ask(`/receipts?${query}`);
    expectProblem(reply.body, 400);
    const fault = { parameter: query.split('=')[0], message: expect.stringContaining(message) };
    expect(documentOf(reply).errors).toEqual([fault]);
  });
});

it('receipts are not cached, HEAD has the headers of GET, and other addresses have none', async () => {
  for (const target of ['/receipts', '/receipts/1']) {
    const [get, head] = [await ask(target), await ask(target, 'HEAD')];
    expect([get.headers['cache-control'], get.headers['access-control-allow-origin']]).toEqual([
      'no-store',
      '*',
    ]);
    expect([head.status, head.body.length]).toEqual([200, 0]);
    expect({ ...head.headers, date: '' }).toEqual({ ...get.headers, date: '' });
  }
  for (const id of ['424242', '01', '9007199254740992', '1/files', '%31', '']) {
    const reply = await ask(`/receipts/${id}`);
    expect([id, reply.status]).toEqual([id, 404]);
    expectProblem(reply.body, 404);
  }
});
