/** POST adds one record, with its own id or the next free one. It never replaces a record. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { defaultOf, type JsonValue } from '../../api/contract/bodies.ts';
import { writableResources } from '../../api/contract/names.ts';
import { runs } from '../support/settings.ts';
import { anyBody, type Body, defaultDetails, fieldValues, largest, smallestBody } from './random-bodies.ts';
import { documentOf, expectShown, useWritingService } from './writing-service.ts';

const running = useWritingService();
const post = (resource: string, body: JsonValue) => running.service.write('POST', `/api/${resource}`, body);

let fresh = 10_000;

describe.each(writableResources.map((resource) => [resource]))('%s', (resource) => {
  const fields = Object.keys(fieldValues[resource]);
  const newBody: Body = smallestBody[resource];

  it('are stored as sent, with defaults for the other fields, and shown in the lists', async () => {
    await fc.assert(
      fc.asyncProperty(anyBody(resource), async (body) => {
        fresh += 1;
        const sent: Body = { ...body, id: fresh };
        const reply = await post(resource, sent);
        expect(reply.status, reply.body.toString()).toBe(201);
        expect(reply.headers.location).toBe(`/api/${resource}/${fresh}`);
        const created = documentOf(reply);
        for (const field of fields)
          expect(created[field], field).toEqual(Object.hasOwn(sent, field) ? sent[field] : defaultOf(field));
        const sentDetails = sent.details as Body | undefined;
        if (sentDetails) expect(created.details).toEqual({ ...defaultDetails, ...sentDetails });
        const address = `/api/${resource}/${fresh}`;
        await expectShown(
          running.service,
          address,
          `${address}?include=details`,
          `/api/${resource}?ids=${fresh},1`,
        );
      }),
      { numRuns: runs(2) },
    );
  });

  it('are not replaced: 409 for an existing id, and nothing is changed', async () => {
    const receipts = running.service.receipts();
    for (const id of [1, 2, largest]) {
      const { etag } = (await running.service.ask(`/api/${resource}/${id}`)).headers;
      const reply = await post(resource, { ...newBody, id });
      expect(reply.status).toBe(409);
      expect(documentOf(reply).detail).toContain(String(id));
      expect((await running.service.ask(`/api/${resource}/${id}`)).headers.etag).toBe(etag);
    }
    expect(running.service.receipts()).toBe(receipts);
  });

  it('sent several times at once are one record; the others get 409', async () => {
    for (let round = 0; round < runs(2); round += 1) {
      fresh += 1;
      const replies = await Promise.all(
        Array.from({ length: 4 }, () => post(resource, { ...newBody, id: fresh })),
      );
      expect(replies.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409]);
    }
  });
});

describe('a record without id', () => {
  it('gets the lowest free id while the highest possible id is taken', async () => {
    for (const id of [8, 9, 10]) expect(documentOf(await post('nominees', { name: 'Next' })).id).toBe(id);
    await expectShown(running.service, '/api/nominees', '/api/nominees/8', `/api/nominees/${largest}`);
  });

  it('gets an id of its own, also if many come at once', async () => {
    const replies = await Promise.all(
      Array.from({ length: 30 }, () => post('movies', { title: 'One of many' })),
    );
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([201]));
    expect(new Set(replies.map((reply) => documentOf(reply).id)).size).toBe(30);
    expect(new Set(replies.map(({ headers }) => headers.location)).size).toBe(30);
    await expectShown(running.service, '/api/movies?title=one+of+many&limit=100');
  });
});

it('an id may be any other whole number; the next free id follows the highest that ever was', async () => {
  const { connection } = running.service;
  connection.exec('UPDATE honors SET ceremony_id = 1');
  connection.exec(`UPDATE nominations SET ceremony_id = 1 WHERE ceremony_id = ${largest}`);
  connection.exec(
    `DELETE FROM ceremonies WHERE id = ${largest}; DELETE FROM sqlite_sequence WHERE name = 'ceremonies'`,
  );
  const ids: JsonValue[] = [];
  for (const id of [50_000, undefined, 60_000, undefined, largest - 1, undefined, undefined]) {
    const reply = await post('ceremonies', { ceremony_year: 2001, ...(id !== undefined && { id }) });
    expect(reply.status).toBe(201);
    ids.push(documentOf(reply).id!);
  }
  expect(ids).toEqual([50_000, 50_001, 60_000, 60_001, largest - 1, largest, 4]);
  await expectShown(running.service, '/api/ceremonies', `/api/ceremonies/${largest}`, '/api/ceremonies/4');
});
