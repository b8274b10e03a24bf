/** A deleted record is gone from every answer; its id stays its own, its receipt brings it back, and nothing loses what it refers to. */
import { describe, expect, it } from 'vitest';
import type { JsonValue } from '../../api/contract/bodies.ts';
import { writableResources } from '../../api/contract/names.ts';
import { expectProblem } from './raw-connection.ts';
import type { Reply } from '../support/http.ts';
import { smallestBody } from './random-bodies.ts';
import { documentOf, expectShown, receiptOf, useWritingService } from './writing-service.ts';

const running = useWritingService();

async function created(resource: string, body: JsonValue): Promise<{ path: string; etag: string }> {
  const { status, headers } = await running.service.write('POST', `/api/${resource}`, body);
  expect(status).toBe(201);
  return { path: headers.location!, etag: headers.etag! };
}

/** Fails unless a DELETE is refused, with everything as it was. @returns the detail */
async function refusal(path: string, status: number, type: string, send: () => Promise<Reply>) {
  const { service } = running;
  const before = [service.receipts(), (await service.ask(path)).body.toString()];
  const reply = await send();
  expectProblem(reply.body, status);
  expect(documentOf(reply).type).toBe(`urn:film-awards:problem:${type}`);
  expect([service.receipts(), (await service.ask(path)).body.toString()]).toEqual(before);
  return String(documentOf(reply).detail);
}

describe.each(writableResources)('DELETE of a record of %s', (resource) => {
  const body = { ...smallestBody[resource], id: 7000 };

  it('answers with the record, shows it nowhere, and leaves a receipt that brings it back', async () => {
    const { service } = running;
    const { path } = await created(resource, body);
    const page = await service.ask(path);
    const reply = await service.remove(path);
    expect(reply.status).toBe(200);
    expect(reply.headers).not.toHaveProperty('etag');
    expect(reply.headers.snapshot).toBe(service.snapshot());
    expect(documentOf(reply)).toMatchObject(smallestBody[resource] as object);
    await expectShown(service, path, `/api/${resource}`, `/api/${resource}?ids=7000`, '/api/search?q=new');
    const receipt = await receiptOf(service, reply);
    expect(receipt).toMatchObject({ action: 'delete', resource, record_id: 7000, after: null });
    expect(receipt.before).toMatchObject(documentOf(reply));
    expect((await service.remove(path)).status).toBe(404);
    expect((await service.write('PATCH', path, {})).status).toBe(404);

    const again = await service.write('POST', `/api/${resource}`, receipt.before as JsonValue);
    expect([again.status, again.headers.location]).toEqual([201, path]);
    expect((await service.ask(path)).body.toString()).toBe(page.body.toString());
    await expectShown(service, path, `/api/${resource}`);
    expect((await service.remove(path)).status).toBe(200);
  });

  it('is made only if If-Match has the ETag of the page', async () => {
    const { service } = running;
    const { path, etag } = await created(resource, body);
    await refusal(path, 412, 'precondition-failed', () => service.remove(path, { 'If-Match': '"stale"' }));
    expect((await service.remove(path, { 'If-Match': etag })).status).toBe(200);
    expect((await service.remove(path, { 'If-Match': etag })).status).toBe(404);
  });
});

it('a nomination comes back with its details and its entry number', async () => {
  const { service } = running;
  service.connection.exec('UPDATE nominations SET entry = 3 WHERE id = 8');
  const changed = await service.write('PATCH', '/api/nominations/8', { details: { note: 'A remark.' } });
  const { details } = documentOf(changed);
  expect(details).toMatchObject({ entry: 3, note: 'A remark.' });
  const { before } = await receiptOf(service, await service.remove('/api/nominations/8'));
  expect(before).toMatchObject({ details: details as object });
  expect((await service.write('POST', '/api/nominations', before as JsonValue)).status).toBe(201);
  expect((await service.read('/api/nominations/8?include=details')).details).toEqual(details);
});

it('a record that others refer to stays, and the refusal counts them', async () => {
  const { service } = running;
  const ids = { ceremonies: 7100, movies: 7100, nominees: 7100, songs: 7100 };
  for (const resource of writableResources)
    if (resource !== 'nominations') await created(resource, { ...smallestBody[resource], id: 7100 });
  const references = { ceremony_id: 7100, movie_id: 7100, nominee_id: 7100, song_id: 7100 };
  for (const id of [7101, 7102])
    await created('nominations', { ...smallestBody.nominations, id, ...references });
  service.connection.exec(
    "INSERT INTO honors (ceremony_id, class, category, movie_id, nominee_ids) VALUES (7100, 'Special', 'HONORARY AWARD', 7100, '[1,7100]')",
  );
  const detail = (resource: string) => {
    const path = `/api/${resource}/7100`;
    // The order of the checks is that of PATCH, 409 before 412.
    return refusal(path, 409, 'still-referenced', () => service.remove(path, { 'If-Match': '"stale"' }));
  };
  for (const resource of Object.keys(ids))
    expect(await detail(resource)).toBe(
      `/api/${resource}/7100 is still referred to by 2 nominations${resource === 'songs' ? '' : ' and 1 honor'}`,
    );
  for (const id of [7101, 7102]) expect((await service.remove(`/api/nominations/${id}`)).status).toBe(200);
  expect((await service.remove('/api/songs/7100')).status).toBe(200);
  expect(await detail('nominees')).toBe('/api/nominees/7100 is still referred to by 1 honor');
});

it.each(['songs', 'movies'])('a new record of %s never gets the id of a deleted one', async (resource) => {
  const { service } = running;
  const given = new Set<string>();
  for (let i = 0; i < 4; i += 1) {
    const { path } = await created(resource, smallestBody[resource as 'songs' | 'movies']);
    expect(given).not.toContain(path);
    given.add(path);
    expect((await service.remove(path)).status).toBe(200);
  }
  // A client may choose it.
  const [path = ''] = given;
  const id = Number(path.split('/').at(-1));
  const { headers } = await service.write('POST', `/api/${resource}`, {
    ...smallestBody[resource as 'songs' | 'movies'],
    id,
  });
  expect(headers.location).toBe(path);
});

it('the media type of a DELETE is not looked at, and a body is refused', async () => {
  const { service } = running;
  for (const type of ['application/json', 'text/plain', '/', 'application/json;charset=UTF-16']) {
    const { path } = await created('songs', { original_title: 'Typed' });
    for (const body of ['{}', 'x'])
      await refusal(path, 400, 'malformed-body', () =>
        service.ask(path, {
          method: 'DELETE',
          headers: { 'x-api-key': service.key, 'Content-Type': type, 'Content-Length': String(body.length) },
          body,
        }),
      );
    await refusal(path, 400, 'malformed-body', () =>
      service.ask(path, {
        method: 'DELETE',
        headers: { 'x-api-key': service.key, 'Content-Length': '2' },
        body: '{}',
      }),
    );
    expect((await service.remove(path, { 'Content-Type': type })).status).toBe(200);
  }
});

it('a DELETE without a key is refused', async () => {
  await refusal('/api/movies/3', 401, 'unauthorized', () =>
    running.service.ask('/api/movies/3', { method: 'DELETE' }),
  );
});
