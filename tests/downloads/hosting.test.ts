/** The service gives out what the index lists, under both names, as the index says it is. */
import { expect, it } from 'vitest';
import type { DownloadIndex } from '../../api/contract/download-index.ts';
import { makeDownloads } from '../../build/layers/downloads/downloads.ts';
import { useService } from '../service/running-service.ts';
import { hashOf } from '../snapshot/named-files.ts';

const running = useService({ readLimit: 0 });
const ask = (name: string, method = 'GET', headers: Record<string, string> = {}) =>
  running.service.ask(`/downloads/${name}`, { method, headers });

it('every file, with its size, type and bytes, whole or in part', async () => {
  await makeDownloads(running.built.out);
  const { files } = JSON.parse((await ask('index.json')).body.toString()) as DownloadIndex;
  expect(files).toHaveLength(13);
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

it('nothing of what lies there for the work alone', async () => {
  for (const name of ['.lock', '.making/files/movies.csv', '%2elock'])
    expect((await ask(name)).status, name).toBe(404);
});
