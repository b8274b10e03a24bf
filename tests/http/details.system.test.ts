/** The details of a nomination: editors change them inside `details`; an answer without them keeps its bytes. */
import { describe, expect, it } from 'vitest';
import type { JsonValue } from '../../api/contract/bodies.ts';
import { defaultDetails, smallestBody } from './random-bodies.ts';
import { documentOf, receiptOf, useWritingService } from './writing-service.ts';

const running = useWritingService();
const target = '/api/nominations/1';
const withDetails = `${target}?include=details`;
const patch = (body: JsonValue, headers = {}) => running.service.write('PATCH', target, body, headers);
const details = async () => (await running.service.read<{ details: object }>(withDetails)).details;

describe('a PATCH', () => {
  it('with null for a member or for all of them brings the defaults back', async () => {
    await patch({ details: { official: false, character: 'X' } });
    const { details: changed } = documentOf(await patch({ details: { official: null } }));
    expect(changed).toMatchObject({ official: true, character: 'X' });
    expect(documentOf(await patch({ details: null })).details).toEqual({ ...defaultDetails, entry: 1 });
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
        {
          pointer: '/details/entry',
          message: 'comes from the source: its value is 7; omit it or send this value',
        },
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

  it('has a receipt with the changed members alone', async () => {
    await patch({ details: { character: 'Before', note: 'Stays' } });
    const write = await patch({ details: { character: 'After', note: 'Stays' } });
    const { before, after } = await receiptOf(running.service, write);
    expect(before).toEqual({ details: { character: 'Before' } });
    expect(after).toEqual({ details: { character: 'After' } });
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

it('a POST with an entry of its own is refused', async () => {
  const body = { id: 3_000_001, ...smallestBody.nominations, details: { entry: 3 } };
  expect((await running.service.write('POST', '/api/nominations', body)).status).toBe(422);
});
