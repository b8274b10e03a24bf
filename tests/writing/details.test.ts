/** The details of a nomination: editors change them inside `details`; an answer without them keeps its bytes. */
import { describe, expect, it } from 'vitest';
import type { JsonValue } from '../../api/contract/bodies.ts';
import { seeded } from '../support/seed.ts';
import { documentOf, expectShown, receiptOf, useWritingService } from './writing-service.ts';

const running = useWritingService();
const target = '/api/nominations/1';
const withDetails = `${target}?include=details`;
const patch = (body: JsonValue, headers = {}) => running.service.write('PATCH', target, body, headers);
const details = async () => (await running.service.read<{ details: object }>(withDetails)).details;
/** The details of a new nomination. */
const defaults = { entry: null, character: null, note: null, official: true, historical_category: null };
let last = 3_000_000;
const newNomination = () => {
  last += 1;
  return { id: last, ceremony_id: 1, category_id: 1, movie_id: 1, nominee_id: 1 };
};

describe('a PATCH', () => {
  it('changes the sent members, and leaves the others and the default answer alone', async () => {
    await patch({ details: { character: 'Margaret Thatcher', note: 'A note', official: false } });
    const before = await running.service.ask(target);
    const reply = await patch({ details: { note: null, historical_category: 'Actress' } });
    expect([reply.status, documentOf(reply).details]).toEqual([
      200,
      {
        entry: 1,
        character: 'Margaret Thatcher',
        note: null,
        official: false,
        historical_category: 'Actress',
      },
    ]);
    expect(await details()).toEqual(documentOf(reply).details);
    const after = await running.service.ask(target);
    expect(after.body.equals(before.body)).toBe(true);
    expect(after.headers.etag).toBe(before.headers.etag);
    await expectShown(running.service, withDetails, '/api/nominations?include=details&ids=1');
  });

  it('with null for a member or for all of them brings the defaults back', async () => {
    await patch({ details: { official: false, character: 'X' } });
    expect(documentOf(await patch({ details: { official: null } })).details).toMatchObject({
      official: true,
    });
    expect(documentOf(await patch({ details: null })).details).toEqual({ ...defaults, entry: 1 });
  });

  it('without details answers without them; with empty details it shows them', async () => {
    expect(documentOf(await patch({ winner: true }))).not.toHaveProperty('details');
    expect(documentOf(await patch({ details: {} })).details).toEqual(await details());
  });

  it('can repeat the number of the entry, not change it', async () => {
    running.service.connection.exec('UPDATE nominations SET entry = 7 WHERE id = 2');
    const second = (entry: number | null) =>
      running.service.write('PATCH', '/api/nominations/2', { details: { entry, note: `Of ${entry}` } });
    expect((await second(7)).status).toBe(200);
    for (const entry of [8, null]) {
      const { errors } = documentOf(await second(entry)) as {
        errors: { pointer: string; message: string }[];
      };
      expect(errors).toEqual([
        { pointer: '/details/entry', message: 'comes from the source: it is 7; leave it out or send that' },
      ]);
    }
  });

  it('that moves a nomination takes its entry number away, and the undo by its receipt brings it back', async () => {
    running.service.connection.exec('UPDATE nominations SET entry = 9 WHERE id = 3');
    const third = (body: JsonValue) => running.service.write('PATCH', '/api/nominations/3', body);
    const shown = async () =>
      running.service.read<Record<string, JsonValue>>('/api/nominations/3?include=details');
    // The snapshot after a write holds the change of the shell too.
    await third({ details: { character: 'Moved' } });
    const before = await shown();
    expect(before.details).toMatchObject({ entry: 9 });
    const place = before.category as { id: number };
    const other = place.id === 1 ? 2 : 1;
    for (const moved of [{ category_id: other }, { category_id: other, details: { note: 'Moved' } }]) {
      const receipt = await receiptOf(running.service, await third(moved));
      expect(receipt.before).toMatchObject({ category_id: place.id, details: { entry: 9 } });
      expect(receipt.after).toMatchObject({ category_id: other, details: { entry: null } });
      expect((await shown()).details).toMatchObject({ entry: null });
      // The number is that of an entry of the other category.
      expect((await third({ details: { entry: 9 } })).status).toBe(422);
      const undo = await receiptOf(running.service, await third(receipt.before as JsonValue));
      expect(await shown()).toEqual(before);
      await third(undo.before as JsonValue);
      expect((await shown()).details).toMatchObject({ entry: null });
      await third(receipt.before as JsonValue);
    }
    expect(await shown()).toEqual(before);
  });

  it('names every fault with its place', async () => {
    const sent = { character: '', note: 'x'.repeat(20_001), official: 'yes', historical: 'A', entry: 0 };
    const pointersOf = async (body: JsonValue) => {
      const reply = await patch(body);
      expect(reply.status).toBe(422);
      return (documentOf(reply).errors as { pointer: string }[]).map(({ pointer }) => pointer);
    };
    expect(await pointersOf({ details: sent, winner: 1 })).toEqual([
      ...Object.keys(sent).map((name) => `/details/${name}`),
      '/winner',
    ]);
    for (const wrong of ['x', 1, true, []])
      expect(await pointersOf({ details: wrong })).toEqual(['/details']);
    const movie = await running.service.write('PATCH', '/api/movies/1', { details: {} });
    expect(movie.status).toBe(422);
  });

  it('has a receipt with the changed members, and sending "before" undoes it', async () => {
    await patch({ details: { character: 'Before', note: 'Stays' } });
    const receipt = await receiptOf(
      running.service,
      await patch({ details: { character: 'After', note: 'Stays' } }),
    );
    expect([receipt.before, receipt.after]).toEqual([
      { details: { character: 'Before' } },
      { details: { character: 'After' } },
    ]);
    await patch(receipt.before as JsonValue);
    expect(await details()).toMatchObject({ character: 'Before', note: 'Stays' });
    expect((await patch({ details: { character: 'Before' } })).headers.receipt).toBeUndefined();
  });
});

describe('If-Match', () => {
  const send = (character: string, etag: string) => patch({ details: { character } }, { 'If-Match': etag });

  it('with the ETag of the page with details meets a change of the details', async () => {
    const { etag } = (await running.service.ask(withDetails)).headers;
    const first = await send('One', etag!);
    expect(first.status).toBe(200);
    expect(first.headers.etag).toBe((await running.service.ask(withDetails)).headers.etag);
    expect((await send('Two', etag!)).status).toBe(412);
    expect((await send('Two', first.headers.etag!)).status).toBe(200);
  });

  it('with the ETag of the plain page is met as long as that page is the same', async () => {
    const { etag } = (await running.service.ask(target)).headers;
    expect((await send('Three', etag!)).status).toBe(200);
    expect((await send('Four', etag!)).status).toBe(200);
  });
});

describe('a POST', () => {
  it('takes details, with defaults for absent members', async () => {
    const reply = await running.service.write('POST', '/api/nominations', {
      ...newNomination(),
      details: { character: 'Themselves' },
    });
    expect([reply.status, documentOf(reply).details]).toEqual([
      201,
      { ...defaults, character: 'Themselves' },
    ]);
    await expectShown(running.service, `${reply.headers.location}?include=details`);
  });

  it('without details has the defaults, and an entry of its own is refused', async () => {
    const { headers } = await running.service.write('POST', '/api/nominations', newNomination());
    expect(await running.service.read(`${headers.location}?include=details`)).toMatchObject({
      details: defaults,
    });
    const body = { ...newNomination(), details: { entry: 3 } };
    expect((await running.service.write('POST', '/api/nominations', body)).status).toBe(422);
  });
});

it('after any sequence of changes, every answer is that of the record', async () => {
  const choices = seeded('details');
  const values: Record<string, JsonValue[]> = {
    character: [null, 'Rick', 'Ilsa "L."'],
    note: [null, 'Declined', '\u{1F3AC}'],
    official: [true, false, null],
    historical_category: [null, 'Actor'],
  };
  for (let step = 0; step < 12; step += 1) {
    const members = Object.entries(values).filter(() => choices.chance(0.6));
    const sent = Object.fromEntries(members.map(([name, some]) => [name, choices.pick(some)]));
    const id = choices.between(1, 3);
    const reply = await running.service.write('PATCH', `/api/nominations/${id}`, { details: sent });
    expect(reply.status).toBe(200);
    await expectShown(
      running.service,
      `/api/nominations/${id}?include=details`,
      `/api/nominations/${id}`,
      '/api/nominations?include=details&official=false',
      '/api/movies/1?include=counts',
    );
  }
});
