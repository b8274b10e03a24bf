/** Several editors and readers at once: no change is overwritten unseen, and no read is older than an earlier one. */
import { setTimeout as pause } from 'node:timers/promises';
import fc from 'fast-check';
import { describe, expect, it, afterEach, beforeEach, vi } from 'vitest';
import { writableResources } from '../../api/contract/names.ts';
import { pageETags } from '../../api/write/page-etags.ts';
import { Writer } from '../../api/write/writer.ts';
import type { Reply } from '../support/http.ts';
import { runs } from '../support/settings.ts';
import { documentOf, expectShown, faultsOf, useWritingService } from '../support/writing-service.ts';
import { type Connection, openDatabase } from '../../data/database/open.ts';
import { fillWithTinyRecord } from '../records/tiny-record.ts';
import { useWorkspace } from '../support/temporary-folder.ts';

const running = useWritingService();
const etagOf = async (target: string, headers = {}) =>
  (await running.service.ask(target, { headers })).headers.etag!;
let values = 0;
/** A new change, with a condition. */
const change = (target: string, ifMatch?: string | string[]) => {
  values += 1;
  const body = target.includes('/movies/')
    ? { runtime: values }
    : { biography: `${values} ${'x'.repeat(2000)}` };
  return running.service.write('PATCH', target, body, ifMatch === undefined ? {} : { 'If-Match': ifMatch });
};

async function expectNotMet(target: string, send: () => Promise<Reply>): Promise<void> {
  const before = (await running.service.ask(target)).body;
  expect(await faultsOf(running.service, 412, send)).toEqual([]);
  expect((await running.service.ask(target)).body.equals(before)).toBe(true);
}

describe('with If-Match', () => {
  const target = '/api/movies/27';

  it('a change is made if it has the ETag of the page, of the last write, or of a compressed answer', async () => {
    let etag = await etagOf(target);
    for (let step = 0; step < 3; step += 1) {
      const reply = await change(target, etag);
      expect([reply.status, reply.headers.etag]).toEqual([200, await etagOf(target)]);
      expect(reply.headers.etag).not.toBe(etag);
      etag = reply.headers.etag!;
    }
    for (const list of ['*', '"a", %', 'W/"a",,%'])
      expect((await change(target, list.replace('%', await etagOf(target)))).status, list).toBe(200);
    await change('/api/nominees/1');
    for (const encoding of ['br', 'gzip']) {
      const encoded = await etagOf('/api/nominees/1', { 'accept-encoding': encoding });
      expect(encoded).toMatch(new RegExp(`-${encoding}"$`));
      expect((await change('/api/nominees/1', encoded)).status).toBe(200);
      await expectNotMet('/api/nominees/1', () => change('/api/nominees/1', encoded));
    }
  });

  it('a change is refused if the page has changed, also another record on it; the same bytes have the same ETag', async () => {
    await running.service.write('PATCH', target, { runtime: 122 });
    const first = await etagOf(target);
    await change(target);
    await expectNotMet(target, () => change(target, first));
    const { etag } = (await running.service.write('PATCH', target, { runtime: 122 })).headers;
    expect(etag).toBe(first);
    const { nominations } = await running.service.read<{ nominations: { nominee_id: number }[] }>(target);
    await running.service.write('PATCH', `/api/nominees/${nominations[0]!.nominee_id}`, { name: 'Renamed' });
    await expectNotMet(target, () => change(target, first));
  });

  it('a change is refused if the condition is no strong ETag of the page', async () => {
    const etag = await etagOf(target);
    const wrong = [`W/${etag}`, `*, ${etag}`, '', await etagOf(`${target}?include=counts`)];
    for (const other of wrong) await expectNotMet(target, () => change(target, other));
    await expectNotMet('/api/movies/4242', () =>
      running.service.write('POST', '/api/movies', { id: 4242, title: 'New' }, { 'If-Match': '*' }),
    );
  });

  it('exactly one of parallel changes with the same condition is made, and it is shown', async () => {
    const round = fc.record({
      page: fc.constantFrom('/api/movies/38', '/api/nominees/1', '/api/movies/24'),
      editors: fc.integer({ min: 2, max: 6 }),
      bystanders: fc.integer({ min: 0, max: 3 }),
    });
    await fc.assert(
      fc.asyncProperty(round, async ({ page, editors, bystanders }) => {
        const etag = await etagOf(page);
        const conditional = Array.from({ length: editors }, () => change(page, etag));
        const others = Array.from({ length: bystanders }, () => change('/api/movies/45'));
        const replies = await Promise.all(conditional);
        const made = replies.filter(({ status }) => status === 200);
        expect(replies.map(({ status }) => status).sort()).toEqual([200, ...Array(editors - 1).fill(412)]);
        expect(made[0]!.headers.etag).toBe(await etagOf(page));
        expect(await running.service.read(page)).toMatchObject(documentOf(made[0]!));
        for (const { status } of await Promise.all(others)) expect(status).toBe(200);
      }),
      { numRuns: runs(8) },
    );
  });
});

it('without a condition all parallel changes are made, and no returned ETag allows to overwrite an unseen one', async () => {
  const target = '/api/movies/26';
  for (let round = 0; round < runs(4); round += 1) {
    const replies = await Promise.all(Array.from({ length: 5 }, () => change(target)));
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    const { runtime } = await running.service.read(target);
    for (const reply of replies.filter(({ headers }) => headers.etag !== undefined))
      if (documentOf(reply).runtime === runtime) expect(reply.headers.etag).toBe(await etagOf(target));
      else await expectNotMet(target, () => change(target, reply.headers.etag));
    await expectShown(running.service, target);
  }
});

it('the ETag that a write is compared with is that of the page, for every record', async () => {
  const { connection } = running.service;
  for (const resource of writableResources)
    for (const id of connection.prepare<[], number>(`SELECT id FROM ${resource}`).pluck().all()) {
      const path = `/api/${resource}/${id}`;
      const names = { movies: 'other_names', nominees: 'other_names' };
      const include = { nominations: 'details', ceremonies: 'film_years', ...names }[resource as string];
      const pages = [path, include === undefined ? path : `${path}?include=${include}`];
      expect(pageETags(connection, resource, id), path).toEqual(
        await Promise.all(pages.map((page) => etagOf(page))),
      );
    }
});

it('while editors write, each read is answered from one snapshot, never from an earlier one than before', async () => {
  const { service } = running;
  const film = 38;
  /** In the copies of the title, in an answer. */
  const numbersIn = (text: string) =>
    new Set([...text.matchAll(/"(?:title|movie)":"Quokka No\. (\d+)"/g)].map(([, own]) => Number(own)));
  const targets = [`/api/movies/${film}`, '/api/movies?title=quokka', `/api/nominations?movie_ids=${film}`];
  targets.push('/api/categories/3', '/api/stats/top-movies?limit=100', '/api/search?q=quokka');
  const rename = (number: number) =>
    service.write('PATCH', `/api/movies/${film}`, { title: `Quokka No. ${number}` });
  await rename(0);
  let writing = true;
  const seen = new Set<number>();
  const asked = targets.map(() => 0);
  const reading = targets.map(async (target, reader) => {
    for (let latest = 0; writing; asked[reader]! += 1) {
      const { status, body } = await service.ask(target);
      const found = [...numbersIn(body.toString())];
      expect([target, status, found.length]).toEqual([target, 200, 1]);
      expect(found[0]).toBeGreaterThanOrEqual(latest);
      latest = found[0]!;
      seen.add(latest);
      await pause(10);
    }
  });
  const edit = async () => {
    for (let round = 0; round < runs(12); round += 1)
      await service.write('PATCH', '/api/nominations/8', { winner: round % 2 === 0 });
  };
  const other = edit();
  // The test is only meaningful if the readers see changes.
  const isSeen = () => seen.size > 3 && asked.every((times) => times > 3);
  for (let number = 1; number <= Math.max(20, runs(20)) || !isSeen(); number += 1)
    expect((await rename(number)).status).toBe(200);
  await other;
  writing = false;
  await Promise.all(reading);
  await expectShown(service, ...targets);
});

describe('the writer', () => {
  const at = useWorkspace();
  let connection: Connection;
  /** Ends each build that has begun, in its order. */
  let builds: { succeed(): void; fail(): void }[];
  let writer: Writer;
  let errors: unknown[];
  let cases = 0;

  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    [builds, errors] = [[], []];
    connection = openDatabase(at(`${cases++}.db`));
    const build = () =>
      new Promise<string>((resolve, reject) => {
        const id = `snapshot ${builds.length + 1}`;
        builds.push({ succeed: () => resolve(id), fail: () => reject(new Error(id)) });
      });
    writer = new Writer(connection, build, (error) => errors.push(error));
  });
  afterEach(async () => {
    const closed = writer.close();
    for (const { succeed } of builds) succeed();
    await closed;
    connection.close();
    vi.useRealTimers();
  });
  const begun = (count: number) => vi.waitFor(() => expect(builds).toHaveLength(count), 20_000);

  it('a write that arrives during a build is answered with the next one, which others share', async () => {
    const first = writer.published();
    await begun(1);
    const others = [writer.published(), writer.published()];
    // The changes of another program, too.
    writer.request();
    builds[0]!.succeed();
    expect(await first).toBe('snapshot 1');
    await begun(2);
    builds[1]!.succeed();
    expect(await Promise.all(others)).toEqual(['snapshot 2', 'snapshot 2']);
    expect(builds).toHaveLength(2);
  });

  it('a write whose build fails is pending, further ones are refused, and the build is repeated by itself', async () => {
    fillWithTinyRecord(connection);
    const write = (tagline: string) =>
      writer.write({ resource: 'movies', id: 1, body: { tagline }, ifMatch: undefined, key: 'editor' });
    const pending = write('first');
    await begun(1);
    builds[0]!.fail();
    expect(await pending).toMatchObject({ snapshot: undefined, data: [{ status: 200, etag: null }] });
    expect(errors).toEqual([new Error('snapshot 1')]);
    expect(await write('second')).toMatchObject({ problem: 'writing-unavailable' });
    // Another program's changes do not hurry it.
    writer.request();
    await vi.advanceTimersByTimeAsync(60_000);
    await begun(2);
    const settled = writer.published();
    builds[1]!.succeed();
    await begun(3);
    builds[2]!.succeed();
    expect(await settled).toBe('snapshot 3');
    const third = write('third');
    await begun(4);
    builds[3]!.succeed();
    expect(await third).toMatchObject({ snapshot: 'snapshot 4', data: [{ etag: expect.any(String) }] });
  });
});
