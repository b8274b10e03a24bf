/** The service serves the index of the lists and every list that it names, for any origin. */
import { expect, it } from 'vitest';
import { layersOf } from '../../build/layers/all.ts';
import { updateLayers } from '../../build/layers/layer.ts';
import { useService } from '../service/running-service.ts';

const running = useService({ readLimit: 0 });

it('serves every list with its media type', async () => {
  const { out } = running.built;
  await updateLayers(out, layersOf(out, ['lists']));
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
