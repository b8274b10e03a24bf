/** If-Match: a change is made only if the record is still as its editor saw it. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { writableResources } from '../../api/contract/names.ts';
import { pageETags, Writer } from '../../api/write/writer.ts';
import { openDatabase } from '../../data/database/open.ts';
import { fillWithTinyRecord } from '../snapshot/tiny-record.ts';
import type { Reply } from '../support/http.ts';
import { useWorkspace } from '../support/temporary-folder.ts';
import { runs } from '../support/settings.ts';
import { documentOf, expectShown, useWritingService } from './writing-service.ts';

const running = useWritingService();

const etagOf = async (target: string) => (await running.service.ask(target)).headers.etag!;
let values = 0;
/** A new change, with a condition. */
const change = (target: string, ifMatch?: string | string[], body: Record<string, string | number> = {}) => {
  values += 1;
  const field = target.includes('/movies/') ? { runtime: values } : { biography: `No. ${values}` };
  const headers = ifMatch === undefined ? {} : { 'If-Match': ifMatch };
  return running.service.write('PATCH', target, { ...field, ...body }, headers);
};

async function expectNotMet(target: string, send: () => Promise<Reply>): Promise<void> {
  const [before, receipts] = [await running.service.ask(target), running.service.receipts()];
  const reply = await send();
  expect(reply.status).toBe(412);
  expect(documentOf(reply)).toMatchObject({
    status: 412,
    type: 'urn:film-awards:problem:precondition-failed',
    // The record of many of these requests is unchanged.
    detail: expect.not.stringContaining('changed'),
  });
  expect(running.service.receipts()).toBe(receipts);
  expect((await running.service.ask(target)).body.equals(before.body)).toBe(true);
}

describe('a change is made if If-Match has', () => {
  const target = '/api/movies/27';

  it('the ETag of the page, or of the last write', async () => {
    let etag = await etagOf(target);
    for (let step = 0; step < 5; step += 1) {
      const reply = await change(target, etag);
      expect(reply.status).toBe(200);
      expect(reply.headers.etag).not.toBe(etag);
      etag = reply.headers.etag!;
      expect(await etagOf(target)).toBe(etag);
    }
  });

  it('the ETag of a POST', async () => {
    const created = await running.service.write('POST', '/api/movies', { title: 'New' });
    expect((await change(created.headers.location!, created.headers.etag!)).status).toBe(200);
  });

  it('it in a list, or *', async () => {
    for (const list of ['*', ' * ', '"a", %', '%, "b"', 'W/"a",,%', ',%,'])
      expect((await change(target, list.replace('%', await etagOf(target)))).status, list).toBe(200);
    expect((await change(target, ['"a"', await etagOf(target)])).status).toBe(200);
  });

  it('the ETag of a compressed answer', async () => {
    const long = `/api/nominees/1`;
    const field = { biography: 'x'.repeat(2000) };
    await running.service.write('PATCH', long, field);
    for (const encoding of ['br', 'gzip']) {
      const { headers } = await running.service.ask(long, { headers: { 'accept-encoding': encoding } });
      expect(headers.etag).toMatch(new RegExp(`-${encoding}"$`));
      const reply = await change(long, headers.etag!, { biography: `${encoding} ${field.biography}` });
      expect(reply.status).toBe(200);
      // The record has changed since.
      expect((await change(long, headers.etag!)).status).toBe(412);
    }
  });

  it('the ETag and nothing is changed', async () => {
    const etag = await etagOf(target);
    const reply = await running.service.write('PATCH', target, {}, { 'If-Match': etag });
    expect([reply.status, reply.headers.etag]).toEqual([200, etag]);
  });
});

describe('a change is refused with 412 and not made', () => {
  const target = '/api/movies/28';

  it('if the record has changed, but not if it has changed back', async () => {
    const first = await etagOf(target);
    await change(target);
    await expectNotMet(target, () => change(target, first));
    const { etag } = (await running.service.write('PATCH', target, { runtime: 122 })).headers;
    // The same bytes have the same ETag.
    expect(etag).toBe(first);
    expect((await change(target, first)).status).toBe(200);
  });

  it('if another record on the page has changed', async () => {
    const before = await etagOf(target);
    await change('/api/nominees/5', undefined, { name: `Renamed ${values}` });
    await expectNotMet(target, () => change(target, before));
  });

  it('if the condition is not a strong ETag of the page', async () => {
    const etag = await etagOf(target);
    const wrong = [`W/${etag}`, etag.slice(1, -1), '""', '', `*, ${etag}`];
    for (const other of wrong) await expectNotMet(target, () => change(target, other));
    const { data } = await running.service.read<{ data: unknown[] }>('/api/movies?ids=28');
    expect(data).toHaveLength(1);
    await expectNotMet(target, async () => change(target, await etagOf('/api/movies?ids=28')));
    await expectNotMet(target, async () => change(target, await etagOf(`${target}?include=counts`)));
    await expectNotMet(target, async () => change(target, await etagOf('/api/movies/27')));
    await expectNotMet(target, () => change(target, `"${running.service.snapshot()}"`));
  });

  it('only if everything else is valid', async () => {
    expect((await change(target, '"x"', { nonsense: 1 })).status).toBe(422);
    expect((await change('/api/movies/424242', '*')).status).toBe(404);
    expect((await change('/api/movies/424242', '"x"')).status).toBe(404);
  });

  it('if there is no record yet', async () => {
    for (const condition of ['*', '"x"', '']) {
      const post = (id: number) =>
        running.service.write('POST', '/api/movies', { id, title: 'New' }, { 'If-Match': condition });
      await expectNotMet('/api/movies/4242', () => post(4242));
      expect((await post(27)).status).toBe(409);
    }
  });
});

describe('of parallel changes with the same condition', () => {
  it('exactly one is made, and it is shown', async () => {
    const round = fc.record({
      target: fc.constantFrom('/api/movies/38', '/api/nominees/1', '/api/movies/24'),
      editors: fc.integer({ min: 2, max: 6 }),
      bystanders: fc.integer({ min: 0, max: 3 }),
    });
    await fc.assert(
      fc.asyncProperty(round, async ({ target, editors, bystanders }) => {
        const etag = await etagOf(target);
        const conditional = Array.from({ length: editors }, () => change(target, etag));
        const others = Array.from({ length: bystanders }, () => change('/api/movies/45'));
        const replies = await Promise.all(conditional);
        const made = replies.filter(({ status }) => status === 200);
        expect(made).toHaveLength(1);
        expect(replies.filter(({ status }) => status === 412)).toHaveLength(editors - 1);
        expect(made[0]!.headers.etag).toBe(await etagOf(target));
        expect(await running.service.read(target)).toMatchObject(documentOf(made[0]!));
        for (const { status } of await Promise.all(others)) expect(status).toBe(200);
      }),
      { numRuns: runs(8) },
    );
  });
});

describe('of parallel changes without condition', () => {
  it('all are made, and no returned ETag allows an overwrite of an unseen change', async () => {
    const target = '/api/movies/26';
    for (let round = 0; round < runs(4); round += 1) {
      const replies = await Promise.all(Array.from({ length: 5 }, () => change(target)));
      expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
      const page = await running.service.read(target);
      const current = await etagOf(target);
      for (const reply of replies.filter(({ headers }) => headers.etag === current))
        expect(page).toMatchObject(documentOf(reply));
      const outdated = replies.filter((reply) => documentOf(reply).runtime !== page.runtime);
      for (const { headers } of outdated.filter((reply) => reply.headers.etag !== undefined))
        await expectNotMet(target, () => change(target, headers.etag!));
      await expectShown(running.service, target);
    }
  });
});

describe('a writer whose snapshot is not built yet', () => {
  const at = useWorkspace();

  it('compares If-Match with the record as it is, and waits for no build: eight editors share one', async () => {
    const [connection, other] = [openDatabase(at('awards.db')), openDatabase(at('awards.db'))];
    fillWithTinyRecord(other);
    let build = () => {};
    const built = new Promise<string>((resolve) => {
      build = () => resolve('snapshot');
    });
    const onError = (error: unknown) => expect.fail(String(error));
    const writer = new Writer(connection, () => built, onError);
    const write = (id: number, tagline: string, ifMatch: string) =>
      writer.write({ resource: 'movies', id, body: { tagline }, ifMatch, key: 'editor' });
    const etagNow = (id: number) => pageETags(other, 'movies', id)[0]!;
    const stale = etagNow(1);
    other.exec("UPDATE movies SET tagline = 'theirs' WHERE id = 1");
    expect(await write(1, 'ours', stale)).toMatchObject({ problem: 'precondition-failed' });
    const writing = Array.from({ length: 8 }, (_, editor) => write(2, `${editor}`, etagNow(2)));
    const taglines = other.prepare('SELECT tagline FROM movies WHERE id IN (1, 2) ORDER BY id').pluck();
    expect(taglines.all()).toEqual(['theirs', '7']);
    build();
    const shown = { snapshot: 'snapshot', data: [{ etag: expect.any(String) }] };
    for (const outcome of await Promise.all(writing)) expect(outcome).toMatchObject(shown);
    await writer.close();
    connection.close();
    other.close();
  });
});

it('the ETag that a write is compared with is that of the page, for every record', async () => {
  const { service } = running;
  for (const resource of writableResources) {
    const ids = service.connection.prepare<[], number>(`SELECT id FROM ${resource}`).pluck().all();
    for (const id of ids) {
      const [plain, withDetails] = pageETags(service.connection, resource, id);
      const path = `/api/${resource}/${id}`;
      expect(plain, path).toBe(await etagOf(path));
      if (resource === 'nominations') expect(withDetails).toBe(await etagOf(`${path}?include=details`));
    }
  }
});
