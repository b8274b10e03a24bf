/** PATCH changes the fields that were sent and no others. Null removes a value. A refusal names every fault and changes nothing. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { defaultOf, type JsonValue } from '../../api/contract/bodies.ts';
import { writableResources } from '../../api/contract/names.ts';
import { runs } from '../support/settings.ts';
import { anyBody, type Body, fieldValues, required } from './random-bodies.ts';
import { documentOf, expectShown, faultsOf, useWritingService } from './writing-service.ts';

const running = useWritingService();
const patch = (target: string, body: JsonValue, headers = {}) =>
  running.service.write('PATCH', target, body, headers);

/** The faults of a change that is refused, each as "pointer: message". */
const messagesOf = (target: string, body: JsonValue) =>
  faultsOf(running.service, 422, () => patch(target, body));
const pointersOf = async (target: string, body: JsonValue) =>
  (await messagesOf(target, body)).map((fault) => fault.split(': ', 1)[0]);

describe.each(writableResources.map((resource) => [resource]))('%s', (resource) => {
  const fields = Object.keys(fieldValues[resource]);
  const optional = fields.filter((field) => field !== 'id' && !required[resource].includes(field));

  it('have the sent fields after any change, and the others unchanged', async () => {
    const { service } = running;
    const target = `/api/${resource}/1`;
    const change = fc.record({
      sent: anyBody(resource).map((body): Body => ({ ...body, id: 1 })),
      removed: fc.subarray(optional).map((chosen) => chosen.slice(0, 3)),
      type: fc.constantFrom(
        'application/json',
        'application/merge-patch+json',
        'Application/JSON;Charset="UTF-8"',
      ),
    });
    await fc.assert(
      fc.asyncProperty(change, async ({ sent, removed, type }) => {
        const list = `/api/${resource}?ids=1${sent.details ? '&include=details' : ''}`;
        const { data } = await service.read<{ data: Body[] }>(list);
        for (const field of removed) sent[field] = null;
        const reply = await patch(target, sent, { 'Content-Type': type });
        expect(reply.status, reply.body.toString()).toBe(200);
        const after = documentOf(reply);
        expect(Object.keys(after)).toEqual(Object.keys(data[0]!));
        for (const field of fields)
          expect(after[field], field).toEqual(
            Object.hasOwn(sent, field) ? (sent[field] ?? defaultOf(field)) : data[0]![field],
          );
        if (sent.details) {
          const before = data[0]!.details as Body;
          // A nomination that moves loses the number of its entry.
          const entry = expect.toBeOneOf([before.entry, null]);
          expect(after.details).toEqual({ ...before, ...(sent.details as Body), entry });
        }
        await expectShown(service, target, list, `${target}?include=details`);
      }),
      { numRuns: runs(3) },
    );
  });

  it('keep their id', async () => {
    for (const body of [{ id: 1 }, '{"id":1.0}'])
      expect((await patch(`/api/${resource}/1`, body)).status).toBe(200);
    expect(await messagesOf(`/api/${resource}/1`, { id: 2 })).toEqual(['/id: must stay 1']);
    for (const id of [0, '1', null]) expect(await pointersOf(`/api/${resource}/1`, { id })).toEqual(['/id']);
  });
});

it('a list of texts is replaced as a whole, and each member must be a text', async () => {
  const target = '/api/movies/2';
  for (const genres of [['__proto__', '\\u0000', '"', '\u{1F3AC}', 'War', 'War'], ['Drama'], []])
    expect(documentOf(await patch(target, { genres }))).toMatchObject({ genres });
  const bad = { genres: ['a', '', 1, 'b', null, ['c'], {}], origin_country: [null] };
  const pointers = [1, 2, 4, 5, 6].map((at) => `/genres/${at}`);
  expect(await pointersOf(target, bad)).toEqual([...pointers, '/origin_country/0']);
});

it('only an object can be merged into a record', async () => {
  for (const body of ['[]', '[{}]', 'null', '"text"', '1', 'true'])
    expect(await pointersOf('/api/movies/1', body)).toEqual(['']);
});

describe('a nomination', () => {
  const target = '/api/nominations/5';

  it('may be sent back as it was read', async () => {
    const { data } = await running.service.read<{ data: Body[] }>('/api/nominations');
    const receipts = running.service.receipts();
    for (const row of data) expect((await patch(`/api/nominations/${String(row.id)}`, row)).status).toBe(200);
    expect(running.service.receipts()).toBe(receipts);
  });

  it('takes a derived field only with its value after the change', async () => {
    const { data } = await running.service.read<{ data: Body[] }>('/api/nominations?ids=5');
    const { movie, song_title } = data[0]! as { movie: string; song_title: string };
    const texts = { category: 'x', movie: 'x', nominee: 'x', song_title: 'x' };
    const wrong = { ceremony_year: 1900, ...texts, is_song: false };
    expect(await pointersOf(target, wrong)).toEqual(Object.keys(wrong).map((field) => `/${field}`));
    for (const [field, value] of Object.entries(wrong)) {
      expect(await pointersOf(target, { ...data[0]!, [field]: value })).toEqual([`/${field}`]);
      expect(await pointersOf(target, { [field]: null })).toEqual([`/${field}`]);
    }
    const titled = documentOf(await patch('/api/movies/3', { title: 'Third' }));
    expect(await messagesOf(target, { movie_id: 3, movie })).toEqual([
      '/movie: is derived: its value is "Third"; omit it or send this value',
    ]);
    expect((await patch(target, { movie: titled.title!, movie_id: 3 })).status).toBe(200);
    const song = { song_id: null, is_song: true, song_title };
    expect(await pointersOf(target, song)).toEqual(['/song_title', '/is_song']);
    expect((await patch(target, { song_id: null, is_song: false, song_title: null })).status).toBe(200);
    expect(await pointersOf(target, { song_id: 1, is_song: false })).toEqual(['/is_song']);
    await expectShown(running.service, target, '/api/movies/3', '/api/movies/38', '/api/songs/1');
  });

  it('refers to records that exist', async () => {
    const nowhere = { ceremony_id: 4, category_id: 4, movie_id: 4, nominee_id: 424_242, song_id: 4 };
    expect(await pointersOf(target, nowhere)).toEqual(Object.keys(nowhere).map((field) => `/${field}`));
    // A derived field of a missing record, or of an id with a fault, is no second fault.
    for (const id of [4, 0, null])
      expect(await pointersOf(target, { movie_id: id, movie: 'x' })).toEqual(['/movie_id']);
    const song = { song_id: 'x', song_title: 'x', is_song: false };
    expect(await pointersOf(target, song)).toEqual(['/song_id']);
  });
});

it('every fault is named: unknown fields, wrong values, broken rules', async () => {
  const body = {
    ...{ winner: 'yes', 'a/b~c': 1, movie_id: 4, id: 6, nominee: 'x', constructor: 1, ceremony_id: '1' },
    '': 0,
  };
  const pointers = await pointersOf('/api/nominations/6', body);
  const due = '/winner /a~1b~0c /movie_id /nominee /constructor /ceremony_id /';
  expect(pointers.sort()).toEqual(due.split(' ').sort());
});

it('the faults of a body are named before a missing record', async () => {
  expect(await pointersOf('/api/movies/424242', { id: 1, title: '' })).toEqual(['/title', '/id']);
  expect((await patch('/api/movies/424242', { title: 'x' })).status).toBe(404);
  expect((await patch('/api/movies/424242', {})).status).toBe(404);
  // What a missing nomination refers to is not known.
  expect((await patch('/api/nominations/424242', { movie: 'x', is_song: true })).status).toBe(404);
  expect(await pointersOf('/api/nominations/424242', { movie_id: 1, movie: 'x' })).toEqual(['/movie']);
});
