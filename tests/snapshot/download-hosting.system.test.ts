/** The service serves every file of the index under both names, with the listed size, type and hash. */
import { expect, it } from 'vitest';
import type { DownloadIndex } from '../../api/contract/answers.ts';
import { openapiDocument } from '../../api/contract/openapi/document.ts';
import { layersOf } from '../../build/derived/all.ts';
import { updateLayers } from '../../build/derived/layer.ts';
import { useService } from '../http/running-service.ts';
import { hashOf } from './named-files.ts';

const running = useService({ readLimit: 0 });
const ask = (name: string, method = 'GET', headers: Record<string, string> = {}) =>
  running.service.ask(`/downloads/${name}`, { method, headers });

it('serves every file, whole or in part', async () => {
  const { out } = running.built;
  await updateLayers(out, layersOf(['lists', 'downloads']));
  const { files } = JSON.parse((await ask('index.json')).body.toString()) as DownloadIndex;
  expect(files).toHaveLength(15);
  for (const { name, immutable_name, bytes, sha256, media_type } of files) {
    for (const own of [name, immutable_name]) {
      const answer = await ask(own);
      expect(answer.status, own).toBe(200);
      expect(answer.headers['content-type'], own).toBe(media_type);
      expect(hashOf(answer.body), own).toBe(sha256.slice(0, 20));
    }
    const head = await ask(name, 'HEAD');
    expect([head.status, head.headers['content-length']], name).toEqual([200, String(bytes)]);
  }
  const part = await ask('awards.sqlite', 'GET', { range: 'bytes=0-14' });
  expect([part.status, part.body.toString()]).toEqual([206, 'SQLite format 3']);
});

it('describes the status of whole, partial, known and missing files', async () => {
  const { paths } = openapiDocument() as { paths: Record<string, { get: { responses: object } }> };
  const asked = async (path: string, headers: Record<string, string> = {}) =>
    (await running.service.ask(`/${path}`, { headers })).status;
  for (const [address, path] of [
    ['/downloads/index.json', 'downloads/index.json'],
    ['/downloads/{name}', 'downloads/songs.csv'],
    ['/lists/index.json', 'lists/index.json'],
    ['/lists/{name}/{file}', 'lists/best-picture/winners.json'],
  ] as const) {
    const statuses = [
      await asked(path),
      await asked(path, { range: 'bytes=0-1' }),
      await asked(path, { 'If-None-Match': '*' }),
      await asked(path, { range: 'bytes=100000000-' }),
      await asked(`${path}.none`),
    ];
    expect(statuses, path).toEqual([200, 206, 304, 416, 404]);
    for (const status of statuses)
      expect(paths[address]!.get.responses, address).toHaveProperty([`${status}`]);
  }
});

it('names the part in Content-Range, as described', async () => {
  const { components } = openapiDocument() as {
    components: { headers: Record<string, { schema: { pattern: string } }>; responses: object };
  };
  const described = new RegExp(components.headers['Content-Range']!.schema.pattern);
  for (const [range, expected] of [
    ['bytes=0-14', /^bytes 0-14\/\d+$/],
    ['bytes=100000000-', /^bytes \*\/\d+$/],
  ] as const) {
    const { headers } = await ask('awards.sqlite', 'GET', { range });
    expect(headers['content-range']).toMatch(expected);
    expect(headers['content-range']).toMatch(described);
  }
  expect(components.responses).toHaveProperty('RangeNotSatisfiable.headers.Content-Range');
});

it('serves no lock and no unfinished file', async () => {
  for (const target of ['.awards.layers.lock', '%2eawards.layers.lock', 'downloads/.index.json.unfinished'])
    expect((await running.service.ask(`/${target}`)).status, target).toBe(404);
});
