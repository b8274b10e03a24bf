/** The service serves the index of the lists and every list that it names, for any origin; the client reads them. */
import { beforeAll, expect, expectTypeOf, it } from 'vitest';
import { createClient } from '../../api/client/index.ts';
import { layersOf } from '../../build/derived/all.ts';
import { updateLayers } from '../../build/derived/layer.ts';
import { useService } from '../http/running-service.ts';

const running = useService({ readLimit: 0 });

beforeAll(async () => {
  const { out } = running.built;
  await updateLayers(out, layersOf(['lists']));
});

it('serves every list with its media type', async () => {
  const { body } = await running.service.ask('/lists/index.json');
  const { data } = JSON.parse(body.toString()) as { data: { json: string; rss: string }[] };
  expect(data.length).toBeGreaterThan(20);
  for (const list of data)
    for (const [address, type] of [
      [list.json, 'application/json; charset=utf-8'],
      [list.rss, 'application/rss+xml; charset=utf-8'],
    ] as const) {
      const answer = await running.service.ask(address);
      expect(answer.status, address).toBe(200);
      expect(answer.headers['content-type'], address).toBe(type);
      expect(answer.headers['access-control-allow-origin'], address).toBe('*');
    }
});

it('the client reads the index and a list with their types', async () => {
  const client = createClient({ baseUrl: `http://127.0.0.1:${running.service.port}` });
  const { data, count } = await client.get('/lists/index.json');
  expect(data).toHaveLength(count);
  const list = data.find(({ films }) => films > 1)!;
  const films = await client.get(list.json);
  expect(films).toHaveLength(list.films);
  expectTypeOf(films[0]!).toExtend<{ title: string; imdb_id: string; year: number | null }>();
});
