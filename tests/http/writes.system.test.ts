/** A write changes what was sent and nothing else, is shown by the next GET wherever the record appears, and can be undone. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { defaultOf, type JsonValue } from '../../api/contract/bodies.ts';
import { writableResources } from '../../api/contract/names.ts';
import { anyGoodRequest } from '../records/oracle/queries.ts';
import { loadPlainRecord } from '../records/record.ts';
import type { Reply } from '../support/http.ts';
import { runs } from '../support/settings.ts';
import { anyBody, type Body, defaultDetails, fieldValues, required, smallestBody } from './random-bodies.ts';
import {
  documentOf,
  expectShown,
  faultsOf,
  receiptOf,
  useWritingService,
} from '../support/writing-service.ts';

const running = useWritingService();
const post = (resource: string, body: JsonValue) => running.service.write('POST', `/api/${resource}`, body);
const patch = (target: string, body: JsonValue, headers = {}) =>
  running.service.write('PATCH', target, body, headers);
const withoutId = ({ id: _, ...body }: Body): Body => body;
const textAt = async (target: string) => (await running.service.ask(target)).body.toString();
const messagesOf = (target: string, body: JsonValue) =>
  faultsOf(running.service, 422, () => patch(target, body));
const pointersOf = async (target: string, body: JsonValue) =>
  (await messagesOf(target, body)).map((fault) => fault.split(': ', 1)[0]);
/** The include of what a record shows on request only. */
const requested: Readonly<Record<string, string>> = {
  ceremonies: 'film_years',
  movies: 'other_names',
  nominees: 'other_names',
};
const onRequest = (resource: string) => `include=${requested[resource] ?? 'details'}`;
let fresh = 10_000;

/** Fails unless a write is answered with everything that an editor needs, and shown. @returns the record */
async function expectDone(reply: Reply, status: number, path: string): Promise<Record<string, JsonValue>> {
  const { service } = running;
  expect(reply.status, reply.body.toString()).toBe(status);
  const record = documentOf(reply);
  const include = ['details', 'film_years', 'other_names']
    .filter((name) => record[name] !== undefined)
    .map((name) => `include=${name}`)
    .join();
  const list = path.slice(0, path.lastIndexOf('/'));
  const listed = `${list}?ids=${String(record.id)}&${include}`;
  const page = await service.ask(`${path}?${include}`);
  const isChange = reply.headers.receipt !== undefined;
  expect(reply.headers).toMatchObject({
    snapshot: service.snapshot(),
    ...(isChange && { receipt: `/receipts/${service.receipts()}` }),
    'content-type': 'application/json; charset=utf-8',
    'content-length': String(reply.body.length),
    'cache-control': 'no-store',
    'access-control-expose-headers': expect.stringMatching(/Location, Receipt, Snapshot, Snapshot-Pending/),
  });
  expect([reply.headers.etag, reply.headers.location]).toEqual([
    page.headers.etag,
    status === 201 ? path : undefined,
  ]);
  const { data } = await service.read<{ data: unknown[] }>(listed);
  if (page.status === 200) expect(reply.body.toString()).toBe(`${JSON.stringify(data[0])}\n`);
  await expectShown(
    service,
    path,
    `${path}?${onRequest(list.slice('/api/'.length))}`,
    list,
    listed.replace(/&$/, ''),
    '/api/search?q=new',
  );
  return record;
}

describe.each(writableResources)('a record of %s', (resource) => {
  const fields = Object.keys(fieldValues[resource]);
  const optional = fields.filter((field) => field !== 'id' && !required[resource].includes(field));
  const anyChange = fc.record({
    body: anyBody(resource).map(withoutId),
    removed: fc.subarray(optional).map((chosen) => chosen.slice(0, 3)),
    type: fc.constantFrom('application/json', 'application/merge-patch+json'),
  });
  const expectFields = (record: Body, sent: Body, before: (field: string) => unknown) => {
    for (const field of fields) {
      const isSent = Object.hasOwn(sent, field);
      const expected = isSent ? (sent[field] ?? defaultOf(field, resource)) : before(field);
      // They are in the answer to a write that has them.
      expect(record[field], field).toEqual(field === requested[resource] && !isSent ? undefined : expected);
    }
  };

  it('is added, changed, brought back by its receipts, deleted, and added again', async () => {
    const { service } = running;
    await fc.assert(
      fc.asyncProperty(
        anyBody(resource),
        fc.array(anyChange, { minLength: 1, maxLength: 2 }),
        async (body, changes) => {
          fresh += 1;
          const path = `/api/${resource}/${fresh}`;
          const whole = `${path}?${onRequest(resource)}`;
          const sent: Body = { ...body, id: fresh };
          const created = await post(resource, sent);
          let record = await expectDone(created, 201, path);
          expectFields(record, sent, (field) => defaultOf(field, resource));
          if (sent.details) expect(record.details).toEqual({ ...defaultDetails, ...(sent.details as Body) });
          expect(await receiptOf(service, created)).toMatchObject({
            action: 'create',
            before: null,
            after: record,
          });
          const first = await textAt(whole);

          // It is not replaced.
          expect(await faultsOf(service, 409, () => post(resource, sent))).toEqual([]);
          const receipts: { before: unknown; after: unknown }[] = [];
          for (const change of changes) {
            const fieldsSent: Body = { ...change.body };
            for (const field of change.removed) fieldsSent[field] = null;
            const { data } = await service.read<{ data: Body[] }>(
              `/api/${resource}?ids=${fresh}${/nominations|ceremonies/.test(resource) ? `&${onRequest(resource)}` : ''}`,
            );
            const before = data[0]!;
            const write = await patch(path, fieldsSent, { 'Content-Type': change.type });
            record = await expectDone(write, 200, path);
            expectFields(record, fieldsSent, (field) => before[field]);
            if (fieldsSent.details) {
              // A nomination that moves loses the number of its entry; this one has none.
              expect(record.details).toEqual({
                ...(before.details as Body),
                ...(fieldsSent.details as Body),
              });
            }
            if (write.headers.receipt !== undefined) {
              const receipt = await receiptOf(service, write);
              expect(receipt).toMatchObject({ action: 'update', resource, record_id: fresh, key: 'editor' });
              receipts.unshift(receipt);
            }
            // A second time, it changes nothing.
            const same = await patch(path, fieldsSent);
            const shown = [same.status, same.headers.snapshot, same.headers.receipt];
            expect(shown).toEqual([200, write.headers.snapshot, undefined]);
          }
          for (const { before, after } of receipts) {
            const undo = await receiptOf(service, await patch(path, before as JsonValue));
            expect([undo.before, undo.after]).toEqual([after, before]);
          }
          expect(await textAt(whole)).toBe(first);

          const { etag } = (await service.ask(path)).headers;
          expect(await faultsOf(service, 412, () => service.remove(path, { 'If-Match': '"stale"' }))).toEqual(
            [],
          );
          const removed = await service.remove(path, { 'If-Match': etag! });
          await expectDone(removed, 200, path);
          const receipt = await receiptOf(service, removed);
          expect(receipt).toMatchObject({
            action: 'delete',
            record_id: fresh,
            after: null,
            before: documentOf(removed),
          });
          for (const write of [() => service.remove(path), () => patch(path, {})])
            expect((await write()).status).toBe(404);
          await expectDone(await post(resource, receipt.before as JsonValue), 201, path);
          expect(await textAt(whole)).toBe(first);
        },
      ),
      { numRuns: runs(2) },
    );
  });

  it('sent several times at once is one record; its id stays', async () => {
    fresh += 1;
    const replies = await Promise.all(
      [1, 2, 3, 4].map(() => post(resource, { ...smallestBody[resource], id: fresh })),
    );
    expect(replies.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409]);
    expect(await messagesOf(`/api/${resource}/${fresh}`, { id: 2 })).toEqual([`/id: must stay ${fresh}`]);
  });
});

it('a record that others refer to is not deleted, and the refusal counts them', async () => {
  const { service } = running;
  for (const resource of writableResources)
    if (resource !== 'nominations' && resource !== 'honors')
      await post(resource, { ...smallestBody[resource], id: 7100 });
  const references = { ceremony_id: 7100, movie_id: 7100, nominee_id: 7100, song_id: 7100 };
  for (const id of [7101, 7102])
    await post('nominations', { ...smallestBody.nominations, id, ...references });
  await post('honors', {
    ...{ id: 7100, ceremony_id: 7100, category: 'HONORARY AWARD', recipients: null },
    ...{ movie_id: 7100, nominee_ids: [1, 7100] },
  });
  for (const resource of ['ceremonies', 'movies', 'nominees', 'songs']) {
    const reply = await service.remove(`/api/${resource}/7100`);
    const { type, detail } = documentOf(reply);
    expect([reply.status, type]).toEqual([409, '/docs#problem-still-referenced']);
    const honor = resource === 'songs' ? '' : ' and 1 honor';
    expect(detail).toBe(`/api/${resource}/7100 is still referred to by 2 nominations${honor}`);
  }
});

describe('a nomination', () => {
  const at = (id: number) => `/api/nominations/${id}`;
  const rowOf = async (id: number) =>
    (await running.service.read<{ data: Body[] }>(`/api/nominations?ids=${id}`)).data[0]!;
  const detailsOf = async (id: number) =>
    (await running.service.read<{ details: Body }>(`${at(id)}?include=details`)).details;

  it('may be sent back as it was read, and takes a derived field only with its value after the change', async () => {
    await post('nominations', { id: 8000, ...smallestBody.nominations, song_id: 1 });
    const row = await rowOf(8000);
    expect((await patch(at(8000), row)).headers.receipt).toBeUndefined();
    const derived = ['ceremony_year', 'category', 'movie', 'nominee', 'song_title', 'is_song'];
    for (const wrong of ['x', null]) {
      const body = Object.fromEntries(derived.map((field) => [field, wrong]));
      expect((await pointersOf(at(8000), body)).sort()).toEqual(derived.map((field) => `/${field}`).sort());
    }
    await patch('/api/movies/3', { title: 'Third' });
    expect(await messagesOf(at(8000), { movie_id: 3, movie: 'x' })).toEqual([
      '/movie: is derived: its value is "Third"; omit it or send this value',
    ]);
    const moved = await patch(at(8000), {
      movie: 'Third',
      movie_id: 3,
      song_id: null,
      is_song: false,
      song_title: null,
    });
    expect(await receiptOf(running.service, moved)).toMatchObject({
      before: { movie: row.movie },
      after: { movie: 'Third' },
    });
  });

  it('refers to records that exist', async () => {
    const nowhere = { ceremony_id: 404, category_id: 404, movie_id: 404, nominee_id: 424_242, song_id: 404 };
    expect(await pointersOf(at(5), nowhere)).toEqual(Object.keys(nowhere).map((field) => `/${field}`));
    // A derived field of a missing record, or of an id with a fault, is no second fault.
    for (const id of [404, 0, null])
      expect(await pointersOf(at(5), { movie_id: id, movie: 'x' })).toEqual(['/movie_id']);
  });

  it('has details only where they are asked for or sent; null brings the defaults back', async () => {
    await post('nominations', { id: 8001, ...smallestBody.nominations });
    expect(documentOf(await patch(at(8001), { winner: true }))).not.toHaveProperty('details');
    await patch(at(8001), { details: { official: false, character: 'X' } });
    expect(documentOf(await patch(at(8001), { details: {} })).details).toEqual(await detailsOf(8001));
    const { details } = documentOf(await patch(at(8001), { details: { official: null } }));
    expect(details).toMatchObject({ official: true, character: 'X' });
    const write = await patch(at(8001), { details: { character: 'Y' } });
    const { before, after } = await receiptOf(running.service, write);
    expect([before, after]).toEqual([{ details: { character: 'X' } }, { details: { character: 'Y' } }]);
    expect(documentOf(await patch(at(8001), { details: null })).details).toEqual(defaultDetails);
    const sent = { character: '', note: 'x'.repeat(20_001), official: 'yes', historical: 'A', entry: 0 };
    const pointers = Object.keys(sent).map((name) => `/details/${name}`);
    expect(await pointersOf(at(8001), { details: sent, winner: 1 })).toEqual([...pointers, '/winner']);
    expect(await pointersOf(at(8001), { details: [] })).toEqual(['/details']);
  });

  it('keeps the number of its entry, loses it when it moves, and gets it back by its receipt', async () => {
    const { service } = running;
    service.connection.exec('UPDATE nominations SET entry = 9 WHERE id = 3');
    expect((await patch(at(3), { details: { entry: 9, note: 'Moved' } })).status).toBe(200);
    for (const entry of [8, null])
      expect(await messagesOf(at(3), { details: { entry } })).toEqual([
        '/details/entry: comes from the source: its value is 9; omit it or send this value',
      ]);
    const before = await textAt(`${at(3)}?include=details`);
    const { category_id } = await rowOf(3);
    const other = category_id === 1 ? 2 : 1;
    for (const moved of [{ category_id: other }, { category_id: other, details: { note: 'Other' } }]) {
      const receipt = await receiptOf(service, await patch(at(3), moved));
      expect(receipt).toMatchObject({
        before: { category_id, details: { entry: 9 } },
        after: { details: { entry: null } },
      });
      // The number is that of an entry of the other category.
      expect(await pointersOf(at(3), { details: { entry: 9 } })).toEqual(['/details/entry']);
      await patch(at(3), receipt.before as JsonValue);
      expect(await textAt(`${at(3)}?include=details`)).toBe(before);
    }
    const { before: gone } = await receiptOf(service, await service.remove(at(3)));
    expect((await post('nominations', gone as JsonValue)).status).toBe(201);
    expect(await textAt(`${at(3)}?include=details`)).toBe(before);
  });
});

describe('an honor', () => {
  const at = (id: number) => `/api/honors/${id}`;

  it('is special unless it says otherwise, and null brings that back', async () => {
    const made = documentOf(await post('honors', smallestBody.honors));
    expect(made).toMatchObject({ class: 'Special', movie_id: null, movie: null, nominee_ids: [] });
    const path = at(made.id as number);
    expect(documentOf(await patch(path, { class: 'SciTech' })).class).toBe('SciTech');
    expect(documentOf(await patch(path, { class: null })).class).toBe('Special');
  });

  it('takes its derived fields only with their values, and refers to records that exist', async () => {
    await post('honors', { id: 8100, ...smallestBody.honors, movie_id: 1, nominee_ids: [1, 2] });
    const { service } = running;
    const { data } = await service.read<{ data: Body[] }>('/api/honors?ids=8100');
    expect((await patch(at(8100), data[0]!)).headers.receipt).toBeUndefined();
    expect((await pointersOf(at(8100), { ceremony_year: 1, movie: 'x' })).sort()).toEqual([
      '/ceremony_year',
      '/movie',
    ]);
    expect(await messagesOf(at(8100), { movie_id: null, movie: 'x' })).toEqual([
      '/movie: is derived: its value is null; omit it or send this value',
    ]);
    expect((await patch(at(8100), { movie_id: null, movie: null })).status).toBe(200);
    const nowhere = { ceremony_id: 404, category_id: 404, movie_id: 404, nominee_ids: [1, 424_242] };
    expect(await messagesOf(at(8100), nowhere)).toEqual([
      '/ceremony_id: there is no ceremony with id 404',
      '/category_id: there is no category with id 404',
      '/movie_id: there is no movie with id 404',
      '/nominee_ids/1: there is no nominee with id 424242',
    ]);
    expect(await messagesOf(at(8100), { nominee_ids: [1, '2'], class: 'special' })).toEqual([
      '/nominee_ids/1: must be a whole number from 1 to 9007199254740991',
      '/class: must be one of SciTech, Special, Competitive',
    ]);
    expect(await messagesOf(at(8100), { nominee_ids: [1, 1] })).toEqual([
      '/nominee_ids: must be a list of at most 100 different ids',
    ]);
    await expectShown(service, '/api/honors?nominee_ids=2', '/api/honors?movie=x', at(8100));
  });
});

it('after any change, any request is answered from it', async () => {
  const ids = fc.constantFrom(1, 2, 3);
  const change = fc
    .constantFrom(...writableResources)
    .chain((resource) => fc.tuple(fc.constant(resource), ids, anyBody(resource).map(withoutId)));
  await fc.assert(
    fc.asyncProperty(change, fc.gen(), async ([resource, id, body], gen) => {
      expect((await patch(`/api/${resource}/${id}`, body)).status).toBe(200);
      const record = loadPlainRecord(running.service.connection);
      const requests = gen(() => fc.array(anyGoodRequest(record), { minLength: 4, maxLength: 4 }));
      const addresses = requests.map(({ path, queryString }) =>
        queryString ? `${path}?${queryString}` : path,
      );
      await expectShown(running.service, ...addresses.filter((it) => /^[\x21-\x7e]*$/.test(it)));
    }),
    { numRuns: runs(6) },
  );
});
